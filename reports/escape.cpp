#include "reports/escape.h"

#include <cstdint>
#include <format>

namespace hepcheck::reports {

namespace {

struct Character {
  std::size_t length = 0;  // bytes; 0 if the byte starts no valid sequence
  std::uint32_t code = 0;
};

// The UTF-8 sequence at the start of `text`; overlong forms and surrogates are not valid.
Character decode(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
  };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {1, lead};
  const std::size_t length = lead >= 0xF0 && lead < 0xF8   ? 4
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xC0 && lead < 0xE0 ? 2
                                                           : 0;
  if (length == 0 || text.size() < length) return {};
  std::uint32_t code = lead & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3F);
  }
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kSmallest[length] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {};
  return {length, code};
}

// Characters that change how a terminal shows what surrounds them.
bool deceptive(std::uint32_t code) {
  return (code >= 0x7F && code < 0xA0) || (code >= 0x200B && code <= 0x200F) ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
         code == 0xFEFF || (code >= 0xFFF9 && code <= 0xFFFB);
}

}  // namespace

std::string for_terminal(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character character = decode(text);
    const std::size_t taken = character.length ? character.length : 1;
    const std::string_view bytes = text.substr(0, taken);
    text.remove_prefix(taken);
    if (character.length == 0)
      out += std::format("\\x{:02X}", static_cast<unsigned char>(bytes[0]));
    else if (character.code == '\\')
      out += "\\\\";
    else if (character.code == '\n')
      out += "\\n";
    else if (character.code == '\r')
      out += "\\r";
    else if (character.code == '\t')
      out += "\\t";
    else if (character.code < 0x20)
      out += std::format("\\x{:02X}", character.code);
    else if (deceptive(character.code))
      out += std::format("\\u{{{:04X}}}", character.code);
    else
      out += bytes;
  }
  return out;
}

std::string as_utf8(std::string_view text) {
  for (std::string_view rest = text; !rest.empty();) {
    const Character character = decode(rest);
    const bool forbidden = character.code < 0x20 && character.code != '\t' &&
                           character.code != '\n' && character.code != '\r';
    if (character.length == 0 || forbidden || character.code == 0xFFFE || character.code == 0xFFFF)
      return for_terminal(text);
    rest.remove_prefix(character.length);
  }
  return std::string(text);
}

}  // namespace hepcheck::reports
