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

std::string_view to_string(IndexMap::Unit unit) {
  switch (unit) {
    case IndexMap::Unit::kChunk: return "chunk";
    case IndexMap::Unit::kRow: return "row";
    case IndexMap::Unit::kElement: return "element";
  }
  return "?";
}

std::string_view to_string(TableVerdict verdict) {
  switch (verdict) {
    case TableVerdict::kPass: return "pass";
    case TableVerdict::kFail: return "fail";
    case TableVerdict::kUnsupported: return "unsupported";
    case TableVerdict::kUnchecked: return "unchecked";
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

std::string_view to_string(StopCause cause) {
  switch (cause) {
    case StopCause::kSignal: return "signal";
    case StopCause::kLimit: return "limit";
    case StopCause::kExit: return "exit";
  }
  return "?";
}

std::string Stop::text() const {
  std::string text = cause == StopCause::kLimit    ? "the limit of " + name + " was reached"
                     : cause == StopCause::kSignal ? "the worker process died of " + name
                                                   : "the worker process ended with " + name;
  text += " while " + stage;
  if (!object.empty()) text += " " + object;
  return text;
}

}  // namespace hepcheck
