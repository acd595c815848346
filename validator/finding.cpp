#include "validator/finding.h"

#include <algorithm>

namespace hepcheck {

const ClauseResult& ClauseResults::operator[](std::size_t i) const {
  const auto at =
      std::ranges::lower_bound(own_, i, {}, &std::pair<std::size_t, ClauseResult>::first);
  return at != own_.end() && at->first == i ? at->second : (*common_)[i];
}

ClauseResults SharedResults::store(const std::vector<ClauseResult>& results) {
  if (common_ && common_->size() == results.size()) {
    ClauseResults::Own own;
    for (std::size_t i = 0; i < results.size(); ++i)
      if (results[i] != (*common_)[i]) own.emplace_back(i, results[i]);
    if (own.size() <= results.size() / 4) return {common_, std::move(own)};
  }
  // Too little in common: the tables to come are held against this one.
  ClauseResults stored(results);
  common_ = stored.common();
  return stored;
}

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
