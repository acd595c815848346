// The messages of a dataset together.
#pragma once

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/dataset.h"

namespace hepcheck::hdf5 {

// Judges what has been read of a dataset, and adds to the risk profile.
void judge_dataset(Dataset& dataset, const std::string& path, Container& file);
// A chunk of a filtered dataset that becomes very much larger.
void judge_expansion(const Dataset& dataset, std::uint64_t stored, const Place& at, Notes& notes);

}  // namespace hepcheck::hdf5
