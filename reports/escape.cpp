#include "reports/escape.h"

#include <charconv>
#include <cstdint>
#include <format>
#include <optional>

namespace hepcheck::reports {

namespace {

struct Character {
  std::size_t length =
      0;  // The length of the sequence in bytes; 0 if the byte starts no valid sequence.
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

// Characters that are invisible, that change how their neighbours are displayed, or that XML
// forbids.
bool deceptive(std::uint32_t code) {
  return (code >= 0x7F && code < 0xA0) || code == 0xAD || code == 0x61C || code == 0x180E ||
         (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF ||
         (code >= 0xFFF9 && code <= 0xFFFF) || (code >= 0xE0000 && code <= 0xE007F);
}

bool blank(std::uint32_t code) {
  return code <= 0x20 || code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) ||
         code == 0x202F || code == 0x205F || code == 0x3000;
}

std::optional<std::uint32_t> hexadecimal(std::string_view digits) {
  std::uint32_t value = 0;
  const auto [end, trouble] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (trouble != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

// Removes the escape sequence that follows a backslash from `rest` and appends the character that
// it represents to `out`; returns false, and changes neither, if there is none.
bool take_escape(std::string_view& rest, std::string& out) {
  if (rest.empty()) return false;
  std::size_t taken = 1;
  switch (rest[0]) {
    case '\\': out += '\\'; break;
    case 'n': out += '\n'; break;
    case 'r': out += '\r'; break;
    case 't': out += '\t'; break;
    case 'x': {
      const auto byte = rest.size() < 3 ? std::nullopt : hexadecimal(rest.substr(1, 2));
      if (!byte) return false;
      out += static_cast<char>(*byte);
      taken = 3;
      break;
    }
    case 'u': {
      const std::size_t end = rest.find('}');
      if (!rest.starts_with("u{") || end == std::string_view::npos) return false;
      const auto code = hexadecimal(rest.substr(2, end - 2));
      if (!code || *code > 0x10FFFF) return false;
      append_utf8(out, *code);
      taken = end + 1;
      break;
    }
    default: return false;
  }
  rest.remove_prefix(taken);
  return true;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool at_start = true;
  bool after_hash = false;
  while (!text.empty()) {
    const Character character = decode(text);
    const std::size_t taken = character.length ? character.length : 1;
    const std::string_view bytes = text.substr(0, taken);
    text.remove_prefix(taken);
    const bool commands =
        (character.code == ':' && at_start) || (character.code == '#' && after_hash);
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
    else if (character.code < 0x20 || commands)
      out += std::format("\\x{:02X}", character.code);
    else if (deceptive(character.code))
      out += std::format("\\u{{{:04X}}}", character.code);
    else
      out += bytes;
    at_start = at_start && character.length != 0 && blank(character.code);
    after_hash = character.code == '#';
  }
  return out;
}

std::string unescaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const char first = text[0];
    text.remove_prefix(1);
    if (first != '\\' || !take_escape(text, out)) out += first;
  }
  return out;
}

std::string escaped_xml(std::string_view text) {
  std::string out;
  for (const char c : escaped(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string as_uri(std::string_view path) {
  std::string out = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").contains(c);
    if (plain)
      out += c;
    else
      out += std::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

std::string table_cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.insert(at, 1, '\\');
  return text;
}

std::string brief(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  return std::string(text.substr(0, most)) + "...";
}

}  // namespace hepcheck::reports
