// An HDF5 file driver for files that are already open. The library opens nothing itself, neither by
// name nor again, and takes no lock.
#pragma once

#include "validator/formats/hep001/libhdf5/handle.h"

namespace hepcheck {
class Rewrite;
}

namespace hepcheck::hep001::libhdf5 {

// Makes files that are opened with this access list use `descriptor`, which must outlive them.
// False if the library rejects the driver.
bool read_from(hid_t access_list, int descriptor);

// The same for writing: everything goes through the Rewrite. Writes never fail, because the library
// (1.14.5, 2.2) crashes at the end of the process if those of H5Fclose do; the Rewrite remembers
// the failure.
bool write_through(hid_t access_list, Rewrite& rewrite);

}  // namespace hepcheck::hep001::libhdf5
