// HEP001 8.5 "Missing values (fill values)".
#include <algorithm>
#include <array>

#include "validator/formats/hep001/derive/order.h"
#include "validator/formats/hep001/model/comparable.h"
#include "validator/formats/hep001/rules/attributes.h"
#include "validator/formats/hep001/rules/data.h"

namespace hepcheck::hep001 {

namespace {

// A column of one significant bit: regardless of its fill value, it is a code. In revisions without
// boolean columns, the only finding is boolean-widen.
bool is_one_bit(const Datatype& type) {
  return (type.is(TypeClass::kInteger) || type.is(TypeClass::kBitfield)) && type.precision == 1;
}
bool must_be_widened(const Table& table, const Datatype& type) {
  return !table.revision->boolean_columns && is_one_bit(type);
}

// The clause of either revision; each exempts columns that another clause exempts from having a
// fill value.
void has_fill_value(const Table& table, const Column& column, Probe& probe) {
  if (must_be_widened(table, column.data->type)) return;             // boolean-widen
  if (table.revision->is_boolean_column(column.data->type)) return;  // boolean-column-no-fill
  probe.looked();
  const Storage& storage = column.data->storage;
  if (has_user_fill(*column.data)) return;
  std::string observed = "no fill value (undefined)";
  if (storage.fill_unreadable)
    observed = "a fill value that cannot be read: " + *storage.fill_unreadable;
  else if (storage.fill_state == FillState::kDefault)
    observed = "the library's default fill value";
  probe.fail({.object = column.path(),
              .observed = std::move(observed),
              .expected = "a fill value in the state H5D_FILL_VALUE_USER_DEFINED",
              .hint = "Call H5Pset_fill_value (h5py: fillvalue=...) on creation."});
}

// The fill value as stored, or the bytes of a variable-length string; nothing unless it is
// user-defined. Only columns that are not boolean must have one.
std::optional<std::vector<std::byte>> usable_fill(const Table& table, const ValueSet& values,
                                                  Probe& probe) {
  if (table.revision->is_boolean_column(values.data.type) && !values.leaf) return std::nullopt;
  if (const std::vector<std::byte>* fill = fill_bytes(values.data)) return *fill;
  const Storage& storage = values.data.storage;
  if (storage.fill_state == FillState::kUserDefined && storage.fill_string) {
    const auto bytes = std::as_bytes(std::span(*storage.fill_string));
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  }
  if (!values.leaf) probe.blocked("no user-defined fill value", {table.revision->fill_clause});
  return std::nullopt;
}
std::optional<std::vector<std::byte>> usable_fill(const Table& table, const Column& column,
                                                  Probe& probe) {
  return usable_fill(table, ValueSet{*column.data}, probe);
}

void fill_outside_logical_range(const Table& table, const Column& column, Probe& probe) {
  if (!is_hep001_boolean(column.data->type)) return;  // the range is not declared by the type
  const std::optional<std::vector<std::byte>> fill = usable_fill(table, column, probe);
  if (!fill) return;
  probe.looked();
  const int code = std::to_integer<int>((*fill)[0]);
  if (code == 0 || code == 1)
    probe.fail({.object = column.path(),
                .observed = "fill value " + format_value(column.data->type, *fill),
                .expected = "a fill value that is neither FALSE nor TRUE",
                .hint = "Widen the column to uint8 and use the fill value 2."});
}

template <Name kName>
void bound_datatype(const Table& table, const ValueSet& values, Probe& probe) {
  const Attribute* bound = readable(values.data.attribute(kName.str()), probe);
  if (!bound) return;
  probe.looked();
  Finding finding{.object = values.path(),
                  .attribute = bound->name,
                  .observed = describe(bound->type),
                  .expected = "the column's datatype, " + describe(values.data.type),
                  .hint = "Write the attribute with the type of H5Dget_type."};
  switch (compare(bound->type, values.data.type)) {
    case Sameness::kIdentical: break;
    case Sameness::kByteOrderOnly:
      if (!table.revision->any_byte_order) probe.warn(std::move(finding));
      break;
    case Sameness::kDifferent: probe.fail(std::move(finding)); break;
  }
}

// The clauses that an unusable bound violates; none if it was not read.
void add_bound_clauses(const Attribute* bound, const Datatype& wanted, ClauseId scalar,
                       ClauseId datatype, std::vector<std::string_view>& into) {
  if (!bound || bound->unreadable) return;
  if (!bound->space.scalar()) into.push_back(scalar.str());
  if (compare(bound->type, wanted) == Sameness::kDifferent) into.push_back(datatype.str());
}

// The value of a bound as stored in the column, if their datatypes are equal.
const std::vector<std::byte>* bound_like(const ValueSet& values, const char* name) {
  const Attribute* bound = values.data.attribute(name);
  const Datatype& type = values.data.type;
  if (!bound || bound->unreadable || !bound->space.scalar() || bound->bytes.size() != type.size ||
      compare(bound->type, type) != Sameness::kIdentical)
    return nullptr;
  return &bound->bytes;
}

// The bounds that the column declares; nothing if there are none, or no order to compare by.
std::optional<ValidRange> declared_range(const ValueSet& values, Probe& probe) {
  const Attribute* min = values.data.attribute("valid_min");
  const Attribute* max = values.data.attribute("valid_max");
  const Datatype& type = values.data.type;
  if (!min && !max) return std::nullopt;
  if (!can_compare(type)) {
    probe.blocked(incomparable(type).value_or(describe(type) + " has no order") +
                  ", so it is unknown which values are between valid_min and valid_max");
    return std::nullopt;
  }
  ValidRange range = valid_range(values.data);
  if ((min != nullptr) != range.min.has_value() || (max != nullptr) != range.max.has_value()) {
    std::vector<std::string_view> clauses;
    add_bound_clauses(min, type, "valid-min-scalar", "valid-min-datatype", clauses);
    add_bound_clauses(max, type, "valid-max-scalar", "valid-max-datatype", clauses);
    probe.blocked("valid_min or valid_max is not a scalar of the column's datatype",
                  std::move(clauses));
    return std::nullopt;
  }
  return range;
}

std::string range_text(const Datatype& type, const ValidRange& range) {
  return (range.min ? "[" + format_value(type, *range.min) : "(-inf") + ", " +
         (range.max ? format_value(type, *range.max) + "]" : "inf)");
}

// Even without an order, a bound itself is inside the range.
bool is_bound(const ValueSet& values, const std::vector<std::byte>& fill) {
  const Datatype& type = values.data.type;
  if (can_compare(type) || incomparable(type)) return false;
  return std::ranges::any_of(std::array{"valid_min", "valid_max"}, [&](const char* name) {
    const std::vector<std::byte>* bound = bound_like(values, name);
    return bound && equal_values(type, fill, *bound);
  });
}

// The text does not define the meaning of a single bound.
void say_inside(Finding finding, const ValueSet& values, Probe& probe) {
  if (values.data.attribute("valid_min") && values.data.attribute("valid_max"))
    probe.fail(std::move(finding));
  else
    probe.warn(std::move(finding));
}

void fill_strictly_outside_valid_range(const Table& table, const ValueSet& values, Probe& probe) {
  const Datatype& type = values.data.type;
  if (must_be_widened(table, type)) return;  // boolean-widen
  if (const auto* fill = fill_bytes(values.data); fill && is_bound(values, *fill)) {
    probe.looked();
    return say_inside({.object = values.path(),
                       .observed = "fill value " + format_value(type, *fill) + ", a bound itself",
                       .expected = "a fill value strictly outside valid_min and valid_max",
                       .hint = "Choose another fill value."},
                      values, probe);
  }
  const std::optional<ValidRange> range = declared_range(values, probe);
  if (!range) return;
  const std::optional<std::vector<std::byte>> fill = usable_fill(table, values, probe);
  if (!fill) return;
  probe.looked();
  // Comparisons with NaN are false, so a NaN fill is outside any range.
  const bool outside = (range->min && !(compare_values(type, *fill, *range->min) >= 0)) ||
                       (range->max && !(compare_values(type, *fill, *range->max) <= 0));
  if (outside) return;
  if (!(range->min && range->max) && values.data.attributes_unreadable)  // of the other bound
    return probe.blocked(values.path() + ": " + *values.data.attributes_unreadable);
  say_inside({.object = values.path(),
              .observed = "fill value " + format_value(type, *fill),
              .expected = "a fill value strictly outside " + range_text(type, *range),
              .hint = "Choose a fill value below valid_min or above valid_max."},
             values, probe);
}

void valid_range_ordered(const Table&, const ValueSet& values, Probe& probe) {
  const std::optional<ValidRange> range = declared_range(values, probe);
  if (!range || !range->min || !range->max) return;
  probe.looked();
  if (!(compare_values(values.data.type, *range->min, *range->max) <= 0))
    probe.fail({.object = values.path(),
                .observed = range_text(values.data.type, *range),
                .expected = "valid_min <= valid_max, neither of them NaN",
                .hint = "Swap or correct the two attributes."});
}

void data_within_valid_range(const Table&, const ValueSet& values, const ColumnFacts& facts,
                             Probe& probe) {
  if (!declared_range(values, probe)) return;
  if (!established(facts.obstacle, probe) || !facts.outside_range) return;  // valid-range-ordered
  probe.looked();
  const Difference& outside = *facts.outside_range;
  if (outside.count > 0)
    probe.fail({.object = values.path(),
                .where = std::format("{} {}", values.leaf ? "element" : "row", outside.first),
                .observed = outside.stored,
                .expected = "values within " + outside.computed,
                .hint = "Correct the value, or widen valid_min and valid_max.",
                .more = outside.count - 1});
}

bool is_plain_enum(const Table& table, const Column& column) {
  return column.data->type.is(TypeClass::kEnum) && !table.revision->is_boolean(column.data->type);
}

bool same_code(const Column& column, const TypeMember& member, const std::vector<std::byte>& fill) {
  const Datatype& type = column.data->type;
  return member.value.size() == type.size && equal_values(type, member.value, fill);
}

// The member other than MISSING whose code is the fill value.
const TypeMember* ordinary_member_with_fill_code(const Column& column,
                                                 const std::vector<std::byte>& fill) {
  for (const TypeMember& member : column.data->type.members)
    if (member.name != "MISSING" && same_code(column, member, fill)) return &member;
  return nullptr;
}

void enum_fill_not_ordinary_member(const Table& table, const Column& column, Probe& probe) {
  if (!is_plain_enum(table, column)) return;
  const std::optional<std::vector<std::byte>> fill = usable_fill(table, column, probe);
  if (!fill) return;
  probe.looked();
  if (const TypeMember* member = ordinary_member_with_fill_code(column, *fill))
    probe.fail(
        {.object = column.path(),
         .observed = "fill value " + format_value(column.data->type, *fill),
         .expected = "a fill value that is not a member other than MISSING",
         .hint = "Use the code of MISSING as fill value instead of that of " + member->name + "."});
}

void enum_missing_member(const Table& table, const Column& column, const ColumnFacts& facts,
                         Probe& probe) {
  if (!is_plain_enum(table, column)) return;
  const std::vector<std::byte>* fill = fill_bytes(*column.data);
  if (!fill) return;  // fill-user-defined: no row is missing
  if (ordinary_member_with_fill_code(column, *fill)) return;  // enum-fill-not-ordinary-member
  if (!established(facts.obstacle, probe) || !facts.missing) return;
  probe.looked();
  if (facts.missing->count > 0 && !find_member(column.data->type, "MISSING"))
    probe.fail(
        {.object = column.path(),
         .where = std::format("row {}", facts.missing->first),
         .observed = std::format("{} missing rows, and no member MISSING", facts.missing->count),
         .expected = "a member MISSING in the enumeration",
         .hint = "Add MISSING with the fill value as its code."});
}

void enum_fill_is_missing_code(const Table& table, const Column& column, Probe& probe) {
  if (!is_plain_enum(table, column)) return;
  const TypeMember* missing = find_member(column.data->type, "MISSING");
  if (!missing) return;  // enum-missing-member
  const std::optional<std::vector<std::byte>> fill = usable_fill(table, column, probe);
  if (!fill) return;
  if (ordinary_member_with_fill_code(column, *fill)) return;  // enum-fill-not-ordinary-member
  probe.looked();
  if (!same_code(column, *missing, *fill))
    probe.fail({.object = column.path(),
                .observed = "fill value " + format_value(column.data->type, *fill),
                .expected = "the code of " + format_value(column.data->type, missing->value),
                .hint = "Set the fill value to the code of MISSING."});
}

void boolean_widen(const Table&, const Column& column, const ColumnFacts& facts, Probe& probe) {
  const Datatype& type = column.data->type;
  Finding finding{.object = column.path(),
                  .expected = "uint8 for a boolean column with missing rows",
                  .hint = "Widen the column to uint8 with a fill value above 1."};
  if (is_one_bit(type)) {
    probe.looked();
    finding.observed = describe(type) + ", which cannot represent a fill value";
    return probe.fail(std::move(finding));
  }
  if (!is_hep001_boolean(type)) return;
  const std::vector<std::byte>* fill = fill_bytes(*column.data);
  if (!fill) return;  // fill-user-defined
  const int code = std::to_integer<int>((*fill)[0]);
  if (code == 0 || code == 1) return;  // fill-outside-logical-range
  if (!established(facts.obstacle, probe) || !facts.missing) return;
  probe.looked();
  if (facts.missing->count == 0) return;
  finding.where = std::format("row {}", facts.missing->first);
  finding.observed =
      std::format("{} missing rows in a column of the boolean type", facts.missing->count);
  probe.fail(std::move(finding));
}

void column_no_mask_attribute(const Table&, const Column& column, Probe& probe) {
  if (!column.data->attribute("MASK") && column.data->attributes_unreadable)
    return probe.blocked(column.path() + ": " + *column.data->attributes_unreadable);
  probe.looked();
  if (column.data->attribute("MASK"))
    probe.fail(
        {.object = column.path(),
         .attribute = "MASK",
         .observed = "present",
         .expected = "no attribute MASK on a column; a later revision may give it a meaning",
         .hint = "Mark missing rows by the fill value, and rename or delete the attribute."});
}

void sentinel_in_domain_declare_range(const Table&, const Column& column, const ColumnFacts& facts,
                                      Probe& probe) {
  if (!recommended_fill(column.data->type)) return;
  if (!established(facts.obstacle, probe) || !facts.sentinel) return;
  probe.looked();
  if (facts.sentinel->count > 0)
    probe.fail({.object = column.path(),
                .where = std::format("row {}", facts.sentinel->first),
                .observed = "the recommended fill value " + facts.sentinel->stored +
                            " as a real value, and no declared range",
                .expected = "valid_min and valid_max on the column",
                .hint = "Declare the range with both attributes.",
                .more = facts.sentinel->count - 1});
}

constexpr Rule kMissingValuesRules[] = {
    {"fill-user-defined", has_fill_value},
    {"fill-user-defined-unless-boolean", has_fill_value},
    {"column-no-mask-attribute", column_no_mask_attribute},
    {"fill-outside-logical-range", fill_outside_logical_range},
    {"valid-min-scalar", on_values<"valid_min", is_scalar>},
    {"valid-min-datatype", bound_datatype<"valid_min">},
    {"valid-max-scalar", on_values<"valid_max", is_scalar>},
    {"valid-max-datatype", bound_datatype<"valid_max">},
    {"fill-strictly-outside-valid-range", fill_strictly_outside_valid_range},
    {"valid-range-ordered", valid_range_ordered},
    {"data-within-valid-range", data_within_valid_range},
    {"enum-fill-not-ordinary-member", enum_fill_not_ordinary_member},
    {"enum-missing-member", enum_missing_member},
    {"enum-fill-is-missing-code", enum_fill_is_missing_code},
    {"boolean-widen", boolean_widen},
    {"sentinel-in-domain-declare-range", sentinel_in_domain_declare_range},
};

}  // namespace

std::span<const Rule> missing_value_rules() { return kMissingValuesRules; }

}  // namespace hepcheck::hep001
