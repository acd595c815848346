// A filter plugin of the HDF5 library: 333, which inverts every bit.
#include <H5PLextern.h>
#include <hdf5.h>

namespace {

std::size_t invert(unsigned, std::size_t, const unsigned*, std::size_t bytes, std::size_t*,
                   void** buffer) {
  auto* const at = static_cast<unsigned char*>(*buffer);
  for (std::size_t i = 0; i < bytes; ++i) at[i] = static_cast<unsigned char>(~at[i]);
  return bytes;
}

constexpr H5Z_class2_t kFilter{H5Z_CLASS_T_VERS, 333, 1, 1, "invert", nullptr, nullptr, invert};

}  // namespace

H5PL_type_t H5PLget_plugin_type() { return H5PL_TYPE_FILTER; }
const void* H5PLget_plugin_info() { return &kFilter; }
