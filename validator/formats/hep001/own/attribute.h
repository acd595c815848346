// Attributes of an object, with references resolved.
#pragma once

#include <optional>
#include <string>

#include "validator/formats/hdf5/dataspace.h"
#include "validator/formats/hdf5/object_header.h"
#include "validator/formats/hep001/model/table.h"
#include "validator/formats/hep001/own/context.h"

namespace hepcheck::hep001::own {

Dataspace space_of(const hdf5::Dataspace& space);

// All of them. If some cannot be read, `trouble` states why. Context::mutex must be locked.
Attributes read_attributes(const hdf5::ObjectHeader& header, Context& context,
                           std::optional<std::string>& trouble);

}  // namespace hepcheck::hep001::own
