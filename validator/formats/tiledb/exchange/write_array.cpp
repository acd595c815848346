#include "validator/formats/tiledb/exchange/write_array.h"

#include <algorithm>
#include <deque>
#include <format>
#include <memory>
#include <new>

#include "validator/codec/digest.h"
#include "validator/formats/tiledb/enumeration.h"

namespace hepcheck::tiledb {

namespace {

using exchange::ColumnLayout;

constexpr std::uint32_t kWrittenVersion = 22, kChunkBytes = 65536;
constexpr std::uint64_t kCapacity = 10000;

std::vector<std::byte> bytes_of_text(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

template <class T>
void put_number(std::vector<std::byte>& into, T value) {
  for (unsigned i = 0; i < sizeof(T); ++i) into.push_back(static_cast<std::byte>(value >> (8 * i)));
}

std::uint8_t datatype_of(const ColumnLayout& column) {
  switch (column.kind) {
    case ColumnLayout::Kind::kBoolean: return kBool;
    case ColumnLayout::Kind::kText: return column.utf8 ? kStringUtf8 : kStringAscii;
    case ColumnLayout::Kind::kOpaque: return kBlob;
    case ColumnLayout::Kind::kFloat: return column.width == 4 ? kFloat32 : kFloat64;
    case ColumnLayout::Kind::kInteger: break;
  }
  switch (column.width) {
    case 1: return column.is_signed ? kInt8 : kUint8;
    case 2: return column.is_signed ? kInt16 : kUint16;
    case 4: return column.is_signed ? kInt32 : kUint32;
    default: return column.is_signed ? kInt64 : kUint64;
  }
}

class ArrayBuilder {
 public:
  ArrayBuilder(const exchange::TableLayout& table, std::uint64_t time)
      : table_(table), time_(time) {}

  NewArray build() {
    made_.losses = table_.losses;
    schema_.version.value = kWrittenVersion;
    schema_.capacity.value = kCapacity;
    schema_.coordinates = pipeline({compressor(kZstd, -1)});
    schema_.offsets = pipeline({compressor(kZstd, -1)});
    schema_.validity = pipeline({compressor(kRle, -1)});
    add_dimension();
    for (const exchange::CategoriesLayout& each : table_.categories) add_enumeration(each);
    for (const ColumnLayout& each : table_.columns) add_attribute(each);
    CurrentDomain current;
    current.empty.value = 1;
    schema_.current_domain = current;
    const std::vector<std::byte> content = write_schema(schema_);
    made_.members.insert(made_.members.begin(), {std::format("__schema/__{}_{}_{}", time_, time_,
                                                             sha256(content).substr(0, 32)),
                                                 write_tile(kWrittenVersion, content)});
    return std::move(made_);
  }

 private:
  Raw keep(std::vector<std::byte> bytes) { return kept_.emplace_back(std::move(bytes)); }

  Filter compressor(std::uint8_t type, int level) {
    std::vector<std::byte> options;
    put_number(options, type);
    put_number(options, static_cast<std::uint32_t>(level));
    return {.type = type, .options = keep(std::move(options))};
  }
  static Pipeline pipeline(std::vector<Filter> filters) {
    Pipeline made{.max_chunk = kChunkBytes, .count = static_cast<std::uint32_t>(filters.size())};
    made.filters = std::move(filters);
    return made;
  }

  void add_dimension() {
    const std::uint64_t rows = std::max<std::uint64_t>(table_.rows, 1);
    if (table_.rows == 0) made_.losses.emplace_back("NROWS 0: a domain has one row at least");
    std::string name = "row";
    for (unsigned i = 1; std::ranges::contains(table_.columns, name, &ColumnLayout::name); ++i)
      name = std::format("row_{}", i);
    std::vector<std::byte> domain, extent;
    put_number(domain, std::uint64_t{0});
    put_number(domain, rows - 1);
    put_number(extent, std::min(rows, tile_rows(rows)));
    Dimension dimension;
    dimension.name.value = keep(bytes_of_text(name));
    dimension.datatype.value = kUint64;
    dimension.filters = pipeline({});
    dimension.domain_size.value = domain.size();
    dimension.domain.value = keep(std::move(domain));
    dimension.extent.value = keep(std::move(extent));
    schema_.dimensions.push_back(dimension);
  }

  std::uint64_t tile_rows(std::uint64_t rows) {
    const auto first = std::ranges::find_if(
        table_.columns, [](const ColumnLayout& each) { return each.chunk > 0; });
    if (first == table_.columns.end()) return rows;
    for (const ColumnLayout& each : table_.columns)
      if (each.chunk > 0 && each.chunk != first->chunk)
        made_.losses.push_back(
            std::format("column \"{}\": chunks of {} rows", each.name, each.chunk));
    return first->chunk;
  }

  void add_enumeration(const exchange::CategoriesLayout& from) {
    Enumeration it;
    std::vector<std::byte> data, offsets;
    std::string identity = from.name;
    for (const std::string& value : from.values) {
      identity += std::format("/{}:", value.size()) + value;
      put_number(offsets, std::uint64_t{data.size()});
      const auto bytes = std::as_bytes(std::span(value));
      data.insert(data.end(), bytes.begin(), bytes.end());
    }
    const std::string file = std::format("__{}_0", sha256(bytes_of_text(identity)).substr(0, 32));
    it.name.value = keep(bytes_of_text(from.name));
    it.path.value = keep(bytes_of_text(file));
    it.datatype.value = kStringUtf8;
    it.cell_val_num.value = kVariable;
    it.ordered.value = from.ordered;
    it.data.value = keep(std::move(data));
    it.offsets.value = keep(std::move(offsets));
    made_.members.push_back(
        {"__schema/__enumerations/" + file, write_tile(kWrittenVersion, write_enumeration(it))});
    schema_.enumerations.push_back(
        {.name = {.value = it.name.value}, .file = {.value = it.path.value}});
  }

  void add_attribute(const ColumnLayout& column) {
    Attribute made;
    made.name.value = keep(bytes_of_text(column.name));
    made.datatype.value = datatype_of(column);
    made.cell_val_num.value =
        column.variable ? kVariable : static_cast<std::uint32_t>(column.count);
    std::vector<Filter> filters;
    for (const exchange::StoredFilter& each : column.filters)
      if (auto filter = filter_of(each))
        filters.push_back(*filter);
      else
        made_.losses.push_back(std::format("column \"{}\": filter {}", column.name, each.name));
    made.filters = pipeline(std::move(filters));
    made.fill.value = keep(column.fill);
    made.nullable.value = 1;
    if (column.categories)
      made.enumeration.value = schema_.enumerations[*column.categories].name.value;
    if (column.name.starts_with("__"))
      made_.losses.push_back(std::format(
          "column \"{}\": the library reserves names with two underscores", column.name));
    schema_.attributes.push_back(std::move(made));
  }

  std::optional<Filter> filter_of(const exchange::StoredFilter& from) {
    if (from.name == "shuffle") return Filter{.type = kByteshuffle};
    if (from.name == "deflate") return compressor(kGzip, from.level.value_or(-1));
    if (from.name == "zstd") return compressor(kZstd, from.level.value_or(-1));
    if (from.name == "lz4") return compressor(kLz4, -1);
    if (from.name == "bzip2") return compressor(kBzip2, from.level.value_or(-1));
    return std::nullopt;
  }

  const exchange::TableLayout& table_;
  std::uint64_t time_;
  Schema schema_{};
  NewArray made_{};
  std::deque<std::vector<std::byte>> kept_{};
};

}  // namespace

NewArray array_of(const exchange::TableLayout& table, std::uint64_t time) {
  return ArrayBuilder(table, time).build();
}

}  // namespace hepcheck::tiledb
