// Filters over values, undone from manually written bytes: what is not laid out as the filter
// writes it is refused.
#include "validator/formats/tiledb/undo_values.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <utility>
#include <vector>

namespace hepcheck::tiledb {
namespace {

using Buffer = std::vector<std::byte>;

// Numbers with their widths, the least significant byte first.
Buffer bytes(std::initializer_list<std::pair<std::uint64_t, unsigned>> numbers) {
  Buffer made;
  for (const auto& [value, width] : numbers)
    for (unsigned i = 0; i < width; ++i) made.push_back(static_cast<std::byte>(value >> 8 * i));
  return made;
}

constexpr std::uint64_t kMost = 100;

// One window of values that are stored as differences of one byte from an offset.
Buffer window(std::uint64_t length, std::uint64_t offset, std::uint64_t bits, std::uint64_t size) {
  return bytes({{length, 4}, {1, 4}, {offset, 4}, {bits, 1}, {size, 4}});
}

TEST(BitWidth, OffsetsAreAdded) {
  const auto made = undo_bit_width(window(8, 1000, 8, 2), bytes({{5, 1}, {7, 1}}), 4, kMost);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->data, bytes({{1005, 4}, {1007, 4}}));
  EXPECT_TRUE(made->metadata.empty());
}

TEST(BitWidth, MetadataOfOtherFiltersStay) {
  Buffer metadata = window(4, 0, 8, 1);
  metadata.push_back(std::byte{9});
  const auto made = undo_bit_width(metadata, bytes({{5, 1}}), 4, kMost);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->metadata, bytes({{9, 1}}));
}

TEST(BitWidth, WhatIsNotLaidOutSoIsRefused) {
  const Buffer two = bytes({{5, 1}, {7, 1}}), three = bytes({{5, 1}, {7, 1}, {9, 1}});
  EXPECT_FALSE(undo_bit_width(window(8, 0, 8, 2), three, 4, kMost));   // a byte is left
  EXPECT_FALSE(undo_bit_width(window(12, 0, 8, 2), two, 4, kMost));    // a value is missing
  EXPECT_FALSE(undo_bit_width(window(4, 0, 8, 2), two, 4, kMost));     // a value too many
  EXPECT_FALSE(undo_bit_width(window(8, 0, 8, 3), two, 4, kMost));     // beyond the data
  EXPECT_FALSE(undo_bit_width(window(8, 0, 16, 3), three, 4, kMost));  // half a value
  EXPECT_FALSE(undo_bit_width(window(8, 0, 24, 3), three, 4, kMost));  // no width of integers
  EXPECT_FALSE(undo_bit_width(window(8, 0, 12, 2), two, 4, kMost));    // no whole bytes
  EXPECT_FALSE(undo_bit_width(window(104, 0, 8, 26), Buffer(26), 4, kMost));  // above the limit
  EXPECT_FALSE(undo_bit_width(bytes({{8, 4}}), two, 4, kMost));               // no head
  EXPECT_FALSE(undo_bit_width(bytes({{8, 4}, {1, 4}}), two, 4, kMost));       // no window
  const Buffer wide = bytes({{8, 4}, {1, 4}, {0, 1}, {16, 1}, {2, 4}});
  EXPECT_FALSE(undo_bit_width(wide, two, 1, kMost));  // wider than the values
}

TEST(BitWidth, AnOffsetOfValuesThatKeepTheirWidthIsRefused) {
  const Buffer value = bytes({{5, 4}});
  EXPECT_TRUE(undo_bit_width(window(4, 0, 32, 4), value, 4, kMost));
  EXPECT_FALSE(undo_bit_width(window(4, 1, 32, 4), value, 4, kMost));
}

TEST(PositiveDelta, ValuesAreAddedUpInEachWindow) {
  const Buffer metadata = bytes({{2, 4}, {10, 2}, {4, 4}, {100, 2}, {2, 4}, {9, 1}});
  const auto made = undo_positive_delta(metadata, bytes({{0, 2}, {3, 2}, {1, 2}}), 2);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->data, bytes({{10, 2}, {13, 2}, {101, 2}}));
  EXPECT_EQ(made->metadata, bytes({{9, 1}}));
}

TEST(PositiveDelta, WhatIsNotLaidOutSoIsRefused) {
  const Buffer one = bytes({{1, 4}, {10, 2}, {2, 4}});
  EXPECT_TRUE(undo_positive_delta(one, bytes({{0, 2}}), 2));
  EXPECT_FALSE(undo_positive_delta(one, bytes({{0, 2}, {0, 1}}), 2));  // a byte is left
  EXPECT_FALSE(undo_positive_delta(one, bytes({{0, 1}}), 2));          // beyond the data
  EXPECT_FALSE(undo_positive_delta(bytes({{1, 4}, {10, 2}, {1, 4}}), bytes({{0, 1}}), 2));
  EXPECT_FALSE(undo_positive_delta(bytes({{1, 4}, {10, 2}}), bytes({{0, 2}}), 2));
}

TEST(Delta, PartsOfMetadataAndData) {
  const Buffer metadata = bytes({{1, 4}, {1, 4}, {1, 4}, {9, 4}, {2, 4}, {10, 4}});
  const auto made = undo_delta(metadata, bytes({{1, 8}, {7, 1}, {2, 8}, {5, 1}, {255, 1}}), 1);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->metadata, bytes({{7, 1}}));
  EXPECT_EQ(made->data, bytes({{5, 1}, {4, 1}}));
}

TEST(Delta, WhatIsNotLaidOutSoIsRefused) {
  const auto part = [](std::uint64_t original, std::uint64_t size) {
    return bytes({{0, 4}, {1, 4}, {original, 4}, {size, 4}});
  };
  const Buffer data = bytes({{1, 8}, {7, 2}});
  EXPECT_TRUE(undo_delta(part(2, 10), data, 2));
  EXPECT_FALSE(undo_delta(part(2, 11), data, 2));                             // beyond the data
  EXPECT_FALSE(undo_delta(part(3, 10), data, 2));                             // lengths that differ
  EXPECT_FALSE(undo_delta(part(2, 10), bytes({{2, 8}, {7, 2}}), 2));          // another count
  EXPECT_FALSE(undo_delta(part(2, 10), bytes({{1, 8}, {7, 2}, {0, 1}}), 2));  // a byte is left
  EXPECT_FALSE(undo_delta(bytes({{0, 4}, {1, 4}, {2, 4}}), data, 2));         // half an entry
  EXPECT_FALSE(undo_delta(part(1, 9), bytes({{0, 8}, {7, 1}}), 2));           // half a value
}

}  // namespace
}  // namespace hepcheck::tiledb
