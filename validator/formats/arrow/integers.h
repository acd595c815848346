// Integers as they lie in a file, and arithmetic that does not wrap.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace hepcheck::arrow {

// Unaligned.
template <class T>
T load(const std::byte* at, std::endian order = std::endian::little) {
  T value;
  std::memcpy(&value, at, sizeof value);
  if constexpr (sizeof value > 1)
    if (order != std::endian::native) value = std::byteswap(value);
  return value;
}

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

// The largest number if it is too large.
constexpr std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  return a > kMost - b ? kMost : a + b;
}
constexpr std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > kMost / b ? kMost : a * b;
}
constexpr std::uint64_t divided_up(std::uint64_t a, std::uint64_t b) {
  return a / b + (a % b != 0);
}
constexpr std::uint64_t rounded_up(std::uint64_t a, std::uint64_t unit) {
  return product(divided_up(a, unit), unit);
}

}  // namespace hepcheck::arrow
