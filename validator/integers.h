// Integers as they are stored in a file, and arithmetic that does not wrap.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>

namespace hepcheck {

// The integer at an address that need not be aligned.
template <class T>
T load(const std::byte* at, std::endian order = std::endian::little) {
  T value;
  std::memcpy(&value, at, sizeof value);
  if constexpr (sizeof value > 1)
    if (order != std::endian::native) value = std::byteswap(value);
  return value;
}

constexpr std::uint64_t kLargestNumber = std::numeric_limits<std::uint64_t>::max();

// a + b and a * b; kLargestNumber if 64 bits do not hold the result.
constexpr std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? kLargestNumber : result;
}
constexpr std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? kLargestNumber : result;
}
// The product of `first` and all factors; nothing if an intermediate product exceeds 64 bits, even
// if a later factor is 0.
constexpr std::optional<std::uint64_t> checked_product(std::span<const std::uint64_t> factors,
                                                       std::uint64_t first = 1) {
  for (const std::uint64_t factor : factors)
    if (__builtin_mul_overflow(first, factor, &first)) return std::nullopt;
  return first;
}

// a / b, rounded up; b > 0.
constexpr std::uint64_t divided_up(std::uint64_t a, std::uint64_t b) {
  return a / b + (a % b != 0);
}
// The least multiple of `unit` that is not less than a; kLargestNumber if there is none.
constexpr std::uint64_t rounded_up(std::uint64_t a, std::uint64_t unit) {
  return product(divided_up(a, unit), unit);
}
// The least number of bytes that hold the numbers 0 to n.
constexpr unsigned bytes_for(std::uint64_t n) {
  return n == 0 ? 1 : (static_cast<unsigned>(std::bit_width(n)) - 1) / 8 + 1;
}

}  // namespace hepcheck
