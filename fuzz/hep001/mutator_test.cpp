// Tests the repairs of the mutator, which let changes pass the checksums.
#include "fuzz/mutators/mutator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "validator/examine_file.h"
#include "validator/read_whole.h"

namespace hepcheck::fuzz {
namespace {

// A table with an index of every family, a list column, and headers of several blocks.
std::string fixture(const std::string& name) {
  const auto bytes = read_whole(HEPCHECK_SOURCE "/fixtures/hep001/valid/" + name);
  return bytes ? *bytes : std::string();
}
const std::string kIndexes = "11.3/index-chunked-growable--every-family.h5";

std::string repaired(std::string file, unsigned seed) {
  std::minstd_rand random(seed);
  repair_hep001({reinterpret_cast<std::uint8_t*>(file.data()), file.size()}, random);
  return file;
}

std::string changed(std::string file, std::string_view behind, std::size_t offset, char mask = 1) {
  const std::size_t at = file.find(behind);
  EXPECT_NE(std::string::npos, at);
  file[at + behind.size() + offset] ^= mask;
  return file;
}

std::vector<std::string> failing(const std::string& file) {
  const FileReport report = examine_image(std::as_bytes(std::span(file)), "image", std::nullopt,
                                          find_specification("hep001-2026-07-09"), FileOptions{});
  std::vector<std::string> ids;
  if (report.error || !report.unreadable.empty() || report.subjects.empty())
    ids.push_back("unread");
  for (const SubjectReport& subject : report.subjects)
    for (const ClauseResult& result : subject.clauses)
      if (result.verdict == Verdict::kFail) ids.emplace_back(result.clause->id);
  return ids;
}

TEST(Mutator, LeavesAValidFileUnchanged) {
  const std::string sound = fixture(kIndexes);
  ASSERT_FALSE(sound.empty());
  for (unsigned seed = 1; seed < 40; ++seed) EXPECT_EQ(sound, repaired(sound, seed)) << seed;
}

// Sometimes a token is not updated, and the index stays stale.
TEST(Mutator, MakesTokensAgree) {
  const std::string sound = fixture(kIndexes);
  for (const std::string_view token : {"SOURCE_GENERATION", "SOURCE_NROWS"}) {
    const std::string mutated =
        changed(sound, std::string(token) + std::string(1, 0), 12 + 4);  // datatype and dataspace
    int agree = 0, read = 0;
    for (unsigned seed = 1; seed <= 64; ++seed) {
      const std::string made = repaired(mutated, seed);
      agree += made == sound;
      read += failing(made).empty();
    }
    EXPECT_GT(agree, 16) << token;
    EXPECT_LT(agree, 48) << token;
    EXPECT_GT(read, agree) << token;
  }
}

TEST(Mutator, RepairsValuesInOtherBlocks) {
  const std::string sound = fixture(kIndexes);
  const std::string mutated = changed(sound, "SOURCE_NROWS", 2, 8);  // after the NUL: it has a sign
  const std::vector<std::string> wanted{"source-nrows-uint64"};
  EXPECT_NE(wanted, failing(mutated)) << "a checksum is in the way";
  int met = 0;
  for (unsigned seed = 1; seed <= 16; ++seed) met += failing(repaired(mutated, seed)) == wanted;
  EXPECT_GT(met, 8);
}

}  // namespace
}  // namespace hepcheck::fuzz
