// A report as lines, for golden files: a difference of two of them shows the effect of a change of
// the program.
#pragma once

#include <string>
#include <string_view>

#include "validator/report.h"

namespace hepcheck::conformance {

// One line for the file; one for each subject with its verdict, the number of clauses of each
// result, the number of places that were examined and a digest of its parts; below it one line for
// each finding, with all its members, and for each reason why a clause was not checked.
std::string findings_text(const FileReport& report);

// A line of printable ASCII, with other bytes as \\x and two digits.
std::string line(std::string_view text);

}  // namespace hepcheck::conformance
