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
  say().reason = reason_with(std::move(reason), by);
  shorten(say().reason);
  say().by = std::move(by);
}

void Probe::join(Probe&& later) {
  examined_ += later.examined_;
  total_ += later.total_;
  worst_ = std::max(worst_, later.worst_);
  if (!later.said_) return;
  for (Finding& finding : later.said_->findings)
    if (findings().size() < max_findings_) say().findings.push_back(std::move(finding));
  if (!reason().empty()) return;
  say().reason = std::move(later.said_->reason);
  say().by = std::move(later.said_->by);
}

void Probe::add(Finding finding, Severity severity) {
  ++total_;
  worst_ = std::max(worst_, severity);
  if (findings().size() >= max_findings_) return;
  finding.severity = severity;
  shorten(finding);
  say().findings.push_back(std::move(finding));
}

const Probe::Said& Probe::said() const {
  static const Said nothing;
  return said_ ? *said_ : nothing;
}

Probe::Said& Probe::say() {
  if (!said_) said_ = std::make_unique<Said>();
  return *said_;
}

}  // namespace hepcheck
