// HEP001 6 "Boolean attributes": enum over H5T_STD_I8LE with FALSE = 0 and TRUE = 1.
#include "validator/formats/hep001/rules/attributes.h"

namespace hepcheck::hep001 {

namespace {

constexpr const char* kHint =
    "Use H5Tenum_create(H5T_STD_I8LE) with the members FALSE = 0 and TRUE = 1.";

Finding at(const std::string& path, const Attribute& attribute, std::string observed,
           std::string expected) {
  return {.object = path,
          .attribute = attribute.name,
          .observed = std::move(observed),
          .expected = std::move(expected),
          .hint = kHint};
}

// Integers, bitfields and strings are forbidden by clauses of their own.
void bool_is_enum(const Table& table, Probe& probe) {
  for_each_boolean_attribute(table, [&](const auto& path, const auto& attribute, ClauseId) {
    if (!readable(&attribute, probe)) return;
    const TypeClass cls = attribute.type.cls;
    if (cls == TypeClass::kInteger || cls == TypeClass::kBitfield || cls == TypeClass::kString)
      return;
    probe.looked();
    if (cls != TypeClass::kEnum)
      probe.fail(at(path, attribute, describe(attribute.type), "an enumeration"));
  });
}

// Otherwise the clause stands in the way that forbids what it is.
bool is_enumeration(const Attribute& attribute, Probe& probe) {
  if (attribute.type.is(TypeClass::kEnum) && attribute.type.base) return true;
  probe.blocked(attribute.name + " is not an enumeration",
                by({enumeration_clause(attribute.type)}));
  return false;
}

// `holds` is asked about boolean attributes that are enumerations.
template <class Holds>
void of_enumerations(const Table& table, Probe& probe, const char* expected, Holds holds) {
  for_each_boolean_attribute(table, [&](const auto& path, const auto& attribute, ClauseId) {
    if (!readable(&attribute, probe) || !is_enumeration(attribute, probe)) return;
    probe.looked();
    if (!holds(attribute)) probe.fail(at(path, attribute, describe(attribute.type), expected));
  });
}

void bool_base_i8le(const Table& table, Probe& probe) {
  of_enumerations(table, probe, "base type H5T_STD_I8LE", [](const Attribute& attribute) {
    const Datatype& base = *attribute.type.base;
    return is_signed_integer(base, 1) && base.order == ByteOrder::kLittle;
  });
}

void bool_two_members(const Table& table, Probe& probe) {
  of_enumerations(table, probe, "exactly two members",
                  [](const Attribute& attribute) { return attribute.type.members.size() == 2; });
}

void bool_false_zero(const Table& table, Probe& probe) {
  of_enumerations(table, probe, "a member FALSE = 0", [](const Attribute& attribute) {
    return member_code(attribute.type, "FALSE") == 0;
  });
}

void bool_true_one(const Table& table, Probe& probe) {
  of_enumerations(table, probe, "a member TRUE = 1", [](const Attribute& attribute) {
    return member_code(attribute.type, "TRUE") == 1;
  });
}

template <TypeClass kForbidden>
void bool_is_not(const Table& table, Probe& probe) {
  for_each_boolean_attribute(table, [&](const auto& path, const auto& attribute, ClauseId) {
    if (!readable(&attribute, probe)) return;
    probe.looked();
    if (attribute.type.is(kForbidden))
      probe.fail(at(path, attribute, describe(attribute.type), "an enumeration of FALSE and TRUE"));
  });
}

void bool_value_is_member(const Table& table, Probe& probe) {
  for_each_boolean_attribute(table, [&](const auto& path, const auto& attribute, ClauseId scalar) {
    if (!readable_scalar(&attribute, scalar, probe) || !is_enumeration(attribute, probe)) return;
    const std::optional<std::int64_t> value = signed_value(attribute);
    if (!value) return probe.blocked(attribute.name + " holds no value");
    probe.looked();
    // A FALSE or TRUE of another code: bool-false-zero, bool-true-one.
    const bool member = value == member_code(attribute.type, "FALSE") ||
                        value == member_code(attribute.type, "TRUE");
    if (*value != 0 && *value != 1 && !member)
      probe.fail(at(path, attribute, std::format("stored value {}", *value), "0 or 1"));
  });
}

constexpr Rule kRules[] = {
    {"bool-is-enum", bool_is_enum},
    {"bool-base-i8le", bool_base_i8le},
    {"bool-two-members", bool_two_members},
    {"bool-false-zero", bool_false_zero},
    {"bool-true-one", bool_true_one},
    {"bool-not-plain-integer", bool_is_not<TypeClass::kInteger>},
    {"bool-not-bitfield", bool_is_not<TypeClass::kBitfield>},
    {"bool-not-string", bool_is_not<TypeClass::kString>},
    {"bool-value-is-member", bool_value_is_member},
};

}  // namespace

std::span<const Rule> boolean_attribute_rules() { return kRules; }

}  // namespace hepcheck::hep001
