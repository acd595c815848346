// Builds the report of a subject from the results of the rules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "validator/options.h"
#include "validator/probe.h"
#include "validator/report.h"
#include "validator/rule.h"

namespace hepcheck {

// Converts the results of a format's rules for one subject after another to clause results:
// severities, --only and --skip, clauses without a rule, the verdict. The format decides how often
// a check is called. Immutable, so several threads may judge concurrently.
class Judge {
 public:
  // `rules`: all rules of the format. Rules whose clause is not in `spec` are ignored: this is how
  // revisions of a specification share rules. Both must outlive the judge.
  Judge(const Specification& spec, std::span<const RuleHead> rules, ExamineOptions options);

  const Specification& spec() const { return spec_; }
  const ExamineOptions& options() const { return options_; }

  // A rule that is to run.
  struct Task {
    std::size_t rule = 0;    // its place among `rules`
    std::size_t result = 0;  // the position of its clause among the results
    const Clause* clause = nullptr;
  };
  // In the order of the specification.
  std::span<const Task> tasks() const { return plan_->tasks; }
  const Clause& clause(const Task& task) const { return *task.clause; }
  // New probes for each task.
  std::vector<Probe> probes() const;
  // The probes of each task, selected from those of all rules of the format, which are in the order
  // of their ids.
  std::vector<Probe> probes_of(std::vector<Probe> of_format) const;

  // Fills in `into.clauses` and the verdict from the probes, and shortens the texts that are
  // present. Results that equal those of the previous subject (null: there is none) are shared.
  void settle(std::vector<Probe> probes, const SubjectReport* before, SubjectReport& into) const;
  // Ends the examination of a subject: judges it by what was recorded for each clause that the
  // format has, in the order of the ids, tells options.on_subject, and appends the report. If a
  // read failed and there would be a verdict all the same, no clause was checked.
  void report(SubjectReport subject, std::vector<Probe> of_format, const FileOptions& options,
              FileReport& into) const;
  // For a revision that this program does not judge: every clause is not checked.
  void refuse(std::string reason, SubjectReport& into) const;

 private:
  // How often the clause of each task was examined in results that subjects share.
  struct Usual {
    ClauseResults of{};
    std::vector<std::uint64_t> examined{};  // kUnusual: its result says more than that
  };
  static constexpr std::uint64_t kUnusual = ~std::uint64_t{0};

  // What the options select of a specification and its rules; the judges of most files share one.
  struct Plan {
    std::vector<Task> tasks{};
    ClauseResults blank{};  // results that no rule decides are the same for all subjects
    std::shared_ptr<const Usual> usual{};  // of these
  };
  class Plans;

  // Every clause with a rule is not checked for this reason.
  void settle_as_unread(const std::string& failure, SubjectReport& into) const;
  static Plan plan_of(const Specification& spec, std::span<const RuleHead> rules,
                      const ExamineOptions& options);
  static Usual usual_of(const ClauseResults& shared, std::span<const Task> tasks);

  ClauseResult result_of(const Task& task, Probe&& probe) const;
  std::shared_ptr<const Usual> usual_of(const ClauseResults& shared) const;

  const Specification& spec_;
  ExamineOptions options_;
  std::span<const RuleHead> rules_;
  std::shared_ptr<const Plan> plan_;
  mutable std::mutex mutex_{};
  mutable std::shared_ptr<const Usual> usual_{};  // of the results that were compared with last
};

// The verdict that follows from the clause results, for example after a baseline was applied.
void decide(SubjectReport& report, const ExamineOptions& options);

}  // namespace hepcheck
