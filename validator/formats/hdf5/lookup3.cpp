#include "validator/formats/hdf5/lookup3.h"

#include <bit>
#include <cstring>

namespace hepcheck::hdf5 {

namespace {

struct State {
  std::uint32_t a, b, c;

  // Mixes three words into the state.
  void add(const std::byte* bytes) {
    std::uint32_t words[3];
    std::memcpy(words, bytes, sizeof words);
    if constexpr (std::endian::native == std::endian::big)
      for (std::uint32_t& word : words) word = std::byteswap(word);
    a += words[0];
    b += words[1];
    c += words[2];
  }

  void mix() {
    a -= c, a ^= std::rotl(c, 4), c += b;
    b -= a, b ^= std::rotl(a, 6), a += c;
    c -= b, c ^= std::rotl(b, 8), b += a;
    a -= c, a ^= std::rotl(c, 16), c += b;
    b -= a, b ^= std::rotl(a, 19), a += c;
    c -= b, c ^= std::rotl(b, 4), b += a;
  }

  void finish() {
    c ^= b, c -= std::rotl(b, 14);
    a ^= c, a -= std::rotl(c, 11);
    b ^= a, b -= std::rotl(a, 25);
    c ^= b, c -= std::rotl(b, 16);
    a ^= c, a -= std::rotl(c, 4);
    b ^= a, b -= std::rotl(a, 14);
    c ^= b, c -= std::rotl(b, 24);
  }
};

}  // namespace

std::uint32_t lookup3(std::span<const std::byte> bytes, std::uint32_t initial) {
  constexpr std::size_t kStep = 12;
  const std::uint32_t begin = 0xdeadbeef + static_cast<std::uint32_t>(bytes.size()) + initial;
  State state{begin, begin, begin};
  if (bytes.empty()) return state.c;
  // The last step, of 1 to 12 bytes, uses the final mix.
  for (; bytes.size() > kStep; bytes = bytes.subspan(kStep)) {
    state.add(bytes.data());
    state.mix();
  }
  std::byte last[kStep]{};
  std::memcpy(last, bytes.data(), bytes.size());
  state.add(last);
  state.finish();
  return state.c;
}

}  // namespace hepcheck::hdf5
