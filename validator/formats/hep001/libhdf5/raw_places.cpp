#include "validator/formats/hep001/libhdf5/raw_places.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

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

struct ChunkListing {
  RawData& into;
  const std::vector<std::uint64_t>& chunk;
};

int add_chunk(const hsize_t* offset, unsigned filter_mask, haddr_t address, hsize_t size,
              void* data) {
  const ChunkListing& listing = *static_cast<ChunkListing*>(data);
  if (address == HADDR_UNDEF) return H5_ITER_CONT;
  std::array<std::uint64_t, H5S_MAX_RANK> scaled{};
  for (std::size_t d = 0; d < listing.chunk.size(); ++d) {
    // A position inside a chunk shows that the index is damaged, or that the library counts
    // differently: then the library reads the values itself.
    if (offset[d] % listing.chunk[d] != 0) return H5_ITER_ERROR;
    scaled[d] = offset[d] / listing.chunk[d];
  }
  return listing.into.add_chunk(scaled, address, size, filter_mask) ? H5_ITER_CONT : H5_ITER_ERROR;
}

}  // namespace

FileBytes file_bytes(const FileContext& context) {
  if (has_user_block(context.file)) return FileBytes(std::nullopt);
  if (!context.image.empty()) return FileBytes(Bytes::of_image(context.image, context.name));
  // All drivers used here have a descriptor, except the one for images.
  const PropertyHandle list{H5Fget_access_plist(context.file)};
  void* handle = nullptr;
  if (!list || H5Pget_driver(list.get()) == H5FD_CORE ||
      H5Fget_vfd_handle(context.file, H5P_DEFAULT, &handle) < 0 || !handle)
    return FileBytes(std::nullopt);
  return FileBytes(Bytes::of_descriptor(*static_cast<const int*>(handle), context.name));
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

std::optional<RawData> contiguous_data(const FileBytes& file, const Dataset& model) {
  if (!file || !stored_as_in_memory(model.type) || model.space.extent.empty() ||
      model.storage.layout != StorageLayout::kContiguous || !model.storage.address)
    return std::nullopt;
  return RawData::contiguous(file, model, {.element_bytes = model.type.size},
                             model.storage.address);
}

std::optional<RawData> chunked_data(const FileContext& context, const FileBytes& file,
                                    hid_t dataset, const Dataset& model) {
  const Storage& storage = model.storage;
  if (!file || !stored_as_in_memory(model.type) || storage.layout != StorageLayout::kChunked ||
      !can_decode(storage.filters) || storage.chunk.empty() ||
      storage.chunk.size() != model.space.extent.size() ||
      std::ranges::contains(storage.chunk, 0u) || iterated_wrongly(dataset, model))
    return std::nullopt;
  const PropertyHandle properties{H5Dget_create_plist(dataset)};
  unsigned options = 0;
  H5D_fill_time_t fill_time = H5D_FILL_TIME_ERROR;
  if (!properties || H5Pget_chunk_opts(properties.get(), &options) < 0 || options != 0 ||
      H5Pget_fill_time(properties.get(), &fill_time) < 0)
    return std::nullopt;
  RawData::Form form{.element_bytes = model.type.size};
  if (fill_time != H5D_FILL_TIME_NEVER && storage.fill.size() == form.element_bytes &&
      std::ranges::any_of(storage.fill, [](std::byte b) { return b != std::byte{0}; }))
    form.fill = storage.fill;
  std::uint64_t chunks = 1;
  for (std::size_t d = 0; d < storage.chunk.size(); ++d)
    chunks = product(chunks, divided_up(model.space.extent[d], storage.chunk[d]));
  std::optional<RawData> data =
      RawData::chunked(file, model, std::move(form), context.limits.block_bytes);
  if (!data || chunks > kMostChunks) return std::nullopt;
  ChunkListing listing{*data, storage.chunk};
  if (H5Dchunk_iter(dataset, H5P_DEFAULT, add_chunk, &listing) < 0) {
    H5Eclear2(H5E_DEFAULT);
    return std::nullopt;
  }
  if (!data->complete()) return std::nullopt;
  return data;
}

}  // namespace hepcheck::hep001::libhdf5
