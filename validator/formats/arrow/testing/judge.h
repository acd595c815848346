// What is said of streams and files that tests have made.
#pragma once

#include <string>
#include <vector>

#include "validator/formats/arrow/testing/build.h"

namespace hepcheck::arrow::testing {

// The clauses that do not hold, in the order of the catalogue; informations too.
std::vector<std::string> broken(const Bytes& input);
// And what the first finding of each says: "clause: observed", and how many more there are: " +2".
std::vector<std::string> said(const Bytes& input);

}  // namespace hepcheck::arrow::testing
