// Maps: Schema.fbs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "validator/formats/arrow/testing/build.h"
#include "validator/formats/arrow/testing/judge.h"

namespace hepcheck::arrow {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Two maps, with the keys 1 and 2, and with 1 again.
struct MapColumn {
  Bytes keys = raw_all(1, 2, 1), key_bits{}, entry_bits{}, map_bits{};
  std::int64_t null_keys = 0, null_entries = 0, null_maps = 0;
  bool sorted = true, entries_nullable = false, keys_nullable = false, big_endian = false;
  Bytes offsets = raw_all(0, 2, 3);
  std::uint8_t key_tag = kIntTag;
  TableOf key_type = int_type();

  Bytes stream() const {
    const TableOf key = field("key", key_tag, key_type, {}, keys_nullable);
    const TableOf entries = field("entries", kStructTag, {},
                                  {key, field("value", kIntTag, int_type())}, entries_nullable);
    const TableOf type{{{0, raw(static_cast<std::uint8_t>(sorted))}}};
    return message(kSchemaTag, schema({field("m", kMapTag, type, {entries})}, big_endian)) +
           batch(2, {{2, null_maps}, {3, null_entries}, {3, null_keys}, {3, 0}},
                 {map_bits, offsets, entry_bits, key_bits, keys, "", Bytes(12, '\0')});
  }
};

Bytes bits(unsigned value) { return raw(static_cast<std::uint8_t>(value)); }

TEST(Map, SortedKeys) {
  EXPECT_THAT(broken(MapColumn().stream()), IsEmpty());
  EXPECT_THAT(broken(MapColumn{.keys = raw_all(2, 2, 1)}.stream()), IsEmpty());
  EXPECT_THAT(broken(MapColumn{.keys = raw_all(-1, 2, -3)}.stream()), IsEmpty());
  EXPECT_THAT(broken(MapColumn{.keys = raw_all(2, 1, 3)}.stream()),
              ElementsAre("arrow-map-keys-sorted-true"));
  EXPECT_THAT(broken(MapColumn{.keys = raw_all(2, -1, 3)}.stream()),
              ElementsAre("arrow-map-keys-sorted-true"));
  EXPECT_THAT(broken(MapColumn{.keys = raw_all(2, 1, 3), .sorted = false}.stream()), IsEmpty());
  // The keys of a null map have no order.
  EXPECT_THAT(
      broken(MapColumn{.keys = raw_all(2, 1, 3), .map_bits = bits(0b10), .null_maps = 1}.stream()),
      IsEmpty());
}

// The order of numbers, not of bits; NaN has none.
TEST(Map, SortedKeysOf16BitFloats) {
  const auto sorted = [](std::uint16_t a, std::uint16_t b) {
    return broken(
               MapColumn{.keys = raw_all(a, b, a), .key_tag = kFloatTag, .key_type = {}}.stream())
        .empty();
  };
  constexpr std::uint16_t kOne = 0x3C00, kTwo = 0x4000, kZero = 0, kMinusZero = 0x8000,
                          kMinusOne = 0xBC00, kMinusTwo = 0xC000, kInfinity = 0x7C00,
                          kMinusInfinity = 0xFC00, kNan = 0x7E00, kMinusNan = 0xFE00;
  EXPECT_TRUE(sorted(kOne, kTwo));
  EXPECT_FALSE(sorted(kTwo, kOne));
  EXPECT_TRUE(sorted(kMinusTwo, kMinusOne));
  EXPECT_FALSE(sorted(kMinusOne, kMinusTwo));
  EXPECT_TRUE(sorted(kZero, kMinusZero));
  EXPECT_TRUE(sorted(kMinusInfinity, kInfinity));
  EXPECT_FALSE(sorted(kInfinity, kMinusInfinity));
  for (const std::uint16_t nan : {kNan, kMinusNan}) {
    EXPECT_TRUE(sorted(kOne, nan));
    EXPECT_TRUE(sorted(nan, kOne));
  }
}

TEST(Map, SortedKeysOfTheOtherByteOrder) {
  const Bytes offsets = big(0) + big(2) + big(3);
  EXPECT_THAT(
      broken(MapColumn{.keys = big(255) + big(256) + big(1), .big_endian = true, .offsets = offsets}
                 .stream()),
      IsEmpty());
  EXPECT_THAT(
      broken(MapColumn{.keys = big(256) + big(255) + big(1), .big_endian = true, .offsets = offsets}
                 .stream()),
      ElementsAre("arrow-map-keys-sorted-true"));
}

// NaN has no place in an order.
TEST(Map, SortedKeysThatAreFloats) {
  const TableOf type{{{0, raw(std::int16_t{1})}}};
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto stream = [&](float first, float second) {
    return MapColumn{.keys = raw_all(first, second, 1.0F), .key_tag = kFloatTag, .key_type = type}
        .stream();
  };
  EXPECT_THAT(broken(stream(-0.5F, 1.5F)), IsEmpty());
  EXPECT_THAT(broken(stream(nan, 1.5F)), IsEmpty());
  EXPECT_THAT(broken(stream(1.5F, nan)), IsEmpty());
  EXPECT_THAT(broken(stream(1.5F, -0.5F)), ElementsAre("arrow-map-keys-sorted-true"));
}

TEST(Map, Nulls) {
  // Keys that may be null have no order either.
  EXPECT_THAT(
      broken(MapColumn{.keys = raw_all(2, 1, 3), .key_bits = bits(0b101), .null_keys = 1}.stream()),
      ElementsAre("arrow-map-keys-no-nulls"));
  EXPECT_THAT(broken(MapColumn{.key_bits = bits(0b101), .null_keys = 1}.stream()),
              ElementsAre("arrow-map-keys-no-nulls"));
  EXPECT_THAT(broken(MapColumn{.entry_bits = bits(0b101), .null_entries = 1}.stream()),
              ElementsAre("arrow-map-entries-no-nulls"));
  // The keys of a null map are not examined.
  EXPECT_THAT(broken(MapColumn{
                  .key_bits = bits(0b101), .map_bits = bits(0b10), .null_keys = 1, .null_maps = 1}
                         .stream()),
              IsEmpty());
  EXPECT_THAT(broken(MapColumn{.entries_nullable = true}.stream()),
              ElementsAre("arrow-map-entries-not-nullable"));
  EXPECT_THAT(broken(MapColumn{.keys_nullable = true}.stream()),
              ElementsAre("arrow-map-key-not-nullable"));
  EXPECT_THAT(broken(MapColumn{.offsets = raw_all(0, 2, 4)}.stream()),
              ElementsAre("arrow-list-offsets-in-child"));
}

}  // namespace
}  // namespace hepcheck::arrow
