// Maps of bytes: what counts as one, and what a map of limited size says about the bytes between
// its ranges.
#include "validator/file_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

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

// Gaps and overlaps, byte by byte.
TEST(FileMap, GapsAndOverlapsAreThoseOfTheBytes) {
  std::uint64_t state = 1;
  const auto below = [&](std::uint64_t n) {
    state = state * 6364136223846793005 + 1442695040888963407;
    return (state >> 33) % n;
  };
  constexpr std::uint64_t kBytes = 60;
  for (int round = 0; round < 2'000; ++round) {
    FileMap map{.size = kBytes, .base = below(4), .end = kBytes - below(20)};
    for (std::uint64_t i = 0, n = below(6); i < n; ++i)
      map.ranges.push_back({.address = map.base + below(40), .size = below(12)});
    std::ranges::stable_sort(map.ranges, {}, &FileRange::address);
    std::vector<int> wanted(kBytes), gaps(kBytes);
    for (std::uint64_t at = map.base; at < kBytes; ++at) {
      const auto reaches = [&](const FileRange& each) { return at < each.end(); };
      const auto covers = [&](const FileRange& each) {
        return each.address <= at && reaches(each);
      };
      const bool before_any = std::ranges::any_of(map.ranges, reaches);
      wanted[at] = std::ranges::none_of(map.ranges, covers) && (at < map.end || before_any);
    }
    for (const FileMap::Gap& gap : map.gaps())
      for (std::uint64_t at = gap.address; at < gap.address + gap.size; ++at) ++gaps[at];
    EXPECT_EQ(gaps, wanted);
    // Each range is compared with the one before it that reaches furthest.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> shared, stated;
    for (std::size_t i = 1; i < map.ranges.size(); ++i) {
      std::uint64_t reached = 0;
      for (std::size_t k = 0; k < i; ++k) reached = std::max(reached, map.ranges[k].end());
      const FileRange& range = map.ranges[i];
      if (range.address < reached)
        shared.emplace_back(range.address, std::min(range.end(), reached) - range.address);
    }
    for (const FileMap::Overlap& each : map.overlaps()) {
      stated.emplace_back(each.address, each.size);
      EXPECT_LT(each.first, each.second);
      EXPECT_GT(map.ranges[each.first].end(), map.ranges[each.second].address);
    }
    EXPECT_EQ(stated, shared);
  }
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
