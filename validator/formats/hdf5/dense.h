// Links and attributes that lie in a fractal heap, with a version 2 B-tree of their names.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "validator/formats/hdf5/btree2.h"
#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/link.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

// Takes the message that is in the heap, and returns the name in it; none if it is refused.
using DenseTake = std::function<std::optional<std::string>(const Region& message)>;

// Hands each to `take`, in the order of the names' hashes. `type`: of the records. False if part of
// them was refused, or not read.
bool read_dense(const Dense& where, Tree2Type type, Container& file, const DenseTake& take);

}  // namespace hepcheck::hdf5
