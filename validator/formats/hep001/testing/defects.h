// Defects for tests of repairs: each can be repaired without a decision.
#pragma once

#include <string>
#include <vector>

#include "validator/result.h"

namespace hepcheck::hep001 {

// Puts so many defects into a conformant table of a file that is open for writing. Returns their
// names; fewer if the table has no place for some.
Result<std::vector<std::string>> add_defects(int file, const std::string& table, unsigned count,
                                             unsigned seed);

}  // namespace hepcheck::hep001
