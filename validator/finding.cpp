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

std::string_view to_string(LeftOut left_out) {
  switch (left_out) {
    case LeftOut::kNot: return "not";
    case LeftOut::kSkip: return "skip";
    case LeftOut::kOnly: return "only";
    case LeftOut::kDepth: return "depth";
  }
  return "?";
}

Severity ClauseResult::open_severity() const {
  if (verdict != Verdict::kFail) return Severity::kNone;
  // Suppressed findings may be as severe as any listed one.
  if (suppressed > 0 && !suppressed_known) return severity;
  Severity gravest = Severity::kNone;
  for (const Finding& finding : findings)
    if (!finding.known) gravest = std::max(gravest, finding.severity);
  return gravest;
}

}  // namespace hepcheck
