#include "validator/finding.h"

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

std::string_view to_string(TableVerdict verdict) {
  switch (verdict) {
    case TableVerdict::kPass: return "pass";
    case TableVerdict::kFail: return "fail";
    case TableVerdict::kUnsupported: return "unsupported";
    case TableVerdict::kUnchecked: return "unchecked";
  }
  return "?";
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
