// The chunk index of a dataset, of any of the six kinds.
#pragma once

#include "validator/formats/hdf5/chunk.h"
#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/dataset.h"

namespace hepcheck::hdf5 {

// Reads and judges the index of a chunked dataset, down to the last chunk. False if part of it was
// refused, or not read.
bool walk_chunk_index(const Dataset& dataset, Container& file, Chunks& chunks);

}  // namespace hepcheck::hdf5
