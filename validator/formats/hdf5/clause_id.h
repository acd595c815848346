// The clause ids of the HDF5 container, all revisions together.
#pragma once

#include "validator/formats/hdf5/clause_ids.h"
#include "validator/rule.h"

namespace hepcheck::hdf5 {

using ClauseId = ClauseIdOf<kClauseIds>;

}  // namespace hepcheck::hdf5
