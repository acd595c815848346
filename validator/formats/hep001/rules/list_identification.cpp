// HEP001 9.1 "Identification" of list columns: CLASS and KIND.
#include "validator/formats/hep001/rules/lists.h"

namespace hepcheck::hep001 {

namespace {

constexpr const char* kListIdentificationHint =
    "Write it as a scalar fixed-length string, H5T_STR_NULLTERM, H5T_CSET_ASCII.";

// --- CLASS of every level ----------------------------------------------------------------------

using LevelCheck = void (*)(const ListLevel&, const Attribute&, Probe&);

// CLASS exists, otherwise the group would not be a level.
template <LevelCheck kCheck>
void on_class(const Table&, const ListColumn& list, Probe& probe) {
  for (const ListLevel& level : list.levels)
    if (const Attribute* cls = level.group->attribute("CLASS")) kCheck(level, *cls, probe);
}

// KIND of every list; that of a STRING_VALUES group is reserved-attribute-misuse.
template <LevelCheck kCheck>
void on_kind(const Table&, const ListColumn& list, Probe& probe) {
  for (const ListLevel& level : list.levels)
    if (level.cls == ListClass::kList)
      if (const Attribute* kind = attribute_of(*level.group, "KIND", probe))
        kCheck(level, *kind, probe);
}

Finding about(const ListLevel& level, const Attribute& attribute, std::string observed,
              std::string expected) {
  return {.object = level.path,
          .attribute = attribute.name,
          .observed = std::move(observed),
          .expected = std::move(expected),
          .hint = kListIdentificationHint};
}

void scalar(const ListLevel& level, const Attribute& attribute, Probe& probe) {
  is_scalar(level.path, attribute, probe);
}

void fixed_length(const ListLevel& level, const Attribute& attribute, Probe& probe) {
  probe.looked();
  if (!attribute.type.fixed_string())
    probe.fail(about(level, attribute, describe(attribute.type), "a fixed-length string"));
}

// Padding and character set of an attribute that is not a fixed-length string are not judged:
// `string_clause`.
void terminated(const ListLevel& level, const Attribute& attribute, ClauseId string_clause,
                Probe& probe) {
  if (!readable_string(&attribute, string_clause, probe)) return;
  probe.looked();
  if (attribute.type.padding != StringPadding::kNullTerm)
    probe.fail(
        about(level, attribute, describe(attribute.type), "a null-terminated string (NULLTERM)"));
  else if (!attribute.bytes.empty() && !std::ranges::contains(attribute.bytes, std::byte{0}))
    probe.fail(
        about(level, attribute, "no NUL byte in the stored value", "a terminating NUL byte"));
}
void class_terminated(const ListLevel& level, const Attribute& attribute, Probe& probe) {
  terminated(level, attribute, "list-class-fixed-length", probe);
}
void kind_terminated(const ListLevel& level, const Attribute& attribute, Probe& probe) {
  terminated(level, attribute, "list-kind-fixed-string", probe);
}

void class_ascii(const ListLevel& level, const Attribute& attribute, Probe& probe) {
  is_ascii<"list-class-fixed-length">(level.path, attribute, probe);
}
void kind_ascii(const ListLevel& level, const Attribute& attribute, Probe& probe) {
  is_ascii<"list-kind-fixed-string">(level.path, attribute, probe);
}

// --- KIND --------------------------------------------------------------------------------------

void list_kind_present(const Table&, const ListColumn& list, Probe& probe) {
  for (const ListLevel& level : list.levels) {
    if (level.cls != ListClass::kList) continue;
    if (!level.group->attribute("KIND") && level.group->attributes_unreadable) {
      probe.blocked(level.path + ": " + *level.group->attributes_unreadable);
      continue;
    }
    probe.looked();
    if (!level.group->attribute("KIND"))
      probe.fail({.object = level.path,
                  .attribute = "KIND",
                  .observed = "absent; its members were judged like those of OFFSETS",
                  .expected = "an attribute KIND with the value OFFSETS",
                  .hint = kListIdentificationHint});
  }
}

bool is_misspelt(std::string value) {
  std::ranges::transform(value, value.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return value == "OFFSETS";
}

void list_kind_value(const Table& table, const ListColumn& list, Probe& probe) {
  for (const ListLevel& level : list.levels) {
    if (level.cls != ListClass::kList) continue;
    const Attribute* kind = readable(level.group->attribute("KIND"), probe);
    if (!kind || !kind->type.is(TypeClass::kString)) continue;  // list-kind-present, -fixed-string
    const std::optional<std::string> value = string_value(*kind);
    if (!value) continue;  // list-kind-scalar
    probe.looked();
    if (*value == "OFFSETS") continue;
    Finding finding = about(level, *kind, '"' + *value + "\"; its members were not examined",
                            "exactly \"OFFSETS\"");
    const bool outermost = &level == &list.levels.front();
    const bool of_an_index = table.revision->reserves_token(*value);
    // A later revision may have registered it, though only for the outermost level.
    if (outermost && !value->empty() && !is_misspelt(*value) && !of_an_index)
      probe.warn(std::move(finding));
    else
      probe.fail(std::move(finding));
  }
}

constexpr Rule kListIdentificationRules[] = {
    {"list-class-scalar", on_class<scalar>},
    {"list-class-fixed-length", on_class<fixed_length>},
    {"list-class-null-terminated", on_class<class_terminated>},
    {"list-class-ascii", on_class<class_ascii>},
    {"list-kind-present", list_kind_present},
    {"list-kind-scalar", on_kind<scalar>},
    {"list-kind-fixed-string", on_kind<fixed_length>},
    {"list-kind-null-terminated", on_kind<kind_terminated>},
    {"list-kind-ascii", on_kind<kind_ascii>},
    {"list-kind-value", list_kind_value},
};

}  // namespace

std::span<const Rule> list_identification_rules() { return kListIdentificationRules; }

}  // namespace hepcheck::hep001
