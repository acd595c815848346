// Well-formed UTF-8: no overlong form, no surrogate, nothing above U+10FFFF.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace hepcheck::arrow {

// How many bytes at the beginning are well-formed; all of them if it is as long as the text.
std::uint64_t well_formed_utf8(std::span<const std::byte> text);
bool is_utf8(std::string_view text);
// The second byte of a character, or a later one.
inline bool is_continuation(std::byte byte) { return (byte & std::byte{0xC0}) == std::byte{0x80}; }

// A text that comes in parts, many bytes at a time: whether it is well-formed, not where it is not.
class Utf8Check {
 public:
  // Whether this part is ASCII.
  bool add(std::span<const std::byte> part);
  // Of all parts so far, and the last character is whole.
  bool well_formed() const { return !broken_ && !is_cut(); }

 private:
  unsigned char add_few(const unsigned char* bytes, std::size_t begin, std::size_t end);
  void keep(unsigned char byte);
  // A character that has begun goes on behind the part.
  bool is_cut() const;

  unsigned char last_[3] = {};  // bytes of the part before
  bool broken_ = false;
};

}  // namespace hepcheck::arrow
