// The report on a file is the same if several processes read its columns.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/descriptor.h"
#include "validator/examine_file.h"
#include "validator/formats/hep001/derive/shared_facts.h"
#include "validator/isolate/wire.h"

namespace hepcheck::hep001 {

namespace {

namespace fs = std::filesystem;

const fs::path kFixtures = fs::path(HEPCHECK_SOURCE) / "fixtures/hep001";
const fs::path kBroken = kFixtures / "invalid/10.4/minmax-min-value--other-chunk.h5";

// Everything that a report says, as bytes.
std::string bytes_of(const FileReport& report) {
  std::string bytes = isolate::to_wire(report) + (report.error ? report.error->text() : "");
  for (const SubjectReport& subject : report.subjects) {
    ClauseResults base;
    bytes += isolate::to_wire(subject, base);
  }
  return bytes;
}

FileReport judged(const fs::path& path, const FileOptions& options) {
  return examine_file(path.string(), std::nullopt, nullptr, options);
}

FileOptions usual_options() {
  FileOptions options;
  options.examine.jobs = 1;
  return options;
}

// The facts of each share; none if the file has none.
std::vector<std::string> facts_of(const fs::path& path, std::uint64_t shares,
                                  FileOptions options = usual_options()) {
  std::vector<std::string> facts;
  options.on_facts = [&](std::string_view each) { facts.emplace_back(each); };
  for (options.share = {0, shares}; options.share.number < shares; ++options.share.number)
    EXPECT_TRUE(judged(path, options).subjects.empty()) << path;
  return facts;
}

FileReport judged_by(const fs::path& path, std::vector<std::string> facts,
                     FileOptions options = usual_options()) {
  options.facts = std::move(facts);
  return judged(path, options);
}

TEST(SpreadColumns, GiveTheReportOfOneProcessOnEveryFixture) {
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(kFixtures)) {
    if (entry.path().extension() != ".h5") continue;
    const std::string alone = bytes_of(judged(entry.path(), usual_options()));
    for (const std::uint64_t shares : {2, 3}) {
      const std::vector<std::string> facts = facts_of(entry.path(), shares);
      if (facts.empty()) continue;  // cannot be opened
      ++files;
      EXPECT_EQ(facts.size(), shares);
      EXPECT_EQ(bytes_of(judged_by(entry.path(), facts)), alone) << entry.path() << ", " << shares;
    }
  }
  EXPECT_GT(files, 2500u);
}

// No value is read twice, so the work is divided: columns, list columns and categories.
TEST(SpreadColumns, ReadEachValueOnce) {
  std::size_t divided = 0;
  for (const auto& entry : fs::recursive_directory_iterator(kFixtures / "valid")) {
    if (entry.path().extension() != ".h5") continue;
    std::uint64_t read[2] = {0, 0};  // by one process, and by two
    std::uint64_t most = 0;
    for (const std::uint64_t shares : {1, 2})
      for (const std::string& facts : facts_of(entry.path(), shares)) {
        SharedFacts each;
        ASSERT_FALSE(from_bytes(facts, each));
        read[shares - 1] += each.value_bytes;
        if (shares == 2) most = std::max(most, each.value_bytes);
      }
    EXPECT_EQ(read[0], read[1]) << entry.path();
    divided += most < read[0];
  }
  EXPECT_GT(divided, 100u);
}

// The judging process reads no values: it believes the facts.
TEST(SpreadColumns, AreJudgedByTheirFacts) {
  const auto verdict = [](const FileReport& report) { return report.subjects.at(0).verdict; };
  std::vector<std::string> facts = facts_of(kBroken, 1);
  EXPECT_EQ(verdict(judged_by(kBroken, facts)), SubjectVerdict::kFail);
  SharedFacts changed;
  ASSERT_FALSE(from_bytes(facts.at(0), changed));
  std::get<MinmaxFacts>(changed.tables.at(0).facts.indexes.at(0)).min = {};
  EXPECT_EQ(verdict(judged_by(kBroken, {to_bytes(changed)})), SubjectVerdict::kPass);
}

// Where one process reaches a limit, the file is read again: the report says where.
TEST(SpreadColumns, ReachTheLimitsOfOneProcess) {
  const fs::path path = kFixtures / "valid/14.1/worked-example-accepted--five-rows.h5";
  std::uint64_t refused = 0;
  for (std::uint64_t bytes = 0; bytes < 600; bytes += 20) {
    FileOptions options = usual_options();
    options.limits.value_bytes = bytes;
    const FileReport alone = judged(path, options);
    refused += alone.subjects.at(0).verdict != SubjectVerdict::kPass;
    EXPECT_EQ(bytes_of(judged_by(path, facts_of(path, 2, options), options)), bytes_of(alone))
        << bytes;
  }
  EXPECT_GT(refused, 3u);
  EXPECT_LT(refused, 30u);
}

TEST(SpreadColumns, NeedAllFactsOfThisFile) {
  const auto error = [](const FileReport& report) {
    EXPECT_TRUE(report.subjects.empty());
    return report.error ? report.error->cause : "";
  };
  const std::vector<std::string> facts = facts_of(kBroken, 2);
  ASSERT_EQ(facts.size(), 2);
  EXPECT_EQ(error(judged_by(kBroken, {facts[0]})), "1 of the 2 shares of the facts");
  EXPECT_EQ(error(judged_by(kBroken, {facts[0], facts[0]})), "facts of share 1/2 twice");
  EXPECT_EQ(error(judged_by(kFixtures / "valid/14.1/worked-example-accepted--five-rows.h5", facts)),
            "facts of another file, or of this one before a change");
  FileOptions structure = usual_options();
  structure.examine.depth = Depth::kStructure;
  EXPECT_EQ(error(judged_by(kBroken, facts_of(kBroken, 2, structure))),
            "the facts were collected with other options");
}

}  // namespace

}  // namespace hepcheck::hep001
