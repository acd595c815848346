// The order of 10.5 and the missing-value test of 8.5, compared with the order of values.
#include "fuzz/hep001/properties/random_values.h"
#include "validator/formats/hep001/derive/order.h"

namespace hepcheck::hep001::grammar {

namespace {

std::partial_ordering expected(const Value& a, const Value& b) {
  if (is_nan(a) || is_nan(b)) return std::partial_ordering::unordered;
  if (less(a, b)) return std::partial_ordering::less;
  return less(b, a) ? std::partial_ordering::greater : std::partial_ordering::equivalent;
}

RC_GTEST_PROP(Order, IsThatOfTheValues, ()) {
  const Datatype type = draw_type(draw_family());
  const Value a = draw_value("a", type), b = draw_value("b", type);
  Noise noise = draw_noise();
  RC_ASSERT(has_order(type));
  const auto stored_a = encode(type, a, noise), stored_b = encode(type, b, noise);
  RC_ASSERT(compare_values(type, stored_a, stored_b) == expected(a, b));
  RC_ASSERT(compare_values(type, stored_b, stored_a) == expected(b, a));
  RC_ASSERT(hep001::is_nan(type, stored_a) == is_nan(a));
}

RC_GTEST_PROP(Order, IsTransitive, ()) {
  const Datatype type = draw_type(draw_family());
  Noise noise = draw_noise();
  const auto a = encode(type, draw_value("a", type), noise);
  const auto b = encode(type, draw_value("b", type), noise);
  const auto c = encode(type, draw_value("c", type), noise);
  if (compare_values(type, a, b) <= 0 && compare_values(type, b, c) <= 0)
    RC_ASSERT(std::is_lteq(compare_values(type, a, c)));
}

// Byte order, padding, character set, fixed or variable length do not change the order.
RC_GTEST_PROP(Order, IsTheSameInAnyStorage, ()) {
  const Datatype type = draw_type(draw_family());
  const Datatype other =
      draw("other storage", [type](Choices& c) { return other_storage(c, type); });
  const Value a = draw_value("a", type), b = draw_value("b", type);
  RC_PRE(can_hold(other, a) && can_hold(other, b));
  Noise noise = draw_noise();
  RC_ASSERT(compare_values(type, encode(type, a, noise), encode(type, b, noise)) ==
            compare_values(other, encode(other, a, noise), encode(other, b, noise)));
}

RC_GTEST_PROP(Missing, IsEqualityWithTheFillOrNan, ()) {
  const RandomColumn column = draw_column(draw_family(), 12);
  RC_PRE(column.fill.has_value());
  Noise noise = draw_noise();
  const auto fill = encode(column.type, *column.fill, noise);
  for (const Value& value : column.rows)
    RC_ASSERT(is_missing(column.type, encode(column.type, value, noise), fill) ==
              column.missing(value));
}

}  // namespace

}  // namespace hepcheck::hep001::grammar
