// HEP001 6 "The boolean datatype": enum over H5T_STD_I8LE with FALSE = 0 and TRUE = 1, for boolean
// attributes and the MASK members of lists.
#include "validator/formats/hep001/rules/lists.h"

namespace hepcheck::hep001 {

namespace {

constexpr const char* kBooleanAttributeHint =
    "Use H5Tenum_create(H5T_STD_I8LE) with the members FALSE = 0 and TRUE = 1.";

// The object whose datatype must be boolean.
struct Subject {
  const std::string& path;
  std::string_view attribute;  // empty: a MASK
  const Datatype& type;

  std::string name() const { return attribute.empty() ? path : std::string(attribute); }
};

Finding at(const Subject& subject, std::string observed, std::string expected) {
  return {.object = subject.path,
          .attribute = std::string(subject.attribute),
          .observed = std::move(observed),
          .expected = std::move(expected),
          .hint = kBooleanAttributeHint};
}

// Calls visit(subject) for every readable object to which section 6 applies.
template <class Visit>
void for_each_subject(const Table& table, Probe& probe, Visit visit) {
  for_each_boolean_attribute(table, [&](const auto& path, const Attribute& attribute, ClauseId) {
    if (readable(&attribute, probe)) visit(Subject{path, attribute.name, attribute.type});
  });
  for (const ListColumn& list : table.lists)
    for_each_level(list, {}, [&](const ListLevel& level) {
      const Child* link = readable_member(level, Member::kMask, probe);
      if (link && link->dataset)  // list-mask-rank-1
        visit(Subject{path_of(level, Member::kMask), {}, link->dataset->type});
    });
}

// Other clauses prohibit integers, bitfields and strings.
void bool_is_enum(const Table& table, Probe& probe) {
  for_each_subject(table, probe, [&](const Subject& subject) {
    const TypeClass cls = subject.type.cls;
    if (cls == TypeClass::kInteger || cls == TypeClass::kBitfield || cls == TypeClass::kString)
      return;
    probe.looked();
    if (cls != TypeClass::kEnum) probe.fail(at(subject, describe(subject.type), "an enumeration"));
  });
}

// Otherwise the clause that prohibits the type blocks this one.
bool is_enumeration(const Subject& subject, Probe& probe) {
  if (subject.type.is(TypeClass::kEnum) && subject.type.base) return true;
  probe.blocked(subject.name() + " is not an enumeration", by({enumeration_clause(subject.type)}));
  return false;
}

// `holds` is called for datatypes that are enumerations.
template <class Holds>
void of_enumerations(const Table& table, Probe& probe, const char* expected, Holds holds) {
  for_each_subject(table, probe, [&](const Subject& subject) {
    if (!is_enumeration(subject, probe)) return;
    probe.looked();
    if (!holds(subject.type)) probe.fail(at(subject, describe(subject.type), expected));
  });
}

void bool_base_i8le(const Table& table, Probe& probe) {
  of_enumerations(table, probe, "base type H5T_STD_I8LE", [](const Datatype& type) {
    return is_signed_integer(*type.base, 1) && type.base->order == ByteOrder::kLittle;
  });
}

void bool_two_members(const Table& table, Probe& probe) {
  of_enumerations(table, probe, "exactly two members",
                  [](const Datatype& type) { return type.members.size() == 2; });
}

void bool_false_zero(const Table& table, Probe& probe) {
  of_enumerations(table, probe, "a member FALSE = 0",
                  [](const Datatype& type) { return member_code(type, "FALSE") == 0; });
}

void bool_true_one(const Table& table, Probe& probe) {
  of_enumerations(table, probe, "a member TRUE = 1",
                  [](const Datatype& type) { return member_code(type, "TRUE") == 1; });
}

template <TypeClass kForbidden>
void bool_is_not(const Table& table, Probe& probe) {
  for_each_subject(table, probe, [&](const Subject& subject) {
    probe.looked();
    if (subject.type.is(kForbidden))
      probe.fail(at(subject, describe(subject.type), "an enumeration of FALSE and TRUE"));
  });
}

void bool_value_is_member(const Table& table, Probe& probe) {
  for_each_boolean_attribute(table, [&](const auto& path, const auto& attribute, ClauseId scalar) {
    const Subject subject{path, attribute.name, attribute.type};
    if (!readable_scalar(&attribute, scalar, probe) || !is_enumeration(subject, probe)) return;
    const std::optional<std::int64_t> value = signed_value(attribute);
    if (!value) return probe.blocked(attribute.name + " has no value");
    probe.looked();
    // A FALSE or TRUE with another code: bool-false-zero, bool-true-one.
    const bool member = value == member_code(attribute.type, "FALSE") ||
                        value == member_code(attribute.type, "TRUE");
    if (*value != 0 && *value != 1 && !member)
      probe.fail(at(subject, std::format("stored value {}", *value), "0 or 1"));
  });
}

constexpr Rule kBooleanAttributesRules[] = {
    {"bool-is-enum", bool_is_enum, Sees::kEverything},
    {"bool-base-i8le", bool_base_i8le, Sees::kEverything},
    {"bool-two-members", bool_two_members, Sees::kEverything},
    {"bool-false-zero", bool_false_zero, Sees::kEverything},
    {"bool-true-one", bool_true_one, Sees::kEverything},
    {"bool-not-plain-integer", bool_is_not<TypeClass::kInteger>, Sees::kEverything},
    {"bool-not-bitfield", bool_is_not<TypeClass::kBitfield>, Sees::kEverything},
    {"bool-not-string", bool_is_not<TypeClass::kString>, Sees::kEverything},
    {"bool-value-is-member", bool_value_is_member, Sees::kEverything},
};

}  // namespace

std::span<const Rule> boolean_attribute_rules() { return kBooleanAttributesRules; }

}  // namespace hepcheck::hep001
