// The common functions of all formats, compared with slow and obvious ones: results that are merged
// or stored as differences, the maximum of several severities, work on threads, counts over cells.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <thread>

#include "fuzz/properties/random_values.h"
#include "validator/conveyor.h"
#include "validator/judge.h"
#include "validator/parallel.h"

namespace hepcheck {

namespace {

using namespace hepcheck::fuzz;

std::uint64_t draw_below(const std::string& name, std::uint64_t n) {
  return draw(name, [n](Choices& c) { return c.below(n); });
}

// --- A specification for these tests -------------------------------------------------------------

constexpr Clause clause(const char* id, Level level, Severity severity) {
  Clause made{};
  made.id = id;
  made.section = "1";
  made.level = level;
  made.subject = Subject::kFile;
  made.default_severity = severity;
  return made;
}
constexpr std::string_view kInstead[] = {"a", "b"};
// A clause that is reported under the ids of many others.
constexpr Clause aliased(const char* id, std::size_t others) {
  Clause made = clause(id, Level::kMust, Severity::kError);
  made.emitted_as = std::span(kInstead).first(others);
  return made;
}
constexpr Clause of_writers(const char* id) {
  Clause made = clause(id, Level::kMust, Severity::kError);
  made.subject = Subject::kProducer;
  return made;
}
constexpr std::array kClauses = {clause("a", Level::kMust, Severity::kError),
                                 clause("b", Level::kMustNot, Severity::kError),
                                 clause("c", Level::kMust, Severity::kWarning),
                                 clause("d", Level::kShould, Severity::kWarning),
                                 clause("e", Level::kShouldNot, Severity::kInfo),
                                 clause("f", Level::kMust, Severity::kError),
                                 clause("g", Level::kMust, Severity::kInfo),
                                 clause("h", Level::kShould, Severity::kError),
                                 clause("permission", Level::kMay, Severity::kInfo),
                                 clause("no rule", Level::kShould, Severity::kWarning),
                                 aliased("as one", 1),
                                 of_writers("of writers"),
                                 aliased("as two", 2)};
constexpr std::size_t kRuled = 8;
constexpr Specification kSpec = [] {
  Specification made{};
  made.format = "f";
  made.id = "f-1";
  made.clauses = kClauses;
  return made;
}();
constexpr std::array<RuleHead, kRuled> kRules = [] {
  std::array<RuleHead, kRuled> rules;
  for (std::size_t i = 0; i < rules.size(); ++i)
    rules[i] = {.clause = kClauses[i].id, .file = "x.cpp", .data = i % 4 == 1};
  return rules;
}();

// --- Probes --------------------------------------------------------------------------------------

// Everything that a rule may report to its probe.
enum class ProbeCall : std::uint8_t { kLooked, kFail, kError, kWarn, kInform, kBlocked };

void make_call(Probe& probe, ProbeCall call, std::uint64_t number) {
  const Finding finding{.object = std::to_string(number)};
  switch (call) {
    case ProbeCall::kLooked: return probe.looked();
    case ProbeCall::kFail: return probe.fail(finding);
    case ProbeCall::kError: return probe.error(finding);
    case ProbeCall::kWarn: return probe.warn(finding);
    case ProbeCall::kInform: return probe.inform(finding);
    case ProbeCall::kBlocked: return probe.blocked("because of " + finding.object, {"a"});
  }
}

std::vector<ProbeCall> random_words(Choices& c) {
  constexpr ProbeCall kWords[] = {ProbeCall::kLooked, ProbeCall::kWarn,  ProbeCall::kFail,
                                  ProbeCall::kInform, ProbeCall::kError, ProbeCall::kBlocked};
  std::vector<ProbeCall> words;
  for (std::uint64_t n = c.below(7); n > 0; --n) words.push_back(c.of(kWords));
  return words;
}

Severity severity_of(ProbeCall call, Severity fallback) {
  switch (call) {
    case ProbeCall::kError: return Severity::kError;
    case ProbeCall::kWarn: return Severity::kWarning;
    case ProbeCall::kInform: return Severity::kInfo;
    case ProbeCall::kFail: return fallback;
    default: return Severity::kNone;
  }
}

// The results of these reports, in order.
struct ExpectedProbe {
  std::uint64_t examined = 0, total = 0;
  Severity worst = Severity::kNone;
  std::vector<Finding> findings{};
  std::string reason{};

  ExpectedProbe(const std::vector<ProbeCall>& words, Severity fallback, std::uint64_t most) {
    for (std::uint64_t i = 0; i < words.size(); ++i) {
      examined += words[i] == ProbeCall::kLooked;
      if (words[i] == ProbeCall::kBlocked && reason.empty())
        reason = "because of " + std::to_string(i) + " (a)";
      const Severity severity = severity_of(words[i], fallback);
      if (severity == Severity::kNone) continue;
      ++total;
      worst = std::max(worst, severity);
      if (findings.size() < most)
        findings.push_back({.object = std::to_string(i), .severity = severity});
    }
  }
};

RC_GTEST_PROP(Probes, MergedPartsEqualASingleProbe, ()) {
  const auto words = draw("words", random_words);
  constexpr Severity kDefaults[] = {Severity::kError, Severity::kWarning, Severity::kInfo};
  const Severity fallback = kDefaults[draw_below("default severity", 3)];
  const std::uint64_t most = draw_below("most findings", 4);
  Probe joined(fallback, most);
  Probe part(fallback, most);
  for (std::uint64_t i = 0; i < words.size(); ++i) {
    make_call(part, words[i], i);
    if (draw_below("a part ends here", 2) == 0) continue;
    joined.join(std::move(part));
    part = Probe(fallback, most);
  }
  joined.join(std::move(part));
  const ExpectedProbe expected(words, fallback, most);
  RC_ASSERT(joined.examined() == expected.examined);
  RC_ASSERT(joined.total_findings() == expected.total);
  RC_ASSERT(joined.worst() == expected.worst);
  RC_ASSERT(joined.findings() == expected.findings);
  RC_ASSERT(joined.reason() == expected.reason);
  RC_ASSERT(joined.by().empty() == expected.reason.empty());
}

// --- The judge -----------------------------------------------------------------------------------

ExamineOptions random_options(Choices& c) {
  constexpr Severity kSeverities[] = {Severity::kInfo, Severity::kWarning, Severity::kError,
                                      Severity::kNone};
  ExamineOptions options{.depth = c.one_in(4) ? Depth::kStructure : Depth::kFull,
                         .max_findings = 1 + c.below(3),
                         .strict = c.maybe(),
                         .fail_on_should = c.maybe(),
                         .allow_unchecked = c.maybe()};
  for (const Clause& each : kClauses) {
    if (c.one_in(8)) options.severities.emplace(each.id, c.of(kSeverities));
    if (c.one_in(8)) options.skip.emplace(each.id);
    if (c.one_in(8)) options.skip_reasons.emplace(each.id, "it may");
  }
  if (c.one_in(4)) {
    options.only.emplace("of another specification");
    const bool ours = c.maybe();
    for (const Clause& each : kClauses)
      if (ours && c.one_in(4)) options.only.emplace(each.id);
  }
  return options;
}

Severity shown(Severity severity, const Clause& of, const ExamineOptions& options) {
  if (const auto chosen = options.severities.find(of.id); chosen != options.severities.end())
    return chosen->second;
  const bool must = of.level == Level::kMust || of.level == Level::kMustNot;
  if (must && options.strict && severity == Severity::kWarning) return Severity::kError;
  if (!must && options.fail_on_should) return Severity::kError;
  return severity;
}

// Whether it is an error only without the user's levels.
bool lowered(Severity worst, const Clause& of, ExamineOptions options) {
  const Severity now = shown(worst, of, options);
  options.severities.clear();
  return now != Severity::kError && shown(worst, of, options) == Severity::kError;
}

// The reports of the rules for one subject, by clause.
using Words = std::map<std::string, std::vector<ProbeCall>>;
Words random_subject(Choices& c) {
  Words words;
  for (const Clause& each : kClauses)
    if (c.maybe()) words[std::string(each.id)] = random_words(c);
  return words;
}

// The initial result of a clause; no clause if it is examined.
std::optional<ClauseResult> known_before(const Clause& of, const ExamineOptions& options) {
  ClauseResult result{.clause = &of, .severity = of.default_severity};
  const auto rule = std::ranges::find(kRules, of.id, &RuleHead::clause);
  if (of.level == Level::kMay) {
    result.reason = "a permission";
  } else if (!of.emitted_as.empty()) {
    result.reason = of.emitted_as.size() == 1 ? "reported as a" : "reported as a and 1 more";
  } else if (rule == kRules.end()) {
    result.verdict = Verdict::kNotChecked;
    result.reason = "this version of hepcheck has no rule for it";
  } else if (options.skip.contains(of.id) ||
             (!options.only.empty() && !options.only.contains(of.id))) {
    result.verdict = Verdict::kNotChecked;
    result.reason = options.skip_reasons.contains(of.id) ? "skipped by the user: it may"
                                                         : "skipped by the user";
    result.left_out = options.skip.contains(of.id) ? LeftOut::kSkip : LeftOut::kOnly;
  } else if (rule->data && options.depth == Depth::kStructure) {
    result.verdict = Verdict::kNotChecked;
    result.reason = "requires the data, and only the structure was examined";
    result.left_out = LeftOut::kDepth;
  } else {
    return std::nullopt;
  }
  return result;
}

// The verdict and the results that follow.
struct Judged {
  SubjectVerdict verdict = SubjectVerdict::kPass;
  std::string reason{};
  std::vector<ClauseResult> results{};
};
Judged slow_judge(const Words& words, const ExamineOptions& options) {
  Judged judged;
  bool failed = false;
  std::string open;  // the first clause that prevents a pass
  for (const Clause& each : kClauses) {
    const bool must = each.level == Level::kMust || each.level == Level::kMustNot;
    if (each.subject != Subject::kFile) continue;
    ClauseResult result{.clause = &each, .severity = each.default_severity};
    if (const auto known = known_before(each, options)) {
      judged.results.push_back(*known);
      if (must && known->verdict == Verdict::kNotChecked && !known->skipped_by_user() &&
          open.empty())
        open = std::string(each.id) + ": " + known->reason;
      continue;
    }
    const auto calls = words.find(std::string(each.id));
    const ExpectedProbe expected(calls == words.end() ? std::vector<ProbeCall>{} : calls->second,
                                 each.default_severity, options.max_findings);
    result.examined = expected.examined;
    if (expected.total > 0) {
      result.verdict = Verdict::kFail;
      result.findings = expected.findings;
      for (Finding& finding : result.findings)
        finding.severity = shown(finding.severity, each, options);
      result.suppressed = expected.total - expected.findings.size();
      result.severity = shown(expected.worst, each, options);
      result.lowered = lowered(expected.worst, each, options);
      // Only the maximum severity is known of findings that are not shown.
      Severity worst = result.suppressed > 0 ? result.severity : Severity::kNone;
      for (const Finding& finding : result.findings) worst = std::max(worst, finding.severity);
      failed |= worst == Severity::kError;
    } else if (!expected.reason.empty()) {
      result.verdict = Verdict::kNotChecked;
      result.reason = expected.reason;
      result.blocked_by = {&kClauses[0]};
      if (must && open.empty()) open = std::string(each.id) + ": " + expected.reason;
    } else if (expected.examined > 0) {
      result.verdict = Verdict::kPass;
    }
    judged.results.push_back(result);
  }
  const auto is_ours = [](const std::string& id) { return kSpec.find(id) != nullptr; };
  const bool foreign = !options.only.empty() && std::ranges::none_of(options.only, is_ours);
  if (foreign) open = "none of the requested clauses belongs to f-1";
  judged.verdict = failed                                      ? SubjectVerdict::kFail
                   : !open.empty() && !options.allow_unchecked ? SubjectVerdict::kUnchecked
                                                               : SubjectVerdict::kPass;
  if (judged.verdict == SubjectVerdict::kUnchecked) judged.reason = open;
  return judged;
}

// It has no result, and no option changes that.
void check_refused(const SubjectReport& refused, const ExamineOptions& options) {
  SubjectReport again = refused;
  decide(again, options);
  for (const SubjectReport& each : {refused, again}) {
    RC_ASSERT(each.verdict == SubjectVerdict::kUnsupported);
    RC_ASSERT(each.reason == "of a later revision");
    for (const ClauseResult& result : each.clauses) {
      RC_ASSERT(result.verdict == Verdict::kNotChecked);
      RC_ASSERT(result.reason == "a later major revision");
    }
  }
}

// One subject after another, each storing only the differences from the previous one.
RC_GTEST_PROP(Judges, SubjectsAreJudgedIndependently, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>().as("subjects");
  Noise noise(seed);
  const ExamineOptions options = random_options(noise);
  const Judge judge(kSpec, kRules, options);
  // Before the file, or after it, a file that could not be examined.
  Report report{.spec = &kSpec, .files = {{.path = "file"}, {.path = "file"}}};
  const std::size_t examined = noise.below(2);
  const bool broken = noise.maybe();
  if (broken) report.files[1 - examined].error = Error{"file", "damaged"};
  std::vector<SubjectReport>& subjects = report.files[examined].subjects;
  bool any_failed = false, any_open = broken;
  for (std::uint64_t n = 1 + draw_below("further subjects", 5); n > 0; --n) {
    if (noise.one_in(6)) {
      SubjectReport& refused = subjects.emplace_back();
      judge.refuse("of a later revision", refused);
      check_refused(refused, options);
      any_open = true;
      continue;
    }
    const Words words = random_subject(noise);
    std::vector<Probe> probes = judge.probes();
    for (std::size_t i = 0; i < probes.size(); ++i)
      if (const auto calls = words.find(std::string(judge.clause(judge.tasks()[i]).id));
          calls != words.end())
        for (std::uint64_t w = 0; w < calls->second.size(); ++w)
          make_call(probes[i], calls->second[w], w);
    SubjectReport subject{.path = "/s"};
    judge.settle(std::move(probes), subjects.empty() ? nullptr : &subjects.back(), subject);
    const Judged alone = slow_judge(words, options);
    RC_ASSERT(std::ranges::equal(subject.clauses, alone.results));
    RC_ASSERT(subject.verdict == alone.verdict);
    RC_ASSERT(subject.reason == alone.reason);
    any_failed |= alone.verdict == SubjectVerdict::kFail;
    any_open |= alone.verdict == SubjectVerdict::kUnchecked;
    subjects.push_back(std::move(subject));
  }
  RC_ASSERT(exit_status(report) == (any_failed ? 1 : any_open ? 3 : 0));
  RC_ASSERT(exit_status(report, false) == (any_open ? 3 : 0));
}

// --- Results stored as differences ---------------------------------------------------------------

RC_GTEST_PROP(Results, RestoredFromDifferencesAreEqual, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>().as("changes");
  Noise noise(seed);
  std::vector<ClauseResult> plain(1 + draw_below("clauses", 40));
  for (ClauseResult& result : plain) result.clause = &kClauses[0];
  ClauseResults held(plain);
  std::vector<ClauseResults> earlier{held};
  for (std::uint64_t n = draw_below("changes", 6); n > 0; --n) {
    ClauseResults::Differences differences;
    for (std::size_t at = 0; at < plain.size(); ++at) {
      if (!noise.one_in(6)) continue;
      plain[at].examined = noise.below(3);
      differences.push_back({at, plain[at]});
    }
    for (std::uint64_t more = noise.one_in(4) ? 1 + noise.below(2) : 0; more > 0; --more) {
      plain.push_back({.clause = &kClauses[1], .examined = noise.below(3)});
      differences.push_back({plain.size() - 1, plain.back()});
    }
    held = ClauseResults::with(held, differences);
    RC_ASSERT(std::ranges::equal(held, plain));
    RC_ASSERT(held.size() == plain.size());
    for (const ClauseResults& base : earlier)
      RC_ASSERT(std::ranges::equal(ClauseResults::with(base, held.differences_from(base)), plain));
    earlier.push_back(held);
  }
}

// --- Cells ---------------------------------------------------------------------------------------

// Slightly more or fewer than the stored cells, at any width.
RC_GTEST_PROP(Spreads, HaveTheNarrowestCellsWithinTheLimit, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>().as("positions");
  Noise noise(seed + 1);
  const std::uint64_t count = 250 + draw_below("positions", 12);
  const std::uint64_t step = 1 + draw_below("step", 5);
  const std::uint64_t shift = draw_below("shift", 50);
  std::vector<std::uint64_t> positions;
  for (std::uint64_t i = 0; i < count; ++i) positions.push_back(i * step << shift);
  for (std::uint64_t n = noise.below(3); n > 0; --n) positions.push_back(noise.bits() >> 8);

  std::uint64_t width = 1;
  std::map<std::uint64_t, std::uint64_t> wanted;
  for (;; width *= 2) {
    wanted.clear();
    for (const std::uint64_t position : positions) ++wanted[position / width];
    if (wanted.size() <= Spread::kMostCells) break;
  }
  Spread parts[3], joined;
  for (const std::uint64_t position : positions) parts[noise.below(3)].add(position);
  for (const Spread& part : parts) joined.add(part);
  RC_ASSERT(joined.width() == width);
  RC_ASSERT(joined.cells().size() == wanted.size());
  for (const Spread::Cell& cell : joined.cells()) RC_ASSERT(wanted.at(cell.at) == cell.count);
  RC_ASSERT(Spread::of(joined.width(), joined.cells()) == joined);
}

// --- Threads -------------------------------------------------------------------------------------

RC_GTEST_PROP(Threads, EachTaskRunsOnceAndTheFirstFailureIsReported, ()) {
  const std::uint64_t count = draw_below("turns", 40);
  const auto jobs = static_cast<unsigned>(draw_below("threads", 5));
  const std::uint64_t fails = draw_below("fails from", 50);
  std::mutex mutex;
  std::map<std::uint64_t, int> turns;
  std::optional<std::uint64_t> failure;
  try {
    parallel_for(count, jobs, [&](std::uint64_t i) {
      {
        const std::lock_guard lock(mutex);
        ++turns[i];
      }
      if (i >= fails) throw i;
    });
  } catch (std::uint64_t i) {
    failure = i;
  }
  RC_ASSERT(failure.has_value() == (fails < count));
  if (failure) RC_ASSERT(*failure == fails);
  for (std::uint64_t i = 0; i < std::min(count, fails); ++i) RC_ASSERT(turns[i] == 1);
  for (const auto& [i, times] : turns) RC_ASSERT(i < count && times == 1);
}

// Each call begins before the other one fails.
TEST(Threads, TheLowestFailureIsReportedInAnyOrder) {
  for (const std::uint64_t first : {0, 1}) {
    std::atomic<int> begun = 0;
    std::atomic<bool> other_failed = false;
    try {
      parallel_for(2, 2, [&](std::uint64_t i) {
        const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(2);
        const auto wait_for = [&](const auto& ready) {
          while (!ready() && std::chrono::steady_clock::now() < patience)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        };
        ++begun;
        wait_for([&] { return begun == 2; });
        if (i == first) {
          other_failed = true;
          throw std::runtime_error(std::to_string(i));
        }
        wait_for([&] { return other_failed.load(); });
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        throw std::runtime_error(std::to_string(i));
      });
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "0") << first;
    }
  }
}

RC_GTEST_PROP(Threads, ConveyedItemsKeepTheirOrder, ()) {
  const std::uint64_t count = draw_below("items", 70);
  const std::uint64_t fails = draw_below("fails at", 140);
  std::vector<std::uint64_t> done;
  std::optional<std::uint64_t> failure;
  try {
    Conveyor<std::uint64_t> conveyor(1 + draw_below("room", 20), draw_below("threads", 2) == 1,
                                     [&](std::uint64_t item) {
                                       if (item == fails) throw item;
                                       done.push_back(item);
                                     });
    for (std::uint64_t i = 0; i < count; ++i) conveyor.put(i, 1 + i % 3);
    conveyor.finish();
  } catch (std::uint64_t item) {
    failure = item;
  }
  RC_ASSERT(failure.has_value() == (fails < count));
  RC_ASSERT(done.size() == std::min(count, fails));
  for (std::uint64_t i = 0; i < done.size(); ++i) RC_ASSERT(done[i] == i);
}

}  // namespace

}  // namespace hepcheck
