// What one rule says about one subject.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/finding.h"

namespace hepcheck {

// "the index is no permutation (sorted-permutation)"
std::string reason_with(std::string reason, const std::vector<std::string_view>& clauses);

class Probe {
 public:
  // The clause applies here and has been examined. A clause that no check ever looked at is
  // not applicable; it never counts as passed.
  void looked() { ++examined_; }
  // The clause does not hold here. Severity is the catalogue's default for the clause.
  // Findings beyond the limit of the run are counted, not kept.
  void fail(Finding finding);
  // The same with another severity than the default, where the catalogue's notes say so.
  void error(Finding finding);
  void warn(Finding finding);
  void inform(Finding finding);
  // The clause applies, but could not be examined: not checked, with this reason. Use it
  // where something is unreadable or where a failed MUST of another clause stands in the way;
  // a mandatory clause that is not checked bars a green verdict. `by`: the ids of the clauses
  // that stand in the way, for the reason and for reports that count what each keeps back.
  void blocked(std::string reason, std::vector<std::string_view> by = {});

  // Adds what was found in later parts of the subject.
  void join(Probe&& later);

  // What came of it, for the judge and for tests.
  explicit Probe(Severity default_severity = Severity::kError,
                 std::uint64_t max_findings = ~std::uint64_t{0})
      : default_severity_(default_severity), max_findings_(max_findings) {}
  std::uint64_t examined() const { return examined_; }
  const std::vector<Finding>& findings() const& { return findings_; }
  std::vector<Finding>&& findings() && { return std::move(findings_); }
  std::uint64_t total_findings() const { return total_; }
  Severity worst() const { return worst_; }  // kNone while there is no finding
  // Why it could not be examined, with the ids of `by` in brackets; empty if it could.
  const std::string& reason() const { return reason_; }
  const std::vector<std::string_view>& by() const { return by_; }

 private:
  void add(Finding finding, Severity severity);

  Severity default_severity_;
  std::uint64_t max_findings_;
  std::uint64_t examined_ = 0;
  std::uint64_t total_ = 0;
  Severity worst_ = Severity::kNone;
  std::vector<Finding> findings_{};
  std::string reason_{};
  std::vector<std::string_view> by_{};
};

}  // namespace hepcheck
