#include "validator/finding.h"

#include <algorithm>

namespace hepcheck {

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass: return "pass";
    case Verdict::kFail: return "fail";
    case Verdict::kNotApplicable: return "not-applicable";
    case Verdict::kNotChecked: return "not-checked";
  }
  return "?";
}

Severity ClauseResult::open_severity() const {
  if (verdict != Verdict::kFail) return Severity::kNone;
  // What was suppressed may be as grave as anything that was found.
  if (suppressed > 0 && !suppressed_known) return severity;
  Severity gravest = Severity::kNone;
  for (const Finding& finding : findings)
    if (!finding.known) gravest = std::max(gravest, finding.severity);
  return gravest;
}

}  // namespace hepcheck
