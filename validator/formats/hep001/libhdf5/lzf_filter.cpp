#include "validator/formats/hep001/libhdf5/lzf_filter.h"

#include <hdf5.h>

#include "validator/formats/hep001/storage/lzf.h"

namespace hepcheck::hep001::libhdf5 {

namespace {

// The library's memory rules: the result replaces *buffer. 0 means failure.
std::size_t filter(unsigned flags, std::size_t n, const unsigned* parameters, std::size_t bytes,
                   std::size_t* size, void** buffer) {
  if (!(flags & H5Z_FLAG_REVERSE) || n < 3) return 0;
  const std::size_t wanted = parameters[2];
  void* decoded = H5allocate_memory(wanted, false);
  if (!decoded) return 0;
  if (!decode_lzf({static_cast<const std::byte*>(*buffer), bytes},
                  {static_cast<std::byte*>(decoded), wanted})) {
    H5free_memory(decoded);
    return 0;
  }
  H5free_memory(*buffer);
  *buffer = decoded;
  return *size = wanted;
}

}  // namespace

void register_lzf() {
  static const H5Z_class2_t kClass{.version = H5Z_CLASS_T_VERS,
                                   .id = kLzfFilter,
                                   .encoder_present = 0,
                                   .decoder_present = 1,
                                   .name = "lzf",
                                   .can_apply = nullptr,
                                   .set_local = nullptr,
                                   .filter = filter};
  H5Zregister(&kClass);
}

}  // namespace hepcheck::hep001::libhdf5
