// The table of contents of what only the File Format Specification asks: chapters II, III and V,
// and the messages of the superblock extension. Each source file ends with a function that lists
// its rules.
#include "validator/formats/hdf5/rules.h"

namespace hepcheck::hdf5 {

void infrastructure_rules(RuleList&) {}

}  // namespace hepcheck::hdf5
