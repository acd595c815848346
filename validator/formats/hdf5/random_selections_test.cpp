// Random selections of every type and version, with numbers of every width. What is read of sound
// ones is what their coordinates say, one by one; of all, and of those with a mistake, the findings
// equal the golden file.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <format>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "validator/formats/hdf5/selection.h"
#include "validator/formats/hdf5/testing/mistakes.h"
#include "validator/formats/hdf5/testing/said.h"
#include "validator/formats/hdf5/testing/zeros.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hdf5::random_selections {
namespace {

using testing::Said;
using testing::Zeros;

struct Made {
  unsigned type = 0, version = 1, rank = 1, width = 4;
  bool regular = false, unlimited = false, mistaken = false;
  std::uint64_t elements = 0;
  std::vector<std::uint64_t> least{}, greatest{};
  std::string bytes{};
};

// Start, stride, count and block of each dimension.
std::string dimensions(Random& random, testing::Mistakes& mistakes, Made& made) {
  std::string bytes;
  made.elements = 1;
  const unsigned endless = random.once_in(4) ? random.number(made.rank) : made.rank;
  for (unsigned d = 0; d < made.rank; ++d) {
    const std::uint64_t start = random.below(5), block = 1 + random.below(3);
    const std::uint64_t stride = block + random.below(3), count = 1 + random.below(3);
    const bool unlimited = d == endless, of_blocks = unlimited && random.once_in(3);
    const std::uint64_t stated_count = unlimited && !of_blocks ? kUndefined : of_blocks ? 1 : count;
    const std::uint64_t stated_block = of_blocks ? kUndefined : block;
    bytes += number(start, made.width);
    bytes += number(mistakes.made() ? 0 : stride, made.width);
    bytes += number(mistakes.made() ? 0 : stated_count, made.width);
    bytes += number(mistakes.made() ? stride + 1 : stated_block, made.width);
    made.least.push_back(start);
    std::uint64_t last = 0;
    for (std::uint64_t i = 0; i < count; ++i) last = start + i * stride + block - 1;
    made.greatest.push_back(unlimited ? kUndefined : last);
    made.unlimited = made.unlimited || unlimited;
    made.elements *= count * block;
  }
  return bytes;
}

// Points, or the corners of blocks.
std::string coordinates(Random& random, testing::Mistakes& mistakes, Made& made,
                        std::uint64_t count) {
  std::string bytes;
  made.least.assign(made.rank, kUndefined);
  made.greatest.assign(made.rank, 0);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t inside = 1;
    std::string last;
    for (unsigned d = 0; d < made.rank; ++d) {
      const std::uint64_t begin = random.below(9), size = made.type == 1 ? 0 : random.below(4);
      bytes += number(begin, made.width);
      last += number(mistakes.made() ? begin - std::min<std::uint64_t>(begin, 1) : begin + size,
                     made.width);
      made.least[d] = std::min(made.least[d], begin);
      made.greatest[d] = std::max(made.greatest[d], begin + size);
      inside *= size + 1;
    }
    if (made.type == 2) bytes += last;
    made.elements += inside;
  }
  if (count == 0) made.least = made.greatest = {};
  return bytes;
}

Made made_of(std::uint64_t seed) {
  Random random(seed);
  testing::Mistakes mistakes(random, 25);
  Made made;
  made.type = random.number(4);
  made.rank = 1 + random.number(3);
  const bool none_or_all = made.type == 0 || made.type == 3;
  const unsigned versions = none_or_all ? 1 : made.type == 1 ? 2 : 3;
  made.version = 1 + random.number(versions);
  const std::string before = number(mistakes.made() ? 4 : made.type, 4);
  const std::string version = number(mistakes.perhaps(made.version), 4);
  if (none_or_all) {
    made.bytes = before + version + number(mistakes.made() ? 1 : 0, 8);
  } else {
    constexpr unsigned kWidths[] = {2, 4, 8};
    const bool widths = made.version == (made.type == 1 ? 2U : 3U);
    made.width = widths ? random.one_of(kWidths) : made.type == 2 && made.version == 2 ? 8 : 4;
    made.regular = made.type == 2 && made.version > 1 && (made.version == 2 || random.once_in(2));
    const std::uint64_t count = random.below(4);
    const std::string numbers = made.regular ? dimensions(random, mistakes, made)
                                             : coordinates(random, mistakes, made, count);
    std::string head = before + version;
    if (made.type == 2 && made.version > 1)
      head += number(mistakes.made() ? 2 : made.regular ? 1 : 0, 1);
    if (widths) head += number(mistakes.made() ? 3 : made.width, 1);
    if (made.version == 1) head += number(mistakes.made() ? 7 : 0, 4);
    std::string rest = number(mistakes.perhaps(made.rank), 4);
    if (!made.regular) rest += number(mistakes.perhaps(count), made.width);
    rest += numbers;
    const bool length = made.type == 2 ? made.version < 3 : made.version == 1;
    if (length) head += number(mistakes.perhaps(rest.size()), 4);
    made.bytes = head + rest;
  }
  made.mistaken = mistakes.any();
  return made;
}

TEST(RandomSelections, HaveTheirCoordinates) {
  constexpr std::uint64_t kSets = 10, kTimes = 500;
  std::string text;
  std::size_t sound = 0;
  for (std::uint64_t set = 0; set < kSets; ++set) {
    Said said;
    for (std::uint64_t i = 0; i < kTimes; ++i) {
      const std::uint64_t seed = 1'000 * set + i;
      Made made = made_of(seed);
      Random random(seed);
      const std::size_t size = made.bytes.size();
      const std::uint64_t cut = random.once_in(20) ? 1 + random.below(6) : 0;
      if (cut > 0) made.bytes.resize(size - cut);
      if (random.once_in(4)) made.bytes += "more";
      const std::optional<unsigned> rank =
          random.once_in(3) ? std::optional(random.once_in(6) ? 2U : made.rank) : std::nullopt;
      Zeros zeros;
      zeros.notes.keep_places(20);
      const auto read =
          read_selection({std::as_bytes(std::span(made.bytes)), {"test", 0, 0}}, rank, zeros.file);
      if (read) judge_form(*read, zeros.file);
      said.all += std::format("{}\n", read.has_value());
      said.add(zeros.notes);
      if (!read || made.mistaken || cut > 0) continue;
      ++sound;
      EXPECT_EQ(static_cast<unsigned>(read->type), made.type) << seed;
      EXPECT_EQ(read->size, size) << seed;
      EXPECT_EQ(read->unlimited, made.unlimited) << seed;
      EXPECT_EQ(read->least, made.least) << seed;
      EXPECT_EQ(read->greatest, made.greatest) << seed;
      if (made.type == 1 || made.type == 2) {
        EXPECT_EQ(read->rank, made.rank) << seed;
        if (!made.unlimited) {
          EXPECT_EQ(read->elements, made.elements) << seed;
        }
      }
      EXPECT_TRUE(zeros.notes.placed().empty()) << seed;
    }
    text += said.text(set);
  }
  EXPECT_GT(sound, kSets * kTimes / 4);
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/random_selections.txt"));
}

}  // namespace
}  // namespace hepcheck::hdf5::random_selections
