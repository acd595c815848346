// The results for every clause about writers in logs of appends, two for each clause: one that
// satisfies it and one that violates it; and logs in which several things happen
// (generators/hdf5/trace_cases.py).
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <format>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include "validator/formats/hdf5/trace/check.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hdf5::trace {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> logs() {
  std::vector<fs::path> found;
  for (const fs::directory_entry& each :
       fs::directory_iterator(fs::path(HEPCHECK_SOURCE) / "validator/formats/hdf5/trace/logs"))
    if (each.path().extension() == ".log") found.push_back(each.path());
  std::ranges::sort(found);
  return found;
}

FileReport checked(const fs::path& path, const CheckOptions& options = {}) {
  FileReport report;
  const auto log = hepcheck::trace::read_log_file(path.string());
  if (log)
    check(*log, options, report);
  else
    ADD_FAILURE() << path << ": " << log.error().text;
  return report;
}

std::vector<std::string> violated(const FileReport& report) {
  std::vector<std::string> clauses;
  for (const SubjectReport& subject : report.subjects)
    for (const ClauseResult& result : subject.clauses)
      if (!result.findings.empty()) clauses.emplace_back(result.clause->id);
  return clauses;
}

// Everything that a report says.
std::string text_of(const FileReport& report) {
  std::string text;
  for (const Error& each : report.unreadable) text += each.text() + '\n';
  for (const SubjectReport& subject : report.subjects) {
    text += std::format("{}: {}\n", subject.path, to_string(subject.verdict));
    for (const std::string& note : subject.notes) text += " note: " + note + '\n';
    for (const ClauseResult& result : subject.clauses) {
      if (result.verdict == Verdict::kNotApplicable) continue;
      text += std::format(" {} {} {}{}{}\n", to_string(result.verdict), result.clause->id,
                          result.examined, result.reason.empty() ? "" : ": ", result.reason);
      for (const Finding& each : result.findings)
        text += std::format("  {} | {} | {} | {} | {} | {}\n", to_string(each.severity),
                            each.object, each.where, each.observed, each.expected, each.more);
    }
  }
  return text;
}

TEST(TraceLogs, EachViolatesItsClauseAlone) {
  ASSERT_GE(logs().size(), 100u);
  for (const fs::path& path : logs()) {
    // "swmr-io-atomic.good", or "swmr-io-atomic--three-pieces.broken", or two clauses with '+'
    const std::string name = path.stem().string(), clause = name.substr(0, name.rfind('.'));
    std::vector<std::string> wanted;
    if (name.ends_with(".broken"))
      for (const auto& each : std::views::split(clause.substr(0, clause.find("--")), '+'))
        wanted.emplace_back(each.begin(), each.end());
    EXPECT_EQ(violated(checked(path)), wanted) << name;
  }
}

// Reading all of a file after each write gives the same as reading what changed.
TEST(TraceLogs, ReadingEverythingAgainChangesNothing) {
  for (const fs::path& path : logs())
    EXPECT_EQ(text_of(checked(path, {.all_of_it = true})), text_of(checked(path))) << path;
}

TEST(TraceLogs, ReportsEqualTheGoldenFile) {
  std::string text;
  for (const fs::path& path : logs())
    text += '[' + path.stem().string() + "]\n" + text_of(checked(path));
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/trace_logs.txt"));
}

}  // namespace
}  // namespace hepcheck::hdf5::trace
