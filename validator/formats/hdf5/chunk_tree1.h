// Chunks in a version 1 B-tree.
#pragma once

#include "validator/formats/hdf5/chunk.h"
#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/dataset.h"

namespace hepcheck::hdf5 {

// False if part of the index was refused, or not read.
bool walk_tree1(const Dataset& dataset, Container& file, Chunks& chunks);

}  // namespace hepcheck::hdf5
