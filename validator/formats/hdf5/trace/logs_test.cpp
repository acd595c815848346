// The results for every clause about writers in logs of appends, two for each clause: one that
// satisfies it and one that violates it; and logs in which several things happen
// (generators/hdf5/trace_cases.py).
#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <format>
#include <ranges>
#include <set>
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

// The values that logs write to datasets of references, with another kind or address in each of
// them.
TEST(TraceLogs, OtherReferencesEqualTheGoldenFile) {
  std::string text;
  for (const std::filesystem::path& path : log_files()) {
    if (!path.stem().string().contains("reference")) continue;
    hepcheck::trace::Log log = log_of(path);
    std::string all;
    std::set<std::string> clauses;
    for (hepcheck::trace::Event& event : log.events) {
      if (event.memory != hepcheck::trace::Memory::kRawData || event.data.empty()) continue;
      const std::string_view written = event.data;
      for (const std::size_t at : {0, 1, 3, 8, 11, 12, 16})
        for (const unsigned value : {0, 1, 2, 3, 4, 5, 255}) {
          if (at >= written.size()) continue;
          std::string changed(written);
          changed[at] = static_cast<char>(value);
          event.data = changed;
          const FileReport report = checked(log);
          for (std::string& each : violated(report)) clauses.insert(std::move(each));
          all += text_of(report);
        }
      event.data = written;
    }
    text += std::format("{}: {}\n", path.stem().string(), golden::digest_of(all));
    for (const std::string& each : clauses) text += std::format("  {}\n", each);
  }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/trace_references.txt"));
}

}  // namespace
}  // namespace hepcheck::hdf5::trace
