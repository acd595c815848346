// The result of one rule for one subject.
#pragma once

#include <cstdint>
#include <memory>
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
  // The clause applies and was examined. A clause that no check examined is not applicable; it
  // never counts as passed.
  void looked(std::uint64_t times = 1) { examined_ += times; }
  // The clause is violated. The severity is the default of the clause in the catalogue. Findings
  // beyond the limit of the run are counted, but not kept.
  void fail(Finding finding);
  // The same with another severity than the default, if the notes of the catalogue say so.
  void error(Finding finding);
  void warn(Finding finding);
  void inform(Finding finding);
  // The clause applies, but could not be examined: it is not checked, with this reason. Use this if
  // something is unreadable, or if a violation of another clause prevents the examination; a
  // mandatory clause that is not checked prevents a passing verdict. `by`: the ids of the clauses
  // that prevented it, for the reason and for reports that count them.
  void blocked(std::string reason, std::vector<std::string_view> by = {});

  // Adds the results of later parts of the subject.
  void join(Probe&& later);

  // The results, for the judge and for tests.
  explicit Probe(Severity default_severity = Severity::kError,
                 std::uint64_t max_findings = ~std::uint64_t{0})
      : default_severity_(default_severity), max_findings_(max_findings) {}
  std::uint64_t examined() const { return examined_; }
  const std::vector<Finding>& findings() const& { return outcome().findings; }
  std::vector<Finding> findings() && { return std::move(own_outcome().findings); }
  std::uint64_t total_findings() const { return total_; }
  // It says only how often the clause was examined.
  bool plain() const { return total_ == 0 && !outcome_; }
  Severity worst() const { return worst_; }  // kNone if there is no finding
  // The reason why it could not be examined, with the ids of `by` in brackets; empty if it could.
  const std::string& reason() const { return outcome().reason; }
  const std::vector<std::string_view>& by() const { return outcome().by; }

 private:
  // Most rules have no result for most subjects, and there is a probe for each rule and subject.
  struct Outcome {
    std::vector<Finding> findings{};
    std::string reason{};
    std::vector<std::string_view> by{};
  };
  struct Deleter {  // out of line: hardly any probe has an outcome
    void operator()(Outcome* outcome) const;
  };

  void add(Finding finding, Severity severity);
  const Outcome& outcome() const;
  Outcome& own_outcome();

  Severity default_severity_;
  Severity worst_ = Severity::kNone;
  std::uint64_t max_findings_;
  std::uint64_t examined_ = 0;
  std::uint64_t total_ = 0;
  std::unique_ptr<Outcome, Deleter> outcome_{};
};

}  // namespace hepcheck
