// Maps of bytes: what counts as one, and what a map of limited size says about the bytes between
// its ranges.
#include "validator/file_map.h"

#include <gtest/gtest.h>

#include <functional>

namespace hepcheck {
namespace {

FileMap example() {
  return {.size = 100,
          .end = 90,
          .kinds = {"raw data", "OHDR"},
          .objects = {"/"},
          .ranges = {{.address = 0, .size = 40, .kind = 1}, {.address = 60, .size = 10}},
          .fields = {{.address = 0, .size = 30, .name = "a"},
                     {.address = 30, .size = 10, .name = "b"},
                     {.address = 60, .size = 10, .range = 1}}};
}

TEST(FileMap, PartsThatDoNotBelongTogetherAreNoMap) {
  EXPECT_TRUE(example().consistent());
  EXPECT_TRUE(FileMap{}.consistent());
  const std::function<void(FileMap&)> changes[] = {
      [](FileMap& map) { map.ranges[1].address = ~std::uint64_t{0} - 5; },
      [](FileMap& map) { map.ranges[0].kind = 2; },
      [](FileMap& map) { map.ranges[0].object = 1; },
      [](FileMap& map) { std::swap(map.ranges[0], map.ranges[1]); },
      [](FileMap& map) { map.fields[2].range = 2; },
      [](FileMap& map) { map.fields[2].address = 59; },
      [](FileMap& map) { map.fields[2].size = 11; },
      [](FileMap& map) { map.fields[2].size = ~std::uint64_t{0}; },
      [](FileMap& map) { std::swap(map.fields[1], map.fields[2]); },
  };
  for (const auto& change : changes) {
    FileMap map = example();
    change(map);
    EXPECT_FALSE(map.consistent()) << &change - changes;
  }
}

TEST(FileMap, GapsAreKnownOnlyIfAllRangesAre) {
  FileMap map = example();
  const std::vector<FileMap::Gap> gaps = map.gaps();
  ASSERT_EQ(gaps.size(), 2u);
  EXPECT_EQ(gaps[0].address, 40u);
  EXPECT_EQ(gaps[1].size, 20u);
  map.ranges_left_out = 1;
  EXPECT_TRUE(map.gaps().empty());
}

TEST(FileMap, FieldsOfRanges) {
  const FileMap map = example();
  FieldsOfRanges fields(map);
  EXPECT_EQ(fields.of(0).size(), 2u);
  EXPECT_EQ(fields.of(1).size(), 1u);
  EXPECT_TRUE(fields.of(2).empty());
}

}  // namespace
}  // namespace hepcheck
