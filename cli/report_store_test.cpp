#include "cli/report_store.h"

#include <gtest/gtest.h>

#include <string>

#include "validator/format.h"
#include "validator/isolate/report_size.h"

namespace hepcheck::cli {

namespace {

constexpr std::uint64_t kPlenty = std::uint64_t{1} << 30;

std::vector<Target> files(std::size_t count) {
  std::vector<Target> targets;
  for (std::size_t i = 0; i < count; ++i) targets.push_back({.path = std::to_string(i) + ".h5"});
  return targets;
}

// A report that shares no results with another one yet.
FileReport report_of(const std::string& path, std::size_t different = 0) {
  std::vector<ClauseResult> results;
  for (const Clause& clause : default_specification().clauses)
    results.push_back({.clause = &clause, .reason = "a reason that takes some room"});
  for (std::size_t i = 0; i < different; ++i) results[i].reason = path;
  SubjectReport subject{.kind = "table", .path = "/t", .spec = &default_specification()};
  subject.clauses = ClauseResults(std::move(results));
  return {.path = path, .subjects = {subject}};
}

std::vector<std::string> messages_of(const FileReport& report) {
  std::vector<std::string> messages;
  isolate::ReportSender sender([&](std::string_view m) { messages.emplace_back(m); });
  for (const SubjectReport& subject : report.subjects) sender.subject(subject);
  sender.rest(report);
  return messages;
}

bool over_the_limit(const FileReport& report) {
  return report.error && report.error->cause.starts_with("the limit of reports was reached");
}

TEST(ReportStore, SharedResultsAreStoredOnce) {
  const std::vector<Target> targets = files(50);
  ReportStore store(targets, kPlenty, kPlenty);
  for (std::size_t i = 0; i < targets.size(); ++i) store.keep(i, report_of(targets[i].path, i % 3));
  const std::vector<FileReport> reports = std::move(store).all();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const ClauseResults& results = reports[i].subjects.at(0).clauses;
    EXPECT_TRUE(std::ranges::equal(results, report_of(targets[i].path, i % 3).subjects[0].clauses));
    EXPECT_EQ(&results.shared()[0], &reports[0].subjects[0].clauses.shared()[0]);
    EXPECT_LT(isolate::bytes_held(reports[i]), 2000u);
  }
}

TEST(ReportStore, VeryDifferentSubjectsShareNothing) {
  const std::vector<Target> targets = files(40);
  ReportStore store(targets, kPlenty, kPlenty);
  for (std::size_t i = 0; i < targets.size(); ++i) store.keep(i, report_of(targets[i].path, 200));
  const std::vector<FileReport> reports = std::move(store).all();
  for (std::size_t i = 0; i < targets.size(); ++i)
    EXPECT_EQ(reports[i].subjects.at(0).clauses[199].reason, targets[i].path);
}

// Results in which those in [begin, end) have a reason of their own.
FileReport with_own(const std::string& own, std::size_t begin, std::size_t end) {
  std::vector<ClauseResult> results;
  for (std::size_t i = 0; i < 64; ++i)
    results.push_back({.clause = &default_specification().clauses[i],
                       .reason = begin <= i && i < end ? own : "as everywhere"});
  SubjectReport subject{.kind = "table", .path = "/t", .spec = &default_specification()};
  subject.clauses = ClauseResults(std::move(results));
  return {.path = own, .subjects = {subject}};
}

// The address of the results that a report shares with others; null if there are none.
const ClauseResult* base_of_report(const FileReport& report) {
  const ClauseResults base = report.subjects[0].clauses.shared();
  return base.empty() ? nullptr : &base[0];
}

// For each report, the first one that it shares results with.
std::vector<std::size_t> shared_with(const std::vector<FileReport>& reports) {
  const std::vector<Target> targets = files(reports.size());
  ReportStore store(targets, kPlenty, kPlenty);
  for (std::size_t i = 0; i < reports.size(); ++i) store.keep(i, reports[i]);
  const std::vector<FileReport> all = std::move(store).all();
  std::vector<std::size_t> made;
  for (const FileReport& each : all)
    made.push_back(static_cast<std::size_t>(
        std::ranges::find(all, base_of_report(each), base_of_report) - all.begin()));
  return made;
}

TEST(ReportStore, SharesIfAtMostAnEighthDiffers) {
  EXPECT_EQ(shared_with({with_own("a", 0, 0), with_own("b", 0, 8), with_own("c", 0, 9),
                         with_own("d", 56, 64), with_own("e", 55, 64)}),
            (std::vector<std::size_t>{0, 0, 2, 0, 4}));
}

TEST(ReportStore, TriesTheLastMatchFirst) {
  const FileReport a = with_own("a", 0, 0), b = with_own("b", 0, 10), between = with_own("b", 0, 5);
  EXPECT_EQ(shared_with({a, b, between}), (std::vector<std::size_t>{0, 1, 0}));
  EXPECT_EQ(shared_with({a, b, b, between}), (std::vector<std::size_t>{0, 1, 1, 1}));
  EXPECT_EQ(shared_with({a, b, b, a, between}), (std::vector<std::size_t>{0, 1, 1, 0, 0}));
}

// Reports without results take no space.
TEST(ReportStore, TriesSixteen) {
  std::vector<FileReport> reports{{.path = "x", .subjects = {SubjectReport{}}}};
  for (int time = 0; time < 2; ++time)
    for (char own = 'a'; own < 'a' + 17; ++own) reports.push_back(with_own({own}, 0, 64));
  const std::vector<std::size_t> shared = shared_with(reports);
  for (std::size_t i = 0; i < reports.size(); ++i)
    EXPECT_EQ(shared[i], i < 18 || i == 34 ? i : i - 17) << i;
}

TEST(ReportStore, CountsAllStoredBytes) {
  // As many as fit, whether or not they share results; each report states what became of it.
  for (const std::size_t different : {std::size_t{0}, std::size_t{200}}) {
    const std::vector<Target> targets = files(100);
    const std::uint64_t one = isolate::bytes_held(report_of("x").subjects[0].clauses);
    ReportStore store(targets, kPlenty, 10 * one);
    for (std::size_t i = 0; i < targets.size(); ++i)
      store.keep(i, report_of(targets[i].path, different));
    const std::vector<FileReport> reports = std::move(store).all();
    const auto lost = static_cast<std::size_t>(std::ranges::count_if(reports, over_the_limit));
    EXPECT_EQ(lost > 80, different > 0) << lost;
    EXPECT_EQ(lost > 0, different > 0) << lost;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      EXPECT_EQ(reports[i].path, targets[i].path);
      EXPECT_EQ(reports[i].subjects.empty(), over_the_limit(reports[i]));
    }
  }
}

TEST(ReportStore, LimitsIncompleteMessages) {
  const std::vector<Target> targets = files(2);
  ReportStore store(targets, kPlenty, 1 << 20);
  const std::string message(10'000, 'x');  // the beginning of an unknown message
  for (int i = 0; i < 1000; ++i) store.take(0, message);
  EXPECT_TRUE(over_the_limit(store.finish(0)));
  // The other one has the whole space again.
  for (const std::string& each : messages_of(report_of("1.h5"))) store.take(1, each);
  const FileReport report = store.finish(1);
  EXPECT_FALSE(report.error) << report.error->text();
  EXPECT_EQ(report.subjects.size(), 1u);
}

TEST(ReportStore, CountsStoredReportsAgainstIncomingOnes) {
  const std::vector<Target> targets = files(2);
  const FileReport held = report_of(targets[0].path, 200);
  const std::uint64_t bytes =
      isolate::bytes_held(held) + isolate::bytes_held(held.subjects[0].clauses.shared());
  const std::string message(16, 'x');
  for (const bool fits : {true, false}) {
    ReportStore store(targets, kPlenty, bytes + (fits ? 1000 : 100));
    store.keep(0, held);
    store.take(1, message);
    EXPECT_EQ(over_the_limit(store.finish(1)), !fits);
    EXPECT_FALSE(over_the_limit(std::move(store).all()[0]));
  }
}

TEST(ReportStore, LimitsSubjectsPerExamination) {
  const std::vector<Target> targets = files(1);
  ReportStore store(targets, 2, kPlenty);
  FileReport report = report_of("0.h5");
  report.subjects.resize(3, report.subjects[0]);
  for (int time = 0; time < 2; ++time) {
    for (const std::string& each : messages_of(report)) store.take(0, each);
    const FileReport taken = store.finish(0);
    EXPECT_EQ(taken.subjects.size(), 2u);
    ASSERT_TRUE(taken.error);
    EXPECT_NE(taken.error->text().find("an invalid answer"), std::string::npos);
  }
}

}  // namespace

}  // namespace hepcheck::cli
