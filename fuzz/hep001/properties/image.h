// Creates files in memory.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <vector>

#include "validator/formats/hep001/libhdf5/error.h"
#include "validator/formats/hep001/libhdf5/handle.h"

namespace hepcheck::hep001::libhdf5 {

// The output of make(file) in a version of the format, as the bytes of a file.
template <class Make>
std::vector<std::byte> image_with(Make make, H5F_libver_t version = H5F_LIBVER_V110,
                                  H5F_libver_t most = H5F_LIBVER_V110,
                                  hid_t creation = H5P_DEFAULT) {
  initialise(false);
  const PropertyHandle list{H5Pcreate(H5P_FILE_ACCESS)};
  H5Pset_fapl_core(list.get(), 1 << 16, false);
  H5Pset_libver_bounds(list.get(), version, most);
#ifdef H5F_RFIC_ALL
  // Newer versions do not create datatypes of few bits in many bytes.
  H5Pset_relax_file_integrity_checks(list.get(), H5F_RFIC_ALL);
#endif
  const FileHandle file{H5Fcreate("made", H5F_ACC_TRUNC, creation, list.get())};
  make(file.get());
  H5Fflush(file.get(), H5F_SCOPE_GLOBAL);
  std::vector<std::byte> image(static_cast<std::size_t>(H5Fget_file_image(file.get(), nullptr, 0)));
  H5Fget_file_image(file.get(), image.data(), image.size());
  return image;
}

}  // namespace hepcheck::hep001::libhdf5
