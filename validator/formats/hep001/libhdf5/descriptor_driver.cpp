#include "validator/formats/hep001/libhdf5/descriptor_driver.h"

#include <unistd.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "validator/read_failure.h"
#include "validator/rewrite.h"

namespace hepcheck::hep001::libhdf5 {

namespace {

// All requested bytes, with zeros beyond the end of the file, as the library's own drivers do.
bool read_all(int descriptor, haddr_t address, std::span<char> into) {
  while (!into.empty()) {
    const ssize_t got = pread(descriptor, into.data(), into.size(), static_cast<off_t>(address));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      record_read_failure(errno);
      return false;
    }
    if (got == 0) {
      std::ranges::fill(into, '\0');
      return true;
    }
    into = into.subspan(static_cast<std::size_t>(got));
    address += static_cast<haddr_t>(got);
  }
  return true;
}

// The library requests metadata in pieces of some hundred bytes, close to each other and out of
// order. Recently read windows of the file answer most requests without a system call, and allow a
// network file system to send larger pieces.
class Windows {
 public:
  static constexpr std::size_t kBytes = std::size_t{16} << 10, kCount = 256;

  // Nothing if the piece is not inside a window, or cannot be read.
  const char* find(int descriptor, haddr_t address, std::size_t size) {
    if (address % kBytes + size > kBytes) return nullptr;
    const haddr_t number = address / kBytes;
    Window& window = windows_[number % kCount];
    if (window.number != number || window.bytes.empty()) {
      window.bytes.resize(kBytes);
      window.number = number;
      if (!read_all(descriptor, number * kBytes, window.bytes)) {
        window.bytes.clear();
        return nullptr;
      }
    }
    return window.bytes.data() + address % kBytes;
  }

 private:
  struct Window {
    haddr_t number = 0;
    std::vector<char> bytes{};
  };
  std::array<Window, kCount> windows_{};
};

// The source of a file, as the library passes it from an access list to open_file.
struct Source {
  int descriptor;
  Rewrite* rewrite;  // null: nothing is written
};

// The library's part comes first, so a pointer to it is also a pointer to the whole.
struct OpenFile {
  H5FD_t library;
  Source source;
  haddr_t allocated;
  std::optional<Windows> windows;  // of a file that is not written
};

OpenFile& file_of(H5FD_t* file) { return *reinterpret_cast<OpenFile*>(file); }
const OpenFile& file_of(const H5FD_t* file) { return *reinterpret_cast<const OpenFile*>(file); }

H5FD_t* open_file(const char*, unsigned flags, hid_t access_list, haddr_t) {
  const auto* source = static_cast<const Source*>(H5Pget_driver_info(access_list));
  if (!source || (flags & (H5F_ACC_TRUNC | H5F_ACC_CREAT)) != 0 ||
      ((flags & H5F_ACC_RDWR) != 0) != (source->rewrite != nullptr))
    return nullptr;
  auto* made = new OpenFile{};
  made->source = *source;
  if ((flags & H5F_ACC_RDWR) == 0) made->windows.emplace();
  return &made->library;
}

herr_t close_file(H5FD_t* file) {
  delete &file_of(file);
  return 0;
}

int compare(const H5FD_t* a, const H5FD_t* b) {
  return file_of(a).source.descriptor - file_of(b).source.descriptor;
}

herr_t query(const H5FD_t*, unsigned long* features) {
  // Those of the library's own driver for such files, so space is allocated in the same way.
  *features = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
              H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_SUPPORTS_SWMR_IO |
              H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t allocated(const H5FD_t* file, H5FD_mem_t) { return file_of(file).allocated; }

herr_t set_allocated(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  file_of(file).allocated = address;
  return 0;
}

// Queried each time: a SWMR writer may extend the file.
haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) {
  const Source& source = file_of(file).source;
  if (source.rewrite) return source.rewrite->size();
  const off_t end = lseek(source.descriptor, 0, SEEK_END);
  return end < 0 ? HADDR_UNDEF : static_cast<haddr_t>(end);
}

herr_t handle_of(H5FD_t* file, hid_t, void** handle) {
  *handle = &file_of(file).source.descriptor;
  return 0;
}

herr_t read_bytes(H5FD_t* file, H5FD_mem_t type, hid_t, haddr_t address, std::size_t size,
                  void* into) {
  constexpr auto kLast = static_cast<haddr_t>(std::numeric_limits<off_t>::max());
  if (address > kLast - Windows::kBytes || size > kLast - address) return -1;
  OpenFile& from = file_of(file);
  constexpr std::size_t kPiece = Windows::kBytes / 4;
  if (from.windows && type != H5FD_MEM_DRAW && size <= kPiece)
    if (const char* known = from.windows->find(from.source.descriptor, address, size)) {
      std::memcpy(into, known, size);
      return 0;
    }
  return read_all(from.source.descriptor, address, {static_cast<char*>(into), size}) ? 0 : -1;
}

herr_t write_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size,
                   const void* from) {
  Rewrite* rewrite = file_of(file).source.rewrite;
  constexpr auto kLast = static_cast<haddr_t>(std::numeric_limits<off_t>::max());
  if (!rewrite || address > kLast || size > kLast - address) return -1;
  rewrite->write(address, {static_cast<const std::byte*>(from), size});
  return 0;
}

herr_t flush(H5FD_t* file, hid_t, hbool_t) {
  file_of(file).source.rewrite->sync();
  return 0;
}

// The file is extended to the allocated size.
herr_t cut(H5FD_t* file, hid_t, hbool_t) {
  Rewrite& rewrite = *file_of(file).source.rewrite;
  if (rewrite.size() != file_of(file).allocated) rewrite.resize(file_of(file).allocated);
  return 0;
}

// The code that opened the file handles locking. However, the library sets and respects the mark of
// a file that is open for writing only with drivers that can lock. The driver for readers cannot,
// and therefore ignores the mark: a file that a writer left marked, or has open now, is read as it
// is.
herr_t lock(H5FD_t*, hbool_t) { return 0; }
herr_t unlock(H5FD_t*) { return 0; }

hid_t register_driver(bool writes) {
  H5FD_class_t driver{};
#if H5_VERSION_GE(1, 13, 2)
  driver.version = H5FD_CLASS_VERSION;
  // A value that the library leaves to users.
  driver.value = static_cast<H5FD_class_value_t>(writes ? 1202 : 1201);
#endif
  driver.name = writes ? "hepcheck_rewrite" : "hepcheck_descriptor";
  driver.maxaddr = static_cast<haddr_t>(std::numeric_limits<off_t>::max());
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.fapl_size = sizeof(Source);
  driver.open = open_file;
  driver.close = close_file;
  driver.cmp = compare;
  driver.query = query;
  driver.get_eoa = allocated;
  driver.set_eoa = set_allocated;
  driver.get_eof = end_of_file;
  driver.get_handle = handle_of;
  driver.read = read_bytes;
  driver.write = write_bytes;
  if (writes) {
    driver.flush = flush;
    driver.truncate = cut;
    driver.lock = lock;
    driver.unlock = unlock;
  }
  constexpr H5FD_mem_t kKinds[] = H5FD_FLMAP_DICHOTOMY;
  std::ranges::copy(kKinds, driver.fl_map);
  return H5FDregister(&driver);
}

bool use(hid_t access_list, const Source& source) {
  static const hid_t reader = register_driver(false), writer = register_driver(true);
  const hid_t driver = source.rewrite ? writer : reader;
  return driver >= 0 && H5Pset_driver(access_list, driver, &source) >= 0;
}

}  // namespace

bool read_from(hid_t access_list, int descriptor) {
  return use(access_list, {.descriptor = descriptor, .rewrite = nullptr});
}

bool write_through(hid_t access_list, Rewrite& rewrite) {
  return use(access_list, {.descriptor = rewrite.descriptor(), .rewrite = &rewrite});
}

}  // namespace hepcheck::hep001::libhdf5
