// Parts of a file that lie inside others, behind which further ones begin: the one that reaches
// furthest counts, not the last one. And what is known of one dataset does not count for the next.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <format>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/datatype.h"
#include "validator/formats/hdf5/free_space.h"
#include "validator/formats/hdf5/overlaps.h"
#include "validator/formats/hdf5/profile.h"
#include "validator/formats/hdf5/selection.h"
#include "validator/formats/hdf5/space_info.h"
#include "validator/formats/hdf5/testing/zeros.h"
#include "validator/formats/hdf5/values.h"

namespace hepcheck::hdf5 {
namespace {

using testing::Zeros;

// A block that reaches into two others.
struct Overlapping : Zeros {
  std::vector<std::uint32_t> told{};

  explicit Overlapping(bool whole_format) {
    file.whole_format = whole_format;
    file.extents.add("OHDR", 100, 400, 1);
    file.extents.add("OCHK", 150, 10, 2);
    file.extents.add("TREE", 300, 10, 3);
    file.extents.add("SNOD", 600, 10, 4);
  }
  std::vector<std::string> overlaps() {
    judge_overlaps(file, [&](std::uint32_t object, const ClauseId&) { told.push_back(object); });
    return found("swmr-metadata-no-overlap");
  }
};

TEST(NestedParts, ShareBytesWithTheOneThatReachesFurthest) {
  Overlapping of_datasets(false);
  const std::string shared = "10 bytes that share some with OHDR @ 100, of 400 bytes";
  EXPECT_EQ(of_datasets.overlaps(), (std::vector<std::string>{shared, shared}));
  EXPECT_EQ(of_datasets.told, (std::vector<std::uint32_t>{2, 1, 3, 1}));
}

TEST(NestedParts, AreOneDefectOfTheFile) {
  Overlapping of_file(true);
  EXPECT_EQ(of_file.overlaps().size(), 1u);
  EXPECT_EQ(of_file.told, (std::vector<std::uint32_t>{2, 1, 3, 1}));
}

TEST(NestedParts, AreOneDefectOfEachClause) {
  Overlapping of_file(true);
  of_file.file.extents.add_raw(320, 10, 5);
  of_file.file.extents.add_raw(340, 10, 6);
  EXPECT_EQ(of_file.overlaps().size(), 1u);
  EXPECT_EQ(of_file.found("swmr-chunk-no-overlap").size(), 1u);
}

TEST(NestedParts, AreNotReportedBesideAnErrorInTheBlock) {
  constexpr ClauseId kError = "swmr-ohdr-checksum", kWarning = "h5-ohdr-v1-reserved";
  Overlapping warned(true);
  warned.notes.fail(kWarning, warned.file.place("OHDR", 100, 20), "", "");
  EXPECT_EQ(warned.overlaps().size(), 1u);
  Overlapping broken(true);
  broken.notes.fail(kError, broken.file.place("OHDR", 100, 20), "", "");
  EXPECT_EQ(broken.overlaps().size(), 0u);
}

// Of several that reach equally far, the first one.
TEST(NestedParts, ShareBytesWithTheFirstOfThoseThatReachFurthest) {
  std::mt19937_64 random(1);
  std::size_t overlapping = 0;
  for (int i = 0; i < 300; ++i) {
    Zeros zeros;
    zeros.file.whole_format = false;
    std::vector<Extent> added;
    for (std::uint32_t object = 1; object <= 6; ++object) {
      const std::uint64_t begin = 10 * (random() % 12), size = 10 * (1 + random() % 5);
      added.push_back({.address = begin, .size = size, .object = object});
      zeros.file.extents.add("OHDR", begin, size, object);
    }
    std::ranges::stable_sort(added, {}, &Extent::address);
    std::vector<std::string> shared;
    std::vector<std::uint32_t> wanted, told;
    std::set<std::uint64_t> addresses;
    for (std::size_t at = 1; at < added.size(); ++at) {
      const Extent& before = *std::ranges::max_element(
          added.begin(), added.begin() + static_cast<std::ptrdiff_t>(at), {}, &Extent::end);
      if (added[at].address >= before.end()) continue;
      shared.push_back(std::format("{} bytes that share some with OHDR @ {}, of {} bytes",
                                   added[at].size, before.address, before.size));
      wanted.insert(wanted.end(), {added[at].object, before.object});
      addresses.insert({added[at].address, before.address});
    }
    judge_overlaps(zeros.file,
                   [&](std::uint32_t object, const ClauseId&) { told.push_back(object); });
    EXPECT_EQ(zeros.found("swmr-metadata-no-overlap"), shared);
    EXPECT_EQ(told, wanted);
    EXPECT_EQ(zeros.file.overlapping, addresses);
    overlapping += shared.size();
  }
  EXPECT_GT(overlapping, 300u);
}

TEST(NestedParts, LeaveNothingUnreachedBehindThem) {
  Zeros zeros;
  zeros.file.extents.add("superblock", 0, 100, 0);
  zeros.file.extents.add("OHDR", 100, 400, 1);
  zeros.file.extents.add("OCHK", 150, 10, 2);
  zeros.file.extents.add("TREE", 510, 90, 3);
  const Unreached unreached = unreached_bytes(zeros.file);
  EXPECT_EQ(unreached.between, 10u);
  EXPECT_EQ(unreached.behind, 4096u - 600u);
}

// Sections of two managers, one of which is empty. Two of them are too long; each is one defect,
// although others lie inside of it.
TEST(NestedParts, OfFreeSpace) {
  Zeros zeros;
  zeros.file.extents.add("OHDR", 1000, 400, 1);
  zeros.file.extents.add("OCHK", 1050, 10, 1);
  FreeSpace first{.whole = true}, second{.whole = true};
  first.sections = {{.offset = 200, .size = 100},
                    {.offset = 220, .size = 0},
                    {.offset = 210, .size = 10},
                    {.offset = 600, .size = 10}};
  second.sections = {{.offset = 250, .size = 10},
                     {.offset = 900, .size = 200},
                     {.offset = 950, .size = 10},
                     {.offset = 1300, .size = 10},
                     {.offset = 1500, .size = 10}};
  judge_file_space({first, second}, std::nullopt, 100, zeros.file);
  EXPECT_EQ(zeros.found("h5-free-space-file-apart"),
            std::vector<std::string>{
                "a free section of 10 bytes at 210, and another of 100 bytes at 200"});
  EXPECT_EQ(zeros.found("h5-free-space-file-unused"),
            (std::vector<std::string>{
                "a free section of 200 bytes at 900, over OHDR @ 1000 of 400 bytes",
                "a free section of 10 bytes at 1300, over OHDR @ 1000 of 400 bytes"}));
}

TEST(NestedParts, OfExternalFiles) {
  Zeros zeros;
  Profile profile;
  profile.external_storage("/a", 1, {{"raw", 0, 100}});
  profile.external_storage("/b", 2, {{"raw", 10, 10}});
  profile.external_storage("/c", 3, {{"raw", 50, 10}, {"other", 50, 10}});
  profile.external_storage("/d", 4, {{"raw", 100, 10}, {"other", 60, kLargestNumber}});
  profile.external_storage("/e", 5, {{"other", 70, 10}});
  profile.judge_all(zeros.file);
  const std::vector<std::string> found = zeros.found("h5-risk-shared-storage");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].starts_with("3 external pieces of several datasets: ")) << found[0];
  for (const char* piece : {"raw from 10 on", "raw from 50 on", "other from 70 on"})
    EXPECT_TRUE(found[0].contains(piece)) << found[0];
}

// --- Faults --------------------------------------------------------------------------------------

// A fault belongs to a region if its byte is one of it.
TEST(Faults, AreInsideTheRegion) {
  constexpr ClauseId kError = "swmr-ohdr-checksum", kWarning = "h5-ohdr-v1-reserved",
                     kRemark = "h5-string-ascii";
  const auto faulty = [&](const ClauseId& clause, std::uint64_t block, std::uint64_t offset,
                          std::uint32_t entered) {
    Zeros zeros;
    zeros.notes.enter(1);
    zeros.notes.fail(kError, {"OHDR", 500, 12}, "", "");
    zeros.notes.fail(clause, {"OHDR", block, offset}, "", "");
    if (entered != 1) zeros.notes.enter(entered);
    const std::vector<std::byte> bytes(8);
    return zeros.notes.faulty({bytes, {"OHDR", 100, 20}});
  };
  for (std::uint64_t offset = 0; offset < 40; ++offset)
    EXPECT_EQ(faulty(kError, 100, offset, 1), offset >= 20 && offset < 28) << offset;
  EXPECT_TRUE(faulty(kWarning, 100, 24, 1));
  EXPECT_FALSE(faulty(kRemark, 100, 24, 1));
  EXPECT_FALSE(faulty(kError, 124, 24, 1));
  EXPECT_FALSE(faulty(kError, 100, 24, 2));
}

// --- Pages ---------------------------------------------------------------------------------------

// The place of a block counts from the beginning of the file, before the user block.
TEST(Pages, BlocksThatCrossABorder) {
  Zeros zeros;
  zeros.file.base = 512;
  zeros.file.extents.add("OHDR", 0, 512, 1);
  zeros.file.extents.add("OCHK", 600, 424, 1);
  zeros.file.extents.add("TREE", 1500, 100, 2);
  zeros.file.extents.add("SNOD", 2000, 100, 3);
  zeros.file.extents.add("HEAP", 2560, 600, 4);
  EXPECT_TRUE(
      judge_pages({.version = 1, .strategy = 1, .page_size = 512}, 3584, nullptr, zeros.file));
  EXPECT_EQ(zeros.found("h5-paged-block"),
            std::vector<std::string>{"2 of 5 blocks of metadata, the first one TREE at 2012"});
}

// --- Selections ----------------------------------------------------------------------------------

std::optional<Selection> selected(const std::string& bytes, Zeros& zeros) {
  return read_selection({std::as_bytes(std::span(bytes)), {"test", 0, 0}}, 2, zeros.file);
}

// Which dimension has no limit, or the greatest coordinate, does not matter.
TEST(Selections, OfEveryDimension) {
  constexpr std::uint64_t kEndless = ~std::uint64_t{0};
  for (const int endless : {-1, 0, 1}) {
    Zeros zeros;
    std::string bytes = number(2, 4) + number(3, 4) + number(1, 1) + number(8, 1) + number(2, 4);
    for (const int d : {0, 1})
      bytes += number(1, 8) + number(4, 8) + number(d == endless ? kEndless : 3, 8) + number(2, 8);
    const auto made = selected(bytes, zeros);
    ASSERT_TRUE(made);
    EXPECT_EQ(made->unlimited, endless >= 0);
    EXPECT_EQ(made->least, (std::vector<std::uint64_t>{1, 1}));
    EXPECT_EQ(made->greatest, (std::vector<std::uint64_t>{endless == 0 ? kEndless : 10,
                                                          endless == 1 ? kEndless : 10}));
    if (endless < 0) {
      EXPECT_EQ(made->elements, 36u);
    }
  }
}

TEST(Selections, OfPointsInAnyOrder) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> points{{1, 9}, {5, 2}, {3, 4}};
  std::ranges::sort(points);
  do {
    Zeros zeros;
    std::string bytes = number(1, 4) + number(2, 4) + number(4, 1) + number(2, 4) + number(3, 4);
    for (const auto& [row, column] : points) bytes += number(row, 4) + number(column, 4);
    const auto made = selected(bytes, zeros);
    ASSERT_TRUE(made);
    EXPECT_EQ(made->elements, 3u);
    EXPECT_EQ(made->least, (std::vector<std::uint64_t>{1, 2}));
    EXPECT_EQ(made->greatest, (std::vector<std::uint64_t>{5, 9}));
  } while (std::ranges::next_permutation(points).found);
}

// They take no bytes, however many there are.
TEST(Selections, OfNoDimensionAreRefusedAtOnce) {
  constexpr std::uint64_t kMany = std::uint64_t{1} << 62;
  const std::string points = number(1, 4) + number(2, 4) + number(8, 1),
                    blocks = number(2, 4) + number(3, 4) + number(0, 1) + number(8, 1);
  for (const std::string& head : {points, blocks}) {
    Zeros zeros;
    EXPECT_FALSE(selected(head + number(0, 4) + number(kMany, 8), zeros));
    EXPECT_EQ(zeros.found("h5-selection-rank"), std::vector<std::string>{"rank 0"});
  }
}

// --- One dataset after another -------------------------------------------------------------------

TEST(StoredValues, OfOneDatasetAreNotThoseOfTheNext) {
  Zeros zeros;
  GlobalHeaps heaps(zeros.file);
  Headers headers(zeros.file);
  Profile profile;
  Values values(zeros.file, heaps, headers, profile);
  const std::string type =
      number(0x10, 1) + number(0, 3) + number(1, 4) + number(0, 2) + number(8, 2);
  const auto bytes = read_datatype({std::as_bytes(std::span(type)), {"test", 0, 0}}, zeros.file);
  ASSERT_TRUE(bytes);
  for (const std::string_view content :
       {std::string_view("\x80\4 a pickle."), std::string_view("nothing that runs"),
        std::string_view("\xac\xed\0\5 objects", 12)}) {
    values.begin(*bytes, Values::Of::kData);
    // In two pieces.
    values.take({std::as_bytes(std::span(content.substr(0, 5))), {"test", 0, 0}});
    values.take({std::as_bytes(std::span(content.substr(5))), {"test", 0, 5}});
    values.end({"test", 0, 0});
  }
  EXPECT_EQ(zeros.found("h5-risk-serialized-code"),
            (std::vector<std::string>{"a pickle", "serialized Java objects"}));
}

// Two datasets refer to one object of a heap, which refers to one that is missing.
TEST(StoredValues, ThatDatasetsShareCountForEach) {
  constexpr std::uint64_t kHeap = 4096, kSize = 4096;
  Zeros zeros(kHeap + kSize);
  const auto sequence = [&](std::uint64_t object) {
    return number(1, 4) + number(kHeap, 8) + number(object, 4);
  };
  const std::string heap = "GCOL" + number(1, 4) + number(kSize, 8) +  //
                           number(1, 2) + number(1, 2) + number(0, 4) + number(16, 8) +
                           sequence(9) + number(0, 8) + number(kSize - 48, 8);
  std::ranges::copy(std::as_bytes(std::span(heap)), zeros.image.begin() + kHeap);
  GlobalHeaps heaps(zeros.file);
  Headers headers(zeros.file);
  Profile profile;
  Values values(zeros.file, heaps, headers, profile);
  const std::string list = number(0x19, 1) + number(0, 3) + number(16, 4);
  const std::string text =
      list + list + number(0x10, 1) + number(0, 3) + number(4, 4) + number(0, 2) + number(32, 2);
  const auto type = read_datatype({std::as_bytes(std::span(text)), {"test", 0, 0}}, zeros.file);
  ASSERT_TRUE(type);
  for (int dataset = 0; dataset < 2; ++dataset) {
    const std::string element = sequence(1);
    values.begin(*type, Values::Of::kData);
    values.take({std::as_bytes(std::span(element)), {"test", 0, 0}});
    values.end({"test", 0, 0});
  }
  EXPECT_EQ(zeros.found("h5-vlen-nested").size(), 2u);
}

// The first million of each dataset, unless all are wanted.
TEST(StoredValues, BeyondTheFirstMillion) {
  constexpr std::uint64_t kMost = 1'000'000;
  const std::string type = number(0x13, 1) + number(1, 3) + number(1, 4);
  for (const bool all : {false, true})
    for (const std::uint64_t more : {0, 1}) {
      Zeros zeros;
      GlobalHeaps heaps(zeros.file);
      Headers headers(zeros.file);
      Profile profile;
      Values values(zeros.file, heaps, headers, profile);
      if (all) values.examine_all();
      const auto read = read_datatype({std::as_bytes(std::span(type)), {"test", 0, 0}}, zeros.file);
      ASSERT_TRUE(read);
      for (int dataset = 0; dataset < 2; ++dataset) {
        std::string elements(kMost + more, 'a');
        elements.back() = '\xff';  // no letter of ASCII
        values.begin(*read, Values::Of::kData);
        EXPECT_EQ(values.take({std::as_bytes(std::span(elements)), {"test", 0, 0}}),
                  all || more == 0);
        values.end({"test", 0, 0});
      }
      const bool whole = all || more == 0;
      EXPECT_EQ(zeros.found("h5-string-ascii").size(), whole ? 2u : 0u);
      EXPECT_EQ(zeros.notes.probe_of(ClauseId("h5-string-ascii")).examined(),
                2 * (whole ? kMost + more : kMost));
      ASSERT_EQ(zeros.notes.not_examined().size(), whole ? 0u : 2u);
      for (const Notes::NotExamined& each : zeros.notes.not_examined())
        EXPECT_EQ(each.reason, "values beyond the first million");
    }
}

// An object that very many elements of two datasets name, and another one that is named last.
TEST(StoredValues, ThatNameOneObjectVeryOften) {
  constexpr std::uint64_t kHeap = 4096, kSize = 4096, kTimes = 600'000;
  Zeros zeros(kHeap + kSize);
  const auto object = [&](std::uint64_t index) {
    return number(index, 2) + number(1, 2) + number(0, 4) + number(8, 8) + number(0, 8);
  };
  zeros.write(kHeap, "GCOL" + number(1, 4) + number(kSize, 8) + object(1) + object(2) +
                         number(0, 8) + number(kSize - 64, 8));
  GlobalHeaps heaps(zeros.file);
  Headers headers(zeros.file);
  Profile profile;
  Values values(zeros.file, heaps, headers, profile);
  const std::string text = number(0x19, 1) + number(0, 3) + number(16, 4) + testing::byte_type();
  const auto type = read_datatype({std::as_bytes(std::span(text)), {"test", 0, 0}}, zeros.file);
  ASSERT_TRUE(type);
  const auto element = [&](std::uint64_t index) {
    return number(1, 4) + number(kHeap, 8) + number(index, 4);
  };
  std::string elements;
  for (std::uint64_t i = 0; i < kTimes; ++i) elements += element(1);
  for (const std::string& each : {elements, elements, element(2)}) {
    values.begin(*type, Values::Of::kData);
    values.take({std::as_bytes(std::span(each)), {"test", 0, 0}});
    values.end({"test", 0, 0});
  }
  values.judge_rest();
  EXPECT_EQ(zeros.found("h5-risk-vlen-amplification"),
            std::vector<std::string>{"1200000 values that name one object of the heap"});
}

}  // namespace
}  // namespace hepcheck::hdf5
