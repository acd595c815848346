// User metadata: key-value pairs (7.4).
#pragma once

#include <string_view>

#include "validator/formats/rntuple/frame.h"

namespace hepcheck::rntuple {

// Reads and judges the pairs of an envelope. `writer`: of the header. False if the rest cannot be
// read.
bool read_metadata(Cursor& cursor, std::string_view writer);

void metadata_rules(RuleList& list);

}  // namespace hepcheck::rntuple
