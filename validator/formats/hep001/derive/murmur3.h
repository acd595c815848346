// MurmurHash3_x64_128 with a 32-bit seed (10.7), the same for either byte order of the platform.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace hepcheck::hep001 {

// h_a is the low, h_b the high 64 bits of the 128-bit result.
struct Hash128 {
  std::uint64_t a = 0, b = 0;
  friend bool operator==(const Hash128&, const Hash128&) = default;
};

namespace murmur3 {

constexpr std::uint64_t kC1 = 0x87c37b91114253d5u, kC2 = 0x4cf5ad432745937fu;

inline std::uint64_t little(const std::byte* at) {
  std::uint64_t value;
  std::memcpy(&value, at, sizeof value);
  return std::endian::native == std::endian::big ? std::byteswap(value) : value;
}

// Fewer than 8 bytes, as the low bytes of a word.
inline std::uint64_t little(const std::byte* at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) value |= std::to_integer<std::uint64_t>(at[i]) << (8 * i);
  return value;
}

constexpr std::uint64_t finalise(std::uint64_t h) {
  h ^= h >> 33;
  h *= 0xff51afd7ed558ccdu;
  h ^= h >> 33;
  h *= 0xc4ceb9fe1a85ec53u;
  return h ^ h >> 33;
}

constexpr std::uint64_t mix1(std::uint64_t k) { return std::rotl(k * kC1, 31) * kC2; }
constexpr std::uint64_t mix2(std::uint64_t k) { return std::rotl(k * kC2, 33) * kC1; }

}  // namespace murmur3

// Inlined, so the loops disappear if the size is constant.
[[gnu::always_inline]] inline Hash128 murmur3_x64_128(const std::byte* data, std::size_t size,
                                                      std::uint32_t seed) {
  using namespace murmur3;
  std::uint64_t h1 = seed, h2 = seed;
  const std::size_t blocks = size / 16;
  for (std::size_t i = 0; i < blocks; ++i) {
    h1 ^= mix1(little(data + 16 * i));
    h1 = (std::rotl(h1, 27) + h2) * 5 + 0x52dce729;
    h2 ^= mix2(little(data + 16 * i + 8));
    h2 = (std::rotl(h2, 31) + h1) * 5 + 0x38495ab5;
  }
  // The tail of up to 15 bytes, as two little-endian words.
  const std::byte* tail = data + 16 * blocks;
  const std::size_t rest = size % 16;
  const std::uint64_t k1 = rest < 8 ? little(tail, rest) : little(tail);
  const std::uint64_t k2 = rest > 8 ? little(tail + 8, rest - 8) : 0;
  h2 ^= mix2(k2);
  h1 ^= mix1(k1);
  h1 ^= size;
  h2 ^= size;
  h1 += h2;
  h2 += h1;
  h1 = finalise(h1);
  h2 = finalise(h2);
  h1 += h2;
  h2 += h1;
  return {h1, h2};
}

// The hashes of values of `size` bytes each, 1 to 8, which are the low bytes of words whose other
// bytes are 0: many at a time. There are as many words as hashes, a multiple of kWordsTogether.
inline constexpr std::size_t kWordsTogether = 64;
void murmur3_of_words(std::span<const std::uint64_t> words, std::size_t size, std::uint32_t seed,
                      std::span<Hash128> into);

}  // namespace hepcheck::hep001
