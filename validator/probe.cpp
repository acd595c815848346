#include "validator/probe.h"

#include <algorithm>
#include <utility>

#include "validator/shorten.h"

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
  if (!this->reason().empty()) return;
  own_outcome().reason = reason_with(std::move(reason), by);
  shorten(own_outcome().reason);
  own_outcome().by = std::move(by);
}

void Probe::join(Probe&& later) {
  examined_ += later.examined_;
  total_ += later.total_;
  worst_ = std::max(worst_, later.worst_);
  if (!later.outcome_) return;
  for (Finding& finding : later.outcome_->findings)
    if (findings().size() < max_findings_) own_outcome().findings.push_back(std::move(finding));
  if (!reason().empty()) return;
  own_outcome().reason = std::move(later.outcome_->reason);
  own_outcome().by = std::move(later.outcome_->by);
}

void Probe::add(Finding finding, Severity severity) {
  ++total_;
  worst_ = std::max(worst_, severity);
  if (findings().size() >= max_findings_) return;
  finding.severity = severity;
  shorten(finding);
  own_outcome().findings.push_back(std::move(finding));
}

const Probe::Outcome& Probe::outcome() const {
  static const Outcome nothing;
  return outcome_ ? *outcome_ : nothing;
}

void Probe::Deleter::operator()(Outcome* outcome) const { delete outcome; }

Probe::Outcome& Probe::own_outcome() {
  if (!outcome_) outcome_.reset(new Outcome);
  return *outcome_;
}

}  // namespace hepcheck
