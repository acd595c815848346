#include "validator/formats/arrow/utf8.h"

#include <cstring>

namespace hepcheck::arrow {

namespace {

// Bytes of the character that begins here; 0 if there is none.
unsigned character(const unsigned char* at, std::uint64_t left) {
  const auto follows = [&](unsigned i, unsigned low = 0x80, unsigned high = 0xBF) {
    return at[i] >= low && at[i] <= high;
  };
  const unsigned first = at[0];
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return left >= 2 && follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF)
    return left >= 3 && follows(1, first == 0xE0 ? 0xA0 : 0x80, first == 0xED ? 0x9F : 0xBF) &&
                   follows(2)
               ? 3
               : 0;
  if (first >= 0xF0 && first <= 0xF4)
    return left >= 4 && follows(1, first == 0xF0 ? 0x90 : 0x80, first == 0xF4 ? 0x8F : 0xBF) &&
                   follows(2) && follows(3)
               ? 4
               : 0;
  return 0;
}

}  // namespace

std::uint64_t leading_ascii(std::span<const std::byte> text) {
  constexpr std::uint64_t kHigh = 0x8080808080808080;
  std::uint64_t at = 0;
  for (; at + 32 <= text.size(); at += 32) {
    std::uint64_t words[4];
    std::memcpy(words, text.data() + at, 32);
    if ((words[0] | words[1] | words[2] | words[3]) & kHigh) break;
  }
  while (at < text.size() && text[at] < std::byte{0x80}) ++at;
  return at;
}

std::uint64_t well_formed_utf8(std::span<const std::byte> text) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  std::uint64_t at = 0;
  while (at < text.size()) {
    if (bytes[at] < 0x80) {
      at += leading_ascii(text.subspan(at));
      continue;
    }
    const unsigned width = character(bytes + at, text.size() - at);
    if (width == 0) break;
    at += width;
  }
  return at;
}

bool is_utf8(std::string_view text) {
  return well_formed_utf8(std::as_bytes(std::span(text))) == text.size();
}

}  // namespace hepcheck::arrow
