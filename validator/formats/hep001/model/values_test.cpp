// Values in memory: any rectangle of a dataset of any rank, and any rows in any steps.
#include "validator/formats/hep001/model/values.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "validator/formats/hep001/model/table.h"

namespace hepcheck::hep001 {
namespace {

using Numbers = std::vector<std::uint64_t>;

// A dataset of bytes, each of which is its position in row-major order.
struct Counted {
  Dataset dataset{};
  MemoryValues values{};

  explicit Counted(const Numbers& extent) {
    dataset.path = "/x";
    dataset.type = integer_type(1, false);
    dataset.space.kind = Dataspace::Kind::kSimple;
    dataset.space.extent = extent;
    std::size_t count = 1;
    for (const std::uint64_t each : extent) count *= each;
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i < count; ++i) bytes.push_back(static_cast<std::byte>(i));
    values.set(dataset.token, bytes);
  }
};

TEST(MemoryValues, RectanglesOfEveryPlace) {
  const Numbers extent{3, 4, 5};
  Counted of(extent);
  for (std::uint64_t corner = 0; corner < 3 * 4 * 5; ++corner)
    for (std::uint64_t far = corner; far < 3 * 4 * 5; ++far) {
      const Numbers start{corner / 20, corner / 5 % 4, corner % 5},
          last{far / 20, far / 5 % 4, far % 5};
      if (last[1] < start[1] || last[2] < start[2]) continue;
      const Numbers count{last[0] - start[0] + 1, last[1] - start[1] + 1, last[2] - start[2] + 1};
      std::vector<std::byte> wanted;
      for (std::uint64_t i = start[0]; i <= last[0]; ++i)
        for (std::uint64_t j = start[1]; j <= last[1]; ++j)
          for (std::uint64_t k = start[2]; k <= last[2]; ++k)
            wanted.push_back(static_cast<std::byte>((i * 4 + j) * 5 + k));
      const auto found = of.values.read(of.dataset, start, count);
      ASSERT_TRUE(found);
      ASSERT_EQ(*found, wanted) << corner << " to " << far;
    }
}

TEST(MemoryValues, RectanglesThatAreNotThere) {
  Counted of({3, 4});
  const auto fails = [&](const Numbers& start, const Numbers& count) {
    return !of.values.read(of.dataset, start, count);
  };
  EXPECT_FALSE(fails({1, 1}, {2, 3}));
  EXPECT_FALSE(fails({3, 4}, {0, 0}));
  EXPECT_TRUE(fails({1, 1}, {3, 3}));
  EXPECT_TRUE(fails({1, 1}, {2, 4}));
  EXPECT_TRUE(fails({4, 0}, {0, 4}));
  EXPECT_TRUE(fails({1}, {1}));
  EXPECT_TRUE(fails({1, 1}, {~std::uint64_t{0}, 1}));
}

}  // namespace
}  // namespace hepcheck::hep001
