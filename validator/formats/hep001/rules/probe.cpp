#include <utility>

#include "validator/formats/hep001/rules/rule.h"

namespace hepcheck::hep001 {

void Probe::fail(Finding finding) { add(std::move(finding), default_severity_); }

void Probe::error(Finding finding) { add(std::move(finding), Severity::kError); }

void Probe::warn(Finding finding) { add(std::move(finding), Severity::kWarning); }

void Probe::inform(Finding finding) { add(std::move(finding), Severity::kInfo); }

void Probe::blocked(std::string reason) {
  if (reason_.empty()) reason_ = std::move(reason);
}

void Probe::join(Probe&& later) {
  examined_ += later.examined_;
  total_ += later.total_;
  worst_ = std::max(worst_, later.worst_);
  for (Finding& finding : later.findings_)
    if (findings_.size() < max_findings_) findings_.push_back(std::move(finding));
  if (reason_.empty()) reason_ = std::move(later.reason_);
}

void Probe::add(Finding finding, Severity severity) {
  finding.severity = severity;
  ++total_;
  worst_ = std::max(worst_, severity);
  if (findings_.size() < max_findings_) findings_.push_back(std::move(finding));
}

}  // namespace hepcheck::hep001
