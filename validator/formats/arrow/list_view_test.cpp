// List views in any order: which elements of the child null slots hide.
#include <gtest/gtest.h>

#include <bit>
#include <string>

#include "validator/formats/arrow/testing/build.h"
#include "validator/formats/arrow/testing/judge.h"

namespace hepcheck::arrow {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

constexpr std::uint8_t kListViewTag = 25;

// Slots of int32 elements that are not nullable. `valid`, `elements`: a bit for each.
struct ListViews {
  std::uint8_t valid, elements;
  Bytes offsets, sizes;

  std::string judged() const {
    const auto slots = static_cast<std::int64_t>(offsets.size() / 4);
    const auto nulls = [](std::uint8_t bits, std::int64_t count) {
      return count - std::popcount(bits);
    };
    const Bytes stream =
        message(kSchemaTag, schema({field("l", kListViewTag, {},
                                          {field("item", kIntTag, int_type(), {}, false)})})) +
        batch(slots, {{slots, nulls(valid, slots)}, {6, nulls(elements, 6)}},
              {raw(valid), offsets, sizes, raw(elements), Bytes(24, '\1')});
    return result_of(stream, "arrow-columnar-1.5", "arrow-field-not-nullable-no-nulls");
  }
};

TEST(ListViews, HiddenRangesInAnyOrder) {
  // The null slots span the elements 4 to 5, 0 to 1, 2 to 3.
  EXPECT_EQ((ListViews{0b000, 0b000000, raw_all(4, 0, 2), raw_all(2, 2, 2)}.judged()), "pass 1");
  // The first one hides nothing of the elements 2 and 3.
  EXPECT_EQ((ListViews{0b001, 0b111100, raw_all(2, 4, 0), raw_all(2, 2, 2)}.judged()), "pass 1");
  EXPECT_EQ((ListViews{0b000, 0b000000, raw_all(4, 0), raw_all(2, 2)}.judged()), "fail 1: 2 nulls");
  // Overlapping ones, the longer one first and behind.
  EXPECT_EQ((ListViews{0b000, 0b000000, raw_all(3, 0, 1), raw_all(3, 5, 1)}.judged()), "pass 1");
  EXPECT_EQ((ListViews{0b000, 0b000000, raw_all(1, 1, 0), raw_all(4, 1, 1)}.judged()),
            "fail 1: 1 nulls");
}

TEST(ListViews, SeenRangesInAnyOrder) {
  // A null slot spans all elements; what valid ones span is not hidden, in whatever order.
  const Bytes offsets = raw_all(0, 4, 2, 0), sizes = raw_all(6, 1, 1, 1);
  for (const int element : {0, 2, 4}) {
    const auto elements = static_cast<std::uint8_t>(0b111111 & ~(1u << element));
    EXPECT_EQ((ListViews{0b1110, elements, offsets, sizes}.judged()), "fail 1: 1 nulls") << element;
  }
  for (const int element : {1, 3, 5}) {
    const auto elements = static_cast<std::uint8_t>(0b111111 & ~(1u << element));
    EXPECT_EQ((ListViews{0b1110, elements, offsets, sizes}.judged()), "pass 1") << element;
  }
}

}  // namespace
}  // namespace hepcheck::arrow
