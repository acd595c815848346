// Judges a log by the clauses about writers: the order of their writes, and the permitted
// operations during concurrent reads.
#pragma once

#include <cstdint>

#include "validator/report.h"
#include "validator/trace/log.h"

namespace hepcheck::hdf5::trace {

struct CheckOptions {
  bool as_swmr = false;  // judge everything as SWMR writing, regardless of the marks in the file
  std::uint64_t max_findings = 100;
  bool all_of_it = false;  // read the whole file after each write, including unchanged parts
};

// Appends a subject for each HDF5 file of the log: every producer clause with its findings, or the
// reason why it was not checked. Other files are listed in `into.unreadable`.
void check(const hepcheck::trace::Log& log, const CheckOptions& options, FileReport& into);

// For other commands that judge some producer clauses: a subject with all of them, the others not
// checked because of `elsewhere`.
struct ClauseOutcome {
  std::string_view clause{};
  std::uint64_t examined = 0;
  std::string not_checked{};  // the reason if not
  std::vector<Finding> findings{};
  std::uint64_t more = 0;  // findings that are not kept
};
SubjectReport subject_of(const std::vector<ClauseOutcome>& outcomes, std::string_view elsewhere,
                         std::uint64_t max_findings);

}  // namespace hepcheck::hdf5::trace
