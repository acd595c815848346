#include "validator/probe.h"

#include <algorithm>
#include <utility>

namespace hepcheck {

std::string reason_with(std::string reason, const std::vector<std::string_view>& clauses) {
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    reason += i == 0 ? " (" : ", ";
    reason += clauses[i];
  }
  if (!clauses.empty()) reason += ')';
  return reason;
}

void Probe::fail(Finding finding) { add(std::move(finding), default_severity_); }

void Probe::error(Finding finding) { add(std::move(finding), Severity::kError); }

void Probe::warn(Finding finding) { add(std::move(finding), Severity::kWarning); }

void Probe::inform(Finding finding) { add(std::move(finding), Severity::kInfo); }

void Probe::blocked(std::string reason, std::vector<std::string_view> by) {
  if (!reason_.empty()) return;
  reason_ = reason_with(std::move(reason), by);
  by_ = std::move(by);
}

void Probe::join(Probe&& later) {
  examined_ += later.examined_;
  total_ += later.total_;
  worst_ = std::max(worst_, later.worst_);
  for (Finding& finding : later.findings_)
    if (findings_.size() < max_findings_) findings_.push_back(std::move(finding));
  if (reason_.empty()) {
    reason_ = std::move(later.reason_);
    by_ = std::move(later.by_);
  }
}

void Probe::add(Finding finding, Severity severity) {
  finding.severity = severity;
  ++total_;
  worst_ = std::max(worst_, severity);
  if (findings_.size() < max_findings_) findings_.push_back(std::move(finding));
}

}  // namespace hepcheck
