// Links and attributes in a fractal heap, indexed by name in a version 2 B-tree.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "validator/formats/hdf5/btree2.h"
#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/link.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

// Receives the message from the heap, and returns its name; none if it is refused.
using DenseTake = std::function<std::optional<std::string>(const Region& message)>;

// Passes each to `take`, in the order of the hashes of the names. `type`: of the records. False if
// part of them was refused, or not read.
bool read_dense(const Dense& where, Tree2Type type, Container& file, const DenseTake& take);

}  // namespace hepcheck::hdf5
