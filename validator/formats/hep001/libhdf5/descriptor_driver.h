// An HDF5 file driver for files that are open already. The library opens nothing itself: neither by
// name nor anew, and it takes no lock.
#pragma once

#include "validator/formats/hep001/libhdf5/handle.h"

namespace hepcheck {
class Rewrite;
}

namespace hepcheck::hep001::libhdf5 {

// Makes files that are opened with this access list come from `descriptor`, which must outlive
// them. False if the library does not take the driver.
bool read_from(hid_t access_list, int descriptor);

// The same for writing: all goes through the Rewrite. Writes never fail, since the library (1.14.5,
// 2.2) crashes at the end of the process when those of H5Fclose do; the Rewrite remembers.
bool write_through(hid_t access_list, Rewrite& rewrite);

}  // namespace hepcheck::hep001::libhdf5
