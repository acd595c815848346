// What is kept or read up to a limit: exactly as much as the limit allows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <format>
#include <span>
#include <string>
#include <vector>

#include "validator/formats/hdf5/datatype.h"
#include "validator/formats/hdf5/equal_messages.h"
#include "validator/formats/hdf5/notes.h"
#include "validator/formats/hdf5/objects.h"
#include "validator/formats/hdf5/overlaps.h"
#include "validator/formats/hdf5/profile.h"
#include "validator/formats/hdf5/testing/zeros.h"
#include "validator/formats/hdf5/values.h"
#include "validator/testing/random.h"

namespace hepcheck::hdf5::limits_tests {
namespace {

using testing::Zeros;

constexpr ClauseId kError = "swmr-ohdr-checksum";

Region region_of(const std::string& bytes) {
  return {std::as_bytes(std::span(bytes)), {"test", 0, 0}};
}

TEST(Limits, OfPathsInMessages) {
  for (const std::size_t size : {1, 499, 500, 501, 900}) {
    std::string path(size, 'a');
    path.front() = 'b';
    path.back() = 'z';
    EXPECT_EQ(brief(path), size <= 500 ? path : "..." + path.substr(size - 500)) << size;
  }
}

// The end of a path of about 4,000 bytes; the last name is whole.
TEST(Limits, OfPathsOfObjects) {
  constexpr std::size_t kLevels = 50, kName = 99;
  Objects objects;
  std::uint32_t parent = 0;
  std::string whole;
  for (std::size_t level = 0; level < kLevels; ++level) {
    std::string name = std::format("{:02}", level);
    name.resize(kName, 'x');
    whole += '/' + name;
    parent = objects.at(1'000 + level, parent, name).number;
    const bool fits = level < 40;
    EXPECT_EQ(objects.path(parent), fits ? whole : "..." + whole.substr(whole.size() - 4'000))
        << level;
  }
  EXPECT_EQ(objects.path(0), "/");
  EXPECT_FALSE(objects.at(1'000, 0, "again").fresh);
}

TEST(Limits, OfFaultsOfAnObject) {
  for (const std::uint64_t before : {0, 62, 63, 64, 65}) {
    Zeros zeros;
    zeros.notes.enter(1);
    for (std::uint64_t i = 0; i < before; ++i) zeros.notes.fail(kError, {"OHDR", 50, i}, "", "");
    zeros.notes.fail(kError, {"OHDR", 100, 0}, "", "");
    const std::vector<std::byte> bytes(1);
    EXPECT_EQ(zeros.notes.faulty({bytes, {"OHDR", 100, 0}}), before < 64) << before;
    EXPECT_TRUE(zeros.notes.faulty_block(100));
  }
}

TEST(Limits, OfFaultyBlocks) {
  constexpr std::uint64_t kMost = 4'096;
  constexpr ClauseId kWarning = "h5-ohdr-v1-reserved";
  Zeros zeros;
  for (std::uint64_t i = 0; i < kMost + 1; ++i)
    zeros.notes.fail(kWarning, {"OHDR", 8 * i, 0}, "", "");
  EXPECT_TRUE(zeros.notes.faulty_block(8 * (kMost - 1)));
  EXPECT_FALSE(zeros.notes.faulty_block(8 * kMost));
  // What is known of a block becomes worse all the same, and never better.
  EXPECT_FALSE(zeros.notes.broken_block(0));
  zeros.notes.fail(kError, {"OHDR", 0, 0}, "", "");
  EXPECT_TRUE(zeros.notes.broken_block(0));
  zeros.notes.fail(kWarning, {"OHDR", 0, 0}, "", "");
  EXPECT_TRUE(zeros.notes.broken_block(0));
}

TEST(Limits, OfPlacesOfFindings) {
  for (const std::size_t most : {0, 1, 3}) {
    Zeros zeros;
    zeros.notes.keep_places(most);
    for (std::uint64_t i = 0; i < 3; ++i)
      zeros.notes.fail(kError, {"OHDR", i, i}, std::to_string(i), "");
    ASSERT_EQ(zeros.notes.placed().size(), most);
    for (std::size_t i = 0; i < most; ++i) {
      EXPECT_EQ(zeros.notes.placed()[i].observed, std::to_string(i));
      EXPECT_EQ(zeros.notes.placed()[i].at.block, i);
      EXPECT_EQ(zeros.notes.placed()[i].severity, Severity::kError);
    }
  }
}

// The reason why an object cannot be trusted: its first error, or what was not examined of it.
TEST(Limits, TroubleIsTheFirstOne) {
  Zeros zeros;
  zeros.notes.enter(1);
  EXPECT_EQ(zeros.notes.trouble(0), "");
  zeros.notes.not_examined(kError, "too large");
  zeros.notes.not_examined(kError, "too deep");
  EXPECT_EQ(zeros.notes.trouble(0), "too large");
  EXPECT_EQ(zeros.notes.trouble(1), "too deep");
  EXPECT_EQ(zeros.notes.trouble(2), "");
  zeros.notes.fail(kError, {"OHDR", 100, 4}, "seen", "wanted");
  EXPECT_EQ(zeros.notes.trouble(2),
            "it violates swmr-ohdr-checksum (OHDR @ 100 + 4: seen; expected wanted)");
  EXPECT_TRUE(zeros.notes.error("swmr-ohdr-checksum"));
  EXPECT_FALSE(zeros.notes.error("h5-ohdr-v1-reserved"));
  EXPECT_EQ(zeros.notes.broken_by_errors(), 1u);
  zeros.notes.enter(2);
  EXPECT_EQ(zeros.notes.trouble(2), "");
}

TEST(Limits, OfMessagesThatAreKept) {
  EqualMessages<int> kept;
  const std::string longest(1'024, 'a'), longer(1'025, 'a');
  EXPECT_TRUE(kept.has_room(region_of(longest)));
  EXPECT_FALSE(kept.has_room(region_of(longer)));
  kept.keep(region_of(longest), 7);
  EXPECT_EQ(*kept.find(region_of(longest)), 7);
  EXPECT_EQ(kept.find(region_of(longer)), nullptr);
  for (int i = 1; i < 4'096; ++i) {
    const std::string text = std::to_string(i);
    ASSERT_TRUE(kept.has_room(region_of(text)));
    kept.keep(region_of(text), i);
  }
  EXPECT_FALSE(kept.has_room(region_of("x")));
  EXPECT_EQ(kept.size(), 4'096u);
  EXPECT_EQ(*kept.find(region_of("4095")), 4'095);
}

TEST(Limits, OfNestedSequences) {
  constexpr std::uint64_t kHeap = 4'096;
  for (const unsigned levels : {15, 16, 17, 18}) {
    Zeros zeros(2 * kHeap);
    const auto element = [&](std::uint64_t index) {
      return number(1, 4) + number(kHeap, 8) + number(index, 4);
    };
    // Each object is a sequence with the next one; the last one is of bytes, and too short.
    std::string heap = "GCOL" + number(1, 4) + number(kHeap, 8);
    for (unsigned i = 1; i < levels; ++i)
      heap += number(i, 2) + number(1, 2) + number(0, 4) + number(16, 8) + element(i + 1);
    heap += number(0, 8) + number(kHeap - heap.size(), 8);
    zeros.write(kHeap, heap);
    GlobalHeaps heaps(zeros.file);
    Headers headers(zeros.file);
    Profile profile;
    Values values(zeros.file, heaps, headers, profile);
    std::string type;
    for (unsigned i = 0; i < levels; ++i) type += number(0x19, 1) + number(0, 3) + number(16, 4);
    type += testing::byte_type();
    const auto read = read_datatype(region_of(type), zeros.file);
    ASSERT_TRUE(read);
    const std::string first = element(1);
    values.begin(*read, Values::Of::kData);
    values.take(region_of(first));
    values.end({"test", 0, 0});
    const bool deep = levels > 17;
    EXPECT_EQ(zeros.found("h5-vlen-nested").size(), deep ? 0u : 1u) << levels;
    ASSERT_EQ(zeros.notes.not_examined().size(), deep ? 1u : 0u) << levels;
    for (const Notes::NotExamined& each : zeros.notes.not_examined())
      EXPECT_EQ(each.reason, "values nested deeper than 16 objects");
  }
}

// Whether more is wanted after the beginning of values, and how often they are said to be code.
std::pair<bool, std::size_t> judged_code(const std::string& code) {
  Zeros zeros;
  GlobalHeaps heaps(zeros.file);
  Headers headers(zeros.file);
  Profile profile;
  Values values(zeros.file, heaps, headers, profile);
  const auto type = read_datatype(region_of(testing::byte_type()), zeros.file);
  if (!type) {
    ADD_FAILURE() << "no datatype";
    return {};
  }
  values.begin(*type, Values::Of::kData);
  const bool more = values.take(region_of(code));
  values.end({"test", 0, 0});
  return {more, zeros.found("h5-risk-serialized-code").size()};
}

// Code is recognised by its beginning, and by its end unless that is not looked at.
TEST(Limits, OfSerializedCode) {
  constexpr std::size_t kMost = 65'536;
  for (const std::size_t size : {kMost - 1, kMost, kMost + 1, 2 * kMost})
    for (const bool ends : {false, true}) {
      std::string code("\x80\4", 2);
      code.resize(size, 'x');
      if (ends) code.back() = '.';
      EXPECT_EQ(judged_code(code), std::pair(size < kMost, std::size_t{ends || size >= kMost}))
          << size << ' ' << ends;
    }
}

TEST(Limits, OfProtocolsOfCode) {
  for (unsigned protocol = 0; protocol < 8; ++protocol)
    EXPECT_EQ(judged_code("\x80" + number(protocol, 1) + "x."),
              std::pair(true, std::size_t{protocol >= 2 && protocol <= 5}))
        << protocol;
}

// Of chunks of any rank, the values inside the extent of the dataset count.
TEST(Limits, OfValuesInChunks) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    Zeros zeros;
    GlobalHeaps heaps(zeros.file);
    Headers headers(zeros.file);
    Profile profile;
    Values values(zeros.file, heaps, headers, profile);
    // A string of one letter, which has no zero at its end.
    const std::string message = number(0x13, 1) + number(0, 3) + number(1, 4);
    const auto type = read_datatype(region_of(message), zeros.file);
    ASSERT_TRUE(type);
    Dataset dataset;
    dataset.type = *type;
    const unsigned rank = 1 + random.number(4);
    dataset.space.rank = static_cast<std::uint8_t>(rank);
    dataset.layout.dimensionality = static_cast<std::uint8_t>(rank + 1);
    std::vector<std::uint64_t> scaled;
    std::uint64_t all = 1;
    for (unsigned d = 0; d < rank; ++d) {
      dataset.space.sizes[d] = 1 + random.below(6);
      dataset.layout.chunk[d] = 1 + random.below(4);
      scaled.push_back(random.below(3));
      all *= dataset.layout.chunk[d];
    }
    dataset.layout.chunk[rank] = 1;
    std::string bytes;
    std::size_t wrong = 0;
    for (std::uint64_t i = 0; i < all; ++i) {
      bool inside = true;
      std::uint64_t rest = i;
      for (unsigned d = rank; d-- > 0; rest /= dataset.layout.chunk[d])
        inside = inside && scaled[d] * dataset.layout.chunk[d] + rest % dataset.layout.chunk[d] <
                               dataset.space.sizes[d];
      const bool letter = random.once_in(2);
      bytes += letter ? 'x' : '\0';
      wrong += inside && letter;
    }
    values.begin(dataset.type, Values::Of::kData);
    values.chunk(dataset, scaled, region_of(bytes));
    values.end({"test", 0, 0});
    const std::vector<std::string> found = zeros.found("h5-string-terminated");
    ASSERT_EQ(found.size(), wrong > 0 ? 1u : 0u) << seed;
    if (wrong > 1) {
      EXPECT_TRUE(found[0].ends_with(std::format("; {} values", wrong))) << found[0] << ' ' << seed;
    }
  }
}

// The blocks that share bytes are remembered one after the other.
TEST(Limits, OfOverlappingBlocks) {
  constexpr std::uint64_t kMost = 4'096;
  for (const std::uint64_t pairs : {kMost / 2, kMost / 2 + 1}) {
    Zeros zeros;
    zeros.file.whole_format = false;
    for (std::uint64_t i = 0; i < pairs; ++i) {
      zeros.file.extents.add("OHDR", 100 * i, 50, 1);
      zeros.file.extents.add("OCHK", 100 * i + 10, 10, 1);
    }
    std::size_t told = 0;
    judge_overlaps(zeros.file, [&](std::uint32_t, const ClauseId&) { ++told; });
    EXPECT_EQ(told, 2 * pairs);
    EXPECT_EQ(zeros.file.overlapping.size(), std::min(2 * pairs, kMost));
  }
}

}  // namespace
}  // namespace hepcheck::hdf5::limits_tests
