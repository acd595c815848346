// The specifications of the format. The File Format Specification is the default one; recorded
// writes, and whether datasets can be appended to, are judged by the SWMR design.
#pragma once

#include "validator/catalogue/clause.h"

namespace hepcheck::hdf5 {

inline const Specification& swmr_design() { return *find_specification("hdf5-swmr-2013-10-10"); }

}  // namespace hepcheck::hdf5
