#include "validator/formats/hep001/libhdf5/raw_data.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <format>
#include <utility>

#include "validator/counted.h"
#include "validator/integers.h"

namespace hepcheck::hep001::libhdf5 {

namespace {

// Beyond this number, the library looks up chunks one by one.
constexpr std::uint64_t kMostChunks = std::uint64_t{1} << 22;

// Elements have the same form in the file and in memory.
bool stored_as_in_memory(const Datatype& type) {
  return type.size > 0 && !has_variable_part(type) &&
         !contains_class(type, TypeClass::kReference) && !contains_class(type, TypeClass::kUnknown);
}

// If a dimension other than the first is unlimited, an extensible array numbers the chunks with
// that dimension outermost. H5Dchunk_iter of HDF5 1.14 to 2.2 ignores this when it computes
// coordinates; the error is visible unless the limited dimensions have only one chunk.
bool iterated_wrongly(hid_t dataset, const Dataset& model) {
  const std::vector<std::uint64_t>&limits = model.space.max_extent, &chunk = model.storage.chunk;
  H5D_chunk_index_t index{};
  if (limits.size() != chunk.size() || limits.front() == H5S_UNLIMITED ||
      H5Dget_chunk_index_type(dataset, &index) < 0 || index != H5D_CHUNK_IDX_EARRAY)
    return false;
  for (std::size_t d = 0; d < chunk.size(); ++d)
    if (limits[d] != H5S_UNLIMITED && limits[d] > chunk[d]) return true;
  return false;
}

bool has_user_block(hid_t file) {
  const PropertyHandle list{H5Fget_create_plist(file)};
  hsize_t bytes = 0;
  return !list || H5Pget_userblock(list.get(), &bytes) < 0 || bytes > 0;
}

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

// --- The file ------------------------------------------------------------------------------------

FileBytes::FileBytes(const FileContext& context) {
  if (has_user_block(context.file)) return;
  if (!context.image.empty()) {
    bytes_ = Bytes::of_image(context.image, context.name);
    return;
  }
  // All drivers used here have a descriptor, except the one for images.
  const PropertyHandle list{H5Fget_access_plist(context.file)};
  void* handle = nullptr;
  if (!list || H5Pget_driver(list.get()) == H5FD_CORE ||
      H5Fget_vfd_handle(context.file, H5P_DEFAULT, &handle) < 0 || !handle)
    return;
  bytes_ = Bytes::of_descriptor(*static_cast<const int*>(handle), context.name);
}

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

std::uint32_t filters_skipped_by_all(hid_t dataset) {
  std::uint32_t skipped = ~std::uint32_t{0};
  const auto narrow = [](const hsize_t*, unsigned filter_mask, haddr_t address, hsize_t,
                         void* into) -> int {
    std::uint32_t& mask = *static_cast<std::uint32_t*>(into);
    if (address != HADDR_UNDEF) mask &= filter_mask;
    return mask != 0 ? H5_ITER_CONT : H5_ITER_STOP;
  };
  if (H5Dchunk_iter(dataset, H5P_DEFAULT, narrow, &skipped) >= 0) return skipped;
  H5Eclear2(H5E_DEFAULT);
  return 0;
}

// --- Where the bytes lie -------------------------------------------------------------------------

RawData::RawData(const FileBytes& file, const Dataset& model)
    : path_(model.path), file_(&file), element_bytes_(model.type.size), extent_(model.space.extent),
      filters_(model.storage.filters) {
  static std::atomic<std::uint64_t> last_id = 0;
  id_ = ++last_id;
}

std::optional<RawData> RawData::contiguous(const FileBytes& file, const Dataset& model) {
  if (!file || !stored_as_in_memory(model.type) || model.space.extent.empty() ||
      model.storage.layout != StorageLayout::kContiguous || !model.storage.address)
    return std::nullopt;
  RawData data(file, model);
  data.address_ = *model.storage.address;
  return data;
}

std::optional<RawData> RawData::chunked(const FileContext& context, const FileBytes& file,
                                        hid_t dataset, const Dataset& model) {
  const Storage& storage = model.storage;
  if (!file || !stored_as_in_memory(model.type) || storage.layout != StorageLayout::kChunked ||
      !can_decode(storage.filters) || storage.chunk.empty() ||
      storage.chunk.size() != model.space.extent.size() ||
      std::ranges::contains(storage.chunk, 0u) || iterated_wrongly(dataset, model))
    return std::nullopt;
  RawData data(file, model);
  const PropertyHandle properties{H5Dget_create_plist(dataset)};
  unsigned options = 0;
  H5D_fill_time_t fill_time = H5D_FILL_TIME_ERROR;
  if (!properties || H5Pget_chunk_opts(properties.get(), &options) < 0 || options != 0 ||
      H5Pget_fill_time(properties.get(), &fill_time) < 0)
    return std::nullopt;
  if (fill_time != H5D_FILL_TIME_NEVER && storage.fill.size() == data.element_bytes_ &&
      std::ranges::any_of(storage.fill, [](std::byte b) { return b != std::byte{0}; }))
    data.fill_ = storage.fill;
  const auto chunk_bytes = checked_product(storage.chunk, data.element_bytes_);
  const bool whole = !storage.filters.empty() || data.extent_.size() > 1;
  if (!chunk_bytes || (whole && *chunk_bytes > context.limits.block_bytes)) return std::nullopt;
  data.chunked_ = true;
  data.chunk_extent_ = storage.chunk;
  data.chunk_bytes_ = *chunk_bytes;
  for (std::size_t d = 0; d < data.extent_.size(); ++d)
    data.grid_.push_back(data.extent_[d] / storage.chunk[d] +
                         (data.extent_[d] % storage.chunk[d] != 0));
  if (checked_product(data.grid_).value_or(~std::uint64_t{0}) > kMostChunks ||
      !data.find_chunks(dataset))
    return std::nullopt;
  return data;
}

int RawData::add_chunk(const hsize_t* offset, unsigned filter_mask, haddr_t address, hsize_t size,
                       void* into) {
  RawData& data = *static_cast<RawData*>(into);
  if (address == HADDR_UNDEF) return H5_ITER_CONT;
  std::uint64_t number = 0;
  for (std::size_t d = 0; d < data.grid_.size(); ++d) {
    // Chunks beyond the extent remain from a larger one. A position inside a chunk shows that the
    // index is damaged, or that the library counts differently: then the library reads the values
    // itself.
    if (offset[d] % data.chunk_extent_[d] != 0) return H5_ITER_ERROR;
    const std::uint64_t at = offset[d] / data.chunk_extent_[d];
    if (at >= data.grid_[d]) return H5_ITER_CONT;
    number = number * data.grid_[d] + at;
  }
  if (data.chunks_.size() >= kMostChunks) return H5_ITER_ERROR;
  data.chunks_.push_back({number, address, size, filter_mask});
  return H5_ITER_CONT;
}

bool RawData::find_chunks(hid_t dataset) {
  if (H5Dchunk_iter(dataset, H5P_DEFAULT, add_chunk, this) < 0) {
    H5Eclear2(H5E_DEFAULT);
    return false;
  }
  std::ranges::sort(chunks_, {}, &Chunk::number);
  return std::ranges::adjacent_find(chunks_, {}, &Chunk::number) == chunks_.end();
}

const RawData::Chunk* RawData::chunk(std::uint64_t number) const {
  const auto it = std::ranges::lower_bound(chunks_, number, {}, &Chunk::number);
  return it != chunks_.end() && it->number == number ? &*it : nullptr;
}

Error RawData::trouble(std::uint64_t number, std::string cause) const {
  return {path_, std::format("chunk {}: {}", number, cause)};
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
  if (plain && stored->size != into.size())
    return trouble(
        number, std::format("it has {} instead of {}", counted(stored->size, "byte"), into.size()));
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
    if (!file_->read(address_ + first * element_bytes_, into))
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
      return std::unexpected(trouble(
          number,
          std::format("it has {} instead of {}", counted(stored->size, "byte"), chunk_bytes_)));
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
    if (!file_->read(address_ + element * element_bytes_, into.subspan(done, run * element_bytes_)))
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
    // Long runs of a chunk without filters are read directly.
    constexpr std::uint64_t kLongRun = 4096;
    const Chunk* const stored = chunk(number);
    const bool direct =
        run >= kLongRun && filters_.empty() && stored && stored->size == chunk_bytes_;
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
      else if (!file_->read(stored->address + source * element_bytes_, part))
        return trouble(number, "it is beyond the end of the file");
    } while (advance(row, from, to));
  } while (advance(at, first, end));
  return std::nullopt;
}

}  // namespace hepcheck::hep001::libhdf5
