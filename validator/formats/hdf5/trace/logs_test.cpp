// The results for every clause about writers in logs of appends, two for each clause: one that
// satisfies it and one that violates it; and logs in which several things happen
// (generators/hdf5/trace_cases.py).
#include <gtest/gtest.h>

#include <filesystem>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include "validator/formats/hdf5/testing/trace_logs.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hdf5::trace {
namespace {

std::vector<std::string> violated(const FileReport& report) {
  std::vector<std::string> clauses;
  for (const SubjectReport& subject : report.subjects)
    for (const ClauseResult& result : subject.clauses)
      if (!result.findings.empty()) clauses.emplace_back(result.clause->id);
  return clauses;
}

TEST(TraceLogs, EachViolatesItsClauseAlone) {
  ASSERT_GE(log_files().size(), 100u);
  for (const std::filesystem::path& path : log_files()) {
    // "swmr-io-atomic.good", or "swmr-io-atomic--three-pieces.broken", or two clauses with '+'
    const std::string name = path.stem().string(), clause = name.substr(0, name.rfind('.'));
    std::vector<std::string> wanted;
    if (name.ends_with(".broken"))
      for (const auto& each : std::views::split(clause.substr(0, clause.find("--")), '+'))
        wanted.emplace_back(each.begin(), each.end());
    EXPECT_EQ(violated(checked(log_of(path))), wanted) << name;
  }
}

// Reading all of a file after each write gives the same as reading what changed.
TEST(TraceLogs, ReadingEverythingAgainChangesNothing) {
  for (const std::filesystem::path& path : log_files())
    EXPECT_EQ(text_of(checked(log_of(path), {.all_of_it = true})), text_of(checked(log_of(path))))
        << path;
}

TEST(TraceLogs, ReportsEqualTheGoldenFile) {
  std::string text;
  for (const std::filesystem::path& path : log_files())
    text += '[' + path.stem().string() + "]\n" + text_of(checked(log_of(path)));
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/trace_logs.txt"));
}

}  // namespace
}  // namespace hepcheck::hdf5::trace
