// The picture of nulls, computed from the counts of batches.
#include "validator/formats/arrow/null_cells.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace hepcheck::arrow {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(NullCells, OneCellPerSlotIfThereAreFew) {
  NullCells nulls;
  EXPECT_EQ(nulls.cells().rows_per_cell, 0u);
  nulls.add(2, 2);
  nulls.add(3, 0);
  nulls.add(4, 1);  // in the last of the four
  EXPECT_EQ(nulls.cells().rows_per_cell, 1u);
  EXPECT_THAT(nulls.cells().missing, ElementsAre(1, 1, 0, 0, 0, 0, 0, 0, 1));
}

TEST(NullCells, BecomeWiderWithoutLosingCounts) {
  NullCells nulls;
  for (int batch = 0; batch < 1000; ++batch) nulls.add(7, batch < 500 ? 7 : 0);
  const MissingCells cells = nulls.cells();
  EXPECT_EQ(cells.rows_per_cell, 32u);
  EXPECT_THAT(cells.missing, SizeIs(219));
  EXPECT_EQ(std::accumulate(cells.missing.begin(), cells.missing.end(), 0u), 3500u);
  EXPECT_EQ(cells.missing.front(), 32u);
  EXPECT_EQ(cells.missing[109], 3500u - 109 * 32);
  EXPECT_EQ(cells.missing[110], 0u);
}

TEST(NullCells, ManySlotsAtOnce) {
  NullCells nulls;
  nulls.add(std::uint64_t{1} << 61, std::uint64_t{1} << 60);
  EXPECT_THAT(nulls.cells().missing, SizeIs(256));
  EXPECT_THAT(nulls.cells().missing, Each(nulls.cells().rows_per_cell / 2));
}

TEST(NullCells, ImpossibleCounts) {
  NullCells nulls;
  nulls.add(4, 1);
  nulls.add(2, 3);
  nulls.add(0, 0);
  nulls.add(~std::uint64_t{0}, 0);
  EXPECT_THAT(nulls.cells().missing, ElementsAre(0, 0, 0, 1));
}

}  // namespace
}  // namespace hepcheck::arrow
