// UTF-8 checked piece by piece: no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace hepcheck::hep001 {

inline bool is_ascii(std::span<const std::byte> bytes) {
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 32; at += 32, left -= 32) {
    std::uint64_t words[4];
    std::memcpy(words, at, sizeof words);
    if ((words[0] | words[1] | words[2] | words[3]) & 0x8080808080808080u) return false;
  }
  std::byte all{};
  for (; left > 0; ++at, --left) all |= *at;
  return (all & std::byte{0x80}) == std::byte{};
}

class Utf8Stream {
 public:
  // The bytes that follow those before.
  void feed(std::span<const std::byte> bytes) {
    const std::byte* at = bytes.data();
    const std::byte* const end = at + bytes.size();
    while (at != end) {
      if (expected_ == 0) {
        for (std::uint64_t word; end - at >= 8; at += 8) {
          std::memcpy(&word, at, sizeof word);
          if (word & 0x8080808080808080u) break;
        }
        if (at == end) return;
      }
      take(std::to_integer<unsigned>(*at++));
    }
  }
  // What was fed is whole and right.
  bool valid() const { return !wrong_ && expected_ == 0; }
  void restart() { *this = {}; }

 private:
  void take(unsigned byte) {
    if (expected_ > 0) {
      if (byte < low_ || byte > high_) wrong_ = true;
      low_ = 0x80, high_ = 0xBF;
      --expected_;
      return;
    }
    if (byte < 0x80) return;
    if (byte < 0xC2 || byte > 0xF4) {
      wrong_ = true;
      return;
    }
    expected_ = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : 1;
    // The second byte's range excludes overlong forms, surrogates and what lies past U+10FFFF.
    low_ = byte == 0xE0 ? 0xA0 : byte == 0xF0 ? 0x90 : 0x80;
    high_ = byte == 0xED ? 0x9F : byte == 0xF4 ? 0x8F : 0xBF;
  }

  int expected_ = 0;  // bytes of the code point under way that are still to come
  unsigned low_ = 0x80, high_ = 0xBF;
  bool wrong_ = false;
};

}  // namespace hepcheck::hep001
