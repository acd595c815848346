#include "validator/formats/hep001/derive/murmur3.h"

#include "validator/vectors.h"

namespace hepcheck::hep001 {

namespace {

// As murmur3_x64_128, of which only the first word of the tail is left.
HEPCHECK_VECTORS void hash_words(const std::uint64_t* __restrict words, std::uint64_t size,
                                 std::uint64_t seed, Hash128* __restrict into) {
  for (std::size_t i = 0; i < kWordsTogether; ++i) {
    std::uint64_t h1 = seed ^ murmur3::mix1(words[i]) ^ size, h2 = seed ^ size;
    h1 += h2;
    h2 += h1;
    h1 = murmur3::finalise(h1);
    h2 = murmur3::finalise(h2);
    h1 += h2;
    h2 += h1;
    into[i].a = h1;
    into[i].b = h2;
  }
}

}  // namespace

void murmur3_of_words(std::span<const std::uint64_t> words, std::size_t size, std::uint32_t seed,
                      std::span<Hash128> into) {
  for (std::size_t i = 0; i < words.size(); i += kWordsTogether)
    hash_words(words.data() + i, size, seed, into.data() + i);
}

}  // namespace hepcheck::hep001
