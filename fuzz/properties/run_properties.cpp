// Runs over many files: the resources of each, and the results that are kept, to the last byte.
#include <algorithm>
#include <chrono>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "cli/examine_many.h"
#include "cli/report_store.h"
#include "cli/validate.h"
#include "fuzz/properties/random_values.h"
#include "validator/format.h"
#include "validator/isolate/report_size.h"
#include "validator/machine.h"

namespace hepcheck::cli {

namespace {

using namespace hepcheck::fuzz;

constexpr std::uint64_t kLeast = std::uint64_t{512} << 20;  // bytes that a worker needs

// A number at or next to a boundary.
std::uint64_t near(Choices& c, std::uint64_t boundary) {
  const std::uint64_t at = boundary * c.below(8);
  return at + c.below(2) - (at > 0 ? c.below(2) : 0);
}

RC_GTEST_PROP(Shares, AddUpToTheTotal, ()) {
  const std::size_t files = draw("files", [](Choices& c) { return c.below(9); });
  FileOptions options;
  options.examine.jobs = draw("jobs", [](Choices& c) { return unsigned(1 + c.below(9)); });
  options.examine.memory_limit = draw("memory limit", [](Choices& c) { return near(c, 7); });
  const isolate::Bounds bounds{.seconds = 3,
                               .cpu_seconds = 4,
                               .memory = draw("memory", [](Choices& c) { return near(c, kLeast); }),
                               .answer = 5};
  const Shares made = shares_of(files, options, bounds);

  const auto fits = [&](std::size_t lanes) {
    return lanes <= files && lanes <= options.examine.jobs && lanes * kLeast <= bounds.memory;
  };
  RC_ASSERT(made.lanes == 1 || fits(made.lanes));
  RC_ASSERT(!fits(made.lanes + 1));
  const auto is_part = [&](std::uint64_t part, std::uint64_t whole) {
    return part * made.lanes <= whole && (part + 1) * made.lanes > whole;
  };
  RC_ASSERT(is_part(made.options.examine.jobs, options.examine.jobs));
  RC_ASSERT(is_part(made.bounds.memory, bounds.memory));
  // 0 would be no limit.
  RC_ASSERT(made.options.examine.memory_limit ==
            std::max(std::uint64_t{1}, options.examine.memory_limit / made.lanes));
  // Resources that belong to each file are not divided.
  RC_ASSERT(made.bounds.seconds == 3 && made.bounds.cpu_seconds == 4 && made.bounds.answer == 5);
}

// Given values apply; defaults are half of the machine, of the workers, or a quarter.
RC_GTEST_PROP(Bounds, AreGivenOrDerivedFromTheMachine, ()) {
  AllLimits limits;
  limits.worker.memory = draw("memory", [](Choices& c) { return near(c, kLeast); });
  limits.worker.seconds = 7;
  limits.reading.links = 8;
  limits.reports = draw("reports", [](Choices& c) { return c.below(3); });
  FileOptions options;
  const std::uint64_t columns =
      draw("columns", [](Choices& c) { return near(c, machine_memory()); });
  options.examine.memory_limit = columns;
  const RunBounds made = bounds_of(limits, options);

  const std::uint64_t half = machine_memory() / 2;
  const std::uint64_t workers =
      limits.worker.memory > 0 ? limits.worker.memory : std::max(half, 2 * columns);
  RC_ASSERT(made.workers.memory == workers);
  RC_ASSERT(options.examine.memory_limit == (columns > 0 ? columns : workers / 2));
  RC_ASSERT(made.workers.seconds == 7 && made.workers.answer == limits.worker.answer);
  RC_ASSERT(options.limits.links == 8);
  RC_ASSERT(made.reports ==
            (limits.reports > 0 ? limits.reports : std::max(kLeast / 2, machine_memory() / 4)));
}

TEST(Options, AllAreTransferred) {
  const std::vector<const Specification*> specs{nullptr};
  const FileOptions usual = options_of({}, specs);
  EXPECT_FALSE(usual.allow_no_subjects || usual.allow_plugins || usual.examine.strict ||
               usual.examine.fail_on_should || usual.examine.allow_unchecked);
  EXPECT_EQ(usual.examine.depth, Depth::kFull);
  EXPECT_EQ(usual.examine.max_findings, 100u);

  ExaminingArguments one;
  one.allow_no_tables = true;
  EXPECT_TRUE(options_of(one, specs).allow_no_subjects);
  one = {};
  one.allow_plugins = true;
  EXPECT_TRUE(options_of(one, specs).allow_plugins);
  one = {};
  one.strict = true;
  EXPECT_TRUE(options_of(one, specs).examine.strict);
  one = {};
  one.fail_on = "should";
  EXPECT_TRUE(options_of(one, specs).examine.fail_on_should);
  one = {};
  one.allow_unchecked = true;
  EXPECT_TRUE(options_of(one, specs).examine.allow_unchecked);
  one = {};
  one.depth = "structure";
  EXPECT_EQ(options_of(one, specs).examine.depth, Depth::kStructure);

  one = {};
  one.max_findings = 1;
  one.jobs = 2;
  one.memory_limit = 3;
  one.only = {"nrows-uint64"};
  one.skip = {"7.1"};
  one.skip_reasons = {{"7.1", "because"}};
  one.levels = {{"nrows-scalar", Severity::kInfo}};
  const ExamineOptions made = options_of(one, specs).examine;
  EXPECT_EQ(made.max_findings, 1u);
  EXPECT_EQ(made.jobs, 2u);
  EXPECT_EQ(made.memory_limit, 3u);
  EXPECT_TRUE(made.only.contains("nrows-uint64") && made.only.size() == 1);
  EXPECT_TRUE(made.skip.contains("7.1") && made.skip.size() == 1);
  EXPECT_EQ(made.skip_reasons, one.skip_reasons);
  EXPECT_EQ(made.severities, one.levels);
}

TEST(Shares, UseAllCoresByDefault) { EXPECT_GE(shares_of(1, {}, {}).options.examine.jobs, 1u); }

// A report of one subject, with one clause that was not checked unless `of_clause` overrides it.
FileReport not_checked(bool lacked_memory, SubjectVerdict verdict,
                       Verdict of_clause = Verdict::kNotChecked) {
  const Clause& clause = default_specification().clauses.front();
  SubjectReport subject{.kind = "table", .path = "/t", .spec = &default_specification()};
  subject.verdict = verdict;
  subject.clauses = ClauseResults(
      {{.clause = &clause, .verdict = Verdict::kPass},
       {.clause = &clause, .verdict = of_clause, .reason = "/t/memory: out of memory"}});
  return {.path = "f", .subjects = {{}, subject}, .lacked_memory = lacked_memory};
}

TEST(LackedMemory, IsDecidedByTheRecordedCause) {
  const Error error{"f", "it is broken"};
  EXPECT_TRUE(lacked_memory({.error = error, .lacked_memory = true}));
  EXPECT_TRUE(lacked_memory({.stop = Stop{.cause = StopCause::kLimit, .lacked_memory = true}}));
  EXPECT_TRUE(lacked_memory({.unreadable = {{"/a", "b"}}, .lacked_memory = true}));
  EXPECT_TRUE(lacked_memory(not_checked(true, SubjectVerdict::kUnchecked)));
  EXPECT_TRUE(lacked_memory(not_checked(true, SubjectVerdict::kFail)));

  EXPECT_FALSE(lacked_memory({}));
  EXPECT_FALSE(lacked_memory({.lacked_memory = true}));
  // A clause that passed, or is violated, would have the same result with more memory.
  EXPECT_FALSE(lacked_memory(not_checked(true, SubjectVerdict::kPass)));
  EXPECT_FALSE(lacked_memory(not_checked(true, SubjectVerdict::kFail, Verdict::kFail)));
}

TEST(LackedMemory, IsNotDecidedByTheMessage) {
  EXPECT_FALSE(lacked_memory({.error = Error{"memory.h5", "out of memory"}}));
  EXPECT_FALSE(lacked_memory({.stop = Stop{.cause = StopCause::kLimit, .name = "memory"}}));
  EXPECT_FALSE(lacked_memory({.unreadable = {{"/memory", "out of memory"}}}));
  EXPECT_FALSE(lacked_memory(not_checked(false, SubjectVerdict::kUnchecked)));
}

std::vector<Target> targets_named(std::size_t count) {
  std::vector<Target> targets;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = std::to_string(i);
    targets.push_back({.path = name, .error = Error{name, "no such file"}});
  }
  return targets;
}

bool over_the_limit(const FileReport& report) {
  return report.error && report.error->cause.starts_with("the limit of reports was reached");
}

// Eight bytes are reserved for each message, until the file is done.
RC_GTEST_PROP(ReportStore, CountsIncomingBytesExactly, ()) {
  constexpr std::size_t kFiles = 3;
  const std::vector<Target> targets = targets_named(kFiles);
  const std::uint64_t most = draw("most", [](Choices& c) { return near(c, 400); });
  ReportStore store(targets, 1, most);
  std::vector<std::uint64_t> coming(kFiles, 0);
  std::vector<char> lost(kFiles, false);
  const std::size_t steps = draw("steps", [](Choices& c) { return c.below(20); });
  for (std::size_t i = 0; i < steps; ++i) {
    const std::size_t file = draw("file", [](Choices& c) { return c.below(kFiles); });
    if (draw("done", [](Choices& c) { return c.one_in(5); })) {
      RC_ASSERT(over_the_limit(store.finish(file)) == bool(lost[file]));
      coming[file] = lost[file] = 0;
      continue;
    }
    const std::size_t size = draw("size", [](Choices& c) { return c.below(60); });
    store.take(file, std::string(size, 'x'));
    if (lost[file]) continue;
    std::uint64_t sum = 8 * size;
    for (const std::uint64_t each : coming) sum += each;
    lost[file] = sum > most;
    coming[file] = lost[file] ? 0 : coming[file] + 8 * size;
  }
  for (std::size_t file = 0; file < kFiles; ++file)
    RC_ASSERT(over_the_limit(store.finish(file)) == bool(lost[file]));
}

// Some differ in a few results, some in many, some have none.
FileReport report_of(const Target& target, Noise& noise) {
  static const std::vector<std::size_t> kSizes{0, 16, 64};
  std::vector<ClauseResult> results;
  const std::size_t size = noise.of(std::span(kSizes));
  const std::size_t differing = size == 0 ? 0 : noise.below(size / 4);
  for (std::size_t i = 0; i < size; ++i)
    results.push_back(
        {.clause = &default_specification().clauses[i], .reason = "a reason that takes some room"});
  for (std::size_t i = 0; i < differing; ++i)
    results[noise.below(size)].reason = "another that takes more room: " + target.path;
  SubjectReport subject{.kind = "table", .path = "/t", .spec = &default_specification()};
  subject.clauses = ClauseResults(std::move(results));
  return {.path = target.path, .subjects = std::vector(1 + noise.below(2), subject)};
}

std::vector<FileReport> kept_within(std::uint64_t most, const std::vector<Target>& targets,
                                    Noise noise, std::uint64_t coming) {
  ReportStore store(targets, 1, most);
  store.take(0, std::string(coming, 'x'));
  for (std::size_t i = 0; i < targets.size(); ++i) store.keep(i, report_of(targets[i], noise));
  return std::move(store).all();
}

// Shared results count once, and additional ones count as well.
RC_GTEST_PROP(ReportStore, CountsStoredBytesExactly, ()) {
  const std::vector<Target> targets = targets_named(8);
  const Noise noise = draw_noise();
  const std::size_t coming = draw("coming", [](Choices& c) { return c.below(3); });
  const auto whole = kept_within(kLeast, targets, noise, coming);
  std::uint64_t all = 8 * coming;
  std::set<const ClauseResult*> shared;
  Noise again = noise;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    all += isolate::bytes_held(whole[i]);
    const FileReport own = report_of(targets[i], again);
    RC_ASSERT(whole[i].subjects.size() == own.subjects.size());
    for (std::size_t n = 0; n < own.subjects.size(); ++n) {
      const ClauseResults& results = whole[i].subjects[n].clauses;
      RC_ASSERT(std::ranges::equal(results, own.subjects[n].clauses));
      const ClauseResults base = results.shared();
      if (!base.empty() && shared.insert(&base[0]).second) all += isolate::bytes_held(base);
    }
  }
  for (const FileReport& each : kept_within(all, targets, noise, coming))
    RC_ASSERT(!over_the_limit(each));
  const auto short_of_one = kept_within(all - 1, targets, noise, coming);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    RC_ASSERT(over_the_limit(short_of_one[i]) == (i + 1 == targets.size()));
    RC_ASSERT(short_of_one[i].path == targets[i].path);
  }
}

// On a terminal: the current file, when the work has taken a second.
TEST(Progress, NamesTheCurrentFile) {
  const std::vector<Target> targets = targets_named(3);
  for (const bool isolated : {false, true}) {
    TerminalProgress progress;
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    FileOptions options;
    options.examine.jobs = 2;
    const RunBounds bounds{.workers = {.memory = 4 * kLeast}, .reports = 1 << 20};
    ::testing::internal::CaptureStderr();
    const auto reports = examine_many(targets, {nullptr}, options, bounds, isolated, &progress);
    const std::string shown = ::testing::internal::GetCapturedStderr();
    EXPECT_TRUE(shown.contains(isolated ? "file 2 of 3; " : "file 1 of 3; ")) << shown;
    ASSERT_EQ(reports.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(reports[i].path, targets[i].path);
  }
}

}  // namespace

}  // namespace hepcheck::cli
