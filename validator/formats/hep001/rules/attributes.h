// Requirements on attributes that several chapters state in the same words: {"title-scalar",
// on_table<"TITLE", is_scalar>} is a complete rule.
#pragma once

#include <algorithm>
#include <cstddef>
#include <format>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validator/formats/hep001/rules/rule.h"

namespace hepcheck::hep001 {

// The name of an attribute, a field or a clause as a template argument.
template <std::size_t kSize>
struct Name {
  char text[kSize]{};
  consteval Name(const char (&name)[kSize]) { std::copy_n(name, kSize, text); }
  constexpr std::string_view str() const { return {text, kSize - 1}; }
};

// A check of one attribute that exists and was read; `path` is the path of its object.
using AttributeCheck = void (*)(const std::string& path, const Attribute&, Probe&);

void is_scalar(const std::string& path, const Attribute&, Probe&);
void is_one_dimensional(const std::string& path, const Attribute&, Probe&);
void is_fixed_string(const std::string& path, const Attribute&, Probe&);
// `string_clause` requires a fixed-length string, without which there is no character set.
void has_character_set(const std::string& path, const Attribute&, CharacterSet wanted,
                       ClauseId string_clause, Probe&);
template <Name kStringClause>
void is_utf8(const std::string& path, const Attribute& attribute, Probe& probe) {
  has_character_set(path, attribute, CharacterSet::kUtf8, kStringClause.text, probe);
}
template <Name kStringClause>
void is_ascii(const std::string& path, const Attribute& attribute, Probe& probe) {
  has_character_set(path, attribute, CharacterSet::kAscii, kStringClause.text, probe);
}
template <std::size_t kBytes>
void is_uint(const std::string& path, const Attribute& attribute, Probe& probe) {
  probe.looked();
  if (is_unsigned_integer(attribute.type, kBytes)) return;
  probe.fail({.object = path,
              .attribute = attribute.name,
              .observed = describe(attribute.type),
              .expected = std::format("uint{}", 8 * kBytes),
              .hint = std::format("Write {} as H5T_STD_U{}LE (numpy.uint{}).", attribute.name,
                                  8 * kBytes, 8 * kBytes)});
}

// The attribute of a Group or Dataset, if it exists and was read. An attribute that could not be
// read, or may be among those that could not be listed, blocks the clause.
template <class Host>
const Attribute* attribute_of(const Host& host, std::string_view name, Probe& probe);

// `attribute` if it exists and was read; an unreadable one blocks the clause.
const Attribute* readable(const Attribute* attribute, Probe& probe);
template <class Host>
const Attribute* attribute_of(const Host& host, std::string_view name, Probe& probe) {
  const Attribute* attribute = host.attribute(name);
  if (!attribute && host.attributes_unreadable)
    probe.blocked(host.path + ": " + *host.attributes_unreadable);
  return readable(attribute, probe);
}

// The same, if it also has the required form, so its value can be examined; otherwise the clause
// that requires the form blocks this one.
const Attribute* readable_scalar(const Attribute* attribute, ClauseId scalar_clause, Probe& probe);
const Attribute* readable_string(const Attribute* attribute, ClauseId string_clause, Probe& probe);

// Checks of a named attribute on each kind of object; an absent attribute is not applicable.
template <Name kName, AttributeCheck kCheck>
void on_table(const Table& table, Probe& probe) {
  if (const Attribute* a = attribute_of(table.group, kName.str(), probe))
    kCheck(table.path(), *a, probe);
}
template <Name kName, AttributeCheck kCheck>
void on_column(const Table&, const Column& column, Probe& probe) {
  if (const Attribute* a = attribute_of(*column.data, kName.str(), probe))
    kCheck(column.path(), *a, probe);
}
// On every column, list columns included.
template <Name kName, AttributeCheck kCheck>
void on_any_column(const Table&, const AnyColumn& column, Probe& probe) {
  if (const Attribute* a = attribute_of(column, kName.str(), probe)) kCheck(column.path, *a, probe);
}
// On every column dataset and every leaf of a list column.
template <Name kName, AttributeCheck kCheck>
void on_values(const Table&, const ValueSet& values, Probe& probe) {
  if (const Attribute* a = attribute_of(values.data, kName.str(), probe))
    kCheck(values.path(), *a, probe);
}
template <Name kName, AttributeCheck kCheck>
void on_categories(const Table&, const Categories& categories, Probe& probe) {
  if (const Attribute* a = attribute_of(*categories.data, kName.str(), probe))
    kCheck(categories.data->path, *a, probe);
}
// On every search index, or on those of one family: on_index<SortedIndex, "ordered", ...>.
template <class Index, Name kName, AttributeCheck kCheck>
void on_index(const Table&, const Index& index, Probe& probe) {
  const Dataset* data;
  if constexpr (std::is_same_v<Index, SearchIndex>)
    data = index.data.get();
  else
    data = &index.data();
  if (const Attribute* a = attribute_of(*data, kName.str(), probe)) kCheck(data->path, *a, probe);
}
// The index has the attribute.
template <class Index, Name kName>
void has_attribute(const Table&, const Index& index, Probe& probe) {
  if (!index.data().attribute(kName.str()) && index.data().attributes_unreadable)
    return probe.blocked(index.path() + ": " + *index.data().attributes_unreadable);
  probe.looked();
  if (index.data().attribute(kName.str())) return;
  probe.fail({.object = index.path(),
              .attribute = std::string(kName.str()),
              .observed = "absent",
              .expected = std::format("an attribute {} on the index", kName.str()),
              .hint = std::format("Write the attribute {}.", kName.str())});
}

// The table group has the attribute; `expected` and `hint` use the words of its section.
template <Name kName>
void table_has(const Table& table, const char* expected, const char* hint, Probe& probe) {
  if (!table.attribute(kName.str()) && table.group.attributes_unreadable)
    return probe.blocked(table.path() + ": " + *table.group.attributes_unreadable);
  probe.looked();
  if (!table.attribute(kName.str()))
    probe.fail({.object = table.path(),
                .attribute = std::string(kName.str()),
                .observed = "absent",
                .expected = expected,
                .hint = hint});
}

// Calls visit(path, attribute) for each of the four reference attributes of section 5 that
// the table has: INDEX_COLUMNS, CATEGORIES, SEARCH_INDEX_LIST, VALUES of BITMAP.
template <class Visit>
void for_each_reference_attribute(const Table& table, Visit visit) {
  if (const Attribute* a = table.attribute("INDEX_COLUMNS")) visit(table.path(), *a);
  for (const Column& column : table.columns)
    for (const char* name : {"CATEGORIES", "SEARCH_INDEX_LIST"})
      if (const Attribute* a = column.data->attribute(name)) visit(column.path(), *a);
  for (const SearchIndex& index : table.indexes)
    if (index.kind == IndexKind::kBitmap)
      if (const Attribute* a = index.data->attribute("VALUES")) visit(index.data->path, *a);
}

// Calls visit(path, attribute, scalar_clause) for each boolean attribute of section 6 that the
// table has: `ordered` on categories datasets, SORTED_ROWS and BITMAP indexes, `exhaustive` on
// BITMAP indexes. `scalar_clause` requires that this one be a scalar.
template <class Visit>
void for_each_boolean_attribute(const Table& table, Visit visit) {
  for (const Categories& categories : table.categories)
    if (const Attribute* a = categories.data->attribute("ordered"))
      visit(categories.data->path, *a, ClauseId("ordered-scalar"));
  for (const SearchIndex& index : table.indexes) {
    const Attribute* a = index.data->attribute("ordered");
    if (a && index.kind == IndexKind::kSortedRows)
      visit(index.data->path, *a, ClauseId("sorted-ordered-scalar"));
    if (index.kind != IndexKind::kBitmap) continue;
    if (a) visit(index.data->path, *a, ClauseId("bitmap-ordered-scalar"));
    const Attribute* exhaustive = index.data->attribute("exhaustive");
    if (exhaustive && table.revision->exhaustive)
      visit(index.data->path, *exhaustive, ClauseId("bitmap-exhaustive-scalar"));
  }
}

// The clause that a boolean attribute of this type violates, which is not an enumeration.
inline ClauseId enumeration_clause(const Datatype& type) {
  switch (type.cls) {
    case TypeClass::kInteger: return "bool-not-plain-integer";
    case TypeClass::kBitfield: return "bool-not-bitfield";
    case TypeClass::kString: return "bool-not-string";
    default: return "bool-is-enum";
  }
}

// Calls visit(path, attribute) for each attribute that HEP001 defines as a UTF-8 string.
template <class Visit>
void for_each_utf8_attribute(const Table& table, Visit visit) {
  for (const char* name : {"TITLE", "column-order", "_index", "encoding-type", "encoding-version",
                           "description", "units_vocabulary"})
    if (const Attribute* a = table.attribute(name)) visit(table.path(), *a);
  constexpr const char* kOfColumns[] = {"units", "units_vocabulary", "description"};
  for (const Column& column : table.columns)
    for (const char* name : kOfColumns)
      if (const Attribute* a = column.data->attribute(name)) visit(column.path(), *a);
  for (const ListColumn& list : table.lists)
    for (const char* name : kOfColumns)
      if (const Attribute* a = list.group().attribute(name)) visit(list.path(), *a);
  for (const SearchIndex& index : table.indexes)
    if (const Attribute* a = index.data->attribute("description")) visit(index.data->path, *a);
}

// The clauses that a reference attribute violates when its targets cannot be determined: it is not
// a reference, or has no element although one is required.
struct ReferenceClauses {
  ClauseId reference, shape;
};
inline constexpr ReferenceClauses kIndexList{"search-index-list-std-ref", "search-index-list-1d"};
inline constexpr ReferenceClauses kCategories{"categories-std-ref", "categories-attr-scalar"};
inline constexpr ReferenceClauses kValues{"bitmap-values-std-ref", "bitmap-values-attr-scalar"};

// The clause because of which the targets of the attribute are unknown; no clause if it was not
// read. Nothing if they are known, for example for an empty list.
using Unclear = std::optional<std::vector<std::string_view>>;
Unclear unclear_reference(const Attribute* attribute, const ReferenceClauses& clauses);
// The same for the first column with such an attribute, or for one that may have it but was not
// read.
Unclear unclear_reference(const Table& table, const char* name, const ReferenceClauses& clauses);

// "a, b and 3 more", for messages; names are shown as they are.
std::string enumerate(const std::vector<std::string>& names, std::size_t shown = 3);

// The target of the reference, in words: "null reference", "/t/ts", "file other.h5, ...".
std::string describe(const Reference& reference);

// The integer of a boolean attribute with a one-byte base, or of any enumeration member.
std::optional<std::int64_t> member_code(const Datatype& type, const std::string& name);

}  // namespace hepcheck::hep001
