// describe, read and query.
#include <algorithm>
#include <set>

#include "operations.h"

namespace adapter {

namespace {

Json text_or_null(hid_t owner, const char* name) {
  const auto text = text_attribute(owner, name);
  return text ? Json(*text) : Json();
}

std::vector<Json> all_rows(hid_t dataset) {
  return read_rows(dataset, 0,
                   static_cast<hsize_t>(H5Sget_simple_extent_npoints(Id(H5Dget_space(dataset)))));
}

Json describe_column(const Table& table, const Column& column) {
  Json vocabulary = text_or_null(column.dataset, "units_vocabulary");
  if (vocabulary.is_null()) vocabulary = text_or_null(table.group, "units_vocabulary");
  Json made{{"name", column.name},
            {"type", column.notation},
            {"units", text_or_null(column.dataset, "units")},
            {"units_vocabulary", vocabulary},
            {"description", text_or_null(column.dataset, "description")},
            {"categories", nullptr}};
  if (table.newer) made["boolean"] = is_boolean(column.notation);
  for (const Id& categories : references(column.dataset, "CATEGORIES"))
    made["categories"] = {{"type", describe_type(Id(H5Dget_type(categories)))},
                          {"labels", all_rows(categories)},
                          {"ordered", number_attribute(categories, "ordered").value_or(0) != 0}};
  return made;
}

Json describe_table(const Table& table) {
  Json columns = Json::array(), labels = Json::array();
  for (const Column& column : table.columns) columns.push_back(describe_column(table, column));
  for (const Id& target : references(table.group, "INDEX_COLUMNS"))
    for (const Column& column : table.columns)
      if (same_object(target, column.dataset)) labels.push_back(column.name);
  return {{"path", table.path},
          {"version", table.version},
          {"rows", std::to_string(table.rows)},
          {"title", text_or_null(table.group, "TITLE")},
          {"description", text_or_null(table.group, "description")},
          {"row_labels", labels},
          {"columns", columns}};
}

bool matches(const Column& column, const Json& where, const Json& stored) {
  const std::string test = where.at("test");
  const bool missing = column.missing(stored);
  if (test == "missing") return missing;
  if (test == "nan") return is_nan(stored);
  if (missing || is_nan(stored)) return false;
  if (test == "equal") return equal(column.notation, stored, where.at("value"));
  const Json &low = where.at("min"), &high = where.at("max");
  return (low.is_null() || !less(column.notation, stored, low)) &&
         (high.is_null() || !less(column.notation, high, stored));
}

// Chunks that a CHUNK_MINMAX index does not exclude for an equality or a range.
std::set<hsize_t> candidate_chunks(const Column& column, const Json& where, hid_t index,
                                   hsize_t chunks) {
  const bool range = where.at("test") == "range";
  const Json low = range ? where.at("min") : where.at("value");
  const Json high = range ? where.at("max") : where.at("value");
  std::set<hsize_t> candidates;
  const std::vector<Json> entries = all_rows(index);
  for (hsize_t i = 0; i < chunks; ++i) {
    const Json &min = entries.at(i).at(0), &max = entries.at(i).at(1);
    if (column.missing(min)) continue;  // no value at all
    if ((high.is_null() || !less(column.notation, high, min)) &&
        (low.is_null() || !less(column.notation, max, low)))
      candidates.insert(i);
  }
  return candidates;
}

}  // namespace

Json describe(hid_t file, const Json& request, bool newer, std::vector<Diagnostic>& diagnostics) {
  Json tables = Json::array(), refused = Json::array();
  for (const std::string& path : find_tables(file)) {
    try {
      Table table = open_table(file, path, newer);
      tables.push_back(describe_table(table));
      diagnostics.insert(diagnostics.end(), table.diagnostics.begin(), table.diagnostics.end());
    } catch (const Refused& refusal) {
      refused.push_back({{"path", path}, {"reason", refusal.what()}});
    }
  }
  if (request.value("mode", "lenient") == "strict" && !diagnostics.empty())
    throw Refused(diagnostics.front().path + ": " + diagnostics.front().message);
  return {{"tables", tables}, {"refused", refused}};
}

Json read(const Table& table, const Json& request) {
  const hsize_t first = std::stoull(request.value("first", "0"));
  const hsize_t count = request.contains("count")
                            ? std::stoull(request.at("count").get<std::string>())
                            : table.rows - std::min<hsize_t>(first, table.rows);
  if (count > table.rows || first > table.rows - count) throw std::runtime_error("no such rows");
  Json columns = Json::array();
  for (const Column& column : table.columns) {
    if (request.contains("columns") &&
        std::none_of(request.at("columns").begin(), request.at("columns").end(),
                     [&](const Json& name) { return name == column.name; }))
      continue;
    if (table.newer && column.later()) {
      columns.push_back({{"name", column.name}, {"unreadable", "it follows a later revision"}});
      continue;
    }
    Json made{{"name", column.name}, {"values", column.values(first, count)}};
    for (const Id& categories : references(column.dataset, "CATEGORIES")) {
      const std::vector<Json> labels = all_rows(categories);
      Json decoded = Json::array();
      for (const Json& code : made["values"])
        decoded.push_back(code.is_null() ? Json()
                                         : labels.at(std::stoull(code.get<std::string>())));
      made["labels"] = std::move(decoded);
    }
    columns.push_back(std::move(made));
  }
  return {{"columns", columns}};
}

// A search index of the file is used only with permission; by default it is not trusted (16).
Json query(const Table& table, const Json& request, std::vector<Diagnostic>& diagnostics) {
  const Json& where = request.at("where");
  const Column& column = table.column(where.at("column"));
  const std::string mode = request.at("indexes"), test = where.at("test");
  if (test == "range" && !has_order(column.notation))
    throw Unsupported("the datatype has no order");
  const std::vector<Json> stored = column.stored(0, table.rows);
  const hsize_t chunk = column.chunk(table.rows);

  std::optional<std::set<hsize_t>> candidates;
  std::string path;
  if ((mode == "use" || mode == "verify") && (test == "equal" || test == "range"))
    for (const Id& index : indexes(column, "CHUNK_MINMAX")) {
      if (!is_valid(table, index)) continue;
      candidates = candidate_chunks(column, where, index, (table.rows + chunk - 1) / chunk);
      path = path_of(index);
    }
  Json rows = Json::array();
  for (hsize_t row = 0; row < table.rows; ++row) {
    if (!matches(column, where, stored[row])) continue;
    if (candidates && !candidates->contains(row / chunk)) {
      if (mode == "use") continue;
      diagnostics.push_back({path, "this index hides row " + std::to_string(row)});
    }
    rows.push_back(std::to_string(row));
  }
  return {{"rows", rows}, {"used", candidates ? Json::array({"CHUNK_MINMAX"}) : Json::array()}};
}

}  // namespace adapter
