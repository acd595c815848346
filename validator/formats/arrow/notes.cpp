#include "validator/formats/arrow/notes.h"

#include <utility>

namespace hepcheck::arrow {

Notes::Notes(const Specification& spec, std::uint64_t max_findings) : max_findings_(max_findings) {
  std::vector<Severity> severities;
  probes_.reserve(std::size(kClauseIds));
  for (const std::string_view id : kClauseIds) {
    const Clause* clause = spec.find(id);
    const Severity severity = clause ? clause->default_severity : Severity::kNone;
    is_error_[probes_.size()] = severity == Severity::kError;
    is_info_[probes_.size()] = severity == Severity::kInfo;
    probes_.emplace_back(severity, max_findings);
    severities.push_back(severity);
  }
  severities_ = std::make_shared<const std::vector<Severity>>(std::move(severities));
}

Notes Notes::fresh() const {
  Notes made(max_findings_);
  made.is_error_ = is_error_;
  made.is_info_ = is_info_;
  made.gather_ = gather_;
  made.severities_ = severities_;
  made.probes_.reserve(probes_.size());
  for (const Severity severity : *severities_) made.probes_.emplace_back(severity, max_findings_);
  return made;
}

void Notes::join(Notes&& later) {
  for (std::size_t i = 0; i < probes_.size(); ++i) probes_[i].join(std::move(later.probes_[i]));
  for (auto& [place, finding] : later.gathered_) {
    const std::uint64_t more = 1 + finding.more;
    if (const auto [at, added] = gathered_.try_emplace(place, std::move(finding)); !added)
      at->second.more += more;
  }
}

void Notes::looked(const ClauseId& clause, std::uint64_t times) {
  if (!silent_) probes_[clause.place()].looked(times);
}

bool Notes::fail(const ClauseId& clause, const Place& at, std::string observed,
                 std::string expected, std::string hint, std::uint64_t more) {
  const bool error = is_error_[clause.place()];
  if (silent_) return error;
  Probe& probe = probes_[clause.place()];
  if (probe.findings().size() >= max_findings_) {
    probe.fail({});  // counted, not kept
    return error;
  }
  const bool gather = gather_ && is_info_[clause.place()];
  if (gather && gathered_.contains(clause.place())) {
    gathered_[clause.place()].more += 1 + more;
    return error;
  }
  Finding finding{.object = at.object(),
                  .where = at.where(),
                  .observed = std::move(observed),
                  .expected = std::move(expected),
                  .hint = std::move(hint),
                  .more = more};
  if (gather)
    gathered_.emplace(clause.place(), std::move(finding));
  else
    probe.fail(std::move(finding));
  return error;
}

void Notes::let_go() {
  gather_ = false;
  for (auto& [place, finding] : gathered_) probes_[place].fail(std::move(finding));
  gathered_.clear();
}

void Notes::blocked(const ClauseId& clause, std::string reason, std::vector<std::string_view> by) {
  if (!silent_) probes_[clause.place()].blocked(std::move(reason), std::move(by));
}

std::vector<std::string> Notes::broken() const {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < probes_.size(); ++i)
    if (probes_[i].total_findings() > 0) ids.emplace_back(kClauseIds[i]);
  return ids;
}

}  // namespace hepcheck::arrow
