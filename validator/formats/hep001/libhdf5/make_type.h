// Converts a model Datatype to an HDF5 datatype.
#pragma once

#include "validator/formats/hep001/libhdf5/handle.h"
#include "validator/formats/hep001/model/datatype.h"

namespace hepcheck::hep001::libhdf5 {

// An empty handle if the library cannot create it: references, times, floats that are not IEEE 754,
// unknown classes.
TypeHandle make_type(const Datatype& type);

}  // namespace hepcheck::hep001::libhdf5
