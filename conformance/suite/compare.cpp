#include "conformance/suite/compare.h"

#include <algorithm>
#include <charconv>
#include <format>

namespace hepcheck::hep001::suite {

namespace {

std::string quoted(const std::optional<std::string>& text) {
  return text ? std::format("\"{}\"", *text) : "none";
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
        add(Aspect::kExtraTable, "", "a table", "no table: CLASS is not COLUMN_TABLE");
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
    if (expected != got) add(aspect, where, quoted(got), quoted(expected));
  }

  void tables(const TableContent& expected, const TableContent& got) {
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
        add(Aspect::kExtraColumn, "column " + column.name, "listed", "no column of the table");
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
    if (!same_type(expected.type, got.type))
      add(Aspect::kType, where, shown(got.type, 200), shown(expected.type, 200));
    if (read && expected.unreadable.empty()) values(expected, got, rows, where);
    if (expected.categories && can_.has("categories") && declared(expected.categories->type, can_))
      labels(expected, got, where, read);
  }

  void units(const ColumnContent& expected, const ColumnContent& got, const std::string& where) {
    texts(expected.units ? Aspect::kUnits : Aspect::kNoUnits, where + " units", expected.units,
          got.units);
    // Without units a vocabulary interprets nothing.
    if (expected.units)
      texts(expected.own_vocabulary ? Aspect::kOwnVocabulary : Aspect::kDefaultVocabulary,
            where + " units_vocabulary", expected.units_vocabulary, got.units_vocabulary);
  }

  void values(const ColumnContent& expected, const ColumnContent& got, std::uint64_t rows,
              const std::string& where) {
    if (!got.unreadable.empty())
      return add(Aspect::kValue, where, "not read: " + got.unreadable, "its values");
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
      if (is.is_null() != should.is_null()) {
        if (expected.missing_known) add_row(missing, where, i, shown(is), shown(should));
      } else if (!same(is, should)) {
        add_row(Aspect::kValue, where, i, shown(is), shown(should));
      }
    }
  }

  void labels(const ColumnContent& expected, const ColumnContent& got, const std::string& where,
              bool read) {
    if (!got.categories) return add(Aspect::kCategories, where, "not categorical", "categorical");
    if (!std::ranges::equal(expected.categories->labels, got.categories->labels, same))
      return add(Aspect::kCategories, where, shown(got.categories->labels, 120),
                 shown(expected.categories->labels, 120));
    if (expected.categories->ordered != got.categories->ordered)
      add(Aspect::kOrdered, where, got.categories->ordered ? "ordered" : "not ordered",
          expected.categories->ordered ? "ordered" : "not ordered");
    if (!read) return;
    // Rows that it does not have, and codes that it takes for missing, are told by its values.
    const std::size_t rows = std::min(expected.labels.size(), got.values.size());
    const std::size_t both = std::min(rows, got.labels.size());
    if (both < rows)
      add(Aspect::kDecoded, where, std::format("{} labels", got.labels.size()),
          std::format("{}, one a row", rows));
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

// Typed access to a reply; what it lacks ends up in one sentence.
struct Malformed {
  std::string why;
};

const Json& member(const Json& object, const char* key) {
  if (!object.is_object() || !object.contains(key)) throw Malformed{std::format("no {}", key)};
  return object.at(key);
}

std::string text(const Json& object, const char* key) {
  const Json& value = member(object, key);
  if (!value.is_string()) throw Malformed{std::format("{} is not a string", key)};
  return value.get<std::string>();
}

std::optional<std::string> optional_text(const Json& object, const char* key) {
  if (!object.contains(key) || object.at(key).is_null()) return std::nullopt;
  return text(object, key);
}

const Json& list(const Json& object, const char* key) {
  const Json& value = member(object, key);
  if (!value.is_array()) throw Malformed{std::format("{} is not an array", key)};
  return value;
}

std::uint64_t count(const Json& object, const char* key) {
  const std::string digits = text(object, key);
  std::uint64_t number = 0;
  const auto [end, trouble] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (trouble != std::errc() || end != digits.data() + digits.size() || digits.empty())
    throw Malformed{std::format("{} is not a decimal string", key)};
  return number;
}

// What the rest of the suite relies on in a datatype.
void require_type(const Json& type) {
  text(type, "class");
  if (type.at("class") == "string") member(type, "size");
  if (type.contains("base")) require_type(type.at("base"));
  if (type.contains("fields"))
    for (const Json& field : list(type, "fields")) {
      if (!field.is_array() || field.size() != 2) throw Malformed{"a field is not [name, type]"};
      require_type(field.at(1));
    }
}

ColumnContent parse_column(const Json& json) {
  ColumnContent column{.name = text(json, "name"), .type = member(json, "type")};
  require_type(column.type);
  column.units = optional_text(json, "units");
  column.units_vocabulary = optional_text(json, "units_vocabulary");
  column.description = optional_text(json, "description");
  if (json.contains("categories") && !json.at("categories").is_null()) {
    const Json& categories = json.at("categories");
    const Json& labels = list(categories, "labels");
    const Json& ordered = member(categories, "ordered");
    if (!ordered.is_boolean()) throw Malformed{"ordered is not true or false"};
    column.categories = CategoriesContent{.type = member(categories, "type"),
                                          .labels = {labels.begin(), labels.end()},
                                          .ordered = ordered.get<bool>()};
  }
  return column;
}

TableContent parse_table(const Json& json) {
  TableContent table{.path = text(json, "path"),
                     .version = text(json, "version"),
                     .rows = count(json, "rows"),
                     .title = optional_text(json, "title"),
                     .description = optional_text(json, "description")};
  for (const Json& column : list(json, "columns")) table.columns.push_back(parse_column(column));
  if (json.contains("row_labels"))
    for (const Json& name : list(json, "row_labels")) {
      if (!name.is_string()) throw Malformed{"a row label is not a string"};
      table.row_labels.push_back(name.get<std::string>());
    }
  return table;
}

}  // namespace

std::vector<Difference> compare(const FileContent& expected, const FileContent& got,
                                const Capabilities& can) {
  return Comparison(can).files(expected, got);
}

bool declared(const Json& type, const Capabilities& can) {
  return std::ranges::all_of(classes_in(type),
                             [&](const std::string& cls) { return can.datatypes.contains(cls); });
}

bool same_type(const Json& a, const Json& b) { return nlohmann::json(a) == nlohmann::json(b); }

bool same(const Json& a, const Json& b) {
  if (a.is_object() && b.is_object())
    for (const char* form : {"bits", "bytes"})
      if (a.contains(form) && b.contains(form)) return a.at(form) == b.at(form);
  if (a.is_array() && b.is_array()) return std::ranges::equal(a, b, same);
  return a == b;
}

Parsed parse_description(const Json& body, std::vector<std::string>& refused) {
  try {
    FileContent content;
    for (const Json& table : list(body, "tables")) content.push_back(parse_table(table));
    if (body.contains("refused"))
      for (const Json& each : list(body, "refused")) refused.push_back(text(each, "path"));
    return content;
  } catch (const Malformed& malformed) {
    return std::unexpected("describe: " + malformed.why);
  }
}

std::expected<void, std::string> parse_values(const Json& body, TableContent& into) {
  try {
    for (const Json& json : list(body, "columns")) {
      const std::string name = text(json, "name");
      const auto at = std::ranges::find(into.columns, name, &ColumnContent::name);
      if (at == into.columns.end())
        throw Malformed{"a column that describe does not list: " + name};
      if (json.contains("unreadable")) {
        at->unreadable = text(json, "unreadable");
        continue;
      }
      at->values = list(json, "values").get<std::vector<Json>>();
      if (json.contains("labels")) at->labels = list(json, "labels").get<std::vector<Json>>();
    }
    return {};
  } catch (const Malformed& malformed) {
    return std::unexpected("read: " + malformed.why);
  }
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
