// Blocks of a file that share bytes.
#pragma once

#include <cstdint>
#include <functional>

#include "validator/formats/hdf5/container.h"

namespace hepcheck::hdf5 {

// Judges what has been accepted, when all has been read. `tell`: of each object that has a part in
// a finding, by the clause.
void judge_overlaps(Container& file,
                    const std::function<void(std::uint32_t object, const ClauseId& clause)>& tell);

}  // namespace hepcheck::hdf5
