// An HDF5 file driver that reads from a descriptor which is open already. The library opens
// nothing itself: neither by name nor anew, and it takes no lock.
#pragma once

#include "validator/formats/hep001/libhdf5/handle.h"

namespace hepcheck::hep001::libhdf5 {

// Makes files that are opened with this access list come from `descriptor`, which must outlive
// them. False if the library does not take the driver.
bool read_from(hid_t access_list, int descriptor);

}  // namespace hepcheck::hep001::libhdf5
