// Masks and offsets of many entries, which are judged 64 at a time, compared with a simple loop.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "validator/formats/hep001/derive/facts.h"
#include "validator/formats/hep001/testing/build.h"
#include "validator/testing/random.h"

namespace hepcheck::hep001 {
namespace {

TEST(ListMasks, ValuesThatAreNoTruthAreWhereTheyAre) {
  Random random(2914);
  const Attributes marks = [] {
    TableBuilder from = newer_table();
    return from.attributes("tracks");
  }();
  for (int round = 0; round < 80; ++round) {
    const std::uint64_t rows = 1 + random.below(300);
    TableBuilder t("/t", rows);
    t.add_group("tracks");
    t.attributes("tracks") = marks;
    Cells offsets(1, 0), mask;
    std::uint64_t wrong = 0, first = 0, nulls = 0, end = 0;
    for (std::uint64_t row = 0; row < rows; ++row) {
      const std::uint64_t kind = random.below(40);
      const std::uint64_t value = kind == 0 && round % 4 != 0 ? 2 + random.below(254) : kind % 2;
      if (value > 1 && wrong++ == 0) first = row;
      nulls += value == 0;
      if (value != 0) end += random.below(3);
      mask.emplace_back(static_cast<std::int64_t>(value));
      offsets.emplace_back(static_cast<std::int64_t>(end));
    }
    t.add_dataset("tracks/OFFSETS", integer_type(8, false), {rows + 1}, offsets);
    t.add_dataset("tracks/VALUES", integer_type(1, false), {end + 1}, Cells(end + 1, 7));
    t.add_dataset("tracks/MASK", integer_type(1, false), {rows}, Cells(rows, 0));
    // The values first: the cells of a boolean are names.
    t.store("tracks/MASK", mask);
    t.dataset("tracks/MASK").type = boolean_type();
    t.finish(*find_specification("hep001-2026-07-09"));
    FactOptions options{.memory_limit = std::uint64_t{1} << 30, .jobs = 1};
    if (random.once_in(2)) options.cuts = {.run_bytes = 1, .run_rows = 1 + random.below(150)};
    const TableFacts facts = collect_facts(t.table, t.values, options);
    ASSERT_EQ(facts.lists.size(), 1u);
    const ListLevelFacts& level = facts.lists[0].levels.at(0);
    EXPECT_EQ(level.mask_value.count, wrong) << round;
    if (wrong > 0) {
      EXPECT_EQ(level.mask_value.first, first) << round;
    }
    EXPECT_EQ(level.null_entries, nulls) << round;
  }
}

}  // namespace
}  // namespace hepcheck::hep001
