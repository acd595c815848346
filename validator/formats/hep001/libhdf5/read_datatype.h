// Converts an HDF5 datatype id to a model Datatype.
#pragma once

#include <optional>
#include <string>

#include "validator/formats/hep001/libhdf5/handle.h"
#include "validator/formats/hep001/model/datatype.h"
#include "validator/limits.h"

namespace hepcheck::hep001::libhdf5 {

// An unknown class becomes TypeClass::kUnknown with the size that the library reports. `trouble` is
// set if the datatype exceeds a limit, or the library cannot describe it; the result must not be
// used then.
Datatype read_datatype(hid_t type, const Limits& limits, std::optional<std::string>& trouble);

}  // namespace hepcheck::hep001::libhdf5
