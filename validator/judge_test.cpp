// The judge with a specification defined here: it does not depend on a format.
#include "validator/judge.h"

#include <gtest/gtest.h>

#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace hepcheck {
namespace {

constexpr Clause clause(const char* id, Level level = Level::kMust,
                        Severity severity = Severity::kError) {
  Clause made{};
  made.id = id;
  made.section = "1";
  made.level = level;
  made.subject = Subject::kFile;
  made.default_severity = severity;
  return made;
}
constexpr std::array kClauses = {clause("a"),
                                 clause("b"),
                                 clause("without-rule"),
                                 clause("advice", Level::kShould, Severity::kInfo),
                                 clause("needs-data"),
                                 clause("allowed", Level::kMay)};
constexpr Specification kSpec = [] {
  Specification made{};
  made.format = "f";
  made.id = "f-1";
  made.clauses = kClauses;
  return made;
}();
// The format has a rule that this revision does not contain.
constexpr std::array<RuleHead, 5> kRules = {{{"of-another-revision", "x.cpp", false},
                                             {"b", "x.cpp", false},
                                             {"a", "x.cpp", false},
                                             {"advice", "x.cpp", false},
                                             {"needs-data", "x.cpp", true}}};

// The probes, named by their clause.
struct Subjected {
  explicit Subjected(ExamineOptions options = {}) : judge(kSpec, kRules, std::move(options)) {}

  Probe& on(std::string_view id) {
    for (std::size_t i = 0; i < probes.size(); ++i)
      if (judge.clause(judge.tasks()[i]).id == id) return probes[i];
    throw id;
  }
  SubjectReport settle(const SubjectReport* before = nullptr) {
    SubjectReport report{.path = "/s"};
    judge.settle(std::move(probes), before, report);
    return report;
  }

  Judge judge;
  std::vector<Probe> probes = judge.probes();
};

const ClauseResult& result(const SubjectReport& report, std::string_view id) {
  for (const ClauseResult& each : report.clauses)
    if (each.clause->id == id) return each;
  throw id;
}

TEST(Judge, RunsTheRulesOfItsRevisionInOrder) {
  const Judge judge(kSpec, kRules, {});
  std::vector<std::string_view> ids;
  for (const Judge::Task& task : judge.tasks()) {
    ids.push_back(judge.clause(task).id);
    EXPECT_EQ(kRules[task.rule].clause, judge.clause(task).id);
  }
  EXPECT_EQ(ids, (std::vector<std::string_view>{"a", "b", "advice", "needs-data"}));
}

TEST(Judge, UnexaminedIsNotApplicableAndMissingRulesAreNotChecked) {
  Subjected run;
  run.on("a").looked();
  const SubjectReport report = run.settle();
  EXPECT_EQ(report.spec, &kSpec);
  EXPECT_EQ(result(report, "a").verdict, Verdict::kPass);
  EXPECT_EQ(result(report, "b").verdict, Verdict::kNotApplicable);
  EXPECT_EQ(result(report, "without-rule").verdict, Verdict::kNotChecked);
  EXPECT_EQ(result(report, "allowed").reason, "a permission");
  EXPECT_EQ(report.verdict, SubjectVerdict::kUnchecked);
}

TEST(Judge, TheFirstClauseThatWasNotCheckedIsNamed) {
  Subjected run;
  run.on("a").blocked("no way");
  EXPECT_EQ(run.settle().reason, "a: no way");
}

TEST(Judge, BlockingClausesAreData) {
  Subjected run;
  run.on("a").looked();
  run.on("a").fail({.object = "/s", .observed = "x", .expected = "y"});
  run.on("b").blocked("it cannot be read", {"a", "of-another-revision"});
  const SubjectReport report = run.settle();
  EXPECT_EQ(report.verdict, SubjectVerdict::kFail);
  EXPECT_EQ(result(report, "b").verdict, Verdict::kNotChecked);
  EXPECT_EQ(result(report, "b").reason, "it cannot be read (a, of-another-revision)");
  EXPECT_EQ(result(report, "b").blocked_by, std::vector<const Clause*>{&kClauses[0]});
}

TEST(Judge, SkippedAndStructureOnlyAreReported) {
  Subjected run({.depth = Depth::kStructure, .skip = {"a"}, .skip_reasons = {{"a", "later"}}});
  EXPECT_EQ(run.judge.tasks().size(), 2u);
  const SubjectReport report = run.settle();
  EXPECT_EQ(result(report, "a").reason, "skipped by the user: later");
  EXPECT_TRUE(result(report, "a").skipped_by_user());
  EXPECT_EQ(result(report, "needs-data").verdict, Verdict::kNotChecked);
}

TEST(Judge, ClausesAreSelectedByPatternsAndSections) {
  const auto looked_at = [](ExamineOptions options) {
    std::string ids;
    const Judge judge(kSpec, kRules, std::move(options));
    for (const Judge::Task& task : judge.tasks()) ids.append(judge.clause(task).id).append(" ");
    return ids;
  };
  EXPECT_EQ(looked_at({}), "a b advice needs-data ");
  EXPECT_EQ(looked_at({.only = {"a*"}}), "a advice ");
  EXPECT_EQ(looked_at({.only = {"a*", "needs-data"}, .skip = {"*v*"}}), "a needs-data ");
  EXPECT_EQ(looked_at({.only = {"1"}}), "a b advice needs-data ");
  EXPECT_EQ(looked_at({.skip = {"1"}}), "");
  EXPECT_EQ(looked_at({.only = {"1.1", "2", ""}}), "");
  Subjected run({.skip = {"a*"}, .skip_reasons = {{"a*", "later"}}});
  EXPECT_EQ(result(run.settle(), "advice").reason, "skipped by the user: later");
}

// --fail-on should counts recommendations that are not followed; a risk is none.
TEST(Judge, RisksAreNoRecommendations) {
  constexpr static std::array kRisky = {[] {
    Clause made = clause("risky", Level::kShould, Severity::kInfo);
    made.basis = "risk";
    return made;
  }()};
  constexpr static std::array<RuleHead, 1> kRiskyRules = {{{"risky", "x.cpp", false}}};
  Specification spec{};
  spec.format = "f";
  spec.id = "f-2";
  spec.clauses = kRisky;
  for (const bool raised : {false, true}) {
    ExamineOptions options{.fail_on_should = true};
    if (raised) options.severities = {{"risky", Severity::kError}};
    const Judge judge(spec, kRiskyRules, options);
    std::vector<Probe> probes = judge.probes();
    probes[0].fail({.object = "/s"});
    SubjectReport report{.path = "/s"};
    judge.settle(std::move(probes), nullptr, report);
    EXPECT_EQ(result(report, "risky").severity, raised ? Severity::kError : Severity::kInfo);
    EXPECT_EQ(report.verdict, raised ? SubjectVerdict::kFail : SubjectVerdict::kPass);
  }
}

TEST(Judge, LevelsOfTheUserChangeSeverities) {
  const auto broken = [](ExamineOptions options) {
    Subjected run(std::move(options));
    run.on("advice").fail({.object = "/s"});
    run.on("a").warn({.object = "/s"});
    return run.settle();
  };
  EXPECT_EQ(result(broken({}), "advice").severity, Severity::kInfo);
  EXPECT_EQ(result(broken({.fail_on_should = true}), "advice").severity, Severity::kError);
  EXPECT_EQ(result(broken({}), "a").findings[0].severity, Severity::kWarning);
  EXPECT_EQ(result(broken({.strict = true}), "a").findings[0].severity, Severity::kError);
  EXPECT_EQ(result(broken({.severities = {{"a", Severity::kInfo}}}), "a").severity,
            Severity::kInfo);
}

// A page shows the findings at their bytes as the clauses were judged.
TEST(Judge, FindingsOfAMapFollowTheResultsOfClauses) {
  Subjected run({.skip = {"needs-data"},
                 .severities = {{"b", Severity::kWarning}, {"advice", Severity::kNone}}});
  for (const char* broken : {"b", "advice"})
    run.on(broken).fail({.object = "/s", .observed = "x", .expected = "y"});
  run.on("a").looked();
  SubjectReport report{.path = "/s"};
  report.map.emplace();
  for (const char* each : {"b", "advice", "a", "needs-data", "of-another-revision"})
    report.map->findings.push_back({.severity = Severity::kError, .clause = each});
  run.judge.settle(std::move(run.probes), nullptr, report);
  ASSERT_EQ(report.map->findings.size(), 1u);
  EXPECT_EQ(report.map->findings[0].clause, "b");
  EXPECT_EQ(report.map->findings[0].severity, Severity::kWarning);
}

TEST(Judge, EqualSubjectsAreJudgedIndependently) {
  Subjected first;
  for (Probe& probe : first.probes) probe.looked();
  const SubjectReport one = first.settle();
  const auto next = [](const SubjectReport* before) {
    Subjected second;
    for (Probe& probe : second.probes) probe.looked();
    second.on("b").fail({.object = "/s"});
    return second.settle(before);
  };
  const SubjectReport with = next(&one), alone = next(nullptr);
  EXPECT_TRUE(std::ranges::equal(with.clauses, alone.clauses));
  EXPECT_EQ(with.verdict, SubjectVerdict::kFail);
  EXPECT_EQ(with.clauses.differences_from(one.clauses).size(), 1u);
  // A report by another specification does not refer to this one.
  const auto clauses = kClauses;
  Specification other = kSpec;
  other.clauses = clauses;
  const Judge other_judge(other, kRules, {});
  SubjectReport foreign{.path = "/s"};
  other_judge.settle(other_judge.probes(), nullptr, foreign);
  for (const ClauseResult& each : next(&foreign).clauses)
    EXPECT_EQ(each.clause, kSpec.find(each.clause->id));
  // The verdict of one with the common results is theirs, and not that of the one before.
  Subjected third;
  for (Probe& probe : third.probes) probe.looked();
  EXPECT_EQ(third.settle(&with).verdict, one.verdict);
  EXPECT_EQ(next(&alone).verdict, SubjectVerdict::kFail);
  // They share all results of the first one.
  EXPECT_TRUE(std::ranges::equal(one.clauses.shared(), one.clauses));
}

TEST(Judge, LaterRevisionIsRefusedCompletely) {
  SubjectReport report;
  Judge(kSpec, kRules, {}).refuse("it claims 9", report);
  EXPECT_EQ(report.verdict, SubjectVerdict::kUnsupported);
  for (const ClauseResult& each : report.clauses) EXPECT_EQ(each.verdict, Verdict::kNotChecked);
  // The next subject is judged as if there were none before it.
  Subjected next, alone;
  EXPECT_TRUE(std::ranges::equal(next.settle(&report).clauses, alone.settle().clauses));
}

// The judges of a process share what they select, if they select the same.
TEST(Judge, EachSelectsByItsOwnOptions) {
  const Specification& spec = default_revision("arrow");
  std::vector<RuleHead> rules;
  for (const Clause& each : spec.clauses)
    if (each.file_checkable() && rules.size() < 3) rules.push_back({each.id, "x.cpp", true});
  ASSERT_EQ(rules.size(), 3u);
  const std::string first(rules[0].clause);
  const auto tasks = [&](ExamineOptions options, std::size_t count = 3) {
    return Judge(spec, std::span(rules).first(count), std::move(options)).tasks().size();
  };
  const auto reason = [&](std::string why) {
    const Judge judge(spec, rules, {.skip = {first}, .skip_reasons = {{first, std::move(why)}}});
    SubjectReport report{.path = "/s"};
    judge.settle(judge.probes(), nullptr, report);
    return result(report, first).reason;
  };
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(tasks({}), 3u);
    EXPECT_EQ(tasks({}, 1), 1u);
    EXPECT_EQ(tasks({.only = {first}}), 1u);
    EXPECT_EQ(tasks({.skip = {first}}), 2u);
    EXPECT_EQ(tasks({.depth = Depth::kStructure}), 0u);
    EXPECT_EQ(reason("one"), "skipped by the user: one");
    EXPECT_EQ(reason("two"), "skipped by the user: two");
    // Other rules, at the same place in memory.
    rules[0].data = false;
    EXPECT_EQ(tasks({.depth = Depth::kStructure}), 1u);
    rules[0] = {"of-another-revision", "x.cpp", true};
    EXPECT_EQ(tasks({}), 2u);
    rules[0] = {first, "x.cpp", true};
    EXPECT_EQ(tasks({}), 3u);
  }
  Specification here = kSpec;
  EXPECT_EQ(Judge(here, kRules, {}).tasks().size(), 4u);
  here.clauses = here.clauses.first(1);
  EXPECT_EQ(Judge(here, kRules, {}).tasks().size(), 1u);
}

TEST(ClauseResults, DifferencesRestoreThem) {
  std::vector<ClauseResult> base(40);
  for (std::size_t i = 0; i < base.size(); ++i) base[i].clause = &kClauses[i % kClauses.size()];
  const ClauseResults common(base);
  ClauseResults step = common;
  for (const std::size_t changed : {3u, 39u, 3u, 0u, 20u}) {
    base[changed].examined += changed + 1;
    step = ClauseResults::with(step, {{changed, base[changed]}});
    EXPECT_TRUE(std::ranges::equal(step, base)) << changed;
    const auto differences = step.differences_from(common);
    EXPECT_TRUE(std::ranges::equal(ClauseResults::with(common, differences), base));
    EXPECT_TRUE(std::ranges::equal(step.shared(), common));
  }
  EXPECT_EQ(step.differences_from(common).size(), 4u);
  // Several at once, some of which were changed before.
  ClauseResults::Differences several;
  for (const std::size_t changed : {0u, 1u, 3u, 38u}) {
    base[changed].examined = 1000 + changed;
    several.push_back({changed, base[changed]});
  }
  step = ClauseResults::with(step, several);
  EXPECT_TRUE(std::ranges::equal(step, base));
  EXPECT_EQ(step.differences_from(common).size(), 6u);
  // Two from one base, each with its own results.
  const ClauseResults left = ClauseResults::with(common, {{5, base[0]}}),
                      right = ClauseResults::with(common, {{7, base[0]}});
  EXPECT_EQ(left.differences_from(right).size(), 2u);
  EXPECT_EQ(right.differences_from(left).size(), 2u);
  EXPECT_TRUE(std::ranges::equal(ClauseResults::with(right, left.differences_from(right)), left));
  // Many differences, and results that the base does not have.
  base.resize(50, base[1]);
  for (ClauseResult& each : base) each.reason = "changed";
  const auto all = ClauseResults(base).differences_from(common);
  EXPECT_EQ(all.size(), 50u);
  EXPECT_TRUE(std::ranges::equal(ClauseResults::with(common, all), base));
}

// A finding that was not listed, and that no baseline knows, is as severe as its clause.
TEST(ClauseResults, SuppressedFindingsAreOpen) {
  ClauseResult result{
      .clause = &kClauses[0], .verdict = Verdict::kFail, .severity = Severity::kError};
  Finding known{.severity = Severity::kError};
  known.known = true;
  result.findings = {known};
  EXPECT_EQ(result.open_severity(), Severity::kNone);
  result.suppressed = 1;
  EXPECT_EQ(result.open_severity(), Severity::kError);
  result.suppressed_known = true;
  EXPECT_EQ(result.open_severity(), Severity::kNone);
  result.findings.push_back({.severity = Severity::kWarning});
  result.findings.push_back({.severity = Severity::kInfo});
  EXPECT_EQ(result.open_severity(), Severity::kWarning);
}

}  // namespace
}  // namespace hepcheck
