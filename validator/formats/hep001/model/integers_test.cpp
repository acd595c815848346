#include "validator/formats/hep001/model/integers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace hepcheck::hep001 {

namespace {

using Bytes = std::vector<std::byte>;
__extension__ using Wide = __int128;

constexpr ByteOrder kOrders[] = {ByteOrder::kLittle, ByteOrder::kBig};

Datatype integer(std::size_t bytes, bool is_signed, ByteOrder order, std::uint32_t precision,
                 std::uint32_t offset) {
  Datatype type = integer_type(bytes, is_signed, order);
  type.precision = precision;
  type.bit_offset = offset;
  return type;
}

// Bit by bit; all others are as in `around`.
Bytes stored(const Datatype& type, Wide value, bool around) {
  Bytes bytes(type.size, around ? std::byte{0xFF} : std::byte{0});
  for (std::uint32_t i = 0; i < type.precision; ++i) {
    const std::uint32_t at = type.bit_offset + i;
    const bool bit = (value >> std::min(i, 127u) & 1) != 0;
    const std::byte mask = std::byte{1} << (at % 8);
    if (bit)
      bytes[at / 8] |= mask;
    else
      bytes[at / 8] &= ~mask;
  }
  if (type.order == ByteOrder::kBig) std::ranges::reverse(bytes);
  return bytes;
}

std::string text(Wide value) {
  if (value < 0) return "-" + text(-value);
  return (value >= 10 ? text(value / 10) : "") +
         static_cast<char>('0' + static_cast<int>(value % 10));
}

TEST(Integers, OfEverySizePrecisionAndOffset) {
  std::mt19937_64 random(16);
  for (std::size_t bytes = 1; bytes <= 24; ++bytes)
    for (int i = 0; i < 40; ++i) {
      const auto bits = static_cast<std::uint32_t>(8 * bytes);
      const auto precision = 1 + static_cast<std::uint32_t>(random() % std::min(bits, 120u));
      const bool is_signed = (random() & 1) != 0;
      const Datatype type = integer(bytes, is_signed, kOrders[random() % 2], precision,
                                    static_cast<std::uint32_t>(random() % (bits - precision + 1)));
      const Wide high = (Wide{1} << (precision - is_signed)) - 1, low = is_signed ? -high - 1 : 0;
      const Wide any = low + static_cast<Wide>(random()) % (high - low + 1);
      for (const Wide value : {low, Wide{0}, high, any})
        for (const bool around : {false, true}) {
          const Bytes held = stored(type, value, around);
          EXPECT_EQ(integer_text(type, held), text(value)) << describe(type);
          const auto number = integer_value(type, held);
          const bool fits = value >= -(Wide{1} << 63) && value < Wide{1} << 64;
          EXPECT_EQ(number.has_value(), fits) << describe(type) << ' ' << text(value);
          if (number) {
            EXPECT_EQ(number->negative, value < 0);
            EXPECT_EQ(number->bits, static_cast<std::uint64_t>(value));
          }
          if (fits && value >= 0) {
            EXPECT_EQ(stored_integer(type, static_cast<std::uint64_t>(value)),
                      stored(type, value, false))
                << describe(type);
          }
        }
    }
}

TEST(Integers, OfAThousandBytes) {
  const Datatype type = integer_type(1000, true, ByteOrder::kBig);
  Bytes bytes(1000, std::byte{0xFF});
  EXPECT_EQ(integer_text(type, bytes), "-1");
  EXPECT_EQ(integer_value(type, bytes), (Integer{~std::uint64_t{0}, true}));
  bytes[999 - 20] = std::byte{0xFE};  // -1 - 2^160
  EXPECT_EQ(integer_text(type, bytes), "-1461501637330902918203684832716283019655932542977");
  EXPECT_EQ(integer_value(type, bytes), std::nullopt);
  bytes.assign(1000, std::byte{0});
  bytes[999 - 20] = std::byte{1};
  EXPECT_EQ(integer_text(type, bytes), "1461501637330902918203684832716283019655932542976");
}

TEST(Integers, ThatDoNotFitOrHaveNoMeaning) {
  EXPECT_EQ(stored_integer(integer_type(1, true), 128), std::nullopt);
  EXPECT_EQ(stored_integer(integer_type(1, false), 256), std::nullopt);
  EXPECT_TRUE(stored_integer(integer_type(1, false), 255));
  EXPECT_TRUE(stored_integer(integer_type(9, true), ~std::uint64_t{0}));
  const Bytes two(2);
  EXPECT_EQ(integer_value(integer(2, true, ByteOrder::kLittle, 0, 0), two), std::nullopt);
  EXPECT_EQ(integer_value(integer(2, true, ByteOrder::kLittle, 12, 5), two), std::nullopt);
  EXPECT_EQ(integer_value(integer(2, true, ByteOrder::kVax, 16, 0), two), std::nullopt);
  EXPECT_EQ(integer_value(integer(2, true, ByteOrder::kLittle, 0xFFFFFFFF, 17), two), std::nullopt);
  EXPECT_EQ(integer_value(integer_type(4, true), two), std::nullopt);
  EXPECT_EQ(integer_value(ieee_float_type(2), two), std::nullopt);
  EXPECT_EQ(integer_text(ieee_float_type(2), two), "no number");
}

TEST(Integers, LeastThat64BitsHold) {
  constexpr Wide kLeast = -(Wide{1} << 63);
  for (const std::size_t bytes : {8, 9, 16}) {
    const Datatype type = integer_type(bytes, true);
    EXPECT_EQ(integer_value(type, stored(type, kLeast, false)),
              (Integer{std::uint64_t{1} << 63, true}));
    if (bytes > 8) {
      EXPECT_EQ(integer_value(type, stored(type, kLeast - 1, false)), std::nullopt) << bytes;
    }
  }
}

TEST(Integers, CodesOfEnumerations) {
  const Datatype base = integer(4, true, ByteOrder::kBig, 12, 3);
  const Datatype grade = enum_type(base, {{"LOW", 0}});
  EXPECT_EQ(integer_text(grade, stored(base, -2048, true)), "-2048");
  EXPECT_EQ(integer_value(grade, stored(base, -5, true)), (Integer{~std::uint64_t{0} - 4, true}));
}

}  // namespace

}  // namespace hepcheck::hep001
