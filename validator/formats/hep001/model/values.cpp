#include "validator/formats/hep001/model/values.h"

#include <algorithm>

#include "validator/integers.h"

namespace hepcheck::hep001 {

namespace {

// Bytes of one row: everything below one position of the first dimension. Nothing on overflow.
std::optional<std::uint64_t> row_bytes(const Dataset& dataset) {
  const std::span<const std::uint64_t> extent = dataset.space.extent;
  return checked_product(extent.subspan(std::min<std::size_t>(1, extent.size())),
                         dataset.type.size);
}

class MemoryStream : public ValueStream {
 public:
  MemoryStream(std::span<const std::byte> bytes, std::span<const std::string> strings,
               std::uint64_t row_bytes, std::uint64_t first, std::uint64_t count,
               std::uint64_t block_rows)
      : bytes_(bytes), row_bytes_(row_bytes), end_(first + count), block_rows_(block_rows),
        row_(first) {
    views_.assign(strings.begin(), strings.end());
  }

  Result<std::optional<Block>> next() override {
    if (row_ == end_) return std::optional<Block>{};
    const std::uint64_t to_boundary = block_rows_ - row_ % block_rows_;
    Block block{
        .first_row = row_, .rows = std::min(to_boundary, end_ - row_), .bytes = {}, .strings = {}};
    if (views_.empty())
      block.bytes = bytes_.subspan(row_ * row_bytes_, block.rows * row_bytes_);
    else
      block.strings = std::span(views_).subspan(row_, block.rows);
    row_ += block.rows;
    return block;
  }

 private:
  std::span<const std::byte> bytes_;
  std::vector<std::string_view> views_;
  std::uint64_t row_bytes_, end_, block_rows_, row_;
};

}  // namespace

void MemoryValues::set(const ObjectToken& token, std::vector<std::byte> bytes) {
  stored_[token] = {.bytes = std::move(bytes), .strings = {}};
}

void MemoryValues::set_strings(const ObjectToken& token, std::vector<std::string> strings) {
  stored_[token] = {.bytes = {}, .strings = std::move(strings)};
}

Result<std::unique_ptr<ValueStream>> MemoryValues::stream_rows(const Dataset& dataset,
                                                               std::uint64_t first,
                                                               std::uint64_t count) {
  const auto it = stored_.find(dataset.token);
  if (it == stored_.end()) return failure(dataset.path, "no values in memory");
  const std::optional<std::uint64_t> bytes = row_bytes(dataset);
  const Stored& stored = it->second;
  const bool strings = dataset.type.variable_string();
  std::uint64_t needed = 0;
  std::uint64_t end = 0;
  const bool sane = !__builtin_add_overflow(first, count, &end);
  const bool enough = sane && (strings ? end <= stored.strings.size()
                                       : bytes && !__builtin_mul_overflow(*bytes, end, &needed) &&
                                             needed <= stored.bytes.size());
  if (!enough) return failure(dataset.path, "fewer values in memory than requested rows");
  const bool chunked = blocks_are_chunks && dataset.storage.layout == StorageLayout::kChunked &&
                       !dataset.storage.chunk.empty();
  const std::uint64_t step = chunked ? dataset.storage.chunk[0] : block_rows;
  return std::make_unique<MemoryStream>(stored.bytes, stored.strings, bytes.value_or(0), first,
                                        count, std::max<std::uint64_t>(step, 1));
}

Result<std::vector<std::byte>> MemoryValues::read(const Dataset& dataset,
                                                  std::span<const std::uint64_t> start,
                                                  std::span<const std::uint64_t> count) {
  const auto it = stored_.find(dataset.token);
  if (it == stored_.end()) return failure(dataset.path, "no values in memory");
  const std::vector<std::uint64_t>& extent = dataset.space.extent;
  if (start.size() != extent.size() || count.size() != extent.size())
    return failure(dataset.path, "the rectangle and the dataset have different ranks");
  for (std::size_t d = 0; d < extent.size(); ++d)
    if (start[d] > extent[d] || count[d] > extent[d] - start[d])
      return failure(dataset.path, "the rectangle is outside the dataset");

  std::vector<std::byte> out;
  const std::size_t size = dataset.type.size;
  // Runs along the last dimension are contiguous; a counter steps over the others.
  std::vector<std::uint64_t> at(start.begin(), start.end());
  if (std::ranges::contains(count, std::uint64_t{0})) return out;
  while (true) {
    std::uint64_t element = 0;
    for (std::size_t d = 0; d < extent.size(); ++d) element = element * extent[d] + at[d];
    const std::uint64_t run = count.empty() ? 1 : count.back();
    if ((element + run) * size > it->second.bytes.size())
      return failure(dataset.path, "fewer values in memory than requested rows");
    const auto from = it->second.bytes.begin() + static_cast<std::ptrdiff_t>(element * size);
    out.insert(out.end(), from, from + static_cast<std::ptrdiff_t>(run * size));
    std::size_t d = extent.size() < 2 ? 0 : extent.size() - 1;
    while (d > 0 && ++at[d - 1] == start[d - 1] + count[d - 1]) {
      at[d - 1] = start[d - 1];
      --d;
    }
    if (d == 0) return out;
  }
}

}  // namespace hepcheck::hep001
