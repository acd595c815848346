#include "validator/finding.h"

#include <algorithm>

namespace hepcheck {

const ClauseResult& ClauseResults::operator[](std::size_t i) const {
  const auto at = std::ranges::lower_bound(own_, i, {}, &std::pair<std::size_t, ClauseResult>::first);
  return at != own_.end() && at->first == i ? at->second : (*common_)[i];
}

ClauseResults SharedResults::store(const std::vector<ClauseResult>& results) {
  ClauseResults stored;
  if (common_ && common_->size() == results.size()) {
    for (std::size_t i = 0; i < results.size(); ++i)
      if (results[i] != (*common_)[i]) stored.own_.emplace_back(i, results[i]);
    stored.common_ = common_;
  }
  // Too little in common: the tables to come are held against this one.
  if (!stored.common_ || stored.own_.size() > results.size() / 4) {
    stored = ClauseResults(results);
    common_ = stored.common_;
  }
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

std::string_view to_string(TableVerdict verdict) {
  switch (verdict) {
    case TableVerdict::kPass: return "pass";
    case TableVerdict::kFail: return "fail";
    case TableVerdict::kUnsupported: return "unsupported";
    case TableVerdict::kUnchecked: return "unchecked";
  }
  return "?";
}

}  // namespace hepcheck
