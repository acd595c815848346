#include "validator/formats/tiledb/exchange/read_array.h"

#include <algorithm>
#include <cmath>
#include <format>
#include <map>

#include "validator/formats/tiledb/array.h"
#include "validator/utf8.h"

namespace hepcheck::tiledb {

namespace {

using exchange::Kind;

constexpr std::uint64_t kMostRows = 1'000'000, kMostCells = 100'000'000;

// Appends missing values.
void add_missing(const exchange::Type& type, exchange::Array& to, std::uint64_t count) {
  to.length += count;
  to.nulls += count;
  to.valid.assign(divided_up(to.length, 8), 0);
  switch (type.kind) {
    case Kind::kBoolean: to.bytes.resize(to.length); break;
    case Kind::kInteger:
    case Kind::kFloat:
    case Kind::kFixedBytes: to.bytes.resize(to.length * type.width); break;
    case Kind::kText:
    case Kind::kBytes:
    case Kind::kList: to.offsets.assign(to.length + 1, 0); break;
    case Kind::kFixedList:
      add_missing(type.children[0].type, to.children[0], count * type.width);
      break;
    default: break;
  }
  std::ranges::fill(to.bytes, std::byte{});
}

std::string date_units(std::uint8_t datatype) {
  constexpr std::string_view kDates[] = {"years", "months", "weeks", "days", "h",  "min", "s",
                                         "ms",    "us",     "ns",    "ps",   "fs", "as"};
  if (datatype >= kFirstTime) return std::string(kDates[datatype - kFirstTime + 4]);
  return std::string(kDates[datatype - kFirstDate]) + " since 1970-01-01";
}

std::string value_as_text(Raw bytes, std::uint8_t datatype) {
  if (!is_float(datatype)) return to_text(integer_at(bytes, datatype));
  const double value = float_at(bytes, datatype);
  if (std::isnan(value))
    return std::format("nan(0x{:x})", datatype == kFloat32 ? load<std::uint32_t>(bytes.data())
                                                           : load<std::uint64_t>(bytes.data()));
  return std::format("{:.17g}", value);
}

class TableReader {
 public:
  TableReader(const Schema& schema, const std::vector<std::unique_ptr<EnumerationFile>>& files)
      : schema_(schema), files_(files) {}

  std::expected<ArrayTable, std::string> read() {
    if (!schema_.is_dense())
      return std::unexpected("it is sparse, and a table has a value in every row");
    if (schema_.dimensions.size() != 1)
      return std::unexpected(
          std::format("it has {} dimensions, and a table has one", schema_.dimensions.size()));
    if (const std::string why = read_rows(); !why.empty()) return std::unexpected(why);
    for (const Attribute& each : schema_.attributes) {
      const std::string why = add_column(each);
      const std::string name = shown_name(text_of(each.name.value));
      if (!why.empty()) return std::unexpected(std::format("attribute \"{}\": {}", name, why));
    }
    return std::move(made_);
  }

 private:
  std::string read_rows() {
    const Dimension& dimension = schema_.dimensions[0];
    const std::uint8_t type = dimension.datatype.value;
    if (!is_integral(type) || !dimension.is_sound()) return "its dimension has no whole numbers";
    Raw low = dimension.low(), high = dimension.high();
    if (schema_.current_domain && schema_.current_domain->has_ranges()) {
      low = schema_.current_domain->ranges[0].low;
      high = schema_.current_domain->ranges[0].high;
    }
    const Wide first = integer_at(low, type), rows = integer_at(high, type) - first + 1;
    if (rows > Wide{kMostRows})
      return std::format("{} rows are more than the limit of {}", to_text(rows), kMostRows);
    if (first != 0) made_.losses.push_back("row numbers start at " + to_text(first));
    made_.table.rows = static_cast<std::uint64_t>(rows);
    if (dimension.has_extent()) made_.losses.emplace_back("the tile extent");
    return {};
  }

  // An attribute's cells as a neutral type, and what helps to store them as they were.
  std::string add_column(const Attribute& it) {
    exchange::Field field{.name = std::string(text_of(it.name.value)), .nullable = true};
    if (const std::string why = describe(it, field); !why.empty()) return why;
    if (!it.enumeration.value.empty())
      if (const std::string why = add_labels(it, field.type); !why.empty()) return why;
    if (!it.filters.empty()) lose(it, "filters: " + pipeline_text(it.filters));
    if (it.nullable.value != 0 && it.validity.value != 0)
      lose(it, "null and fill value cannot be told apart");
    if (it.order.value != 0) lose(it, "its order");
    exchange::Array array = exchange::empty_array(field.type);
    if (made_.table.rows > 0) add_missing(field.type, array, made_.table.rows);
    made_.table.schema.fields.push_back(std::move(field));
    made_.table.columns.push_back(std::move(array));
    return {};
  }

  void lose(const Attribute& it, const std::string& what) {
    made_.losses.push_back(
        std::format("attribute \"{}\": {}", shown_name(text_of(it.name.value)), what));
  }

  std::string describe(const Attribute& it, exchange::Field& field) {
    const std::uint8_t type = it.datatype.value;
    const std::uint64_t count = it.cell_val_num.value;
    if (!it.is_variable() && count * std::max<std::uint64_t>(1, made_.table.rows) > kMostCells)
      return "more values than the limit";
    if (type == kStringAscii || type == kStringUtf8 || type == kChar) return text(it, field);
    if (type == kBlob || type > kBool) {
      field.type = {.kind = it.is_variable() ? Kind::kBytes : Kind::kFixedBytes,
                    .width = it.is_variable() ? 0 : count};
      if (!it.is_variable())
        field.metadata.emplace_back("hep001:fill",
                                    hexadecimal(it.fill.value, it.fill.value.size()));
      return {};
    }
    exchange::Type value;
    if (type == kBool)
      value = {.kind = Kind::kBoolean};
    else if (is_float(type))
      value = {.kind = Kind::kFloat, .width = width_of(type)};
    else if (is_integral(type))
      value = {.kind = Kind::kInteger, .width = width_of(type), .is_signed = is_signed(type)};
    else
      return "a table has no " + std::string(datatype_name(type));
    if (is_date_or_time(type)) field.metadata.emplace_back("hep001:units", date_units(type));
    if (count == 1) {
      field.type = std::move(value);
      if (type != kBool && it.fill.value.size() == width_of(type))
        field.metadata.emplace_back("hep001:fill", value_as_text(it.fill.value, type));
      return {};
    }
    field.type = {.kind = it.is_variable() ? Kind::kList : Kind::kFixedList,
                  .width = it.is_variable() ? 0 : count};
    field.type.children.push_back({.name = "item", .type = std::move(value), .nullable = true});
    if (!it.is_variable())
      field.metadata.emplace_back("hep001:fill", hexadecimal(it.fill.value, it.fill.value.size()));
    return {};
  }

  std::string text(const Attribute& it, exchange::Field& field) {
    field.type = {.kind = Kind::kText};
    const std::string size = it.is_variable() ? "*" : std::to_string(it.cell_val_num.value);
    field.metadata.emplace_back(
        "hep001:type",
        std::format("string({},{},{})", size, it.is_variable() ? "nullterm" : "nullpad",
                    it.datatype.value == kStringUtf8 ? "utf8" : "ascii"));
    std::string fill(text_of(it.fill.value));
    while (fill.ends_with('\0')) fill.pop_back();
    if (is_utf8(fill)) field.metadata.emplace_back("hep001:fill", fill);
    return {};
  }

  // Attributes that share an enumeration share its labels.
  std::string add_labels(const Attribute& it, exchange::Type& type) {
    const std::string name(text_of(it.enumeration.value));
    const auto file = std::ranges::find_if(
        files_, [&](const auto& each) { return text_of(each->enumeration.name.value) == name; });
    if (file == files_.end() || !(*file)->enumeration.whole)
      return "the file of its enumeration is not here";
    if (type.kind != Kind::kInteger)
      return "an enumeration on " + std::string(datatype_name(it.datatype.value));
    const Enumeration& from = (*file)->enumeration;
    type.ordered = from.ordered.value != 0;
    auto& labels = labels_[name];
    if (!labels) {
      const bool is_text =
          from.datatype.value == kStringAscii || from.datatype.value == kStringUtf8;
      if (!is_text || !from.is_variable()) {
        lose(it, "its enumeration, whose values are not texts");
        return {};
      }
      exchange::Labels made{.type = {.kind = Kind::kText}};
      made.values = exchange::empty_array(made.type);
      const std::uint64_t count = from.has_values() ? from.count() : 0;
      for (std::uint64_t i = 0; i < count; ++i) {
        const Raw value = from.value(i);
        if (!is_utf8(text_of(value))) return "its enumeration has a value that is not UTF-8";
        made.values.bytes.insert(made.values.bytes.end(), value.begin(), value.end());
        made.values.offsets.push_back(made.values.bytes.size());
        made.values.push(false);
      }
      labels = std::make_shared<const exchange::Labels>(std::move(made));
    }
    type.labels = labels;
    return {};
  }

  const Schema& schema_;
  const std::vector<std::unique_ptr<EnumerationFile>>& files_;
  std::map<std::string, std::shared_ptr<const exchange::Labels>> labels_{};
  ArrayTable made_{};
};

std::expected<ArrayTable, std::string> table_of(const Tree& tree, const FileOptions& options,
                                                Notes& notes) {
  Array array;
  examine_array(tree, options.limits, notes, array);
  const SchemaFile* const newest = array.newest();
  if (!newest || !newest->whole()) return std::unexpected("its newest schema cannot be read");
  return TableReader(newest->schema, array.enumerations).read();
}

}  // namespace

std::expected<ArrayTable, std::string> read_array(const Input& input, const FileOptions& options) {
  Notes notes(default_revision("tiledb"), 1);
  if (input.members) return table_of(Tree::of(*input.members), options, notes);
  if (is_archive(input.file)) {
    std::vector<std::byte> bytes(std::min(input.file.size(), options.limits.block_bytes));
    std::string reason = "it cannot be read";
    if (!input.file.read(0, bytes)) return std::unexpected(reason);
    const auto tree = Tree::of_archive(bytes, options.limits, reason);
    return tree ? table_of(*tree, options, notes) : std::unexpected(reason);
  }
  SchemaFile file;
  examine_schema(input.file, Folder::kNone, options.limits, notes, file, false);
  if (!file.whole()) return std::unexpected("it is no schema that can be read");
  return TableReader(file.schema, {}).read();
}

}  // namespace hepcheck::tiledb
