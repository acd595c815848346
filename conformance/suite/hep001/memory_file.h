// A file that no program under test can access.
#pragma once

#include <string>

#include "validator/descriptor.h"
#include "validator/result.h"

namespace hepcheck::hep001::suite {

// These bytes as a file without a name, which cannot be changed any more.
Result<Descriptor> memory_file(const std::string& bytes);

}  // namespace hepcheck::hep001::suite
