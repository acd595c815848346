#include "validator/formats/arrow/budget.h"

#include <gtest/gtest.h>

namespace hepcheck::arrow {
namespace {

constexpr std::uint64_t kBytes = 1000;

// What a file of no bytes may decode, and that of kBytes, by the limits.
TEST(InputBudget, DecodesByItsSizeAndTheRatio) {
  Limits limits;
  limits.value_bytes = std::uint64_t{1} << 40;
  for (const std::uint64_t ratio : {1, 2, 255, 256, 257, 1'000'000}) {
    limits.ratio = ratio;
    const std::uint64_t always = InputBudget(0, 0, limits).left_to_decode();
    EXPECT_GT(always, 0u);
    const std::uint64_t times = std::min<std::uint64_t>(ratio, 256);  // the most of LZ4, and one
    InputBudget budget(kBytes, 0, limits);
    EXPECT_EQ(budget.left_to_decode(), always + times * kBytes) << ratio;
    budget.add(kBytes);
    EXPECT_EQ(budget.left_to_decode(), always + 2 * times * kBytes) << ratio;
    budget.decoded(kBytes);
    EXPECT_EQ(budget.left_to_decode(), always + 2 * times * kBytes - kBytes) << ratio;
  }
}

TEST(InputBudget, NeverDecodesMoreThanTheLimit) {
  Limits limits;
  for (const std::uint64_t most : {0, 1, 5'000}) {
    limits.value_bytes = most;
    InputBudget budget(kBytes, 0, limits);
    EXPECT_EQ(budget.left_to_decode(), most);
    budget.add(kBytes);
    EXPECT_EQ(budget.left_to_decode(), most);
  }
}

TEST(InputBudget, ExaminesEveryByteSixteenTimes) {
  const std::uint64_t always = std::uint64_t{64} << 20;
  InputBudget budget(kBytes, 0, {});
  EXPECT_TRUE(budget.examine(always + 16 * kBytes));
  EXPECT_FALSE(budget.examine(1));
  budget.add(1);
  EXPECT_TRUE(budget.examine(16));
  EXPECT_FALSE(budget.examine(1));
}

TEST(InputBudget, GrantsALittleMemory) {
  const std::uint64_t little = std::uint64_t{64} << 20;
  EXPECT_EQ(InputBudget(0, 0, {}).memory(), little);
  EXPECT_EQ(InputBudget(0, little + 1, {}).memory(), little + 1);
}

}  // namespace
}  // namespace hepcheck::arrow
