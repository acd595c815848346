#include "validator/judge.h"

#include <algorithm>
#include <format>
#include <unordered_map>
#include <utility>

#include "validator/catalogue/risk.h"
#include "validator/catalogue/selection.h"
#include "validator/read_failure.h"
#include "validator/shorten.h"

namespace hepcheck {

namespace {

bool is_named(const Clause& clause, const std::set<std::string, std::less<>>& words) {
  return std::ranges::any_of(words, [&](const auto& word) { return names(word, clause); });
}

// Applies --strict and --fail-on to the severity of a finding. The risk profile is no defect.
Severity unlowered(Severity severity, const Clause& clause, const ExamineOptions& options) {
  if (options.strict && clause.mandatory() && severity == Severity::kWarning)
    return Severity::kError;
  if (options.fail_on_should && !clause.mandatory() && !is_of_profile(clause) &&
      severity != Severity::kNone)
    return Severity::kError;
  return severity;
}

// Severities set by the user take precedence.
Severity effective(Severity severity, const Clause& clause, const ExamineOptions& options) {
  const auto chosen = options.severities.find(clause.id);
  return chosen != options.severities.end() ? chosen->second : unlowered(severity, clause, options);
}

ClauseResult not_checked(const Clause& clause, std::string reason) {
  return {.clause = &clause,
          .verdict = Verdict::kNotChecked,
          .severity = clause.default_severity,
          .reason = std::move(reason)};
}

Verdict verdict_of(const Probe& probe) {
  if (probe.total_findings() > 0) return Verdict::kFail;
  if (!probe.reason().empty()) return Verdict::kNotChecked;
  return probe.examined() > 0 ? Verdict::kPass : Verdict::kNotApplicable;
}

// A clause without a rule under its own id.
ClauseResult without_rule(const Clause& clause) {
  ClauseResult result{.clause = &clause, .severity = clause.default_severity};
  if (clause.level == Level::kMay) {
    result.reason = "a permission";
  } else if (!clause.emitted_as.empty()) {
    result.reason = "reported as " + std::string(clause.emitted_as.front());
    if (clause.emitted_as.size() > 1)
      result.reason += std::format(" and {} more", clause.emitted_as.size() - 1);
  } else {
    return not_checked(clause, "this version of hepcheck has no rule for it");
  }
  return result;
}

ClauseResult left_out(const Clause& clause, const ExamineOptions& options) {
  const bool skipped = is_named(clause, options.skip);
  const auto why = std::ranges::find_if(
      options.skip_reasons, [&](const auto& reason) { return names(reason.first, clause); });
  ClauseResult result = not_checked(clause, "skipped by the user");
  if (why != options.skip_reasons.end()) result.reason += ": " + why->second;
  result.left_out = skipped ? LeftOut::kSkip : LeftOut::kOnly;
  return result;
}

// The findings in a map of bytes, as the clauses were judged.
void adopt_results(const ClauseResults& results, const ExamineOptions& options, FileMap& map) {
  const auto settled = [&](FileFinding& finding) {
    const auto result = std::ranges::find_if(
        results, [&](const ClauseResult& each) { return each.clause->id == finding.clause; });
    if (result == results.end() || result->verdict != Verdict::kFail) return false;
    finding.severity = effective(finding.severity, *result->clause, options);
    return finding.severity != Severity::kNone;
  };
  std::erase_if(map.findings, [&](FileFinding& each) { return !settled(each); });
}

// Whether rules have the same place in a plan. The ids are the same constants nearly always; to
// compare hundreds of texts takes longer than to examine a small file.
bool planned_alike(const RuleHead& a, const RuleHead& b) {
  return (a.clause.data() == b.clause.data() || a.clause == b.clause) && a.data == b.data;
}

}  // namespace

Judge::Plan Judge::plan_of(const Specification& spec, std::span<const RuleHead> rules,
                           const ExamineOptions& options) {
  std::unordered_map<std::string_view, std::size_t> place;
  for (std::size_t i = 0; i < rules.size(); ++i) place.emplace(rules[i].clause, i);
  const auto wanted = [&](const Clause& clause) {
    return (options.only.empty() || is_named(clause, options.only)) &&
           !is_named(clause, options.skip);
  };
  Plan plan;
  std::vector<ClauseResult> blank;
  for (const Clause& clause : spec.clauses) {
    if (clause.subject != Subject::kFile) continue;
    const auto rule = place.find(clause.id);
    if (rule == place.end() || !clause.file_checkable()) {
      blank.push_back(without_rule(clause));
    } else if (!wanted(clause)) {
      blank.push_back(left_out(clause, options));
    } else if (rules[rule->second].data && options.depth == Depth::kStructure) {
      blank.push_back(
          not_checked(clause, "requires the data, and only the structure was examined"));
      blank.back().left_out = LeftOut::kDepth;
    } else {
      plan.tasks.push_back({rule->second, blank.size(), &clause});
      blank.push_back({.clause = &clause, .severity = clause.default_severity});
    }
  }
  plan.blank = ClauseResults(std::move(blank));
  plan.usual = std::make_shared<const Usual>(usual_of(plan.blank, plan.tasks));
  return plan;
}

// The plans of this process: to make one takes longer than to examine a small file.
class Judge::Plans {
 public:
  std::shared_ptr<const Plan> of(const Specification& spec, std::span<const RuleHead> rules,
                                 const ExamineOptions& options) {
    // Other specifications may be gone when the next one is at their place.
    if (find_specification(spec.id) != &spec)
      return std::make_shared<const Plan>(plan_of(spec, rules, options));
    const std::lock_guard lock(mutex_);
    for (const Known& each : known_)
      if (&each.spec == &spec && each.depth == options.depth && each.only == options.only &&
          each.skip == options.skip && each.skip_reasons == options.skip_reasons &&
          std::ranges::equal(each.rules, rules, planned_alike))
        return each.plan;
    if (known_.size() >= kMost) known_.clear();
    known_.push_back({spec,
                      {rules.begin(), rules.end()},
                      options.depth,
                      options.only,
                      options.skip,
                      options.skip_reasons,
                      std::make_shared<const Plan>(plan_of(spec, rules, options))});
    return known_.back().plan;
  }

 private:
  static constexpr std::size_t kMost = 16;
  // Everything that a plan depends on.
  struct Known {
    const Specification& spec;
    std::vector<RuleHead> rules;
    Depth depth;
    std::set<std::string, std::less<>> only, skip;
    std::map<std::string, std::string, std::less<>> skip_reasons;
    std::shared_ptr<const Plan> plan;
  };

  std::mutex mutex_{};
  std::vector<Known> known_{};
};

Judge::Judge(const Specification& spec, std::span<const RuleHead> rules, ExamineOptions options)
    : spec_(spec), options_(std::move(options)), rules_(rules) {
  static Plans plans;
  plan_ = plans.of(spec, rules, options_);
  usual_ = plan_->usual;
}

std::vector<Probe> Judge::probes() const {
  std::vector<Probe> made;
  made.reserve(tasks().size());
  for (const Task& task : tasks())
    made.emplace_back(clause(task).default_severity, options_.max_findings);
  return made;
}

std::vector<Probe> Judge::probes_of(std::vector<Probe> of_format) const {
  std::vector<Probe> wanted;
  wanted.reserve(tasks().size());
  for (const Task& task : tasks()) wanted.push_back(std::move(of_format[rules_[task.rule].place]));
  return wanted;
}

// Nearly all results of nearly all subjects say only how often a clause was examined, and so often
// it was. Comparing these numbers is faster than comparing the results, which lie far apart.
Judge::Usual Judge::usual_of(const ClauseResults& shared, std::span<const Task> tasks) {
  Usual made{.of = shared};
  for (const Task& task : tasks) {
    const ClauseResult& result = shared[task.result];
    ClauseResult usual{.clause = task.clause,
                       .severity = task.clause->default_severity,
                       .examined = result.examined};
    if (usual.examined > 0) usual.verdict = Verdict::kPass;
    made.examined.push_back(result == usual ? result.examined : kUnusual);
  }
  return made;
}

std::shared_ptr<const Judge::Usual> Judge::usual_of(const ClauseResults& shared) const {
  const std::lock_guard lock(mutex_);
  if (shared.empty() || &usual_->of[0] != &shared[0])
    usual_ = std::make_shared<const Usual>(usual_of(shared, tasks()));
  return usual_;
}

ClauseResult Judge::result_of(const Task& task, Probe&& probe) const {
  const Clause& clause = this->clause(task);
  const std::uint64_t found = probe.total_findings();
  ClauseResult result{.clause = &clause,
                      .verdict = verdict_of(probe),
                      .severity = clause.default_severity,
                      .examined = probe.examined()};
  if (result.verdict == Verdict::kNotChecked) {
    result.reason = probe.reason();
    for (const std::string_view id : probe.by())
      if (const Clause* blocker = spec_.find(id)) result.blocked_by.push_back(blocker);
  }
  if (found == 0) return result;
  result.severity = effective(probe.worst(), clause, options_);
  result.lowered = result.severity < Severity::kError &&
                   unlowered(probe.worst(), clause, options_) == Severity::kError;
  result.findings = std::move(probe).findings();
  result.suppressed = found - result.findings.size();
  for (Finding& finding : result.findings)
    finding.severity = effective(finding.severity, clause, options_);
  return result;
}

void Judge::settle(std::vector<Probe> probes, const SubjectReport* before,
                   SubjectReport& into) const {
  const bool alike =
      before && before->spec == &spec_ && before->verdict != SubjectVerdict::kUnsupported;
  const ClauseResults base = alike ? before->clauses.shared() : plan_->blank;
  const std::shared_ptr<const Usual> usual = usual_of(base);
  ClauseResults::Differences differences;
  for (std::size_t i = 0; i < tasks().size(); ++i) {
    const Task& task = tasks()[i];
    const std::uint64_t examined = probes[i].examined();
    if (usual->examined[i] == examined && examined != kUnusual && probes[i].plain()) continue;
    ClauseResult result = result_of(task, std::move(probes[i]));
    if (result != base[task.result]) differences.push_back({task.result, std::move(result)});
  }
  const bool same = alike && differences.empty() && before->clauses.differences_from(base).empty();
  into.spec = &spec_;
  into.clauses = ClauseResults::with(base, std::move(differences));
  // The first subject defines the shared results, not the initial state.
  if (!alike) into.clauses = into.clauses.merged();
  if (into.map) adopt_results(into.clauses, options_, *into.map);
  if (same) {
    into.verdict = before->verdict;
    into.reason = before->reason;
  } else {
    decide(into, options_);
  }
  shorten(into);
}

void Judge::settle_as_unread(const std::string& failure, SubjectReport& into) const {
  std::vector<Probe> none = probes();
  for (Probe& each : none) each.blocked(failure);
  into.verdict = SubjectVerdict::kPass;
  into.map.reset();
  settle(std::move(none), nullptr, into);
}

void Judge::report(SubjectReport subject, std::vector<Probe> of_format, const FileOptions& options,
                   FileReport& into) const {
  settle(probes_of(std::move(of_format)), nullptr, subject);
  const std::optional<std::string> failure = read_failure();
  if (failure && subject.verdict != SubjectVerdict::kUnchecked) settle_as_unread(*failure, subject);
  if (options.on_subject) options.on_subject(subject);
  into.subjects.push_back(std::move(subject));
}

void Judge::refuse(std::string reason, SubjectReport& into) const {
  std::vector<ClauseResult> results;
  for (const ClauseResult& blank : plan_->blank)
    results.push_back(not_checked(*blank.clause, "a later major revision"));
  into.spec = &spec_;
  into.verdict = SubjectVerdict::kUnsupported;
  into.reason = std::move(reason);
  into.clauses = ClauseResults(std::move(results));
  shorten(into);
}

void decide(SubjectReport& report, const ExamineOptions& options) {
  if (report.verdict == SubjectVerdict::kUnsupported) return;
  report.verdict = SubjectVerdict::kPass;
  report.reason.clear();
  // Only clauses of another specification were requested: nothing was examined.
  const auto is_asked_for = [&](const Clause& clause) { return is_named(clause, options.only); };
  if (!options.only.empty() && !options.allow_unchecked &&
      std::ranges::none_of(report.spec->clauses, is_asked_for)) {
    report.verdict = SubjectVerdict::kUnchecked;
    report.reason = "none of the requested clauses belongs to " + std::string(report.spec->id);
    return;
  }
  for (const ClauseResult& result : report.clauses) {
    if (result.verdict == Verdict::kPass || result.verdict == Verdict::kNotApplicable) continue;
    if (result.open_severity() == Severity::kError) {
      report.verdict = SubjectVerdict::kFail;
      report.reason.clear();
      return;
    }
    const bool open = result.verdict == Verdict::kNotChecked && result.clause->mandatory() &&
                      !result.skipped_by_user() && !result.reason_known;
    if (open && !options.allow_unchecked && report.verdict == SubjectVerdict::kPass) {
      report.verdict = SubjectVerdict::kUnchecked;
      report.reason = std::string(result.clause->id) + ": " + result.reason;
    }
  }
}

}  // namespace hepcheck
