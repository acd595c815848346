#include "validator/spread.h"

#include <gtest/gtest.h>

#include <random>

namespace hepcheck {
namespace {

std::uint64_t total(const Spread& spread) {
  std::uint64_t sum = 0;
  for (const Spread::Cell& cell : spread.cells()) sum += cell.count;
  return sum;
}

TEST(Spread, FewPositionsHaveTheirOwnCells) {
  Spread spread;
  for (const std::uint64_t position : {7, 3, 7, 1000000}) spread.add(position);
  EXPECT_EQ(spread.width(), 1u);
  EXPECT_EQ(spread.cells(), (std::vector<Spread::Cell>{{3, 1}, {7, 2}, {1000000, 1}}));
}

TEST(Spread, ManyPositionsShareCells) {
  Spread spread;
  for (std::uint64_t position = 0; position < 1000; ++position) spread.add(position);
  EXPECT_EQ(spread.width(), 4u);
  EXPECT_EQ(spread.cells().size(), 250u);
  EXPECT_EQ(total(spread), 1000u);
  EXPECT_EQ(spread.cells()[3], (Spread::Cell{3, 4}));
}

TEST(Spread, OrderAndPartsDoNotMatter) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::uint64_t> positions(random() % 1500);
    const std::uint64_t bound = 1 + (random() >> (random() % 64));
    for (std::uint64_t& position : positions) position = random() % bound;
    Spread one;
    for (const std::uint64_t position : positions) one.add(position);
    EXPECT_LE(one.cells().size(), Spread::kMostCells);
    EXPECT_EQ(total(one), positions.size());

    std::ranges::shuffle(positions, random);
    Spread parts[3], joined;
    for (const std::uint64_t position : positions) parts[random() % 3].add(position);
    for (const Spread& part : parts) joined.add(part);
    EXPECT_EQ(joined, one);
    EXPECT_EQ(Spread::of(one.width(), one.cells()), one);
  }
}

}  // namespace
}  // namespace hepcheck
