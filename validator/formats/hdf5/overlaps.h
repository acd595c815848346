// Finds blocks of a file that overlap.
#pragma once

#include <cstdint>
#include <functional>

#include "validator/formats/hdf5/container.h"

namespace hepcheck::hdf5 {

// Judges all accepted blocks, when everything has been read. `tell`: called for each object
// involved in a finding, with the clause.
void judge_overlaps(Container& file,
                    const std::function<void(std::uint32_t object, const ClauseId& clause)>& tell);

}  // namespace hepcheck::hdf5
