#include "conformance/suite/engine/text.h"

#include <algorithm>
#include <cstdint>

namespace hepcheck::suite {

std::string base64(std::string_view bytes) {
  static constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t word = 0;
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t j = 0; j < 3; ++j)
      word = word << 8 | (j < have ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    for (std::size_t j = 0; j < 4; ++j)
      text += j <= have ? kDigits[word >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string bytes;
  std::uint32_t word = 0;
  int digits = 0;
  while (text.ends_with('=')) text.remove_suffix(1);
  for (const char c : text) {
    const int digit = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                                             : -1;
    if (digit < 0) return std::nullopt;
    word = word << 6 | static_cast<std::uint32_t>(digit);
    if (++digits == 4) {
      for (const int shift : {16, 8, 0}) bytes += static_cast<char>(word >> shift & 255);
      word = 0;
      digits = 0;
    }
  }
  if (digits == 1) return std::nullopt;
  if (digits >= 2) bytes += static_cast<char>(word >> (digits == 2 ? 4 : 10) & 255);
  if (digits == 3) bytes += static_cast<char>(word >> 2 & 255);
  return bytes;
}

}  // namespace hepcheck::suite
