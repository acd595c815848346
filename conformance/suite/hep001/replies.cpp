#include "conformance/suite/hep001/replies.h"

#include <algorithm>
#include <format>

#include "conformance/suite/hep001/protocol.h"

namespace hepcheck::hep001::suite {

namespace {

// Typed access by keys of the protocol.
bool has(const Json& object, Key key) { return hepcheck::suite::has(object, key.name()); }
const Json& member(const Json& object, Key key) {
  return hepcheck::suite::member(object, key.name());
}
std::string text(const Json& object, Key key) { return hepcheck::suite::text(object, key.name()); }
const Json& list(const Json& object, Key key) { return hepcheck::suite::list(object, key.name()); }
std::vector<std::string> texts(const Json& object, Key key) {
  return hepcheck::suite::texts(object, key.name());
}
std::uint64_t decimal(const std::string& digits, Key key) {
  return hepcheck::suite::decimal(digits, key.name());
}

std::optional<std::string> optional_text(const Json& object, Key key) {
  if (!has(object, key)) return std::nullopt;
  return text(object, key);
}

// -------------------------------------------------------------------------- describe

// The properties of a datatype on which the rest of the suite relies.
void require_type(const Json& type) {
  text(type, "type.class");
  if (type.at("class") == "string") member(type, "type.size");
  if (type.contains("base")) require_type(type.at("base"));
  if (type.contains("fields"))
    for (const Json& field : list(type, "type.fields")) {
      if (!field.is_array() || field.size() != 2) throw Malformed{"a field is not [name, type]"};
      require_type(field.at(1));
    }
}

CategoriesContent parse_categories(const Json& json) {
  const Json& labels = list(json, "categories.labels");
  const Json& ordered = member(json, "categories.ordered");
  if (!ordered.is_boolean()) throw Malformed{"ordered is not a boolean"};
  require_type(member(json, "categories.type"));
  return {.type = member(json, "categories.type"),
          .labels = {labels.begin(), labels.end()},
          .ordered = ordered.get<bool>()};
}

// Members are filled one by one: an exception during the construction of an aggregate may free
// members twice (g++).
ColumnContent parse_column(const Json& json) {
  ColumnContent column;
  column.name = text(json, "column.name");
  column.type = member(json, "column.type");
  require_type(column.type);
  column.units = optional_text(json, "column.units");
  column.units_vocabulary = optional_text(json, "column.units_vocabulary");
  column.description = optional_text(json, "column.description");
  if (has(json, "column.categories"))
    column.categories = parse_categories(member(json, "column.categories"));
  if (has(json, "column.boolean")) {
    const Json& boolean = member(json, "column.boolean");
    if (!boolean.is_boolean()) throw Malformed{"boolean is not a boolean"};
    column.boolean = boolean.get<bool>();
  }
  return column;
}

template <class Range, class Name>
void require_distinct(const Range& range, Name name, std::string_view what) {
  std::set<std::string> seen;
  for (const auto& each : range)
    if (!seen.insert(std::invoke(name, each)).second)
      throw Malformed{std::format("{} {} twice", what, brief(std::invoke(name, each), 100))};
}

TableContent parse_table(const Json& json) {
  TableContent table;
  table.path = text(json, "table.path");
  table.version = text(json, "table.version");
  table.rows = decimal(text(json, "table.rows"), "table.rows");
  table.title = optional_text(json, "table.title");
  table.description = optional_text(json, "table.description");
  for (const Json& column : list(json, "table.columns"))
    table.columns.push_back(parse_column(column));
  require_distinct(table.columns, &ColumnContent::name, table.path + " lists the column");
  if (has(json, "table.row_labels")) table.row_labels = texts(json, "table.row_labels");
  return table;
}

}  // namespace

const Vocabulary kWords{kOperations, kDatatypes, kIndexes, kModes, kFeatures};

Parsed<Description> parse_description(const Json& body) {
  return caught("describe", [&] {
    Description made;
    for (const Json& table : list(body, "ok.tables")) made.tables.push_back(parse_table(table));
    require_distinct(made.tables, &TableContent::path, "it lists the table");
    if (has(body, "ok.refused"))
      for (const Json& each : list(body, "ok.refused"))
        made.refused.insert(text(each, "refusal.path"));
    return made;
  });
}

Parsed<void> parse_values(const Json& body, TableContent& into) {
  return caught("read", [&] {
    std::set<std::string> seen;
    for (const Json& json : list(body, "ok.columns")) {
      const std::string name = text(json, "values_of.name");
      const auto at = std::ranges::find(into.columns, name, &ColumnContent::name);
      if (at == into.columns.end())
        throw Malformed{"a column that describe does not list: " + brief(name, 100)};
      if (!seen.insert(name).second) throw Malformed{"a repeated column " + brief(name, 100)};
      if (has(json, "values_of.unreadable")) {
        at->unreadable = text(json, "values_of.unreadable");
        continue;
      }
      at->unreadable.clear();
      at->values = list(json, "values_of.values").get<std::vector<Json>>();
      if (has(json, "values_of.labels"))
        at->labels = list(json, "values_of.labels").get<std::vector<Json>>();
    }
  });
}

Parsed<Answer> parse_answer(const Json& body) {
  return caught("query", [&] {
    Answer made;
    for (const std::string& digits : texts(body, "ok.rows")) {
      const std::uint64_t row = decimal(digits, "ok.rows");
      if (!made.rows.empty() && row <= made.rows.back())
        throw Malformed{
            std::format("rows are not in increasing order: {} after {}", row, made.rows.back())};
      made.rows.push_back(row);
    }
    if (has(body, "ok.used"))
      for (std::string& kind : texts(body, "ok.used")) made.used.insert(std::move(kind));
    return made;
  });
}

}  // namespace hepcheck::hep001::suite
