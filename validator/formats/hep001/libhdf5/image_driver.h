// An HDF5 file driver for writable files in memory. The library's own driver does not give access
// to the image until the file is closed, and H5Fget_file_image (1.14.5) invalidates the checksum of
// a version 3 superblock.
#pragma once

#include <cstddef>
#include <vector>

#include "validator/formats/hep001/libhdf5/handle.h"

namespace hepcheck::hep001::libhdf5 {

struct WritableImage {
  std::vector<std::byte> bytes{};
  std::size_t most = 0;  // maximum number of bytes
  bool failed = false;   // it would have exceeded the maximum: the contents are not a complete file
};

// Makes files that are opened or created with this access list live in `image`, which must outlive
// them. False if the library rejects the driver.
bool write_into(hid_t access_list, WritableImage& image);

}  // namespace hepcheck::hep001::libhdf5
