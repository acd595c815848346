#include "validator/formats/hep001/rules/attributes.h"

#include "validator/formats/hep001/model/unread.h"

namespace hepcheck::hep001 {

void is_scalar(const std::string& path, const Attribute& attribute, Probe& probe) {
  probe.looked();
  if (attribute.space.scalar()) return;
  probe.fail({.object = path,
              .attribute = attribute.name,
              .observed = describe(attribute.space),
              .expected = "a scalar dataspace",
              .hint = "Create the attribute with H5Screate(H5S_SCALAR) (h5py: shape=())."});
}

void is_one_dimensional(const std::string& path, const Attribute& attribute, Probe& probe) {
  probe.looked();
  if (attribute.space.one_dimensional()) return;
  probe.fail({.object = path,
              .attribute = attribute.name,
              .observed = describe(attribute.space),
              .expected = "a one-dimensional dataspace",
              .hint = "Create the attribute with H5Screate_simple(1, ...), of length 0 if empty."});
}

void is_fixed_string(const std::string& path, const Attribute& attribute, Probe& probe) {
  probe.looked();
  if (attribute.type.fixed_string()) return;
  probe.fail({.object = path,
              .attribute = attribute.name,
              .observed = describe(attribute.type),
              .expected = "a fixed-length string",
              .hint = "Use a copy of H5T_C_S1 with H5Tset_size (h5py: h5py.string_dtype with a "
                      "length)."});
}

void has_character_set(const std::string& path, const Attribute& attribute, CharacterSet wanted,
                       ClauseId string_clause, Probe& probe) {
  if (!readable_string(&attribute, string_clause, probe)) return;
  probe.looked();
  if (attribute.type.character_set == wanted) return;
  const bool utf8 = wanted == CharacterSet::kUtf8;
  probe.fail({.object = path,
              .attribute = attribute.name,
              .observed = describe(attribute.type),
              .expected = utf8 ? "character set UTF-8" : "character set ASCII",
              .hint = utf8 ? "Call H5Tset_cset(type, H5T_CSET_UTF8) (h5py: encoding='utf-8')."
                           : "Call H5Tset_cset(type, H5T_CSET_ASCII) (h5py: encoding='ascii')."});
}

const Attribute* readable(const Attribute* attribute, Probe& probe) {
  if (attribute && attribute->unreadable) {
    probe.blocked("attribute " + attribute->name + " cannot be read: " + *attribute->unreadable);
    return nullptr;
  }
  return attribute;
}

const Attribute* readable_scalar(const Attribute* attribute, ClauseId scalar_clause, Probe& probe) {
  attribute = readable(attribute, probe);
  if (attribute && !attribute->space.scalar()) {
    probe.blocked(attribute->name + " is not scalar", by({scalar_clause}));
    return nullptr;
  }
  return attribute;
}

const Attribute* readable_string(const Attribute* attribute, ClauseId string_clause, Probe& probe) {
  attribute = readable(attribute, probe);
  if (attribute && !attribute->type.fixed_string()) {
    probe.blocked(attribute->name + " is not a fixed-length string", by({string_clause}));
    return nullptr;
  }
  return attribute;
}

Unclear unclear_reference(const Attribute* attribute, const ReferenceClauses& clauses) {
  if (!attribute) return std::nullopt;
  if (attribute->unreadable) return by({});
  if (!attribute->type.is(TypeClass::kReference)) return by({clauses.reference});
  const bool empty_list =
      attribute->name == "SEARCH_INDEX_LIST" && attribute->space.one_dimensional();
  if (attribute->references.empty() && !empty_list) return by({clauses.shape});
  return std::nullopt;
}

Unclear unclear_reference(const Table& table, const char* name, const ReferenceClauses& clauses) {
  if (table.group.unreadable || !unread_columns(table).empty()) return by({});
  for (const Column& column : table.columns) {
    const Attribute* attribute = column.data->attribute(name);
    if (!attribute && column.data->attributes_unreadable) return by({});
    if (Unclear ids = unclear_reference(attribute, clauses)) return ids;
  }
  return std::nullopt;
}

std::string enumerate(const std::vector<std::string>& names, std::size_t shown) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < shown; ++i) text += (i ? ", " : "") + names[i];
  if (names.size() > shown) text += std::format(" and {} more", names.size() - shown);
  return text;
}

std::string describe(const Reference& reference) {
  switch (reference.target) {
    case Reference::Target::kNothing: return "null reference";
    case Reference::Target::kObject: return "reference to " + reference.path;
    case Reference::Target::kDangling: return "dangling reference (" + reference.why + ")";
    case Reference::Target::kElsewhere: return "reference into another file, " + reference.file;
  }
  return "reference";
}

std::optional<std::int64_t> member_code(const Datatype& type, const std::string& name) {
  const TypeMember* member = find_member(type, name);
  if (!member || !type.base) return std::nullopt;
  Attribute holder{.name = name};
  holder.type = *type.base;
  holder.bytes = member->value;
  return signed_value(holder);
}

}  // namespace hepcheck::hep001
