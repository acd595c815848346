// A model Datatype as an HDF5 datatype.
#pragma once

#include "validator/formats/hep001/libhdf5/handle.h"
#include "validator/formats/hep001/model/datatype.h"

namespace hepcheck::hep001::libhdf5 {

// No handle if the library does not make it: references, times, floats that are not IEEE 754,
// classes that it does not know.
TypeHandle make_type(const Datatype& type);

}  // namespace hepcheck::hep001::libhdf5
