// From what the rules say of a subject to its report.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "validator/options.h"
#include "validator/probe.h"
#include "validator/report.h"
#include "validator/rule.h"

namespace hepcheck {

// Turns what the rules of a format say of one subject after the other into clause results:
// severities, --only and --skip, clauses without a rule, the verdict. How often a check is called
// is the format's business. Immutable, so that several threads may judge at once.
class Judge {
 public:
  // `rules`: all that the format has. Those whose clause `spec` lacks stay out of it: that is how
  // the revisions of one specification share them. Both outlive the judge.
  Judge(const Specification& spec, std::span<const RuleHead> rules, ExamineOptions options);

  const Specification& spec() const { return spec_; }
  const ExamineOptions& options() const { return options_; }

  // A rule that is to run.
  struct Task {
    std::size_t rule = 0;    // its place among `rules`
    std::size_t result = 0;  // the place of its clause among the results
  };
  // In the order of the specification.
  std::span<const Task> tasks() const { return tasks_; }
  const Clause& clause(const Task& task) const { return *blank_[task.result].clause; }
  // A fresh one for each task.
  std::vector<Probe> probes() const;
  // For each task what was said of its clause, out of what was said of all that the format has, in
  // the order of their ids.
  std::vector<Probe> probes_of(std::vector<Probe> said) const;

  // Fills in `into.clauses` and the verdict from what was said to the probes, and shortens what
  // is there of texts. Results that are like
  // those of the subject before (null: there is none) share what is common.
  void settle(std::vector<Probe> probes, const SubjectReport* before, SubjectReport& into) const;
  // Ends the examination of a subject: judges it by what was said of each clause that the format
  // has, in the order of the ids, tells options.on_subject, and appends the report.
  void report(SubjectReport subject, std::vector<Probe> said, const FileOptions& options,
              FileReport& into) const;
  // A revision that this program does not judge: every clause is not checked.
  void refuse(std::string reason, SubjectReport& into) const;

 private:
  ClauseResult result_of(const Task& task, Probe&& probe) const;

  const Specification& spec_;
  ExamineOptions options_;
  std::span<const RuleHead> rules_;
  std::vector<Task> tasks_{};
  ClauseResults blank_{};  // what no rule decides is the same for all and always there
};

// The verdict that follows from the clause results, for instance after a baseline was applied.
void decide(SubjectReport& report, const ExamineOptions& options);

}  // namespace hepcheck
