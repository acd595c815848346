// The requirements of 8.5 and 8.7 on a column's values: ranges, codes, the recommended fill value,
// missing rows of enumerations; counted value by value, at the limits of what is allowed.
#include <algorithm>
#include <cmath>

#include "fuzz/hep001/properties/cases.h"

namespace hepcheck::hep001::grammar {

namespace {

// A column, and its declarations.
struct Declared {
  Case of{};
  std::optional<Value> min{}, max{};
  std::optional<std::uint64_t> labels{};
};

const RandomColumn& column_of(const Declared& declared) { return declared.of.column; }

std::optional<Value> recommended(const Datatype& type) {
  const auto ones = [](unsigned bits) { return (Integer{1} << bits) - 1; };
  const auto bits = static_cast<unsigned>(8 * type.size);
  const bool listed = std::has_single_bit(type.size) && type.size <= 8;
  if (type.is(TypeClass::kInteger) && type.precision == bits && listed)
    return type.is_signed ? -ones(bits - 1) : ones(bits);
  if (type.is(TypeClass::kFloat) && type.size > 2) return 0x1.ep+122;
  return std::nullopt;
}

// The value itself, or its neighbours.
Value near(Choices& choices, const Datatype& type, const Value& value) {
  const auto by = static_cast<int>(choices.below(3)) - 1;
  if (const auto* integer = std::get_if<Integer>(&value)) {
    const Integer low = type.is_signed ? -(Integer{1} << (type.precision - 1)) : 0;
    const Integer high = (Integer{1} << (type.precision - (type.is_signed ? 1 : 0))) - 1;
    return std::clamp<Integer>(*integer + by, low, high);
  }
  if (const auto* number = std::get_if<double>(&value); number && by != 0 && type.size > 2) {
    const double to = by * std::numeric_limits<double>::infinity();
    return type.size == 8 ? std::nextafter(*number, to)
                          : static_cast<double>(std::nextafter(static_cast<float>(*number),
                                                               static_cast<float>(to)));
  }
  return value;
}

// Mostly integers, codes and numbers, because they have neighbours.
Declared draw_declared() {
  Declared declared;
  declared.of = draw_case(draw("family", [](Choices& c) {
    constexpr Family kMany[] = {Family::kSigned,         Family::kUnsigned,      Family::kFloat,
                                Family::kUnusualInteger, Family::kBoolean,       Family::kEnum,
                                Family::kFixedString,    Family::kVariableString};
    return c.of(kMany);
  }));
  RandomColumn& column = declared.of.column;
  const Datatype& type = column.type;
  RC_PRE(type.precision != 1);  // boolean-widen applies to any such column
  const auto seed = *rc::gen::arbitrary<std::uint64_t>().as("exceptions");
  Noise noise(seed);
  std::vector<Value> marks;
  if (type.is(TypeClass::kInteger) && draw_below("categorical", 2) == 1) {
    declared.labels = draw("labels", [](Choices& c) {
      constexpr std::uint64_t kLabels[] = {1, 2, 3, 0, 127, 128, 129, 255, 256, 257, 70'000};
      return c.of(kLabels);
    });
    marks.push_back(static_cast<Integer>(*declared.labels));
    marks.push_back(Integer{0});
    // Otherwise all would be out of range.
    for (Value& row : column.rows) row = near(noise, type, Integer{1});
  }
  const auto bounds = draw_below("bounds", 4);
  if ((bounds & 1) != 0) declared.min = draw_value("valid_min", type);
  if ((bounds & 2) != 0) declared.max = draw_value("valid_max", type);
  for (const auto& bound : {declared.min, declared.max})
    if (bound) marks.push_back(*bound);
  if (const auto fill = recommended(type); fill && draw_below("recommended fill", 2) == 1)
    marks.push_back(*fill);
  if (column.rows.empty()) return declared;
  for (std::uint64_t n = draw_below("exceptions", 6); n > 0 && !marks.empty(); --n)
    column.rows[draw_place("row", column.extent(), declared.of)] =
        near(noise, type, marks[noise.below(marks.size())]);
  return declared;
}

Attribute bound(const char* name, const Datatype& type, const Value& value) {
  Attribute made = attribute(name, type, Cells{});
  made.space = {};
  if (type.variable_string())
    made.strings = {std::get<std::string>(value)};
  else
    made.bytes = encode(type, value);
  return made;
}

TestTable table_of(const Declared& declared) {
  Noise noise = draw_noise();
  const RandomColumn& column = column_of(declared);
  TestTable table = table_of(column, noise);
  const Datatype bound_type = column.type.is(TypeClass::kInteger) && draw_below("turned", 2) == 1
                                  ? other_storage(noise, column.type)
                                  : column.type;
  if (declared.min) table.set("c", bound("valid_min", bound_type, *declared.min));
  if (declared.max) table.set("c", bound("valid_max", bound_type, *declared.max));
  if (declared.labels) {
    table.add_group("CATEGORIES");
    const Dataset& labels =
        table.add_dataset("CATEGORIES/c", integer_type(1, false), {*declared.labels});
    table.values.set(labels.token, std::vector<std::byte>(*declared.labels));
    table.set("c", reference("CATEGORIES", table.to("CATEGORIES/c")));
  }
  return table;
}

// The slow judge.
Wrong wrong_values(const Declared& declared) {
  Wrong wrong;
  const RandomColumn& column = column_of(declared);
  // An inverted pair, or a NaN, does not declare a range.
  const bool range =
      !declared.min || !declared.max ||
      (!is_nan(*declared.min) && !is_nan(*declared.max) && !less(*declared.max, *declared.min));
  const bool settled = (declared.min && declared.max) || declared.labels;
  const std::optional<Value> sentinel = settled ? std::nullopt : recommended(column.type);
  for (std::uint64_t row = 0; row < column.nrows; ++row) {
    const Value& value = column.rows[row];
    const auto blame = [&](const char* id) { wrong[id].push_back(row); };
    if (column.missing(row)) {
      // Reported once, for the first.
      if (is_hep001_boolean(column.type) && !wrong.contains("boolean-widen"))
        blame("boolean-widen");
      continue;
    }
    if (range && ((declared.min && less(value, *declared.min)) ||
                  (declared.max && less(*declared.max, value))))
      blame("data-within-valid-range (warning)");
    if (declared.labels && (std::get<Integer>(value) < 0 ||
                            std::get<Integer>(value) >= static_cast<Integer>(*declared.labels)))
      blame("code-in-range");
    if (sentinel && !column.missing(*sentinel) && equal(value, *sentinel))
      blame("sentinel-in-domain-declare-range");
  }
  return wrong;
}

RC_GTEST_PROP(Values, ValuesOutsideTheDeclarationAreFound, ()) {
  const Declared declared = draw_declared();
  TestTable table = table_of(declared);
  RC_ASSERT(complaints(table, declared.of.cut, About::kValues) == summary(wrong_values(declared)));
}

// Without a member MISSING, the first missing row is reported.
RC_GTEST_PROP(Values, MissingRowsOfEnumerationsNeedAMember, ()) {
  Case of = draw_case(Family::kEnum);
  RandomColumn& column = of.column;
  std::erase_if(column.type.members,
                [](const TypeMember& member) { return member.name == "MISSING"; });
  Noise noise = draw_noise();
  TestTable table = table_of(column, noise);
  Wrong wrong;
  for (std::uint64_t row = 0; row < column.nrows && wrong.empty(); ++row)
    if (column.missing(row)) wrong["enum-missing-member"] = {row};
  RC_ASSERT(complaints(table, of.cut, About::kValues) == summary(wrong));
}

}  // namespace

}  // namespace hepcheck::hep001::grammar
