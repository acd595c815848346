#include "validator/formats/hdf5/region.h"

#include <format>

namespace hepcheck::hdf5 {

std::string Place::text() const { return std::format("{} @ {} + {}", kind, block, offset); }

}  // namespace hepcheck::hdf5
