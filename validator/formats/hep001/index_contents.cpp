#include "validator/formats/hep001/index_contents.h"

#include <chrono>
#include <cstdlib>
#include <format>

#include "validator/counted.h"
#include "validator/formats/hep001/derive/build_index.h"
#include "validator/formats/hep001/derive/facts.h"
#include "validator/formats/hep001/repair/repair.h"

namespace hepcheck::hep001 {

namespace {

template <class Contents>
Result<BuiltIndex> built(Result<Contents> contents, auto summary) {
  if (!contents) return std::unexpected(contents.error());
  BuiltIndex made{.summary = summary(*contents)};
  made.index.contents = std::move(*contents);
  return made;
}

Result<BuiltIndex> raw_contents(IndexKind kind, const Table& table, const Dataset& column,
                                ValueSource& values, const IndexOptions& options) {
  const std::uint64_t rows = logical_rows(table, column);
  const std::uint64_t limit = memory_limit({.memory_limit = options.file.examine.memory_limit});
  Result<std::unique_ptr<ValueStream>> stream = values.stream(column, rows);
  if (!stream) return std::unexpected(stream.error());
  switch (kind) {
    case IndexKind::kChunkMinmax:
      return built(build_chunk_minmax(column, **stream),
                   [](const auto& entries) { return counted(entries.size(), "entry", "entries"); });
    case IndexKind::kSortedRows:
      return built(build_sorted_rows(column, **stream, limit), [](const SortedRows& sorted) {
        return counted(sorted.rows.size(), "row", "rows");
      });
    case IndexKind::kBitmap:
      return built(
          build_bitmap(column, **stream, options.max_values, limit),
          [](const Bitmap& bitmap) { return counted(bitmap.values.size(), "value", "values"); });
    default: break;
  }
  const BloomParameters p = options.bloom.value_or(bloom_parameters(
      std::min(rows, chunk_rows(column)), options.bits_per_value, options.hashes, options.seed));
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(p.m_bits / 8, data_bearing_chunks(table, column), &bytes) ||
      bytes > limit)
    return failure(column.path,
                   std::format("filters of {} bits per chunk exceed the memory limit of {}",
                               p.m_bits, counted(limit, "byte")));
  auto filters = build_chunk_bloom(column, **stream, p);
  if (!filters) return std::unexpected(filters.error());
  BuiltIndex made{.summary = std::format("m_bits {}, k {}, seed {}", p.m_bits, p.k, p.seed)};
  made.index.contents = libhdf5::BloomFilters{.parameters = p, .filters = std::move(*filters)};
  return made;
}

// The tokens of an index that describes the present table.
std::optional<libhdf5::ValidityTokens> tokens_of(const Table& table) {
  if (!table.revision->tokens) return std::nullopt;
  const Attribute* generation = table.attribute("GENERATION");
  return libhdf5::ValidityTokens{
      .generation = generation ? unsigned_value(*generation).value_or(0) : 0,
      .nrows = table.nrows.value_or(0),
      .first = !generation};
}

}  // namespace

// SOURCE_DATE_EPOCH, or the present time, in seconds.
std::chrono::sys_seconds build_time() {
  if (const char* epoch = std::getenv("SOURCE_DATE_EPOCH"); epoch && *epoch)
    return std::chrono::sys_seconds(std::chrono::seconds(std::strtoll(epoch, nullptr, 10)));
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

Result<BuiltIndex> index_contents(IndexKind kind, const Table& table, const Dataset& column,
                                  ValueSource& values, const IndexOptions& options) {
  Result<BuiltIndex> made = raw_contents(kind, table, column, values, options);
  if (!made) return made;
  made->index.description =
      std::format("{} index built by {} at {:%FT%TZ}, {}", name_of(kind), options.builder,
                  options.date.value_or(build_time()), made->summary);
  made->index.tokens = tokens_of(table);
  return made;
}

}  // namespace hepcheck::hep001
