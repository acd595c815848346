#include "validator/formats/hep001/storage/refusal.h"

#include <algorithm>
#include <format>

#include "validator/counted.h"
#include "validator/formats/hep001/storage/lzf.h"
#include "validator/integers.h"

namespace hepcheck::hep001 {

namespace {

constexpr const char* kNoFixedSize = "variable-length values have no fixed-size form";

// The reason why a filter of the dataset cannot be reversed.
std::optional<Error> obstacle(const Dataset& dataset, const Filter& filter) {
  if (filter.id == kLzfFilter && !states_chunk_size(filter, dataset))
    return Error{dataset.path, "filter 32000 (lzf) does not state the size of a chunk"};
  if (!filter.available)
    return Error{dataset.path, std::format("filter {}{} is not available", filter.id,
                                           filter.name.empty() ? "" : " (" + filter.name + ")")};
  return std::nullopt;
}

}  // namespace

std::optional<Error> refusal(const Dataset& dataset, const Limits& limits) {
  if (dataset.unreadable) return Error{dataset.path, *dataset.unreadable};
  if (dataset.storage.layout == StorageLayout::kVirtual)
    return Error{dataset.path, "a virtual dataset; its source files are never opened"};
  if (dataset.storage.layout == StorageLayout::kExternal)
    return Error{dataset.path, "stored in external files, which are never opened"};
  if (dataset.storage.layout != StorageLayout::kChunked)
    for (const Filter& filter : dataset.storage.filters)
      if (auto error = obstacle(dataset, filter)) return error;
  // Decoding a chunk requires memory for the whole chunk.
  std::uint64_t chunk_bytes = dataset.storage.filters.empty() ? 0 : dataset.type.size;
  for (const std::uint64_t n : dataset.storage.chunk) chunk_bytes = product(chunk_bytes, n);
  if (chunk_bytes > limits.block_bytes)
    return Error{dataset.path,
                 "a chunk is larger than the limit of " + counted(limits.block_bytes, "byte")};
  return std::nullopt;
}

std::optional<Error> no_values(const Dataset& dataset) {
  if (dataset.storage.fill_state != FillState::kUndefined || dataset.space.elements() == 0)
    return std::nullopt;
  return Error{dataset.path, "no values are stored, and it has no fill value"};
}

std::optional<Error> needs_missing_filter(const Dataset& dataset,
                                          const std::function<std::uint32_t()>& skipped_by_all) {
  const std::vector<Filter>& filters = dataset.storage.filters;
  for (std::size_t i = 0; i < filters.size(); ++i) {
    auto error = obstacle(dataset, filters[i]);
    if (error && (i >= 32 || (skipped_by_all() >> i & 1) == 0)) return error;
  }
  return std::nullopt;
}

Result<std::uint64_t> streamed_row_bytes(const Dataset& dataset, std::uint64_t first,
                                         std::uint64_t count, const Limits& limits) {
  if (has_variable_part(dataset.type) && !dataset.space.one_dimensional())
    return failure(dataset.path, kNoFixedSize);
  const std::span<const std::uint64_t> extent = dataset.space.extent;
  if (!dataset.extent() || first > *dataset.extent() || count > *dataset.extent() - first)
    return failure(dataset.path, "has fewer rows than requested");
  const auto bytes = checked_product(extent.subspan(1), dataset.type.size);
  if (!bytes || *bytes > limits.block_bytes)
    return failure(dataset.path,
                   "a row is larger than the limit of " + counted(limits.block_bytes, "byte"));
  return *bytes;
}

Result<std::uint64_t> rectangle_bytes(const Dataset& dataset, std::span<const std::uint64_t> start,
                                      std::span<const std::uint64_t> count) {
  if (has_variable_part(dataset.type)) return failure(dataset.path, kNoFixedSize);
  if (start.size() != dataset.space.rank() || count.size() != dataset.space.rank() || start.empty())
    return failure(dataset.path, "the rectangle and the dataset have different ranks");
  const auto bytes = checked_product(count, dataset.type.size);
  if (!bytes) return failure(dataset.path, "the rectangle is larger than the address space");
  return *bytes;
}

}  // namespace hepcheck::hep001
