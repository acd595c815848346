// Masks and offsets of many entries, which are judged 64 at a time, compared with a simple loop.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "validator/formats/hep001/derive/facts.h"
#include "validator/formats/hep001/testing/build.h"
#include "validator/testing/random.h"

namespace hepcheck::hep001 {
namespace {

struct Found {
  std::uint64_t count = 0, first = 0;
  void add(std::uint64_t place) {
    if (count++ == 0) first = place;
  }
};

void expect_found(const Difference& difference, const Found& expected, const char* what) {
  EXPECT_EQ(difference.count, expected.count) << what;
  if (expected.count > 0) {
    EXPECT_EQ(difference.first, expected.first) << what;
  }
}

// Values of a mask that are no truth, offsets that decrease, nulls with elements and lists without
// any, in blocks of any length; with offsets or a mask that end early.
TEST(ListMasks, EntriesAreJudgedWhereTheyAre) {
  Random random(2914);
  const Attributes marks = [] {
    TableBuilder from = newer_table();
    return from.attributes("tracks");
  }();
  constexpr std::uint64_t kBlocks[] = {4, 64, 65, 66, 100, 128, 129, 150, 1000};
  constexpr std::uint64_t kShares[] = {0, 0, 1, 20, 40};
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    const std::uint64_t rows = 1 + random.below(400);
    TableBuilder t("/t", rows);
    t.add_group("tracks");
    t.attributes("tracks") = marks;
    const bool masked = random.below(4) != 0;
    const std::uint64_t rare = 20 + random.below(1000);
    std::uint64_t share = 0;
    Cells offsets(1, 0), mask;
    Found no_truth, decrease, null_not_empty;
    std::uint64_t nulls = 0, empty = 0, longest = 0;
    std::int64_t end = 0, most = 0;
    for (std::uint64_t row = 0; row < rows; ++row) {
      // Stretches without nulls, with some, and of nulls only.
      if (row % 48 == 0) share = random.one_of(kShares);
      const std::uint64_t kind = random.below(rare);
      const bool truth = random.below(40) >= share;
      const std::int64_t value = kind == 0 ? static_cast<std::int64_t>(2 + random.below(254))
                                 : truth   ? 1
                                           : 0;
      const std::int64_t begin = end;
      const auto more = static_cast<std::int64_t>(random.below(3));
      if (kind == 1)
        end -= std::min(end, 1 + more);
      else if (!masked || value != 0 || kind == 2)
        end += more;
      const bool null = masked && value == 0;
      if (masked && value > 1) no_truth.add(row);
      if (end < begin) decrease.add(row);
      if (end > begin && null) null_not_empty.add(row);
      nulls += null;
      empty += end == begin && !null;
      if (end > begin) longest = std::max(longest, static_cast<std::uint64_t>(end - begin));
      most = std::max(most, end);
      mask.emplace_back(value);
      offsets.emplace_back(end);
    }
    // Of any width that holds the largest.
    constexpr std::size_t kSizes[] = {8, 8, 4, 2, 1};
    constexpr ByteOrder kOrders[] = {ByteOrder::kLittle, ByteOrder::kLittle, ByteOrder::kBig};
    std::size_t size = random.one_of(kSizes);
    const bool is_signed = random.once_in(3);
    const std::size_t bits = 8 * size - (is_signed ? 1 : 0);
    if (size < 8 && most >> bits != 0) size = 8;
    const ByteOrder order = random.one_of(kOrders);
    t.add_dataset("tracks/OFFSETS", integer_type(size, is_signed, order), {rows + 1}, offsets);
    const auto elements = static_cast<std::uint64_t>(most) + 1;
    t.add_dataset("tracks/VALUES", integer_type(1, false), {elements}, Cells(elements, 7));
    if (masked) {
      t.add_dataset("tracks/MASK", integer_type(1, false), {rows}, Cells(rows, 0));
      // The values first: the cells of a boolean are names.
      t.store("tracks/MASK", mask);
      t.dataset("tracks/MASK").type = boolean_type();
    }
    t.finish(*find_specification("hep001-2026-07-09"));
    t.values.block_rows = random.one_of(kBlocks);
    FactOptions options{.memory_limit = std::uint64_t{1} << 30, .jobs = 1};
    if (random.once_in(2)) options.cuts = {.run_bytes = 1, .run_rows = 1 + random.below(150)};
    const TableFacts facts = collect_facts(t.table, t.values, options);
    ASSERT_EQ(facts.lists.size(), 1u);
    const ListLevelFacts& level = facts.lists[0].levels.at(0);
    expect_found(level.mask_value, no_truth, "mask");
    expect_found(level.decrease, decrease, "decrease");
    expect_found(level.null_not_empty, null_not_empty, "null");
    EXPECT_EQ(level.null_entries, nulls);
    EXPECT_EQ(level.empty_entries, empty);
    EXPECT_EQ(level.longest, longest);
    EXPECT_EQ(level.end, static_cast<std::uint64_t>(end));
  }
}

}  // namespace
}  // namespace hepcheck::hep001
