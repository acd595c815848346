// Attributes whose value is right and whose form is not.
#include <algorithm>
#include <format>
#include <string_view>

#include "validator/formats/hep001/repair/cases.h"
#include "validator/formats/hep001/repair/chapters.h"
#include "validator/utf8.h"

namespace hepcheck::hep001 {

namespace {

using Role = Host::Role;

constexpr std::string_view kNoText =
    "its value is not one text that the required form can store unchanged";

bool is_ascii_text(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::vector<std::string> to_set(const Case& c, const char* value) {
  return {std::format("--set {}={}", place_of(c.finding), value)};
}

// The attribute that the finding is about.
const Attribute* attribute_of(const Case& c) {
  return host_of(c.table, c.finding.object).attribute(c.finding.attribute);
}

RepairPlan text_form(const Case& c, bool ascii) {
  if (auto plan = decided(c)) return *plan;
  const Attribute* attribute = attribute_of(c);
  if (!attribute) return left("it is absent, and nothing tells its value", to_set(c, "TEXT"));
  const std::optional<std::string> text = only_text(*attribute);
  if (!text || (ascii ? !is_ascii_text(*text) : !is_utf8(*text)))
    return left(std::string(kNoText), to_set(c, "TEXT"));
  return changed(
      attribute, c.finding.object,
      ascii ? ascii_attribute(attribute->name, *text) : utf8_attribute(attribute->name, *text),
      ascii ? "written as a scalar, null-terminated ASCII string"
            : "written as a scalar, null-padded UTF-8 string");
}

// The form depends on the name, and for some names on the object.
bool is_ascii_name(std::string_view name) {
  return name == "CLASS" || name == "VERSION" || name == "KIND" || name == "hash_family";
}

RepairPlan any_text(const Case& c) {
  if (c.finding.attribute == "hash_family") return rebuilt_index();
  if (c.finding.attribute != "column-order")
    return text_form(c, is_ascii_name(c.finding.attribute));
  // A list of names, each of which is a text.
  if (auto plan = decided(c)) return *plan;
  const Attribute* order = attribute_of(c);
  if (!order || order->unreadable || !order->type.is(TypeClass::kString) ||
      order->space.kind == Dataspace::Kind::kNull)
    return left("its value is no list of names", to_set(c, "NAME,NAME,..."));
  const std::vector<std::string> names = string_elements(*order);
  const bool texts = std::ranges::all_of(
      names, [](const std::string& name) { return is_utf8(name) && !name.contains('\0'); });
  if (!texts || names.size() != order->space.elements())
    return left("its elements are no UTF-8 names", to_set(c, "NAME,NAME,..."));
  return changed(order, c.finding.object, utf8_list_attribute("column-order", names),
                 "written as a list of null-padded UTF-8 strings");
}

RepairPlan class_of_table(const Case& c) {
  return changed(attribute_of(c), c.finding.object, ascii_attribute("CLASS", "COLUMN_TABLE"),
                 "written as the scalar, null-terminated ASCII string of a table");
}

// The user named the group, so its CLASS is known; in a walk through the file, a group without it
// is no table.
RepairPlan class_form(const Case& c) {
  const Attribute* cls = attribute_of(c);
  const std::optional<std::string> text = cls ? string_value(*cls) : std::nullopt;
  if (cls && text != "COLUMN_TABLE") {
    if (c.decisions.find(RepairDecisions::Kind::kSet, place_of(c.finding)) == "COLUMN_TABLE")
      return class_of_table(c);
    return left("its value is not COLUMN_TABLE: the group may be something else",
                to_set(c, "COLUMN_TABLE"));
  }
  return class_of_table(c);
}

RepairPlan version_absent(const Case& c) {
  // Every revision that this program judges has the same VERSION.
  return changed(nullptr, c.finding.object, ascii_attribute("VERSION", "1.0"),
                 "written as the VERSION of all known revisions");
}

RepairPlan version_value(const Case& c) {
  if (auto plan = decided(c)) return *plan;
  return left("it declares other rules; whether the table keeps these is for its owner to say",
              to_set(c, "1.0"));
}

RepairPlan nrows_absent(const Case& c) {
  if (auto plan = decided(c)) return *plan;
  std::uint64_t most = 0;
  for (const Column& column : c.table.columns)
    most = std::max(most, column.data->extent().value_or(0));
  return left(std::format("the number of rows is not in the file; the columns have space for {}, "
                          "of which some may be reserved",
                          most),
              to_set(c, "N"));
}

RepairPlan number_form(const Case& c) {
  if (auto plan = decided(c)) return *plan;
  const Attribute* attribute = attribute_of(c);
  if (!attribute) return left("it is absent", to_set(c, "N"));
  const std::optional<std::uint64_t> value = only_number(*attribute);
  if (!value) return left("its value is not one number that a uint64 can store", to_set(c, "N"));
  return changed(attribute, c.finding.object, number_attribute(attribute->name, *value),
                 "written as a scalar uint64");
}

// An index is built again if its tokens cannot be kept.
RepairPlan token_form(const Case& c) {
  RepairPlan plan = number_form(c);
  return plan.why.empty() ? plan : rebuilt_index();
}

// The state that no index describes, so that none passes the validity check by chance.
RepairPlan generation_absent(const Case& c) {
  std::uint64_t next = 0;
  for (const SearchIndex& index : c.table.indexes)
    if (const Attribute* token = index.data->attribute("SOURCE_GENERATION"))
      if (const auto value = only_number(*token); value && *value < ~std::uint64_t{0})
        next = std::max(next, *value + 1);
  return changed(nullptr, c.finding.object, number_attribute("GENERATION", next),
                 "written with a value that no index has; the indexes are built again");
}

RepairPlan boolean_form(const Case& c) {
  if (auto plan = decided(c)) return *plan;
  const Host host = host_of(c.table, c.finding.object);
  const Attribute* attribute = host.attribute(c.finding.attribute);
  const std::optional<bool> value = attribute ? only_boolean(*attribute) : std::nullopt;
  if (value && attribute)
    return changed(attribute, c.finding.object, boolean_attribute(attribute->name, *value),
                   "written as the boolean of section 6");
  if (host.role == Role::kIndex) return rebuilt_index();
  return left("its value is not plainly true or false", to_set(c, "TRUE|FALSE"));
}

RepairPlan bound_form(const Case& c) {
  if (auto plan = decided(c)) return *plan;
  const Host host = host_of(c.table, c.finding.object);
  const Attribute* bound = host.attribute(c.finding.attribute);
  if (!bound || !host.dataset) return left("it cannot be found again");
  const bool one = !bound->unreadable && bound->space.kind != Dataspace::Kind::kNull &&
                   bound->space.elements() == 1 && bound->bytes.size() == bound->type.size;
  // The byte order may differ from that of the column.
  const bool same = compare(bound->type, host.dataset->type) != Sameness::kDifferent;
  auto bytes = !one   ? std::nullopt
               : same ? std::optional(bound->bytes)
                      : converted(bound->type, bound->bytes, host.dataset->type);
  if (!bytes)
    return left("the datatype of the column cannot represent its value exactly",
                to_set(c, "VALUE"));
  return changed(
      bound, c.finding.object,
      scalar_attribute(bound->name, same ? bound->type : host.dataset->type, std::move(*bytes)),
      "written as a scalar of the column's datatype");
}

// A list of them has CLASS and KIND with one possible value each.
RepairPlan kind_of_list(const Case& c) {
  if (auto plan = decided(c)) return *plan;
  const Host host = host_of(c.table, c.finding.object);
  const Attribute* kind = host.attribute("KIND");
  std::string text = kind ? only_text(*kind).value_or("") : "OFFSETS";
  for (char& each : text)
    if (each >= 'a' && each <= 'z') each = static_cast<char>(each - 'a' + 'A');
  if (text != "OFFSETS" || !host.group || !host.group->child("OFFSETS"))
    return left("its value names another way to store lists", to_set(c, "OFFSETS"));
  return changed(kind, c.finding.object, ascii_attribute("KIND", "OFFSETS"),
                 "written as the only KIND of list columns");
}

RepairPlan kind_of_index(const Case& c) {
  const Attribute* kind = attribute_of(c);
  std::optional<std::string> text = kind ? only_text(*kind) : std::nullopt;
  if (!text) return rebuilt_index();
  for (char& each : *text)
    if (each >= 'a' && each <= 'z') each = static_cast<char>(each - 'a' + 'A');
  constexpr std::string_view kKinds[] = {"CHUNK_MINMAX", "SORTED_ROWS", "BITMAP", "CHUNK_BLOOM"};
  if (!std::ranges::contains(kKinds, *text)) {
    if (c.finding.severity == Severity::kError) return rebuilt_index();  // dropped: no such family
    return left("a later specification may define this KIND",
                {std::format("--drop {}", c.finding.object)});
  }
  return changed(kind, c.finding.object, ascii_attribute("KIND", *text),
                 "written as a scalar, null-terminated ASCII string in upper case");
}

constexpr std::string_view kText =
    "Writes the attribute again in the required form, if its value is one text; its meaning does "
    "not change.";
constexpr std::string_view kNumber =
    "Writes the attribute again as a scalar uint64, if its value is one whole number that fits.";
constexpr std::string_view kBoolean =
    "Writes the attribute again as the boolean of section 6, if its value is plainly true or "
    "false; "
    "an index is built again otherwise.";
constexpr std::string_view kBound =
    "Writes the bound again as a scalar of the column's datatype, if that represents it exactly.";
constexpr std::string_view kDecide = "Needs the value: --set OBJECT@ATTRIBUTE=VALUE.";

constexpr Repair kAttributeRepairs[] = {
    {"bool-is-enum", boolean_form, kBoolean},
    {"bool-base-i8le", boolean_form, kBoolean},
    {"bool-two-members", boolean_form, kBoolean},
    {"bool-false-zero", boolean_form, kBoolean},
    {"bool-true-one", boolean_form, kBoolean},
    {"bool-not-plain-integer", boolean_form, kBoolean},
    {"bool-not-bitfield", boolean_form, kBoolean},
    {"bool-not-string", boolean_form, kBoolean},
    {"bool-value-is-member", boolean_form, kBoolean},
    {"class-present", class_of_table, "Writes CLASS on a group that the command names."},
    {"class-string-type", class_form, kDecide},
    {"class-fixed-length", class_form, kText},
    {"class-size-13", class_form, kText},
    {"class-null-terminated", class_form, kText},
    {"class-ascii", class_form, kText},
    {"class-scalar", class_form, kText},
    {"class-value", class_form, kDecide},
    {"utf8-attribute-not-truncated", any_text, kDecide},
    {"string-padding", any_text, kText},
    {"version-present", version_absent, "Writes VERSION = 1.0, which all known revisions have."},
    {"version-fixed-string", any_text, kText},
    {"version-ascii", any_text, kText},
    {"version-scalar", any_text, kText},
    {"version-sized", any_text, kText},
    {"version-value", version_value, kDecide},
    {"version-two-components", version_value, kDecide},
    {"nrows-present", nrows_absent, kDecide},
    {"nrows-uint64", number_form, kNumber},
    {"nrows-scalar", number_form, kNumber},
    {"title-scalar", any_text, kText},
    {"title-fixed-string", any_text, kText},
    {"title-utf8", any_text, kText},
    {"column-order-1d", any_text, kText},
    {"column-order-fixed-string", any_text, kText},
    {"column-order-utf8", any_text, kText},
    {"underscore-index-scalar", any_text, kText},
    {"underscore-index-fixed-string", any_text, kText},
    {"underscore-index-utf8", any_text, kText},
    {"encoding-type-scalar", any_text, kText},
    {"encoding-type-fixed-string", any_text, kText},
    {"encoding-type-utf8", any_text, kText},
    {"encoding-version-scalar", any_text, kText},
    {"encoding-version-fixed-string", any_text, kText},
    {"encoding-version-utf8", any_text, kText},
    {"table-description-scalar", any_text, kText},
    {"table-description-fixed-string", any_text, kText},
    {"table-description-utf8", any_text, kText},
    {"table-units-vocabulary-scalar", any_text, kText},
    {"table-units-vocabulary-fixed-string", any_text, kText},
    {"table-units-vocabulary-utf8", any_text, kText},
    {"valid-min-scalar", bound_form, kBound},
    {"valid-min-datatype", bound_form, kBound},
    {"valid-max-scalar", bound_form, kBound},
    {"valid-max-datatype", bound_form, kBound},
    {"units-scalar", any_text, kText},
    {"units-fixed-string", any_text, kText},
    {"units-utf8", any_text, kText},
    {"column-units-vocabulary-scalar", any_text, kText},
    {"column-units-vocabulary-fixed-string", any_text, kText},
    {"column-units-vocabulary-utf8", any_text, kText},
    {"column-description-scalar", any_text, kText},
    {"column-description-fixed-string", any_text, kText},
    {"column-description-utf8", any_text, kText},
    {"ordered-scalar", boolean_form, kBoolean},
    {"list-class-scalar", any_text, kText},
    {"list-class-fixed-length", any_text, kText},
    {"list-class-null-terminated", any_text, kText},
    {"list-class-ascii", any_text, kText},
    {"list-kind-present", kind_of_list, "Writes KIND = OFFSETS on a list with OFFSETS."},
    {"list-kind-scalar", any_text, kText},
    {"list-kind-fixed-string", any_text, kText},
    {"list-kind-null-terminated", any_text, kText},
    {"list-kind-ascii", any_text, kText},
    {"list-kind-value", kind_of_list, "Writes KIND = OFFSETS if only the case of letters differs."},
    {"kind-scalar", kind_of_index, kText},
    {"kind-fixed-string", kind_of_index, kText},
    {"kind-ascii", kind_of_index, kText},
    {"kind-value", kind_of_index,
     "Writes the KIND in upper case; an index of no family is dropped."},
    {"index-description-scalar", any_text, kText},
    {"index-description-fixed-string", any_text, kText},
    {"index-description-utf8", any_text, kText},
    {"generation-present", generation_absent,
     "Writes a GENERATION that no index has, and builds the indexes again."},
    {"generation-scalar", number_form, kNumber},
    {"generation-uint64", number_form, kNumber},
    {"source-generation-scalar", token_form, kNumber},
    {"source-generation-uint64", token_form, kNumber},
    {"source-nrows-scalar", token_form, kNumber},
    {"source-nrows-uint64", token_form, kNumber},
};

}  // namespace

std::span<const Repair> attribute_repairs() { return kAttributeRepairs; }

}  // namespace hepcheck::hep001
