#include "validator/formats/hep001/storage/raw_data.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <format>
#include <utility>

#include "validator/counted.h"
#include "validator/integers.h"

namespace hepcheck::hep001 {

namespace {

// Their positions and addresses are in memory.
constexpr std::uint64_t kMostStoredChunks = std::uint64_t{1} << 22;

// Steps through the positions of a rectangle in row-major order; false after the last one.
bool advance(std::span<std::uint64_t> at, std::span<const std::uint64_t> first,
             std::span<const std::uint64_t> end) {
  for (std::size_t d = at.size(); d-- > 0;) {
    if (++at[d] < end[d]) return true;
    at[d] = first[d];
  }
  return false;
}

}  // namespace

// --- The cache -----------------------------------------------------------------------------------

ChunkCache::Bytes ChunkCache::find(const RawData& data, std::uint64_t chunk) {
  const std::lock_guard lock(mutex_);
  const auto it = std::ranges::find_if(
      entries_, [&](const Entry& e) { return e.data == data.id() && e.chunk == chunk; });
  if (it == entries_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, it);
  return it->bytes;
}

void ChunkCache::keep(const RawData& data, std::uint64_t chunk, Bytes bytes) {
  const std::lock_guard lock(mutex_);
  bytes_ += bytes->size();
  entries_.push_front({data.id(), chunk, std::move(bytes)});
  while (bytes_ > kMostBytes) {
    bytes_ -= entries_.back().bytes->size();
    entries_.pop_back();
  }
}

// --- Where the bytes lie -------------------------------------------------------------------------

RawData::RawData(const FileBytes& file, const Dataset& model, Form form)
    : path_(model.path), file_(&file), element_bytes_(form.element_bytes),
      extent_(model.space.extent),
      filters_(form.filters ? *std::move(form.filters) : model.storage.filters),
      fill_(std::move(form.fill)) {
  static std::atomic<std::uint64_t> last_id = 0;
  id_ = ++last_id;
}

RawData RawData::contiguous(const FileBytes& file, const Dataset& model, Form form,
                            std::optional<std::uint64_t> address) {
  RawData data(file, model, std::move(form));
  data.address_ = address;
  return data;
}

std::optional<RawData> RawData::chunked(const FileBytes& file, const Dataset& model, Form form,
                                        std::uint64_t most_bytes) {
  const Storage& storage = model.storage;
  RawData data(file, model, std::move(form));
  const auto chunk_bytes = checked_product(storage.chunk, data.element_bytes_);
  if (!chunk_bytes || (!storage.filters.empty() && *chunk_bytes > most_bytes)) return std::nullopt;
  data.in_parts_ = *chunk_bytes > most_bytes;
  data.chunked_ = true;
  data.chunk_extent_ = storage.chunk;
  data.chunk_bytes_ = *chunk_bytes;
  for (std::size_t d = 0; d < data.extent_.size(); ++d)
    data.grid_.push_back(divided_up(data.extent_[d], storage.chunk[d]));
  if (!checked_product(data.grid_)) return std::nullopt;
  return data;
}

bool RawData::add_chunk(std::span<const std::uint64_t> scaled, std::uint64_t address,
                        std::uint64_t size, std::uint32_t filter_mask) {
  std::uint64_t number = 0;
  for (std::size_t d = 0; d < grid_.size(); ++d) {
    if (scaled[d] >= grid_[d]) return true;
    number = number * grid_[d] + scaled[d];
  }
  if (chunks_.size() >= kMostStoredChunks) return false;
  chunks_.push_back({number, address, size, filter_mask});
  return true;
}

bool RawData::complete() {
  if (!std::ranges::is_sorted(chunks_, {}, &Chunk::number))
    std::ranges::sort(chunks_, {}, &Chunk::number);
  return std::ranges::adjacent_find(chunks_, {}, &Chunk::number) == chunks_.end();
}

std::uint32_t RawData::filters_skipped_by_all() const {
  std::uint32_t skipped = ~std::uint32_t{0};
  for (const Chunk& chunk : chunks_) skipped &= chunk.filter_mask;
  return skipped;
}

const RawData::Chunk* RawData::chunk(std::uint64_t number) const {
  const auto it = std::ranges::lower_bound(chunks_, number, {}, &Chunk::number);
  return it != chunks_.end() && it->number == number ? &*it : nullptr;
}

Error RawData::trouble(std::uint64_t number, std::string cause) const {
  return {path_, std::format("chunk {}: {}", number, cause)};
}

Error RawData::wrong_size(const Chunk& stored) const {
  return trouble(stored.number, std::format("it has {} instead of {}", counted(stored.size, "byte"),
                                            chunk_bytes_));
}

// --- Reading -------------------------------------------------------------------------------------

void RawData::fill(std::span<std::byte> into) const {
  if (fill_.empty()) {
    std::ranges::fill(into, std::byte{0});
    return;
  }
  for (std::size_t at = 0; at < into.size(); at += fill_.size())
    std::memcpy(into.data() + at, fill_.data(), fill_.size());
}

std::optional<Error> RawData::read_chunk(std::uint64_t number, std::span<std::byte> into,
                                         ChunkDecoder& decoder) const {
  const Chunk* stored = chunk(number);
  if (!stored) {
    fill(into);
    return std::nullopt;
  }
  if (stored->address > file_->size() || stored->size > file_->size() - stored->address)
    return trouble(number, "it is beyond the end of the file");
  const bool plain = std::ranges::all_of(filters_, [&, i = 0](const Filter&) mutable {
    return (stored->filter_mask >> i++ & 1) != 0;
  });
  if (plain && stored->size != chunk_bytes_) return wrong_size(*stored);
  if (plain) {
    if (!file_->read(stored->address, into)) return trouble(number, "it cannot be read");
    return std::nullopt;
  }
  const std::span<std::byte> bytes = decoder.room_for_stored(stored->size);
  if (!file_->read(stored->address, bytes)) return trouble(number, "it cannot be read");
  if (auto done = decoder.decode(filters_, stored->filter_mask, bytes, into); !done)
    return trouble(number, std::move(done.error()));
  return std::nullopt;
}

std::uint64_t RawData::good_step(std::uint64_t first, std::uint64_t bytes) const {
  const std::uint64_t rows = std::max<std::uint64_t>(1, bytes / element_bytes_);
  if (!chunked_) return rows;
  const std::uint64_t chunk = chunk_extent_[0], to_boundary = chunk - first % chunk;
  if (rows >= to_boundary + chunk) return to_boundary + (rows - to_boundary) / chunk * chunk;
  return filters_.empty() ? std::min(rows, to_boundary) : to_boundary;
}

std::uint64_t RawData::room_for(std::uint64_t first, std::uint64_t count) const {
  if (!decoded_as_a_whole()) return count * element_bytes_;
  const std::uint64_t chunk = chunk_extent_[0];
  return ((first + count - 1) / chunk - first / chunk + 1) * chunk_bytes_;
}

Result<std::size_t> RawData::read_rows(std::uint64_t first, std::uint64_t count,
                                       std::span<std::byte> into, ChunkDecoder& decoder) const {
  if (!chunked_) {
    if (!address_)
      fill(into);
    else if (!file_->read(*address_ + first * element_bytes_, into))
      return failure(path_, "the file ends before the values");
    return 0;
  }
  const std::uint64_t chunk_rows = chunk_extent_[0];
  if (decoded_as_a_whole()) {
    const std::uint64_t number = first / chunk_rows;
    for (std::uint64_t i = 0; i * chunk_bytes_ < into.size(); ++i)
      if (auto error =
              read_chunk(number + i, into.subspan(i * chunk_bytes_, chunk_bytes_), decoder))
        return std::unexpected(std::move(*error));
    return static_cast<std::size_t>((first - number * chunk_rows) * element_bytes_);
  }
  for (std::uint64_t done = 0; done < count;) {
    const std::uint64_t row = first + done, number = row / chunk_rows, in_chunk = row % chunk_rows;
    const std::uint64_t rows = std::min(count - done, chunk_rows - in_chunk);
    const auto part = into.subspan(done * element_bytes_, rows * element_bytes_);
    const Chunk* stored = chunk(number);
    if (!stored)
      fill(part);
    else if (stored->size != chunk_bytes_)
      return std::unexpected(wrong_size(*stored));
    else if (!file_->read(stored->address + in_chunk * element_bytes_, part))
      return std::unexpected(trouble(number, "it is beyond the end of the file"));
    done += rows;
  }
  return 0;
}

Result<ChunkCache::Bytes> RawData::whole_chunk(std::uint64_t number, ChunkDecoder& decoder,
                                               ChunkCache& cache) const {
  if (ChunkCache::Bytes known = cache.find(*this, number)) return known;
  const auto bytes = std::make_shared<std::vector<std::byte>>(chunk_bytes_);
  if (auto error = read_chunk(number, *bytes, decoder)) return std::unexpected(std::move(*error));
  cache.keep(*this, number, bytes);
  return bytes;
}

std::optional<Error> RawData::read_contiguous(std::span<const std::uint64_t> start,
                                              std::span<const std::uint64_t> count,
                                              std::span<std::byte> into) const {
  if (!address_) {
    fill(into);
    return std::nullopt;
  }
  // Trailing dimensions that are requested completely give longer runs.
  std::size_t split = count.size() - 1;
  std::uint64_t run = count[split];
  while (split > 0 && count[split] == extent_[split]) run *= count[--split];
  std::vector<std::uint64_t> at(start.begin(), start.begin() + static_cast<std::ptrdiff_t>(split));
  std::vector<std::uint64_t> end = at;
  for (std::size_t d = 0; d < split; ++d) end[d] += count[d];
  std::uint64_t done = 0;
  do {
    std::uint64_t element = 0;
    for (std::size_t d = 0; d < extent_.size(); ++d)
      element = element * extent_[d] + (d < split ? at[d] : start[d]);
    if (!file_->read(*address_ + element * element_bytes_,
                     into.subspan(done, run * element_bytes_)))
      return Error{path_, "the file ends before the values"};
    done += run * element_bytes_;
  } while (advance(at, start, end));
  return std::nullopt;
}

std::optional<Error> RawData::read(std::span<const std::uint64_t> start,
                                   std::span<const std::uint64_t> count, std::span<std::byte> into,
                                   ChunkDecoder& decoder, ChunkCache& cache) const {
  const std::size_t rank = extent_.size();
  for (std::size_t d = 0; d < rank; ++d)
    if (start[d] > extent_[d] || count[d] > extent_[d] - start[d])
      return Error{path_, "the rectangle is outside the dataset"};
  if (into.empty()) return std::nullopt;
  if (!chunked_) return read_contiguous(start, count, into);

  std::vector<std::uint64_t> first(rank), end(rank);  // chunks
  for (std::size_t d = 0; d < rank; ++d) {
    first[d] = start[d] / chunk_extent_[d];
    end[d] = (start[d] + count[d] - 1) / chunk_extent_[d] + 1;
  }
  std::vector<std::uint64_t> at = first, from(rank), to(rank), row(rank);
  do {
    std::uint64_t number = 0;
    for (std::size_t d = 0; d < rank; ++d) {
      number = number * grid_[d] + at[d];
      from[d] = std::max(start[d], at[d] * chunk_extent_[d]);
      to[d] = std::min(start[d] + count[d], (at[d] + 1) * chunk_extent_[d]);
    }
    const std::uint64_t run = (to[rank - 1] - from[rank - 1]) * element_bytes_;
    // Long runs of a chunk without filters are read directly, and so are all runs of a large one.
    constexpr std::uint64_t kLongRun = 4096;
    const Chunk* const stored = chunk(number);
    const bool fits = stored && stored->size == chunk_bytes_;
    const bool direct = in_parts_ || (run >= kLongRun && filters_.empty() && fits);
    if (in_parts_ && stored && !fits) return wrong_size(*stored);
    ChunkCache::Bytes bytes;
    if (!direct) {
      Result<ChunkCache::Bytes> whole = whole_chunk(number, decoder, cache);
      if (!whole) return whole.error();
      bytes = std::move(*whole);
    }
    // Copies the common part, one run along the last dimension at a time.
    row = from;
    to[rank - 1] = from[rank - 1] + 1;
    do {
      std::uint64_t source = 0, target = 0;
      for (std::size_t d = 0; d < rank; ++d) {
        source = source * chunk_extent_[d] + row[d] - at[d] * chunk_extent_[d];
        target = target * count[d] + row[d] - start[d];
      }
      const auto part = into.subspan(target * element_bytes_, run);
      if (!direct)
        std::memcpy(part.data(), bytes->data() + source * element_bytes_, run);
      else if (!stored)
        fill(part);
      else if (!file_->read(stored->address + source * element_bytes_, part))
        return trouble(number, "it is beyond the end of the file");
    } while (advance(row, from, to));
  } while (advance(at, first, end));
  return std::nullopt;
}

}  // namespace hepcheck::hep001
