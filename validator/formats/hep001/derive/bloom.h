// Bloom filters of HEP001 10.7: double hashing, bit packing, canonical bytes.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "validator/formats/hep001/derive/codec.h"
#include "validator/formats/hep001/derive/murmur3.h"

namespace hepcheck::hep001 {

// The parameters of a CHUNK_BLOOM index. m_bits = 8 * m_bytes.
struct BloomParameters {
  std::uint32_t k = 0;
  std::uint64_t m_bits = 0;
  std::uint32_t seed = 0;
};

// How h_a + i * h_b is reduced modulo m_bits. The text does not specify it; the two agree if m_bits
// is a power of two. build_chunk_bloom wraps; verification accepts either.
enum class BloomSum : std::uint8_t {
  kExact,    // as integers of unlimited size
  kWrapped,  // modulo 2^64 first
};

// With more bits per value, it pays to detect which of them repeat.
constexpr std::uint32_t kManyHashes = 256;

// Calls use(g) for the k filter bits of a hash, g in [0, m_bits), until it returns false, if it
// returns anything. Exact sums repeat after m_bits / gcd(h_b, m_bits) steps: with many bits,
// repetitions are skipped.
template <class Use>
void for_each_bloom_bit(const Hash128& hash, const BloomParameters& p, BloomSum sum, Use use) {
  const auto go_on = [&](std::uint64_t g) {
    if constexpr (std::is_void_v<decltype(use(g))>) {
      use(g);
      return true;
    } else {
      return static_cast<bool>(use(g));
    }
  };
  if (sum == BloomSum::kWrapped) {
    std::uint64_t h = hash.a;
    for (std::uint32_t i = 0; i < p.k && go_on(h % p.m_bits); ++i) h += hash.b;
    return;
  }
  // Both halves are reduced first, so the sums stay below 2 * m_bits.
  std::uint64_t g = hash.a % p.m_bits;
  const std::uint64_t step = hash.b % p.m_bits;
  std::uint64_t steps = p.k;
  if (steps > kManyHashes) steps = std::min(steps, p.m_bits / std::gcd(step, p.m_bits));
  for (std::uint64_t i = 0; i < steps && go_on(g); ++i)
    g = g >= p.m_bits - step ? g - (p.m_bits - step) : g + step;
}

inline void set_bit(std::span<std::byte> row, std::uint64_t g) {
  row[g >> 3] |= std::byte{1} << (g & 7);
}
inline bool test_bit(std::span<const std::byte> row, std::uint64_t g) {
  return (row[g >> 3] >> (g & 7) & std::byte{1}) != std::byte{0};
}

inline void bloom_insert(std::span<std::byte> row, const Hash128& hash, const BloomParameters& p,
                         BloomSum sum) {
  for_each_bloom_bit(hash, p, sum, [&](std::uint64_t g) { set_bit(row, g); });
}
inline bool bloom_contains(std::span<const std::byte> row, const Hash128& hash,
                           const BloomParameters& p, BloomSum sum) {
  bool all = true;
  for_each_bloom_bit(hash, p, sum, [&](std::uint64_t g) { return all = test_bit(row, g); });
  return all;
}

// The datatypes that have canonical bytes: integers of 1, 2, 4 and 8 whole bytes, IEEE
// floats, the boolean of section 6, strings, opaque.
bool has_canonical_bytes(const Datatype& type);
// The same in a revision that may include enumerations, by their codes.
bool has_canonical_bytes(const Datatype& type, const Revision& revision);

// Codecs of numbers, whose canonical bytes are a little-endian word of at most 8 bytes.
template <class Codec>
concept WordCodec = std::is_arithmetic_v<typename Codec::Key>;

template <WordCodec Codec>
std::size_t word_bytes(const Codec& codec) {
  if constexpr (requires { Codec::kBytes; })
    return Codec::kBytes;
  else
    return std::min<std::size_t>(codec.size, 8);  // which the compiler cannot infer
}

// The canonical bytes of a number: -0 as +0. NaN has none and must not be passed.
template <WordCodec Codec>
std::uint64_t canonical_word(const Codec& codec, const std::byte* at) {
  const std::size_t bits = 8 * word_bytes(codec);
  std::uint64_t word = 0;
  // Floats are copied as bits: a key would lose the payload of binary16.
  if constexpr (Codec::kFloat) {
    word = codec.bits(at);
    if (word == std::uint64_t{1} << (bits - 1)) word = 0;
  } else {
    word = static_cast<std::uint64_t>(codec.key(at));
  }
  return word & ~std::uint64_t{0} >> (64 - bits);
}

// The canonical bytes of one stored value: little-endian at storage width, -0 as +0, strings
// without padding. NaN has none and must not be passed. `scratch` may hold the result.
template <class Codec>
std::span<const std::byte> canonical_bytes(const Codec& codec, const std::byte* at,
                                           std::byte (&scratch)[8]) {
  using Key = typename Codec::Key;
  if constexpr (std::is_same_v<Codec, FormCodec>) {
    return {};  // such datatypes have none
  } else if constexpr (std::is_same_v<Key, std::string_view>) {
    return std::as_bytes(std::span(codec.key(at)));
  } else {
    std::uint64_t bits = canonical_word(codec, at);
    if constexpr (std::endian::native == std::endian::big) bits = std::byteswap(bits);
    std::memcpy(scratch, &bits, sizeof bits);
    return {scratch, word_bytes(codec)};
  }
}

// The same for row `i` of a block.
template <class Codec>
std::span<const std::byte> canonical_bytes_at(const Codec& codec, const Block& block,
                                              std::size_t element_bytes, std::uint64_t i,
                                              std::byte (&scratch)[8]) {
  if constexpr (std::is_same_v<Codec, VariableStringCodec>)
    return std::as_bytes(std::span(block.strings[i]));
  else
    return canonical_bytes(codec, block.bytes.data() + i * element_bytes, scratch);
}

}  // namespace hepcheck::hep001
