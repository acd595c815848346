// An HDF5 datatype id as a model Datatype.
#pragma once

#include <optional>
#include <string>

#include "validator/formats/hep001/libhdf5/handle.h"
#include "validator/formats/hep001/model/datatype.h"
#include "validator/limits.h"

namespace hepcheck::hep001::libhdf5 {

// A class that the library does not know comes back as TypeClass::kUnknown with the size that it
// reports. `trouble` is set if the datatype goes beyond a limit; the answer is not to be used then.
Datatype read_datatype(hid_t type, const Limits& limits, std::optional<std::string>& trouble);

}  // namespace hepcheck::hep001::libhdf5
