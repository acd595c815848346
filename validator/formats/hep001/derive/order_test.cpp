#include "validator/formats/hep001/derive/order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "validator/formats/hep001/testing/build.h"

namespace hepcheck::hep001 {

namespace {

using Bytes = std::vector<std::byte>;
using Order = std::partial_ordering;

constexpr ByteOrder kOrders[] = {ByteOrder::kLittle, ByteOrder::kBig};

// Values of one datatype: the values of each group are equal, and below those of the next group.
// Every pair is compared, in both directions.
void expect_order(const Datatype& type, const std::vector<std::vector<Bytes>>& groups) {
  EXPECT_TRUE(has_order(type)) << describe(type);
  for (std::size_t i = 0; i < groups.size(); ++i)
    for (std::size_t j = 0; j < groups.size(); ++j)
      for (const Bytes& a : groups[i])
        for (const Bytes& b : groups[j])
          EXPECT_TRUE(compare_values(type, a, b) == (i <=> j))
              << describe(type) << ": " << format_value(type, a) << " of group " << i << ", "
              << format_value(type, b) << " of group " << j;
}

// Strictly increasing values.
void expect_increasing(const Datatype& type, const Cells& cells) {
  std::vector<std::vector<Bytes>> groups;
  for (const Cell& cell : cells) groups.push_back({cell.stored_as(type)});
  expect_order(type, groups);
}

// A float with these bits, whatever number they represent.
Bytes bits(std::uint64_t value, const Datatype& type) {
  return Cell(value).stored_as(integer_type(type.size, false, type.order));
}

Bytes text(std::string_view value) {
  const auto bytes = std::as_bytes(std::span(value));
  return {bytes.begin(), bytes.end()};
}
std::vector<Bytes> texts(std::initializer_list<std::string_view> values) {
  std::vector<Bytes> all;
  for (const std::string_view value : values) all.push_back(text(value));
  return all;
}
using std::string_view_literals::operator""sv;

TEST(Order, SignedIntegersOfEveryWidth) {
  for (const ByteOrder order : kOrders)
    for (std::size_t bytes = 1; bytes <= 8; ++bytes) {
      const std::int64_t least = std::numeric_limits<std::int64_t>::min() >> (64 - 8 * bytes);
      expect_increasing(integer_type(bytes, true, order),
                        {least, least + 1, -2, -1, 0, 1, 2, ~least - 1, ~least});
    }
}

TEST(Order, UnsignedIntegersOfEveryWidth) {
  for (const ByteOrder order : kOrders)
    for (std::size_t bytes = 1; bytes <= 8; ++bytes) {
      const std::uint64_t greatest = ~std::uint64_t{0} >> (64 - 8 * bytes);
      expect_increasing(integer_type(bytes, false, order),
                        {0, 1, 2, greatest / 2, greatest / 2 + 1, greatest - 1, greatest});
    }
}

// Integers that do not use all of their bits: the other bits do not count.
TEST(Order, IntegersOfReducedPrecision) {
  for (const ByteOrder order : kOrders) {
    Datatype type = integer_type(2, true, order);
    type.precision = 5;
    type.bit_offset = 3;
    const auto stored = [&](int value, unsigned around) {
      return bits(((static_cast<unsigned>(value) & 0x1f) << 3) | around, type);
    };
    expect_order(type, {{stored(-16, 0), stored(-16, 0xff07)},
                        {stored(-1, 0), stored(-1, 0x0007)},
                        {stored(0, 0), stored(0, 0xff00)},
                        {stored(15, 0xff07), stored(15, 0)}});
    type.is_signed = false;
    expect_order(type, {{stored(0, 0xff07)}, {stored(15, 0)}, {stored(16, 0), stored(16, 7)}});
  }
}

// The bits of a float that is not NaN, as an integer that increases with the value; both zeros give
// 0.
std::int64_t sign_magnitude(std::uint64_t bits, std::size_t bytes) {
  const std::uint64_t sign = std::uint64_t{1} << (8 * bytes - 1);
  const auto magnitude = static_cast<std::int64_t>(bits & ~sign);
  return bits & sign ? -magnitude : magnitude;
}

std::uint64_t infinity_bits(std::size_t bytes) {
  return bytes == 2 ? 0x7c00 : bytes == 4 ? 0x7f800000 : 0x7ff0000000000000;
}

TEST(Order, FloatsOfEveryWidth) {
  std::mt19937_64 random(7);
  for (const ByteOrder order : kOrders)
    for (const std::size_t bytes : {2, 4, 8}) {
      const Datatype type = ieee_float_type(bytes, order);
      const std::uint64_t sign = std::uint64_t{1} << (8 * bytes - 1), inf = infinity_bits(bytes);
      // Zeros, subnormals, the smallest normal number, one, the largest, infinities; then arbitrary
      // ones.
      std::vector<std::uint64_t> values{0,       sign, 1,          sign + 1,      2,
                                        inf - 1, inf,  sign + inf, sign + inf - 1};
      while (values.size() < 200)
        if (const std::uint64_t v = random() >> (64 - 8 * bytes); (v & ~sign) <= inf)
          values.push_back(v);
      for (const std::uint64_t a : values)
        for (const std::uint64_t b : values)
          EXPECT_TRUE(compare_values(type, bits(a, type), bits(b, type)) ==
                      (sign_magnitude(a, bytes) <=> sign_magnitude(b, bytes)))
              << describe(type) << std::hex << ": bits " << a << ", " << b;
    }
}

TEST(Order, OrdersEveryBinary16) {
  const Datatype type = ieee_float_type(2);
  Bytes last = bits(0xfc00, type);
  for (std::uint64_t v = 0xfbff; v >= 0x8000; --v) {
    const Bytes next = bits(v, type);
    ASSERT_TRUE(compare_values(type, last, next) == Order::less) << std::hex << v;
    last = next;
  }
  EXPECT_TRUE(compare_values(type, last, bits(0, type)) == Order::equivalent);
  for (std::uint64_t v = 1; v <= 0x7c00; ++v) {
    const Bytes next = bits(v, type);
    ASSERT_TRUE(compare_values(type, last, next) == Order::less) << std::hex << v;
    last = next;
  }
}

TEST(Order, NanIsUnordered) {
  for (const ByteOrder order : kOrders)
    for (const std::size_t bytes : {2, 4, 8}) {
      const Datatype type = ieee_float_type(bytes, order);
      const std::uint64_t sign = std::uint64_t{1} << (8 * bytes - 1), inf = infinity_bits(bytes);
      // Signalling, signed, with all bits set.
      for (const std::uint64_t v : {inf + 1, sign + inf + 1, 2 * sign - 1}) {
        const Bytes nan = bits(v, type);
        EXPECT_TRUE(is_nan(type, nan));
        for (const std::uint64_t other : {std::uint64_t{0}, inf, sign + inf, v}) {
          EXPECT_TRUE(compare_values(type, nan, bits(other, type)) == Order::unordered);
          EXPECT_TRUE(compare_values(type, bits(other, type), nan) == Order::unordered);
        }
      }
      EXPECT_FALSE(is_nan(type, bits(inf, type)));
      EXPECT_FALSE(is_nan(type, bits(0, type)));
    }
  EXPECT_FALSE(is_nan(integer_type(8, true), bits(infinity_bits(8) + 1, integer_type(8, true))));
  EXPECT_FALSE(is_nan(variable_string_type(CharacterSet::kUtf8), text("nan")));
}

TEST(Order, FalseBeforeTrue) { expect_increasing(boolean_type(), {0, 1}); }

TEST(Order, EnumerationsByCodeWhateverTheirNames) {
  for (const ByteOrder order : kOrders) {
    expect_increasing(enum_type(integer_type(2, true, order), {{"c", -300}, {"b", 0}, {"a", 256}}),
                      {-300, -1, 0, 1, 256});
    expect_increasing(enum_type(integer_type(2, false, order), {{"z", 1}, {"y", 40000}}),
                      {0, 1, 256, 40000});
  }
}

TEST(Order, FixedStringsWithoutPadding) {
  for (const CharacterSet set : {CharacterSet::kAscii, CharacterSet::kUtf8}) {
    // NULLTERM ends at the first NUL, NULLPAD at the last byte that is not NUL.
    expect_order(fixed_string_type(4, StringPadding::kNullTerm, set),
                 {texts({"\0\0\0\0"sv, "\0abc"sv}), texts({"    "}),
                  texts({"a\0\0\0"sv, "a\0b\0"sv}), texts({"a\1\0\0"sv}), texts({"a \0\0"sv}),
                  texts({"ab\0\0"sv}), texts({"abcd"}), texts({"b\0\0\0"sv})});
    expect_order(
        fixed_string_type(4, StringPadding::kNullPad, set),
        {texts({"\0\0\0\0"sv}), texts({"\0a\0\0"sv}), texts({"    "}), texts({"a\0\0\0"sv}),
         texts({"a\0b\0"sv}), texts({"a\1\0\0"sv}), texts({"a \0\0"sv}), texts({"abcd"})});
    // A space counts only before another character; NULs are ordinary characters.
    expect_order(fixed_string_type(4, StringPadding::kSpacePad, set),
                 {texts({"    "}), texts({"\0   "sv}), texts({"\0\0\0\0"sv}), texts({" a  "}),
                  texts({"a   "}), texts({"a\0  "sv}), texts({"a\n  "}), texts({"a b "}),
                  texts({"ab  "}), texts({"abcd"})});
  }
}

// U+E000 is above U+1F600 in UTF-16 and below it in UTF-8; composed and decomposed e-acute differ.
TEST(Order, StringsByUnsignedBytes) {
  const auto groups = [] {
    return std::vector<std::vector<Bytes>>{
        texts({"Z"}),        texts({"e\xcc\x81"}),    texts({"z"}),
        texts({"\xc3\xa9"}), texts({"\xee\x80\x80"}), texts({"\xf0\x9f\x98\x80"})};
  };
  expect_order(variable_string_type(CharacterSet::kUtf8), groups());
  std::vector<std::vector<Bytes>> padded = groups();
  for (auto& group : padded)
    for (Bytes& value : group) value.resize(6);
  expect_order(fixed_string_type(6, StringPadding::kNullPad, CharacterSet::kUtf8), padded);
}

TEST(Order, VariableStrings) {
  expect_order(
      variable_string_type(CharacterSet::kAscii),
      {texts({""}), texts({" "}), texts({"a"}), texts({"a "}), texts({"aa"}), texts({"b"})});
}

TEST(Order, OpaqueByUnsignedBytesWithoutTheTag) {
  for (const char* tag : {"", "a tag"})
    expect_order(opaque_type(2, tag), {texts({"\0\0"sv}), texts({"\0\xff"sv}), texts({"\1\0"sv}),
                                       texts({"\x7f "}), texts({"\x80\0"sv}), texts({"\xff\xff"})});
}

// More than 8 bytes: equal lower halves, and the sign in the most significant bit.
TEST(Order, IntegersOfMoreThanEightBytes) {
  for (const ByteOrder order : kOrders)
    for (const std::size_t bytes : {9, 16, 1000}) {
      const auto stored = [&](std::initializer_list<unsigned> high, unsigned low) {
        Bytes value(bytes, std::byte{0});
        value[0] = static_cast<std::byte>(low);
        std::size_t at = bytes;
        for (const unsigned byte : high) value[--at] = static_cast<std::byte>(byte);
        if (order == ByteOrder::kBig) std::ranges::reverse(value);
        return value;
      };
      const Bytes zero = stored({}, 0), one = stored({}, 1), above = stored({1}, 1),
                  top = stored({0x7F}, 1), sign = stored({0x80}, 0), next = stored({0x80}, 1),
                  minus = stored({0xFF}, 0);
      expect_order(integer_type(bytes, true, order),
                   {{sign}, {next}, {minus}, {zero}, {one}, {above}, {top}});
      expect_order(integer_type(bytes, false, order),
                   {{zero}, {one}, {above}, {top}, {sign}, {next}, {minus}});
      expect_order(enum_type(integer_type(bytes, true, order), {{"A", 1}}),
                   {{sign}, {minus}, {zero}, {one}, {top}});
    }
}

Datatype bfloat() {
  Datatype type = ieee_float_type(2);
  type.floating = {15, 7, 8, 0, 7, 127, true};
  return type;
}

// They are compared, although HEP001 defines no order for them.
TEST(Order, OfUnlistedNumbers) {
  const Datatype time{
      .cls = TypeClass::kTime, .size = 4, .order = ByteOrder::kLittle, .precision = 32};
  const Datatype bitfield{
      .cls = TypeClass::kBitfield, .size = 2, .order = ByteOrder::kBig, .precision = 12};
  for (const Datatype& type : {bfloat(), time, bitfield}) {
    EXPECT_FALSE(has_order(type)) << describe(type);
    EXPECT_TRUE(can_compare(type)) << describe(type);
  }
  EXPECT_TRUE(compare_values(bfloat(), bits(0xC000, bfloat()), bits(0x3F80, bfloat())) < 0);
  EXPECT_TRUE(compare_values(bfloat(), bits(0x8000, bfloat()), bits(0, bfloat())) == 0);
  EXPECT_TRUE(compare_values(bfloat(), bits(0x7FC0, bfloat()), bits(0, bfloat())) ==
              Order::unordered);
  EXPECT_TRUE(compare_values(time, bits(0xFFFFFFFF, time), bits(0, time)) < 0);
  EXPECT_TRUE(compare_values(bitfield, bits(0xF001, bitfield), bits(0x0002, bitfield)) < 0);
  EXPECT_TRUE(compare_values(bitfield, bits(0xF001, bitfield), bits(0x0001, bitfield)) == 0);
}

TEST(Order, OtherFloatsAsDoubles) {
  EXPECT_EQ(float_value(bfloat(), bits(0x3FC0, bfloat())), 1.5);
  EXPECT_EQ(float_value(bfloat(), bits(0xFF80, bfloat())), -HUGE_VAL);
  EXPECT_TRUE(std::isnan(float_value(bfloat(), bits(0x7FC0, bfloat()))));
  EXPECT_TRUE(std::signbit(float_value(bfloat(), bits(0x8000, bfloat()))));
  Datatype quad = ieee_float_type(16);
  quad.order = ByteOrder::kBig;
  quad.precision = 128;
  quad.floating = {127, 112, 15, 0, 112, 16383, true};
  Bytes greatest(16, std::byte{0xFF}), least(16);
  greatest[0] = std::byte{0x7F};
  greatest[1] = std::byte{0xFE};
  least[15] = std::byte{1};
  EXPECT_EQ(float_value(quad, greatest), std::numeric_limits<double>::max());
  EXPECT_EQ(float_value(quad, least), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(format_value(bfloat(), bits(0x3FC0, bfloat())), "1.5 (0xc03f)");
  EXPECT_EQ(format_value(bfloat(), bits(0x7FC0, bfloat())), "NaN (0xc07f)");
}

TEST(Order, OtherDatatypesHaveNone) {
  const auto field = [](const char* name, std::size_t offset) {
    return TypeMember{.name = name,
                      .offset = offset,
                      .type = std::make_shared<const Datatype>(integer_type(4, true)),
                      .value = {}};
  };
  Datatype vax = ieee_float_type(4);
  vax.order = ByteOrder::kVax;
  for (const Datatype& type :
       {standard_reference_type(), compound_type(8, {field("x", 0), field("y", 4)}),
        Datatype{.cls = TypeClass::kArray, .size = 8},
        Datatype{.cls = TypeClass::kBitfield, .size = 1},
        Datatype{.cls = TypeClass::kTime, .size = 4}, vax,
        Datatype{.cls = TypeClass::kFloat, .size = 16, .order = ByteOrder::kLittle}}) {
    EXPECT_FALSE(has_order(type)) << describe(type);
    EXPECT_FALSE(can_compare(type)) << describe(type);
    const Bytes value(type.size);
    EXPECT_TRUE(compare_values(type, value, value) == Order::unordered) << describe(type);
  }
}

TEST(Format, LongNumbersAreShortened) {
  const Datatype wide = integer_type(16, true), wider = integer_type(1000, false);
  EXPECT_EQ(format_value(wide, Bytes(16, std::byte{0xFF})), "-1");
  Bytes value(16);
  value[8] = std::byte{1};
  EXPECT_EQ(format_value(wide, value), "18446744073709551616");
  EXPECT_EQ(format_value(enum_type(wide, {{"A", -1}}), Bytes(16, std::byte{0xFF})), "A (-1)");
  const std::string shown = format_value(wider, Bytes(1000, std::byte{0xFF}));
  EXPECT_TRUE(shown.ends_with("... (2409 digits)")) << shown;
  EXPECT_LT(shown.size(), 80u);
}

// The canonical missing-value test (8.5).
struct MissingCase {
  Datatype type;
  Bytes fill;
  std::vector<Bytes> missing, present;
};

void expect_missing(const MissingCase& c) {
  for (const Bytes& value : c.missing)
    EXPECT_TRUE(is_missing(c.type, value, c.fill))
        << describe(c.type) << ' ' << format_value(c.type, value);
  for (const Bytes& value : c.present)
    EXPECT_FALSE(is_missing(c.type, value, c.fill))
        << describe(c.type) << ' ' << format_value(c.type, value);
}

std::vector<Bytes> all_stored(const Datatype& type, const Cells& cells) {
  std::vector<Bytes> all;
  for (const Cell& cell : cells) all.push_back(cell.stored_as(type));
  return all;
}

TEST(Missing, IntegersEqualToTheFill) {
  for (const ByteOrder order : kOrders)
    for (std::size_t bytes = 1; bytes <= 8; ++bytes)
      for (const bool is_signed : {true, false}) {
        const Datatype type = integer_type(bytes, is_signed, order);
        expect_missing({type, Cell(-127).stored_as(type), all_stored(type, {-127}),
                        all_stored(type, {0, 127, -126, -128})});
      }
}

TEST(Missing, FloatsEqualToTheFillOrNanForANanFill) {
  for (const ByteOrder order : kOrders)
    for (const std::size_t bytes : {2, 4, 8}) {
      const Datatype type = ieee_float_type(bytes, order);
      const std::uint64_t sign = std::uint64_t{1} << (8 * bytes - 1), inf = infinity_bits(bytes);
      const std::vector<Bytes> nans{bits(inf + 1, type), bits(sign + inf + 1, type),
                                    bits(2 * sign - 1, type)};
      const std::vector<Bytes> numbers{bits(inf, type), bits(sign + inf, type), bits(1, type)};
      for (const Bytes& fill : nans) expect_missing({type, fill, nans, numbers});
      expect_missing({type, bits(inf - 1, type), {bits(inf - 1, type)}, numbers});
      expect_missing({type, bits(inf - 1, type), {}, nans});
      // == for values, not for bits: the zeros are one value.
      for (const std::uint64_t zero : {std::uint64_t{0}, sign})
        expect_missing({type, bits(zero, type), {bits(0, type), bits(sign, type)}, numbers});
    }
}

TEST(Missing, BooleansAndEnumerationsByCode) {
  const Datatype grade =
      enum_type(integer_type(2, true, ByteOrder::kBig), {{"LOW", 0}, {"HIGH", 1}, {"MISSING", -1}});
  expect_missing(
      {grade, Cell(-1).stored_as(grade), all_stored(grade, {-1}), all_stored(grade, {0, 1, 255})});
  expect_missing({boolean_type(), Cell(2).stored_as(boolean_type()),
                  all_stored(boolean_type(), {2}), all_stored(boolean_type(), {0, 1})});
}

TEST(Missing, StringsWithoutPadding) {
  const auto type = [](StringPadding padding) {
    return fixed_string_type(3, padding, CharacterSet::kUtf8);
  };
  expect_missing({type(StringPadding::kNullTerm), text("\0\0\0"sv), texts({"\0\0\0"sv, "\0ab"sv}),
                  texts({"   ", "a\0\0"sv})});
  expect_missing({type(StringPadding::kNullPad), text("\0\0\0"sv), texts({"\0\0\0"sv}),
                  texts({"   ", "\0a\0"sv})});
  expect_missing({type(StringPadding::kSpacePad), text("NA "), texts({"NA "}),
                  texts({"NA\0"sv, "   ", " NA"})});
  expect_missing(
      {variable_string_type(CharacterSet::kUtf8), text(""), texts({""}), texts({" ", "x"})});
  expect_missing({variable_string_type(CharacterSet::kUtf8), text("NA"), texts({"NA"}),
                  texts({"", "N", "NA "})});
}

// A compound whose fill value contains a NaN is not a float: an equal value is missing.
TEST(Missing, NanParts) {
  const Datatype type =
      compound_type(4, {{.name = "f",
                         .offset = 0,
                         .type = std::make_shared<const Datatype>(ieee_float_type(4)),
                         .value = {}}});
  const Bytes nan = bits(0x7FC00000, integer_type(4, false)),
              other = bits(0x7FC00001, integer_type(4, false));
  expect_missing({type, nan, {nan}, {other, bits(0, integer_type(4, false))}});
  EXPECT_FALSE(is_nan(type, nan));
  EXPECT_FALSE(equal_values(type, nan, nan));
}

TEST(Missing, EverythingElseByBytes) {
  expect_missing(
      {opaque_type(2, "tag"), text("\xff\xff"), texts({"\xff\xff"}), texts({"\xff\0"sv})});
  const Datatype array{.cls = TypeClass::kArray, .size = 2};
  expect_missing({array, text("ab"), texts({"ab"}), texts({"ba"})});
}

}  // namespace

}  // namespace hepcheck::hep001
