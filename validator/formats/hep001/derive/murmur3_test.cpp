#include "validator/formats/hep001/derive/murmur3.h"

#include <gtest/gtest.h>
#include <murmurhash.h>

#include <random>
#include <span>
#include <string_view>
#include <vector>

namespace hepcheck::hep001 {

namespace {

Hash128 hash(std::string_view text, std::uint32_t seed = 0) {
  const auto bytes = std::as_bytes(std::span(text));
  return murmur3_x64_128(bytes.data(), bytes.size(), seed);
}

Hash128 reference(const std::byte* data, std::size_t size, std::uint32_t seed) {
  std::uint64_t out[2];
  lmmh_x64_128(data, static_cast<unsigned>(size), seed, out);
  return {out[0], out[1]};
}

TEST(Murmur3, PublishedValues) {
  EXPECT_EQ(hash(""), Hash128());
  EXPECT_EQ(hash("hello"), (Hash128{0xcbd8a7b341bd9b02, 0x5b1e906a48ae1d19}));
  EXPECT_EQ(hash("The quick brown fox jumps over the lazy dog"),
            (Hash128{0xe34bbc7bbc071b6c, 0x7a433ca9c49a9347}));
}

// The verification value that SMHasher publishes: the hashes of 0, 1, ... n - 1 for every n below
// 256 with the seed 256 - n, hashed together.
TEST(Murmur3, VerificationValueOfSmhasher) {
  std::vector<std::byte> key, hashes;
  for (std::uint32_t n = 0; n < 256; ++n) {
    const Hash128 h = murmur3_x64_128(key.data(), key.size(), 256 - n);
    for (const std::uint64_t half : {h.a, h.b})
      for (int i = 0; i < 8; ++i) hashes.push_back(static_cast<std::byte>(half >> (8 * i)));
    key.push_back(static_cast<std::byte>(n));
  }
  EXPECT_EQ(murmur3_x64_128(hashes.data(), hashes.size(), 0).a & 0xffffffff, 0x6384ba69u);
}

TEST(Murmur3, AgreesWithLibmurmurhashOnEveryLength) {
  std::mt19937_64 random(20261121);
  // Space to start at any offset: the data need not be aligned.
  std::vector<std::byte> data(1000 + 8);
  for (std::size_t size = 0; size <= 1000; ++size)
    for (const std::uint32_t seed :
         {0u, 1u, 0x7fffffffu, 0x80000000u, 0xffffffffu, static_cast<std::uint32_t>(random())}) {
      for (std::byte& byte : data) byte = static_cast<std::byte>(random());
      const std::byte* at = data.data() + size % 8;
      ASSERT_EQ(murmur3_x64_128(at, size, seed), reference(at, size, seed))
          << size << " bytes, seed " << seed;
    }
}

TEST(Murmur3, OfWordsAgreesWithThatOfTheirBytes) {
  std::mt19937_64 random(20261125);
  for (std::size_t size = 1; size <= 8; ++size)
    for (const std::uint32_t seed : {0u, 1u, 0xffffffffu}) {
      std::vector<std::uint64_t> words(2 * kWordsTogether);
      for (std::uint64_t& word : words) word = random() >> (64 - 8 * size);
      std::vector<Hash128> hashes(words.size());
      murmur3_of_words(words, size, seed, hashes);
      for (std::size_t i = 0; i < words.size(); ++i) {
        std::byte bytes[8];
        for (std::size_t k = 0; k < size; ++k) bytes[k] = static_cast<std::byte>(words[i] >> 8 * k);
        ASSERT_EQ(hashes[i], murmur3_x64_128(bytes, size, seed)) << size << " bytes, seed " << seed;
      }
    }
}

}  // namespace

}  // namespace hepcheck::hep001
