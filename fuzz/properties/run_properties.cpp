// Runs over many files: what each may take, and what is kept of them, to the last byte.
#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "fuzz/properties/draw.h"
#include "validator/cli/examine_many.h"
#include "validator/cli/kept_reports.h"
#include "validator/format.h"
#include "validator/isolate/report_size.h"

namespace hepcheck::cli {

namespace {

using namespace hepcheck::fuzz;

constexpr std::uint64_t kLeast = std::uint64_t{512} << 20;  // bytes that a worker needs

// A number at a border or beside it.
std::uint64_t near(Choices& c, std::uint64_t border) {
  const std::uint64_t at = border * c.below(8);
  return at + c.below(2) - (at > 0 ? c.below(2) : 0);
}

RC_GTEST_PROP(Shares, AreAllOfWhatThereIsAndNoMore, ()) {
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
  // What is each one's own is not shared.
  RC_ASSERT(made.bounds.seconds == 3 && made.bounds.cpu_seconds == 4 && made.bounds.answer == 5);
}

TEST(Shares, AreThoseOfAllCoresIfNobodySays) {
  EXPECT_GE(shares_of(1, {}, {}).options.examine.jobs, 1u);
}

// A report of one subject in which a clause was not checked for that reason.
FileReport not_checked(const std::string& reason, SubjectVerdict verdict,
                       Verdict of_clause = Verdict::kNotChecked) {
  const Clause& clause = default_specification().clauses.front();
  SubjectReport subject{.kind = "table", .path = "/t", .spec = &default_specification()};
  subject.verdict = verdict;
  subject.clauses = ClauseResults({{.clause = &clause, .verdict = Verdict::kPass},
                                   {.clause = &clause, .verdict = of_clause, .reason = reason}});
  return {.path = "f", .subjects = {{}, subject}};
}

TEST(LackedMemory, IsSaidInManyWays) {
  const std::string out = "out of memory", other = "it is broken";
  EXPECT_TRUE(lacked_memory({.error = Error{"f", out}}));
  EXPECT_TRUE(lacked_memory({.stop = Stop{.cause = StopCause::kLimit, .name = "memory"}}));
  EXPECT_TRUE(lacked_memory({.unreadable = {{"/a", other}, {"/b", out}}}));
  EXPECT_TRUE(lacked_memory(not_checked(out, SubjectVerdict::kUnchecked)));
  EXPECT_TRUE(lacked_memory(not_checked(out, SubjectVerdict::kFail)));

  EXPECT_FALSE(lacked_memory({}));
  EXPECT_FALSE(lacked_memory({.error = Error{"memory.h5", other}}));
  EXPECT_FALSE(lacked_memory({.stop = Stop{.cause = StopCause::kLimit, .name = "time"}}));
  EXPECT_FALSE(lacked_memory({.stop = Stop{.cause = StopCause::kSignal, .name = "memory"}}));
  EXPECT_FALSE(lacked_memory({.unreadable = {{"/memory", other}}}));
  EXPECT_FALSE(lacked_memory(not_checked(other, SubjectVerdict::kUnchecked)));
  // What was skipped, or broken, was not for want of it.
  EXPECT_FALSE(lacked_memory(not_checked(out, SubjectVerdict::kPass)));
  EXPECT_FALSE(lacked_memory(not_checked(out, SubjectVerdict::kFail, Verdict::kFail)));
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

// Eight bytes are set aside for each that comes, until the file is done.
RC_GTEST_PROP(KeptReports, WhatComesIsCountedToTheLastByte, ()) {
  constexpr std::size_t kFiles = 3;
  const std::vector<Target> targets = targets_named(kFiles);
  const std::uint64_t most = draw("most", [](Choices& c) { return near(c, 400); });
  KeptReports kept(targets, 1, most);
  std::vector<std::uint64_t> coming(kFiles, 0);
  std::vector<char> lost(kFiles, false);
  const std::size_t steps = draw("steps", [](Choices& c) { return c.below(20); });
  for (std::size_t i = 0; i < steps; ++i) {
    const std::size_t file = draw("file", [](Choices& c) { return c.below(kFiles); });
    if (draw("done", [](Choices& c) { return c.one_in(5); })) {
      RC_ASSERT(over_the_limit(kept.finish(file)) == bool(lost[file]));
      coming[file] = lost[file] = 0;
      continue;
    }
    const std::size_t size = draw("size", [](Choices& c) { return c.below(60); });
    kept.take(file, std::string(size, 'x'));
    if (lost[file]) continue;
    std::uint64_t sum = 8 * size;
    for (const std::uint64_t each : coming) sum += each;
    lost[file] = sum > most;
    coming[file] = lost[file] ? 0 : coming[file] + 8 * size;
  }
  for (std::size_t file = 0; file < kFiles; ++file)
    RC_ASSERT(over_the_limit(kept.finish(file)) == bool(lost[file]));
}

FileReport report_of(const Target& target, std::size_t results) {
  SubjectReport subject{.kind = "table", .path = "/t", .spec = &default_specification()};
  std::vector<ClauseResult> made;
  for (std::size_t i = 0; i < results; ++i)
    made.push_back(
        {.clause = &default_specification().clauses[i], .reason = "a reason that takes some room"});
  subject.clauses = ClauseResults(std::move(made));
  return {.path = target.path, .subjects = {subject}};
}

// Files with equal results share them; those with others do not. What is shared counts once.
RC_GTEST_PROP(KeptReports, WhatIsHeldIsCountedToTheLastByte, ()) {
  const std::vector<Target> targets = targets_named(6);
  std::vector<std::size_t> results;
  for (std::size_t i = 0; i < targets.size(); ++i)
    results.push_back(draw("results", [](Choices& c) { return 10 * c.below(4); }));
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const FileReport report = report_of(targets[i], results[i]);
    all += isolate::bytes_held(report);
    const bool first = std::find(results.begin(), results.begin() + std::ptrdiff_t(i),
                                 results[i]) == results.begin() + std::ptrdiff_t(i);
    if (first && results[i] > 0) all += isolate::bytes_held(report.subjects[0].clauses);
  }
  const bool enough = draw("enough", [](Choices& c) { return c.maybe(); });
  // What comes counts beside it.
  const std::uint64_t coming = 8 * draw("coming", [](Choices& c) { return c.below(3); });
  KeptReports kept(targets, 1, all + coming - (enough ? 0 : 1));
  kept.take(0, std::string(coming / 8, 'x'));
  for (std::size_t i = 0; i < targets.size(); ++i) kept.keep(i, report_of(targets[i], results[i]));
  const std::vector<FileReport> reports = std::move(kept).all();
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const bool lost = !enough && i + 1 == reports.size();
    RC_ASSERT(over_the_limit(reports[i]) == lost);
    RC_ASSERT(reports[i].path == targets[i].path);
    if (!lost) RC_ASSERT(reports[i].subjects[0].clauses.size() == results[i]);
  }
}

// On a terminal: which file it is, once the work has taken a second.
TEST(Progress, SaysWhichFileItIs) {
  const std::vector<Target> targets = targets_named(3);
  for (const bool isolated : {false, true}) {
    TerminalProgress progress;
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    FileOptions options;
    options.examine.jobs = 2;
    const RunBounds bounds{.workers = {.memory = 4 * kLeast}, .reports = 1 << 20};
    testing::internal::CaptureStderr();
    const auto reports = examine_many(targets, {nullptr}, options, bounds, isolated, &progress);
    const std::string shown = testing::internal::GetCapturedStderr();
    EXPECT_TRUE(shown.contains(isolated ? "file 2 of 3; " : "file 1 of 3; ")) << shown;
    ASSERT_EQ(reports.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(reports[i].path, targets[i].path);
  }
}

}  // namespace

}  // namespace hepcheck::cli
