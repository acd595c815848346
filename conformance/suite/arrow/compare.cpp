#include "conformance/suite/arrow/compare.h"

#include <algorithm>
#include <charconv>
#include <format>
#include <numeric>

namespace hepcheck::arrow::suite {

namespace {

std::string name_of(const Json& field) {
  const Json name = field.value("name", Json(nullptr));
  return name.is_string() ? name.get<std::string>() : name.is_null() ? "" : name.dump();
}

std::vector<std::string> pairs_of(const Json& metadata) {
  std::vector<std::string> pairs;
  for (const Json& pair : metadata) pairs.push_back(pair.dump());
  std::ranges::sort(pairs);
  return pairs;
}

// A member that only one of them has is compared with an empty one.
const Json& member_or_empty(const Json& object, const char* name) {
  static const Json empty = Json::array();
  return has(object, name) ? object.at(name) : empty;
}

}  // namespace

std::optional<Difference> metadata_difference(const Json& expected, const Json& got) {
  if (pairs_of(expected) == pairs_of(got)) return std::nullopt;
  return Difference{"metadata", shown(got), shown(expected)};
}

std::optional<Difference> schema_difference(const Json& expected, const Json& got,
                                            Compared compared) {
  if (expected.size() != got.size())
    return Difference{"fields", std::to_string(got.size()), std::to_string(expected.size())};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Json &should = expected[i], &is = got[i];
    const std::string where = std::format("field {} \"{}\"", i, name_of(should));
    const auto unlike = [&](const char* what, const Json& a, const Json& b) {
      return Difference{where + " " + what, shown(b), shown(a)};
    };
    if (!is.is_object()) return unlike("", should, is);
    if (name_of(should) != name_of(is)) return unlike("name", name_of(should), name_of(is));
    for (const char* what : {"type", "dictionary"}) {
      const Json a = should.value(what, Json(nullptr)), b = is.value(what, Json(nullptr));
      if (!same(a, b)) return unlike(what, a, b);
    }
    if (compared != Compared::kTypes) {
      const Json a = should.value("nullable", Json()), b = is.value("nullable", Json());
      if (a != b) return unlike("nullable", a, b);
    }
    if (compared == Compared::kAll) {
      if (auto other = metadata_difference(member_or_empty(should, "metadata"),
                                           member_or_empty(is, "metadata"))) {
        other->where = where + " metadata";
        return other;
      }
    }
    if (auto below = schema_difference(member_or_empty(should, "children"),
                                       member_or_empty(is, "children"), compared)) {
      below->where = where + " " + below->where;
      return below;
    }
  }
  return std::nullopt;
}

std::optional<Difference> value_difference(const std::vector<std::vector<Json>>& expected,
                                           const std::vector<std::vector<Json>>& got) {
  if (expected.size() != got.size())
    return Difference{"columns", std::to_string(got.size()), std::to_string(expected.size())};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::size_t rows = std::min(expected[i].size(), got[i].size());
    for (std::size_t row = 0; row < rows; ++row)
      if (!same(expected[i][row], got[i][row]))
        return Difference{std::format("column {} row {}", i, row), shown(got[i][row]),
                          shown(expected[i][row])};
    if (expected[i].size() != got[i].size())
      return Difference{std::format("column {}", i), std::format("{} rows", got[i].size()),
                        std::format("{} rows", expected[i].size())};
  }
  return std::nullopt;
}

namespace {

// In the form of the protocol: a sign only for negative numbers.
std::int64_t number(const Json& value, const char* name) {
  const std::string digits = value.is_string() ? value.get<std::string>() : "";
  std::int64_t made = 0;
  const char* const end = digits.data() + digits.size();
  if (const auto [at, trouble] = std::from_chars(digits.data(), end, made);
      trouble != std::errc() || at != end)
    throw Malformed{std::format("{}: {} is not a decimal string", name, shown(value))};
  return made;
}

}  // namespace

Described parse_described(const Json& body) {
  Described made;
  made.fields = list(body, "fields");
  if (has(body, "metadata")) made.metadata = list(body, "metadata");
  for (const Json& batch : list(body, "batches")) {
    made.rows.push_back(number(member(batch, "rows"), "rows"));
    std::vector<std::int64_t>& counts = made.null_counts.emplace_back();
    if (has(batch, "null_counts"))
      for (const Json& count : list(batch, "null_counts"))
        counts.push_back(number(count, "null_counts"));
  }
  return made;
}

std::vector<std::vector<Json>> parse_columns(const Json& body) {
  std::vector<std::vector<Json>> columns;
  for (const Json& batch : list(body, "batches")) {
    const Json& parts = list(batch, "columns");
    if (columns.empty()) columns.resize(parts.size());
    if (columns.size() != parts.size()) throw Malformed{"batches of different numbers of columns"};
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (!parts[i].is_array()) throw Malformed{"a column is not an array"};
      if (parts[i].size() != parts[0].size())
        throw Malformed{"columns of different lengths in a batch"};
      columns[i].insert(columns[i].end(), parts[i].begin(), parts[i].end());
    }
  }
  return columns;
}

std::optional<Difference> description_difference(const Content& expected, const Described& got,
                                                 const Capabilities& can) {
  const bool metadata = can.has("metadata");
  if (auto difference = schema_difference(expected.fields, got.fields,
                                          metadata ? Compared::kAll : Compared::kNullability))
    return difference;
  if (metadata)
    if (auto difference = metadata_difference(expected.metadata, got.metadata)) return difference;
  std::vector<std::int64_t> rows;
  for (const BatchContent& batch : expected.batches) rows.push_back(batch.rows);
  if (rows != got.rows) return Difference{"rows of batches", shown(got.rows), shown(rows)};
  return std::nullopt;
}

std::optional<Difference> null_count_difference(const Content& expected, const Described& got) {
  std::vector<std::vector<std::int64_t>> should;
  for (const BatchContent& batch : expected.batches) {
    std::vector<std::int64_t>& counts = should.emplace_back();
    for (const ColumnContent& column : batch.columns) counts.push_back(column.null_count);
  }
  if (got.null_counts == should) return std::nullopt;
  return Difference{"null counts", shown(got.null_counts), shown(should)};
}

std::vector<std::vector<Json>> columns_of(const Content& content,
                                          const std::vector<std::size_t>& batches) {
  std::vector<std::vector<Json>> columns(content.fields.size());
  for (const std::size_t batch : batches)
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::vector<Json>& values = content.batches.at(batch).columns.at(i).values;
      columns[i].insert(columns[i].end(), values.begin(), values.end());
    }
  return columns;
}

std::vector<std::vector<Json>> columns_of(const Content& content) {
  std::vector<std::size_t> all(content.batches.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return columns_of(content, all);
}

}  // namespace hepcheck::arrow::suite
