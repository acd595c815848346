#include "conformance/suite/arrow/compare.h"

#include <algorithm>
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
      const Json a = should.value("nullable", Json(false)), b = is.value("nullable", Json(false));
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
