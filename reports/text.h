// The report for people and for grep.
#pragma once

#include <iosfwd>

#include "validator/report.h"

namespace hepcheck::reports {

struct TextStyle {
  bool colour = false;
  // On a terminal a finding takes a few lines; in a pipe it is one line:
  //   FILE:OBJECT[@ATTRIBUTE][ WHERE]: SEVERITY ID (SECTION): OBSERVED; expected EXPECTED; ...
  bool terminal = false;
  bool verbose = false;  // also prints clauses that passed, did not apply or were not checked
  bool risks = false;    // lists the risk profile, instead of naming it in one line
  bool summary = false;  // only the totals
};

void write_text(std::ostream& out, const Report& report, const TextStyle& style);

}  // namespace hepcheck::reports
