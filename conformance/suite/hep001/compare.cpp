#include "conformance/suite/hep001/compare.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <format>

namespace hepcheck::hep001::suite {

namespace {

std::string in_quotes(const std::optional<std::string>& text) {
  return text ? std::format("\"{}\"", brief(*text, 200)) : "none";
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

std::vector<std::string> names_of(const TableContent& table) {
  std::vector<std::string> names;
  for (const ColumnContent& column : table.columns) names.push_back(column.name);
  return names;
}

// The subject of the first difference between two entries of a list column.
Aspect list_aspect(const Json& type, const Json& is, const Json& should) {
  const std::string& cls = type.at("class").get_ref<const std::string&>();
  if (is.is_null() != should.is_null())
    return cls == "list"   ? Aspect::kNullList
           : cls == "text" ? Aspect::kNullText
                           : Aspect::kNullLeaf;
  if (cls != "list" || !is.is_array() || !should.is_array() || is.size() != should.size())
    return Aspect::kElement;
  for (std::size_t i = 0; i < is.size(); ++i)
    if (!same(is[i], should[i])) return list_aspect(type.at("base"), is[i], should[i]);
  return Aspect::kElement;
}

class Comparison {
 public:
  explicit Comparison(const Capabilities& can) : can_(can) {}

  std::vector<Difference> files(const FileContent& expected, const FileContent& got) {
    const auto find = [](const FileContent& in, const std::string& path) {
      const auto at = std::ranges::find(in, path, &TableContent::path);
      return at == in.end() ? nullptr : &*at;
    };
    for (const TableContent& table : got)
      if (!find(expected, table.path)) {
        table_ = table.path;
        add(Aspect::kExtraTable, "", "a table", "not a table: CLASS is not COLUMN_TABLE");
      }
    for (const TableContent& table : expected) {
      table_ = table.path;
      if (const TableContent* other = find(got, table.path))
        tables(table, *other);
      else
        add(table.version == "1.0" ? Aspect::kLostTable : Aspect::kLostLater, "", "not listed",
            "a table: CLASS is COLUMN_TABLE, VERSION " + table.version);
    }
    return std::move(differences_);
  }

  std::vector<Difference> rows(const TableContent& expected, const TableContent& got) {
    for (const ColumnContent& column : expected.columns)
      if (const ColumnContent* other = got.column(column.name);
          other && declared(column.type, can_))
        cells(column, *other, expected.rows);
    return std::move(differences_);
  }

 private:
  void add(Aspect aspect, std::string where, std::string observed, std::string expected) {
    differences_.push_back(
        {aspect, table_, std::move(where), std::move(observed), std::move(expected)});
  }

  void add_row(Aspect aspect, const std::string& where, std::uint64_t row, std::string observed,
               std::string expected) {
    add(aspect, std::format("{} row {}", where, row), std::move(observed), std::move(expected));
    differences_.back().row = row;
  }

  void texts(Aspect aspect, const std::string& where, const std::optional<std::string>& expected,
             const std::optional<std::string>& got) {
    if (expected != got) add(aspect, where, in_quotes(got), in_quotes(expected));
  }

  void tables(const TableContent& expected, const TableContent& got) {
    if (got.version != expected.version)
      add(Aspect::kVersion, "version", in_quotes(got.version), in_quotes(expected.version));
    if (got.rows != expected.rows)
      add(Aspect::kRows, "", std::format("{} rows", got.rows),
          std::format("{} rows, by NROWS", expected.rows));
    if (can_.has("descriptions")) {
      texts(Aspect::kTexts, "title", expected.title, got.title);
      texts(Aspect::kTexts, "description", expected.description, got.description);
    }
    bool same_columns = true;
    for (const ColumnContent& column : got.columns)
      if (!expected.column(column.name)) {
        add(Aspect::kExtraColumn, "column " + column.name, "listed", "not a column of the table");
        same_columns = false;
      }
    for (const ColumnContent& column : expected.columns)
      if (!got.column(column.name)) {
        add(declared(column.type, can_) ? Aspect::kLostColumn : Aspect::kHiddenColumn,
            "column " + column.name, "not listed",
            "every rank-1 dataset directly in the table group is a column");
        same_columns = false;
      }
    if (same_columns && expected.fixed_order && names_of(expected) != names_of(got))
      add(Aspect::kColumnOrder, "", joined(names_of(got)),
          joined(names_of(expected)) + ", by column-order");
    if (can_.has("row-labels") && expected.row_labels != got.row_labels)
      add(Aspect::kRowLabels, "row_labels", joined(got.row_labels), joined(expected.row_labels));
    for (const ColumnContent& column : expected.columns)
      if (const ColumnContent* other = got.column(column.name))
        columns(column, *other, expected.rows, got.read);
  }

  void columns(const ColumnContent& expected, const ColumnContent& got, std::uint64_t rows,
               bool read) {
    const std::string where = "column " + expected.name;
    if (can_.has("units")) units(expected, got, where);
    if (can_.has("descriptions"))
      texts(Aspect::kTexts, where + " description", expected.description, got.description);
    if (!declared(expected.type, can_)) return;
    types(where + " type", expected.type, got.type);
    if (expected.boolean && got.boolean && *expected.boolean != *got.boolean)
      add(*expected.boolean ? Aspect::kBoolean : Aspect::kNotBoolean, where,
          *got.boolean ? "boolean" : "not boolean", *expected.boolean ? "boolean" : "not boolean");
    if (decodes(expected)) categories(expected, got, where);
    if (read) cells(expected, got, rows);
  }

  bool decodes(const ColumnContent& column) const {
    return column.categories && can_.has("categories") && declared(column.categories->type, can_);
  }

  void cells(const ColumnContent& expected, const ColumnContent& got, std::uint64_t rows) {
    const std::string where = "column " + expected.name;
    if (expected.unreadable.empty())
      values(expected, got, rows, where);
    else if (expected.is_list() && !expected.type.contains("base") && got.unreadable.empty() &&
             !got.values.empty())
      add(Aspect::kLaterKind, where, shown(got.values, 120),
          "unreadable: a KIND of a later revision");
    if (decodes(expected) && got.categories) labels(expected, got, where);
  }

  void types(const std::string& where, const Json& expected, const Json& got) {
    if (auto difference = type_difference(expected, got))
      add(Aspect::kType, where, std::move(difference->observed), std::move(difference->expected));
  }

  void units(const ColumnContent& expected, const ColumnContent& got, const std::string& where) {
    texts(expected.units ? Aspect::kUnits : Aspect::kNoUnits, where + " units", expected.units,
          got.units);
    // Without units a vocabulary has no effect.
    if (expected.units)
      texts(expected.own_vocabulary ? Aspect::kOwnVocabulary : Aspect::kDefaultVocabulary,
            where + " units_vocabulary", expected.units_vocabulary, got.units_vocabulary);
  }

  void values(const ColumnContent& expected, const ColumnContent& got, std::uint64_t rows,
              const std::string& where) {
    if (!got.unreadable.empty())
      return add(Aspect::kValue, where, "not read: " + brief(got.unreadable, 200), "its values");
    if (got.values.size() > rows)
      add(Aspect::kSurplusRows, where, std::format("{} values", got.values.size()),
          std::format("{}, by NROWS", rows));
    if (got.values.size() < rows)
      add(Aspect::kLostRows, where, std::format("{} values", got.values.size()),
          std::format("{}, by NROWS", rows));
    const Aspect missing = is_nan(expected.fill) ? Aspect::kMissingNan : Aspect::kMissing;
    const std::size_t both = std::min(expected.values.size(), got.values.size());
    for (std::size_t i = 0; i < both; ++i) {
      const Json &is = got.values[i], &should = expected.values[i];
      if (expected.is_list()) {
        if (!same(is, should))
          add_row(list_aspect(expected.type, is, should), where, i, shown(is, 120),
                  shown(should, 120));
      } else if (is.is_null() != should.is_null()) {
        if (expected.missing_known) add_row(missing, where, i, shown(is), shown(should));
      } else if (!same(is, should)) {
        add_row(Aspect::kValue, where, i, shown(is), shown(should));
      }
    }
  }

  void categories(const ColumnContent& expected, const ColumnContent& got,
                  const std::string& where) {
    if (!got.categories) return add(Aspect::kCategories, where, "not categorical", "categorical");
    // Other labels may be of another type.
    if (!std::ranges::equal(expected.categories->labels, got.categories->labels, same))
      add(Aspect::kCategories, where, shown(got.categories->labels, 120),
          shown(expected.categories->labels, 120));
    else
      types(where + " categories type", expected.categories->type, got.categories->type);
    if (expected.categories->ordered != got.categories->ordered)
      add(Aspect::kOrdered, where, got.categories->ordered ? "ordered" : "not ordered",
          expected.categories->ordered ? "ordered" : "not ordered");
  }

  // Missing rows and codes treated as missing are reported by its values; unlisted labels by the
  // list.
  void labels(const ColumnContent& expected, const ColumnContent& got, const std::string& where) {
    if (!std::ranges::equal(expected.categories->labels, got.categories->labels, same)) return;
    const std::size_t rows = std::min(expected.labels.size(), got.values.size());
    const std::size_t both = std::min(rows, got.labels.size());
    if (got.labels.size() != got.values.size())
      add(Aspect::kDecoded, where, std::format("{} labels", got.labels.size()),
          std::format("{}, one a row", got.values.size()));
    for (std::size_t i = 0; i < both; ++i) {
      const Json &is = got.labels[i], &should = expected.labels[i];
      if (same(is, should) || (is.is_null() && got.values[i].is_null())) continue;
      add_row(should.is_null() ? Aspect::kDecodedMissing : Aspect::kDecoded, where, i,
              "label " + shown(is), "label " + shown(should));
    }
  }

  const Capabilities& can_;
  std::string table_{};
  std::vector<Difference> differences_{};
};

}  // namespace

namespace {

// A datatype with the members of the protocol, in any order.
nlohmann::json plain_type(const Json& type) {
  if (type.is_array()) {
    nlohmann::json made = nlohmann::json::array();
    for (const Json& each : type) made.push_back(plain_type(each));
    return made;
  }
  if (!type.is_object()) return type;
  nlohmann::json made = nlohmann::json::object();
  for (const auto& [name, value] : type.items())
    if (!value.is_null() && std::ranges::any_of(kMembers, [&](const Member& member) {
          return member.of == "type" && member.name == name;
        }))
      made[name] = plain_type(value);
  return made;
}

// The value at a position of a JSON Patch, "/fields/0/1/order".
std::string at_place(const nlohmann::json& type, const std::string& place) {
  const nlohmann::json::json_pointer pointer(place);
  std::string name = place.empty() ? "" : place.substr(1) + ": ";
  std::ranges::replace(name, '/', '.');
  return type.contains(pointer) ? name + shown(type.at(pointer), 200) : name + "none";
}

}  // namespace

std::optional<TypeDifference> type_difference(const Json& expected, const Json& got) {
  const nlohmann::json should = plain_type(expected), is = plain_type(got);
  if (should == is) return std::nullopt;
  const std::string place = nlohmann::json::diff(should, is).at(0).at("path").get<std::string>();
  return TypeDifference{at_place(is, place), at_place(should, place)};
}

std::vector<Difference> compare(const FileContent& expected, const FileContent& got,
                                const Capabilities& can) {
  return Comparison(can).files(expected, got);
}

std::vector<Difference> compare_rows(const TableContent& expected, const TableContent& got,
                                     const Capabilities& can) {
  return Comparison(can).rows(expected, got);
}

bool declared(const Json& type, const Capabilities& can) {
  return std::ranges::all_of(classes_in(type),
                             [&](const std::string& cls) { return can.datatypes.contains(cls); });
}

bool same(const Json& a, const Json& b) {
  if (a.is_object() && b.is_object() && (a.contains("bits") || a.contains("bytes")))
    return std::ranges::all_of(std::array{"bits", "bytes"}, [&](const char* form) {
      return a.value(form, Json()) == b.value(form, Json());
    });
  if (a.is_array() && b.is_array()) return std::ranges::equal(a, b, same);
  return a == b;
}

std::vector<std::uint64_t> matching_rows(const TableContent& table, const ColumnContent& column,
                                         const Json& predicate) {
  const std::string& test = predicate.at("test").get_ref<const std::string&>();
  const auto matches = [&](std::uint64_t row) {
    const Json& value = column.values[row];
    if (test == "missing") return value.is_null();
    if (test == "nan") return value.is_null() ? is_nan(column.fill) : is_nan(value);
    if (value.is_null() || is_nan(value)) return false;
    if (test == "equal") return equal_values(column.type, value, predicate.at("value"));
    const Json &low = predicate.at("min"), &high = predicate.at("max");
    return (low.is_null() || !less(column.type, value, low)) &&
           (high.is_null() || !less(column.type, high, value));
  };
  std::vector<std::uint64_t> rows;
  for (std::uint64_t row = 0; row < table.rows && row < column.values.size(); ++row)
    if (matches(row)) rows.push_back(row);
  return rows;
}

}  // namespace hepcheck::hep001::suite
