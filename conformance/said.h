// What is said of a file, in lines: to see at a glance what a change of the program changes.
#pragma once

#include <string>
#include <string_view>

#include "validator/report.h"

namespace hepcheck::conformance {

// A line with the file, one for each subject with its verdict, how many clauses came to which
// result, how many places were looked at and a digest of its parts; below it a line for each
// finding, with all that it says, and for each reason why something was not checked.
std::string said_of(const FileReport& report);

// A line of printable ASCII; other bytes as \\x and two digits.
std::string line(std::string_view text);

}  // namespace hepcheck::conformance
