// Judges streams and files that tests have built.
#pragma once

#include <string>
#include <vector>

#include "validator/formats/arrow/testing/build.h"

namespace hepcheck::arrow::testing {

// The violated clauses, in the order of the catalogue; including recommendations.
std::vector<std::string> broken(const Bytes& input);
// With the text of the first finding of each: "clause: observed", and the number of others: " +2".
std::vector<std::string> first_findings(const Bytes& input);

}  // namespace hepcheck::arrow::testing
