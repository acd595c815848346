// An HDF5 file driver for files in memory that are changed: unlike the library's own, which keeps
// the image to itself until the file is closed, and H5Fget_file_image (1.14.5) spoils the checksum
// of a superblock of version 3.
#pragma once

#include <cstddef>
#include <vector>

#include "validator/formats/hep001/libhdf5/handle.h"

namespace hepcheck::hep001::libhdf5 {

struct WritableImage {
  std::vector<std::byte> bytes{};
  std::size_t most = 0;  // bytes that it may have
  bool failed = false;   // it would have needed more: what it holds is no whole file
};

// Makes files that are opened or created with this access list live in `image`, which must outlive
// them. False if the library does not take the driver.
bool write_into(hid_t access_list, WritableImage& image);

}  // namespace hepcheck::hep001::libhdf5
