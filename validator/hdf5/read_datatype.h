// An HDF5 datatype id as a model Datatype.
#pragma once

#include "validator/hdf5/handle.h"
#include "validator/hdf5/limits.h"
#include "validator/model/datatype.h"

namespace hepcheck::hdf5 {

// What cannot be told (a class unknown to the library, nesting beyond the limit) comes back
// as TypeClass::kUnknown with the size that the library reports.
Datatype read_datatype(hid_t type, const Limits& limits);

}  // namespace hepcheck::hdf5
