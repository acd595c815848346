// Well-formed UTF-8: no overlong form, no surrogate, nothing above U+10FFFF.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace hepcheck {

// How many bytes at the beginning are well-formed; all of them if it is as long as the text.
std::uint64_t well_formed_utf8(std::span<const std::byte> text);
bool is_utf8(std::string_view text);
// The second byte of a character, or a later one.
inline bool is_continuation(std::byte byte) { return (byte & std::byte{0xC0}) == std::byte{0x80}; }

// Whether all bytes are below 0x80.
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

// Checks a text that is read in many small parts.
class Utf8Stream {
 public:
  // Continues with these bytes.
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
  // All that was fed is well-formed, and the last character is complete.
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
    // The range of the second byte excludes overlong forms, surrogates and code points above
    // U+10FFFF.
    low_ = byte == 0xE0 ? 0xA0 : byte == 0xF0 ? 0x90 : 0x80;
    high_ = byte == 0xED ? 0x9F : byte == 0xF4 ? 0x8F : 0xBF;
  }

  int expected_ = 0;  // missing bytes of an incomplete code point
  unsigned low_ = 0x80, high_ = 0xBF;
  bool wrong_ = false;
};

// Checks a text that is read in large parts, with vector instructions.
class Utf8Check {
 public:
  // Whether this part is ASCII.
  bool add(std::span<const std::byte> part);
  // Whether all parts so far are UTF-8 and the last character is complete.
  bool well_formed() const { return !broken_ && !is_cut(); }

 private:
  unsigned char add_few(const unsigned char* bytes, std::size_t begin, std::size_t end);
  void keep(unsigned char byte);
  // A character that has begun goes on behind the part.
  bool is_cut() const;

  unsigned char last_[3] = {};  // bytes of the part before
  bool broken_ = false;
};

}  // namespace hepcheck
