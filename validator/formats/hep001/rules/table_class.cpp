// HEP001 7.1 "Identification: the CLASS attribute", and its note on string values.
#include "validator/formats/hep001/rules/attributes.h"
#include "validator/utf8.h"

namespace hepcheck::hep001 {

namespace {

constexpr std::string_view kValue = "COLUMN_TABLE";
constexpr const char* kClassHint =
    "Write CLASS as a scalar string of 13 bytes, H5T_STR_NULLTERM, H5T_CSET_ASCII.";

Finding about_class(const Table& table, std::string observed, std::string expected) {
  return {.object = table.path(),
          .attribute = "CLASS",
          .observed = std::move(observed),
          .expected = std::move(expected),
          .hint = kClassHint};
}

void class_present(const Table& table, Probe& probe) {
  table_has<"CLASS">(table, "an attribute CLASS with the value COLUMN_TABLE", kClassHint, probe);
}

void class_string_type(const Table& table, Probe& probe) {
  const Attribute* cls = readable(table.attribute("CLASS"), probe);
  if (!cls) return;  // class-present
  probe.looked();
  if (!cls->type.is(TypeClass::kString))
    probe.fail(about_class(table, describe(cls->type), "a string"));
}

// CLASS, if it is a fixed-length string.
const Attribute* fixed_class(const Table& table, Probe& probe) {
  const Attribute* cls = readable(table.attribute("CLASS"), probe);
  if (cls && !cls->type.is(TypeClass::kString))
    return readable_string(cls, "class-string-type", probe);
  return readable_string(cls, "class-fixed-length", probe);
}

void class_fixed_length(const Table& table, Probe& probe) {
  const Attribute* cls = readable(table.attribute("CLASS"), probe);
  if (!cls) return;
  if (!cls->type.is(TypeClass::kString))
    return probe.blocked("CLASS is not a string", by({"class-string-type"}));
  probe.looked();
  if (cls->type.variable_length)
    probe.fail(about_class(table, describe(cls->type), "a fixed-length string"));
}

void class_size_13(const Table& table, Probe& probe) {
  const Attribute* cls = fixed_class(table, probe);
  if (!cls) return;
  probe.looked();
  if (cls->type.size != kValue.size() + 1)
    probe.fail(about_class(table, describe(cls->type), "a size of 13 bytes"));
}

// A null dataspace has no value to terminate: class-scalar.
bool lacks_nul(const Attribute& attribute) {
  return !attribute.bytes.empty() && !std::ranges::contains(attribute.bytes, std::byte{0});
}

void class_null_terminated(const Table& table, Probe& probe) {
  const Attribute* cls = fixed_class(table, probe);
  if (!cls) return;
  probe.looked();
  if (cls->type.padding != StringPadding::kNullTerm)
    probe.fail(about_class(table, describe(cls->type), "a null-terminated string (NULLTERM)"));
  else if (lacks_nul(*cls))
    probe.fail(about_class(table, "no NUL byte in the stored value", "a terminating NUL byte"));
}

void class_ascii(const Table& table, Probe& probe) {
  if (const Attribute* cls = fixed_class(table, probe))
    is_ascii<"class-fixed-length">(table.path(), *cls, probe);
}

void class_value(const Table& table, Probe& probe) {
  const Attribute* cls = readable_scalar(fixed_class(table, probe), "class-scalar", probe);
  if (!cls) return;
  const std::optional<std::string> value = string_value(*cls);
  if (!value) return probe.blocked("CLASS has no value");
  probe.looked();
  if (*value != kValue)
    probe.fail(about_class(table, '"' + *value + '"', "exactly \"COLUMN_TABLE\""));
}

// Elements of a fixed-length string attribute in their stored form.
std::string_view stored_element(const Attribute& attribute, std::size_t i) {
  const auto* text = reinterpret_cast<const char*>(attribute.bytes.data());
  return {text + i * attribute.type.size, attribute.type.size};
}

std::size_t stored_elements(const Attribute& attribute) {
  return attribute.type.size ? attribute.bytes.size() / attribute.type.size : 0;
}

// "element 3" if there are several; empty for the only one.
std::string element_name(const Attribute& attribute, std::size_t i) {
  return stored_elements(attribute) > 1 ? std::format("element {}", i) : "";
}

// Only a null-terminated string needs a NUL.
bool is_terminated(const Attribute& attribute, std::size_t i) {
  return attribute.type.padding != StringPadding::kNullTerm ||
         stored_element(attribute, i).contains('\0');
}

void utf8_attribute_not_truncated(const Table& table, Probe& probe) {
  for_each_utf8_attribute(table, [&](const std::string& path, const Attribute& attribute) {
    if (!readable(&attribute, probe)) return;
    if (!attribute.type.fixed_string() || attribute.type.character_set != CharacterSet::kUtf8)
      return;  // *-fixed-string, *-utf8
    for (std::size_t i = 0; i < stored_elements(attribute); ++i) {
      if (!is_terminated(attribute, i)) continue;  // string-padding
      const std::string_view stored = stored_element(attribute, i);
      const std::string_view value = stored.substr(0, stored.find('\0'));
      probe.looked();
      if (!hepcheck::is_utf8(value))
        probe.fail({.object = path,
                    .attribute = attribute.name,
                    .where = element_name(attribute, i),
                    .observed = std::format("\"{}\" is not valid UTF-8", value),
                    .expected = "whole UTF-8 code points",
                    .hint = "Set the size by the UTF-8 bytes of the string, not its characters, "
                            "and truncate at a code point."});
    }
  });
}

// A NULLTERM VERSION without NUL is version-sized; CLASS has class-null-terminated.
void padding_of(const std::string& path, const Attribute& attribute, bool terminator_too,
                Probe& probe) {
  if (!readable(&attribute, probe) || !attribute.type.fixed_string()) return;
  probe.looked();
  const auto fail = [&](std::string where, std::string observed) {
    probe.fail({.object = path,
                .attribute = attribute.name,
                .where = std::move(where),
                .observed = std::move(observed),
                .expected = "a null-terminated or null-padded value",
                .hint = "Call H5Tset_strpad(type, H5T_STR_NULLPAD), or leave space for a NUL."});
  };
  const StringPadding padding = attribute.type.padding;
  if (padding != StringPadding::kNullTerm && padding != StringPadding::kNullPad)
    return fail("", describe(attribute.type));
  if (!terminator_too) return;
  for (std::size_t i = 0; i < stored_elements(attribute); ++i)
    if (!is_terminated(attribute, i))
      return fail(element_name(attribute, i),
                  std::format("NULLTERM, but no NUL within its {} bytes", attribute.type.size));
}

void string_padding(const Table& table, Probe& probe) {
  if (const Attribute* version = table.attribute("VERSION"))
    padding_of(table.path(), *version, false, probe);
  for_each_utf8_attribute(table, [&](const std::string& path, const Attribute& attribute) {
    padding_of(path, attribute, true, probe);
  });
  for (const SearchIndex& index : table.indexes) {
    if (const Attribute* kind = index.data->attribute("KIND"))
      padding_of(index.data->path, *kind, true, probe);
    if (const Attribute* family = index.data->attribute("hash_family");
        family && index.kind == IndexKind::kChunkBloom)
      padding_of(index.data->path, *family, true, probe);
  }
}

constexpr Rule kTableClassRules[] = {
    {"class-present", class_present, Sees::kTableAttributes},
    {"class-string-type", class_string_type, Sees::kTableAttributes},
    {"class-fixed-length", class_fixed_length, Sees::kTableAttributes},
    {"class-size-13", class_size_13, Sees::kTableAttributes},
    {"class-null-terminated", class_null_terminated, Sees::kTableAttributes},
    {"class-ascii", class_ascii, Sees::kTableAttributes},
    {"class-scalar", on_table<"CLASS", is_scalar>, Sees::kTableAttributes},
    {"class-value", class_value, Sees::kTableAttributes},
    {"utf8-attribute-not-truncated", utf8_attribute_not_truncated, Sees::kEverything},
    {"string-padding", string_padding, Sees::kEverything},
};

}  // namespace

std::span<const Rule> table_class_rules() { return kTableClassRules; }

}  // namespace hepcheck::hep001
