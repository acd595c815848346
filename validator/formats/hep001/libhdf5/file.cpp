#include "validator/formats/hep001/libhdf5/file.h"

#include <array>
#include <vector>

#include "validator/bytes.h"
#include "validator/formats/hep001/libhdf5/descriptor_driver.h"
#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/formats/hep001/libhdf5/library_file.h"
#include "validator/rewrite.h"

namespace hepcheck::hep001::libhdf5 {

namespace {

// SWMR readers retry when a checksum fails, and double the delay each time. The default of 100
// attempts would never finish on a damaged file; this limit is about a millisecond.
constexpr unsigned kSwmrReadAttempts = 20;

PropertyHandle access_list() {
  PropertyHandle list{H5Pcreate(H5P_FILE_ACCESS)};
  H5Pset_metadata_read_attempts(list.get(), kSwmrReadAttempts);
  H5Pset_fclose_degree(list.get(), H5F_CLOSE_STRONG);
  return list;
}

// Every object is read once. Caching it in the library costs new memory, which takes longer to
// obtain than reading a B-tree node again.
void cache_little(hid_t list) {
  constexpr std::size_t kBytes = std::size_t{256} << 10;
  H5AC_cache_config_t cache{};
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  if (H5Pget_mdc_config(list, &cache) < 0) return;
  cache.set_initial_size = true;
  cache.initial_size = cache.min_size = cache.max_size = kBytes;
  cache.incr_mode = H5C_incr__off;
  cache.flash_incr_mode = H5C_flash_incr__off;
  cache.decr_mode = H5C_decr__off;
  H5Pset_mdc_config(list, &cache);
}

}  // namespace

Result<File> File::open(const std::string& path, const Limits& limits) {
  Result<Descriptor> descriptor = open_for_reading(path);
  if (!descriptor) return std::unexpected(descriptor.error());
  Result<File> file = open_descriptor(descriptor->get(), path, limits);
  if (file) file->descriptor_ = std::move(*descriptor);
  return file;
}

Result<File> File::open_descriptor(int descriptor, const std::string& name, const Limits& limits) {
  const PropertyHandle list = access_list();
  cache_little(list.get());
  if (!read_from(list.get(), descriptor)) return library_failure(name);
  File file;
  file.handle_ = FileHandle{H5Fopen(name.c_str(), H5F_ACC_RDONLY, list.get())};
  if (!file.handle_) {
    Error error = last_error(name);
    const bool hdf5 = H5Fis_accessible(name.c_str(), list.get()) != 0;
    H5Eclear2(H5E_DEFAULT);
    return failure(name, hdf5 ? std::move(error.cause) : "not an HDF5 file");
  }
  file.context_ = {.file = file.handle_.get(), .name = name, .limits = limits, .image = {}};
  return file;
}

Result<File> File::open_for_writing(Rewrite& rewrite, const std::string& name,
                                    const Limits& limits) {
  const PropertyHandle list = access_list();
  if (!write_through(list.get(), rewrite)) return library_failure(name);
  File file;
  file.handle_ = FileHandle{H5Fopen(name.c_str(), H5F_ACC_RDWR, list.get())};
  if (!file.handle_) return library_failure(name);
  file.rewrite_ = &rewrite;
  file.context_ = {.file = file.handle_.get(), .name = name, .limits = limits, .image = {}};
  return file;
}

Result<File> File::open_image(std::span<const std::byte> image, const Limits& limits) {
  const PropertyHandle list{H5Pcreate(H5P_FILE_ACCESS)};
  H5Pset_fapl_core(list.get(), std::size_t{64} << 10, false);
  H5Pset_fclose_degree(list.get(), H5F_CLOSE_STRONG);
  if (image.empty()) return failure("", "the file is empty");
  constexpr const char* kImage = "image";
  // The library copies the image, although it takes a non-const pointer.
  if (H5Pset_file_image(list.get(), const_cast<std::byte*>(image.data()), image.size()) < 0)
    return library_failure("file image");
  File file;
  file.handle_ = FileHandle{H5Fopen(kImage, H5F_ACC_RDONLY, list.get())};
  if (!file.handle_) {
    std::string cause = last_error("").cause;
    if (cause.contains("signature")) cause = "not an HDF5 file";
    return failure("", std::move(cause));
  }
  file.context_ = {.file = file.handle_.get(), .name = kImage, .limits = limits, .image = image};
  return file;
}

bool File::marked_as_open() const {
  // The superblock follows the user block. Byte 8 is its version; from version 3 on, byte 11 has
  // the marks.
  const PropertyHandle made{H5Fget_create_plist(handle_.get())};
  hsize_t superblock = 0;
  void* descriptor = nullptr;
  std::array<std::byte, 12> bytes{};
  return H5Pget_userblock(made.get(), &superblock) < 0 ||
         H5Fget_vfd_handle(handle_.get(), H5P_DEFAULT, &descriptor) < 0 ||
         !Bytes::of_descriptor(*static_cast<const int*>(descriptor), context_.name)
              .read(superblock, bytes) ||
         (bytes[8] >= std::byte{3} && bytes[11] != std::byte{0});
}

bool File::flush() const {
  return H5Fflush(handle_.get(), H5F_SCOPE_GLOBAL) >= 0 && !(rewrite_ && rewrite_->failed());
}

bool File::close() {
  const bool flushed = flush();
  return handle_.close() && flushed && !(rewrite_ && rewrite_->failed());
}

std::uint64_t File::bytes() const {
  hsize_t size = 0;
  return H5Fget_filesize(handle_.get(), &size) < 0 ? 0 : size;
}

void for_each_table(const File& file, const Visitor& visit) {
  LibraryFile objects(file.context());
  hep001::for_each_table(objects, visit);
}

Result<Table> read_table_at(const File& file, const std::string& path) {
  LibraryFile objects(file.context());
  return hep001::read_table_at(objects, path);
}

}  // namespace hepcheck::hep001::libhdf5
