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
// How many bytes at the beginning are ASCII.
std::uint64_t leading_ascii(std::span<const std::byte> text);
// The second byte of a character, or a later one.
inline bool is_continuation(std::byte byte) { return (byte & std::byte{0xC0}) == std::byte{0x80}; }

}  // namespace hepcheck::arrow
