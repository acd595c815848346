// What all formats share, against the slow and obvious: results that are joined or held as
// differences, the worst of several severities, work on threads, counts over cells.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "fuzz/properties/draw.h"
#include "validator/conveyor.h"
#include "validator/judge.h"
#include "validator/parallel.h"

namespace hepcheck {

namespace {

using namespace hepcheck::fuzz;

std::uint64_t draw_below(const std::string& name, std::uint64_t n) {
  return draw(name, [n](Choices& c) { return c.below(n); });
}

// --- A specification made up here ----------------------------------------------------------------

constexpr Clause clause(const char* id, Level level, Severity severity) {
  Clause made{};
  made.id = id;
  made.section = "1";
  made.level = level;
  made.subject = Subject::kFile;
  made.default_severity = severity;
  return made;
}
constexpr std::array kClauses = {clause("a", Level::kMust, Severity::kError),
                                 clause("b", Level::kMustNot, Severity::kError),
                                 clause("c", Level::kMust, Severity::kWarning),
                                 clause("d", Level::kShould, Severity::kWarning),
                                 clause("e", Level::kShouldNot, Severity::kInfo),
                                 clause("f", Level::kMust, Severity::kError),
                                 clause("g", Level::kMust, Severity::kInfo),
                                 clause("h", Level::kShould, Severity::kError)};
constexpr Specification kSpec = [] {
  Specification made{};
  made.format = "f";
  made.id = "f-1";
  made.clauses = kClauses;
  return made;
}();
constexpr std::array<RuleHead, kClauses.size()> kRules = [] {
  std::array<RuleHead, kClauses.size()> rules;
  for (std::size_t i = 0; i < rules.size(); ++i)
    rules[i] = {.clause = kClauses[i].id, .file = "x.cpp", .data = false};
  return rules;
}();

// --- Probes
// ---------------------------------------------------------------------------------------

// What a rule may say to its probe.
enum class Said : std::uint8_t { kLooked, kFail, kError, kWarn, kInform, kBlocked };

void say(Probe& probe, Said said, std::uint64_t number) {
  const Finding finding{.object = std::to_string(number)};
  switch (said) {
    case Said::kLooked: return probe.looked();
    case Said::kFail: return probe.fail(finding);
    case Said::kError: return probe.error(finding);
    case Said::kWarn: return probe.warn(finding);
    case Said::kInform: return probe.inform(finding);
    case Said::kBlocked: return probe.blocked("because of " + finding.object, {"a"});
  }
}

std::vector<Said> random_words(Choices& c) {
  constexpr Said kWords[] = {Said::kLooked, Said::kWarn,  Said::kFail,
                             Said::kInform, Said::kError, Said::kBlocked};
  std::vector<Said> words;
  for (std::uint64_t n = c.below(7); n > 0; --n) words.push_back(c.of(kWords));
  return words;
}

Severity severity_of(Said said, Severity fallback) {
  switch (said) {
    case Said::kError: return Severity::kError;
    case Said::kWarn: return Severity::kWarning;
    case Said::kInform: return Severity::kInfo;
    case Said::kFail: return fallback;
    default: return Severity::kNone;
  }
}

// What comes of the words, one after the other.
struct Told {
  std::uint64_t examined = 0, total = 0;
  Severity worst = Severity::kNone;
  std::vector<Finding> findings{};
  std::string reason{};

  Told(const std::vector<Said>& words, Severity fallback, std::uint64_t most) {
    for (std::uint64_t i = 0; i < words.size(); ++i) {
      examined += words[i] == Said::kLooked;
      if (words[i] == Said::kBlocked && reason.empty())
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

RC_GTEST_PROP(Probes, PartsTogetherSayWhatOneWouldHaveSaid, ()) {
  const auto words = draw("words", random_words);
  constexpr Severity kDefaults[] = {Severity::kError, Severity::kWarning, Severity::kInfo};
  const Severity fallback = kDefaults[draw_below("default severity", 3)];
  const std::uint64_t most = draw_below("most findings", 4);
  Probe joined(fallback, most);
  Probe part(fallback, most);
  for (std::uint64_t i = 0; i < words.size(); ++i) {
    say(part, words[i], i);
    if (draw_below("a part ends here", 2) == 0) continue;
    joined.join(std::move(part));
    part = Probe(fallback, most);
  }
  joined.join(std::move(part));
  const Told told(words, fallback, most);
  RC_ASSERT(joined.examined() == told.examined);
  RC_ASSERT(joined.total_findings() == told.total);
  RC_ASSERT(joined.worst() == told.worst);
  RC_ASSERT(joined.findings() == told.findings);
  RC_ASSERT(joined.reason() == told.reason);
  RC_ASSERT(joined.by().empty() == told.reason.empty());
}

// --- The judge
// ------------------------------------------------------------------------------------

ExamineOptions random_options(Choices& c) {
  constexpr Severity kSeverities[] = {Severity::kInfo, Severity::kWarning, Severity::kError,
                                      Severity::kNone};
  ExamineOptions options{.max_findings = 1 + c.below(3),
                         .strict = c.maybe(),
                         .fail_on_should = c.maybe(),
                         .allow_unchecked = c.maybe()};
  for (const Clause& each : kClauses) {
    if (c.one_in(8)) options.severities.emplace(each.id, c.of(kSeverities));
    if (c.one_in(8)) options.skip.emplace(each.id);
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

// What the rules say of one subject, by clause.
using Words = std::map<std::string, std::vector<Said>>;
Words random_subject(Choices& c) {
  Words words;
  for (const Clause& each : kClauses)
    if (c.maybe()) words[std::string(each.id)] = random_words(c);
  return words;
}

// The verdict and the results that follow.
struct Judged {
  SubjectVerdict verdict = SubjectVerdict::kPass;
  std::vector<ClauseResult> results{};
};
Judged slow_judge(const Words& words, const ExamineOptions& options) {
  Judged judged;
  bool failed = false, open = false;
  for (const Clause& each : kClauses) {
    ClauseResult result{.clause = &each, .severity = each.default_severity};
    if (options.skip.contains(each.id)) {
      result.verdict = Verdict::kNotChecked;
      result.reason = "left out by the user";
      result.left_out = LeftOut::kSkip;
      judged.results.push_back(result);
      continue;
    }
    const auto said = words.find(std::string(each.id));
    const Told told(said == words.end() ? std::vector<Said>{} : said->second, each.default_severity,
                    options.max_findings);
    result.examined = told.examined;
    if (told.total > 0) {
      result.verdict = Verdict::kFail;
      result.findings = told.findings;
      for (Finding& finding : result.findings)
        finding.severity = shown(finding.severity, each, options);
      result.suppressed = told.total - told.findings.size();
      result.severity = shown(told.worst, each, options);
      result.lowered = lowered(told.worst, each, options);
      // Of findings that are not shown only the worst severity of all is known.
      Severity worst = result.suppressed > 0 ? result.severity : Severity::kNone;
      for (const Finding& finding : result.findings) worst = std::max(worst, finding.severity);
      failed |= worst == Severity::kError;
    } else if (!told.reason.empty()) {
      result.verdict = Verdict::kNotChecked;
      result.reason = told.reason;
      result.blocked_by = {&kClauses[0]};
      open |= each.level == Level::kMust || each.level == Level::kMustNot;
    } else if (told.examined > 0) {
      result.verdict = Verdict::kPass;
    }
    judged.results.push_back(result);
  }
  judged.verdict = failed                             ? SubjectVerdict::kFail
                   : open && !options.allow_unchecked ? SubjectVerdict::kUnchecked
                                                      : SubjectVerdict::kPass;
  return judged;
}

// One subject after the other, each holding only where it differs from the one before.
RC_GTEST_PROP(Judges, SubjectsInARowAreJudgedAsIfAlone, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>().as("subjects");
  Noise noise(seed);
  const ExamineOptions options = random_options(noise);
  const Judge judge(kSpec, kRules, options);
  // Before the file, or behind it, one that could not be examined.
  Report report{.spec = &kSpec, .files = {{.path = "file"}, {.path = "file"}}};
  const std::size_t examined = noise.below(2);
  const bool broken = noise.maybe();
  if (broken) report.files[1 - examined].error = Error{"file", "damaged"};
  std::vector<SubjectReport>& subjects = report.files[examined].subjects;
  bool any_failed = false, any_open = broken;
  for (std::uint64_t n = 1 + draw_below("further subjects", 5); n > 0; --n) {
    const Words words = random_subject(noise);
    std::vector<Probe> probes = judge.probes();
    for (std::size_t i = 0; i < probes.size(); ++i)
      if (const auto said = words.find(std::string(judge.clause(judge.tasks()[i]).id));
          said != words.end())
        for (std::uint64_t w = 0; w < said->second.size(); ++w) say(probes[i], said->second[w], w);
    SubjectReport subject{.path = "/s"};
    judge.settle(std::move(probes), subjects.empty() ? nullptr : &subjects.back(), subject);
    const Judged alone = slow_judge(words, options);
    RC_ASSERT(std::ranges::equal(subject.clauses, alone.results));
    RC_ASSERT(subject.verdict == alone.verdict);
    any_failed |= alone.verdict == SubjectVerdict::kFail;
    any_open |= alone.verdict == SubjectVerdict::kUnchecked;
    subjects.push_back(std::move(subject));
  }
  RC_ASSERT(exit_status(report) == (any_failed ? 1 : any_open ? 3 : 0));
  RC_ASSERT(exit_status(report, false) == (any_open ? 3 : 0));
}

// --- Results held as differences
// ------------------------------------------------------------------

RC_GTEST_PROP(Results, MadeOfDifferencesAreTheResults, ()) {
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
    if (noise.one_in(4)) {
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

// --- Cells
// ----------------------------------------------------------------------------------------

// Few more or fewer than the cells that are held, at any width.
RC_GTEST_PROP(Spreads, HoldTheNarrowestCellsThatAreFewEnough, ()) {
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

// --- Threads
// --------------------------------------------------------------------------------------

RC_GTEST_PROP(Threads, EveryTurnIsTakenOnceAndTheFirstFailureSpeaks, ()) {
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

// The first one fails only after the other has.
TEST(Threads, TheLowestFailureSpeaksThoughItComesLast) {
  std::atomic<bool> other_failed = false;
  try {
    parallel_for(2, 2, [&](std::uint64_t i) {
      const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(2);
      if (i == 1) {
        other_failed = true;
        throw std::runtime_error("1");
      }
      while (!other_failed && std::chrono::steady_clock::now() < patience)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      throw std::runtime_error("0");
    });
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "0");
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
