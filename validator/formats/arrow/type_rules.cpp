// Schema.fbs: the parameters of types.
#include "validator/formats/arrow/type_rules.h"

#include <algorithm>
#include <format>

#include "validator/formats/arrow/rule.h"

namespace hepcheck::arrow {

namespace {

template <class... Values>
bool among(auto value, Values... values) {
  return ((value == values) || ...);
}

std::string observed(const char* what, std::int64_t value) {
  return std::format("{} {}", what, value);
}

// Applies to fields of one type.
template <class Holds>
void ask_of(const Field& field, TypeTag tag, Look& look, Holds holds, const char* what,
            std::int64_t value, const char* expected) {
  if (field.type.tag != tag) return;
  look.ask(holds(field.type), [&] { return observed(what, value); }, [&] { return expected; });
}

void type_present(const Field& field, Look& look) {
  look.ask(field.type.tag != TypeTag::kNone, "no type", "a type");
}

void type_known(const Field& field, Look& look) {
  const auto tag = static_cast<unsigned>(field.type.tag);
  look.ask(tag <= kKnownTypes, [&] { return observed("type", tag); }, "1 to 26");
}

void int_width(const Field& field, Look& look) {
  ask_of(
      field, TypeTag::kInt, look, [](const Type& it) { return among(it.bit_width, 8, 16, 32, 64); },
      "bitWidth", field.type.bit_width, "8, 16, 32 or 64");
}

void float_precision(const Field& field, Look& look) {
  ask_of(
      field, TypeTag::kFloatingPoint, look, [](const Type& it) { return among(it.unit, 0, 1, 2); },
      "precision", field.type.unit, "0 (HALF), 1 (SINGLE) or 2 (DOUBLE)");
}

void decimal_width(const Field& field, Look& look) {
  ask_of(
      field, TypeTag::kDecimal, look,
      [](const Type& it) { return among(it.bit_width, 32, 64, 128, 256); }, "bitWidth",
      field.type.bit_width, "128 or 256 (32 and 64 since format 1.5)");
}

void date_unit(const Field& field, Look& look) {
  ask_of(
      field, TypeTag::kDate, look, [](const Type& it) { return among(it.unit, 0, 1); }, "unit",
      field.type.unit, "0 (DAY) or 1 (MILLISECOND)");
}

bool unit_of_time(const Type& type) { return type.unit >= 0 && type.unit <= 3; }
constexpr const char* kUnits = "0 (SECOND) to 3 (NANOSECOND)";

void time_unit(const Field& field, Look& look) {
  ask_of(field, TypeTag::kTime, look, unit_of_time, "unit", field.type.unit, kUnits);
}

void time_width(const Field& field, Look& look) {
  ask_of(
      field, TypeTag::kTime, look,
      [](const Type& it) { return it.bit_width == (it.unit <= 1 ? 32 : 64); }, "bitWidth",
      field.type.bit_width, "32 for seconds and milliseconds, 64 for smaller units");
}

void timestamp_unit(const Field& field, Look& look) {
  ask_of(field, TypeTag::kTimestamp, look, unit_of_time, "unit", field.type.unit, kUnits);
}

void duration_unit(const Field& field, Look& look) {
  ask_of(field, TypeTag::kDuration, look, unit_of_time, "unit", field.type.unit, kUnits);
}

void interval_unit(const Field& field, Look& look) {
  ask_of(
      field, TypeTag::kInterval, look, [](const Type& it) { return among(it.unit, 0, 1, 2); },
      "unit", field.type.unit, "0 (YEAR_MONTH), 1 (DAY_TIME) or 2 (MONTH_DAY_NANO)");
}

void fixed_size_binary_width(const Field& field, Look& look) {
  ask_of(
      field, TypeTag::kFixedSizeBinary, look, [](const Type& it) { return it.size >= 0; },
      "byteWidth", field.type.size, "0 or more");
}

void list_size(const Field& field, Look& look) {
  ask_of(
      field, TypeTag::kFixedSizeList, look, [](const Type& it) { return it.size >= 0; }, "listSize",
      field.type.size, "0 or more");
}

void union_mode(const Field& field, Look& look) {
  ask_of(
      field, TypeTag::kUnion, look, [](const Type& it) { return among(it.mode, 0, 1); }, "mode",
      field.type.mode, "0 (Sparse) or 1 (Dense)");
}

// In the order of relevance: the first violation invalidates the field.
constexpr Rule<Field> kInvalidating[] = {
    {"arrow-field-type-present", type_present},
    {"arrow-field-type-known", type_known},
    {"arrow-int-width", int_width},
    {"arrow-float-precision-known", float_precision},
    {"arrow-decimal-width", decimal_width},
    {"arrow-date-unit-known", date_unit},
    {"arrow-time-unit-known", time_unit},
    {"arrow-time-width-fits-unit", time_width},
    {"arrow-interval-unit-known", interval_unit},
    {"arrow-fixed-size-binary-width-not-negative", fixed_size_binary_width},
    {"arrow-fixed-size-list-size-not-negative", list_size},
    {"arrow-union-mode-known", union_mode},
};

// --- What does not change how values lie ---------------------------------------------------------

bool is_newer(const Type& type) {
  const auto is_width = [&](std::int32_t width) { return type.bit_width == width; };
  if (type.tag == TypeTag::kDecimal) return is_width(32) || is_width(64) || is_width(256);
  if (type.tag == TypeTag::kInterval) return type.unit == 2;
  return type.tag >= TypeTag::kRunEndEncoded && static_cast<unsigned>(type.tag) <= kKnownTypes;
}

void newer(const Field& field, Look& look) {
  look.ask(!is_newer(field.type), [&] { return newer_type(field.type); }, "a type of format 1.0");
}

void precision_positive(const Field& field, Look& look) {
  ask_of(
      field, TypeTag::kDecimal, look, [](const Type& it) { return it.precision >= 1; }, "precision",
      field.type.precision, "1 or more");
}

void precision_fits_width(const Field& field, Look& look) {
  if (field.type.tag != TypeTag::kDecimal) return;
  const int most = field.type.bit_width == 32    ? 9
                   : field.type.bit_width == 64  ? 18
                   : field.type.bit_width == 128 ? 38
                                                 : 76;
  look.ask(
      field.type.precision <= most, [&] { return observed("precision", field.type.precision); },
      [&] { return std::format("{} or less in {} bits", most, field.type.bit_width); });
}

bool is_offset(std::string_view zone) {
  const auto digit = [&](std::size_t i) { return zone[i] >= '0' && zone[i] <= '9'; };
  return zone.size() == 6 && digit(1) && digit(2) && zone[3] == ':' && digit(4) && digit(5);
}

bool is_name(std::string_view zone) {
  const auto letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
  return letter(zone[0]) && std::ranges::all_of(zone, [&](char c) {
           return letter(c) || (c >= '0' && c <= '9') || std::string_view("_+-/").contains(c);
         });
}

void timezone_form(const Field& field, Look& look) {
  const std::string_view zone = field.type.timezone;
  if (field.type.tag != TypeTag::kTimestamp || zone.empty()) return;
  look.ask(
      zone[0] == '+' || zone[0] == '-' ? is_offset(zone) : is_name(zone),
      [&] { return std::format("\"{}\"", zone); },
      "a name of the Olson database, or an offset such as +05:30");
}

constexpr Rule<Field> kOthers[] = {
    {"arrow-timestamp-unit-known", timestamp_unit},
    {"arrow-duration-unit-known", duration_unit},
    {"arrow-decimal-precision-positive", precision_positive},
    {"arrow-decimal-precision-fits-width", precision_fits_width},
    {"arrow-timestamp-timezone-form", timezone_form},
    {"arrow-type-newer-than-1-0", newer},
};

}  // namespace

std::string newer_type(const Type& type) {
  if (!is_newer(type)) return {};
  std::string name = type_name(static_cast<unsigned>(type.tag));
  if (type.tag == TypeTag::kDecimal) name += std::format(" of {} bits", type.bit_width);
  return type.tag == TypeTag::kInterval ? name + " of months, days and nanoseconds" : name;
}

std::string_view judge_type(const Field& field, const Place& place, Notes& notes) {
  for (const Rule<Field>& rule : kInvalidating)
    if (!judge_rule(rule, field, place, notes)) return rule.id.str();
  judge_each<kOthers>(field, place, notes);
  return "";
}

ArrayLayout layout_of(const Type& type) {
  using Kind = ArrayLayout::Kind;
  const auto bytes = static_cast<std::uint64_t>(type.bit_width) / 8;
  const auto size = static_cast<std::uint64_t>(type.size);
  switch (type.tag) {
    case TypeTag::kNull: return {Kind::kNull};
    case TypeTag::kInt:
    case TypeTag::kDecimal:
    case TypeTag::kTime: return {Kind::kFixedWidth, bytes};
    case TypeTag::kFloatingPoint: return {Kind::kFixedWidth, std::uint64_t{2} << type.unit};
    case TypeTag::kDate: return {Kind::kFixedWidth, type.unit == 0 ? 4u : 8u};
    case TypeTag::kInterval: return {Kind::kFixedWidth, std::uint64_t{4} << type.unit};
    case TypeTag::kTimestamp:
    case TypeTag::kDuration: return {Kind::kFixedWidth, 8};
    case TypeTag::kFixedSizeBinary: return {Kind::kFixedWidth, size};
    case TypeTag::kBool: return {Kind::kBool};
    case TypeTag::kBinary:
    case TypeTag::kUtf8: return {Kind::kBinary, 4};
    case TypeTag::kLargeBinary:
    case TypeTag::kLargeUtf8: return {Kind::kBinary, 8};
    case TypeTag::kList:
    case TypeTag::kMap: return {Kind::kList, 4};
    case TypeTag::kLargeList: return {Kind::kList, 8};
    case TypeTag::kFixedSizeList: return {Kind::kFixedSizeList, size};
    case TypeTag::kStruct: return {Kind::kStruct};
    case TypeTag::kUnion: return {type.mode == 0 ? Kind::kSparseUnion : Kind::kDenseUnion};
    case TypeTag::kRunEndEncoded: return {Kind::kRunEndEncoded};
    case TypeTag::kBinaryView:
    case TypeTag::kUtf8View: return {Kind::kView, 16};
    case TypeTag::kListView: return {Kind::kListView, 4};
    case TypeTag::kLargeListView: return {Kind::kListView, 8};
    default: return {};
  }
}

void type_rules(RuleList& list) { list.structure<kInvalidating, kOthers>(); }

}  // namespace hepcheck::arrow
