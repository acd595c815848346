#include "validator/formats/hep001/libhdf5/error.h"

#include <cstdio>
#include <cstdlib>
#include <format>
#include <utility>

#include "validator/formats/hep001/libhdf5/lzf_filter.h"
#include "validator/formats/hep001/libhdf5/plugins.h"
#include "validator/shortage.h"

namespace hepcheck::hep001::libhdf5 {

namespace {

struct Cause {
  std::string text{};
  hid_t minor = -1;  // the library's own number for it
};

// Walking upward starts at the innermost call; the first entry is the cause.
herr_t keep_innermost(unsigned depth, const H5E_error2_t* entry, void* into) {
  if (depth == 0) *static_cast<Cause*>(into) = {entry->desc ? entry->desc : "", entry->min_num};
  return 0;
}

}  // namespace

void initialise(bool allow_plugins) {
  // A driver or connector named in the environment would access the file first.
  unsetenv("HDF5_DRIVER");
  unsetenv("HDF5_DRIVER_CONFIG");
  unsetenv("HDF5_VOL_CONNECTOR");
  H5open();  // harmless when repeated
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  register_lzf();
  H5PLset_loading_state(0);
  static bool loaded = false;
  if (allow_plugins && !std::exchange(loaded, true)) load_filter_plugins();
}

Error last_error(std::string what) {
  Cause innermost;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, &innermost);
  H5Eclear2(H5E_DEFAULT);
  if (innermost.minor == H5E_NOSPACE || innermost.minor == H5E_CANTALLOC) record_memory_shortage();
  std::string cause = std::move(innermost.text);
  if (cause.empty()) cause = "the HDF5 library gives no reason";
  // "truncated file: eof = 900, sblock->base_addr = 0, stored_eof = 2121"
  unsigned long long there = 0, base = 0, stored = 0;
  if (std::sscanf(cause.c_str(),
                  "truncated file: eof = %llu, sblock->base_addr = %llu, stored_eof = %llu", &there,
                  &base, &stored) == 3)
    cause = std::format("truncated: {} of {} bytes are there", there, base + stored);
  if (cause.starts_with("bad version number") || cause.starts_with("bad superblock version number"))
    cause += std::format("; an HDF5 library later than {}.{}.{} may support it", H5_VERS_MAJOR,
                         H5_VERS_MINOR, H5_VERS_RELEASE);
  return {std::move(what), std::move(cause)};
}

}  // namespace hepcheck::hep001::libhdf5
