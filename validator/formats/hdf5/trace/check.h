// What a log says of the clauses about those who write: the order of their writes, and what they
// may do while others read.
#pragma once

#include <cstdint>

#include "validator/report.h"
#include "validator/trace/log.h"

namespace hepcheck::hdf5::trace {

struct CheckOptions {
  bool as_swmr = false;  // judge all of it as SWMR writing, whatever the marks in the file say
  std::uint64_t max_findings = 100;
  bool all_of_it = false;  // read all of the file after each write, also what has not changed
};

// Appends a subject for each file of the log that is HDF5: every producer clause with what was
// found, or why it was not checked. Files that are none end in `into.unreadable`.
void check(const hepcheck::trace::Log& log, const CheckOptions& options, FileReport& into);

// For other commands that judge some producer clauses: a subject with all of them, the others not
// checked because of `elsewhere`.
struct Said {
  std::string_view clause{};
  std::uint64_t examined = 0;
  std::string not_checked{};  // why, if it is not
  std::vector<Finding> findings{};
  std::uint64_t more = 0;  // findings that are not kept
};
SubjectReport subject_of(const std::vector<Said>& said, std::string_view elsewhere,
                         std::uint64_t max_findings);

}  // namespace hepcheck::hdf5::trace
