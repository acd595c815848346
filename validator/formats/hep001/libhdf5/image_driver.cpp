#include "validator/formats/hep001/libhdf5/image_driver.h"
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <new>

namespace hepcheck::hep001::libhdf5 {

namespace {

// The library's part comes first, so a pointer to it is also a pointer to the whole.
struct OpenFile {
  H5FD_t library;
  WritableImage* image;
  haddr_t allocated;
};

OpenFile& file_of(H5FD_t* file) { return *reinterpret_cast<OpenFile*>(file); }
const OpenFile& file_of(const H5FD_t* file) { return *reinterpret_cast<const OpenFile*>(file); }

// Writes and changes of the length do not fail, because the library (1.14.5, 2.2) crashes at the
// end of the process if those of H5Fclose do. The image remembers the failure.
bool resize(WritableImage& image, haddr_t size) {
  try {
    if (size <= image.most) {
      image.bytes.resize(size);
      return true;
    }
  } catch (const std::bad_alloc&) {  // no more than if it were not allowed
  }
  image.failed = true;
  return false;
}

H5FD_t* open_file(const char*, unsigned flags, hid_t access_list, haddr_t) {
  const auto* given = static_cast<WritableImage* const*>(H5Pget_driver_info(access_list));
  if (!given) return nullptr;
  if ((flags & H5F_ACC_TRUNC) != 0) (*given)->bytes.clear();
  auto* made = new OpenFile{};
  made->image = *given;
  return &made->library;
}

herr_t close_file(H5FD_t* file) {
  delete &file_of(file);
  return 0;
}

int compare(const H5FD_t* a, const H5FD_t* b) {
  const WritableImage *first = file_of(a).image, *second = file_of(b).image;
  return first == second ? 0 : std::less{}(first, second) ? -1 : 1;
}

herr_t query(const H5FD_t*, unsigned long* features) {
  // Those of the library's own driver for files on disk, so space is allocated in the same way.
  *features = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
              H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t allocated(const H5FD_t* file, H5FD_mem_t) { return file_of(file).allocated; }

herr_t set_allocated(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  file_of(file).allocated = address;
  return 0;
}

haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) { return file_of(file).image->bytes.size(); }

// All requested bytes, with zeros beyond the end of the file, as the library's own drivers do.
herr_t read_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* into) {
  const std::vector<std::byte>& bytes = file_of(file).image->bytes;
  const std::size_t there =
      address < bytes.size() ? std::min<std::size_t>(size, bytes.size() - address) : 0;
  auto* to = static_cast<std::byte*>(into);
  if (there > 0) std::memcpy(to, bytes.data() + address, there);
  std::fill(to + there, to + size, std::byte{0});
  return 0;
}

herr_t write_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size,
                   const void* from) {
  WritableImage& image = *file_of(file).image;
  const bool beyond = address > image.most || size > image.most - address;
  const haddr_t end = beyond ? HADDR_UNDEF : address + size;
  if (end <= image.bytes.size() || resize(image, end))
    std::copy_n(static_cast<const std::byte*>(from), size,
                image.bytes.begin() + static_cast<std::ptrdiff_t>(address));
  return 0;
}

// The file is extended to the allocated size.
herr_t cut(H5FD_t* file, hid_t, hbool_t) {
  resize(*file_of(file).image, file_of(file).allocated);
  return 0;
}

// The driver has no locks, so the library neither sets nor respects the mark of an open file.
hid_t register_driver() {
  H5FD_class_t driver{};
#if H5_VERSION_GE(1, 13, 2)
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(1203);  // a value that the library leaves to users
#endif
  driver.name = "hepcheck_image";
  driver.maxaddr = static_cast<haddr_t>(std::numeric_limits<std::ptrdiff_t>::max());
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.fapl_size = sizeof(WritableImage*);
  driver.open = open_file;
  driver.close = close_file;
  driver.cmp = compare;
  driver.query = query;
  driver.get_eoa = allocated;
  driver.set_eoa = set_allocated;
  driver.get_eof = end_of_file;
  driver.read = read_bytes;
  driver.write = write_bytes;
  driver.truncate = cut;
  constexpr H5FD_mem_t kKinds[] = H5FD_FLMAP_DICHOTOMY;
  std::ranges::copy(kKinds, driver.fl_map);
  return H5FDregister(&driver);
}

}  // namespace

bool write_into(hid_t access_list, WritableImage& image) {
  static const hid_t driver = register_driver();
  WritableImage* const pointer = &image;
  return driver >= 0 && H5Pset_driver(access_list, driver, &pointer) >= 0;
}

}  // namespace hepcheck::hep001::libhdf5
