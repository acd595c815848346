// An HDF5 file driver that reads from a descriptor which is open already. The library opens
// nothing itself: neither by name nor anew, and it takes no lock.
#pragma once

#include "validator/hdf5/handle.h"

namespace hepcheck::hdf5 {

// Makes files that are opened with this access list come from `descriptor`, which must outlive
// them. False if the library does not take the driver.
bool read_from(hid_t access_list, int descriptor);

}  // namespace hepcheck::hdf5
