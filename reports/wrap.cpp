#include "reports/wrap.h"

#include <algorithm>
#include <array>

namespace hepcheck::reports {

namespace {

constexpr std::size_t kLeastWidth = 40;

// Columns that the text takes: characters of UTF-8 without colour codes.
std::size_t columns(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = std::min(text.find('m', i), text.size());
      continue;
    }
    count += (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80;
  }
  return count;
}

// The values of findings are in a column: "    found     2 rows".
std::size_t indent_of(std::string_view line) {
  constexpr std::array<std::string_view, 7> kFields = {
      "    at        ", "    found     ", "    expected  ", "    witness   ",
      "    fix       ", "    reproduce ", "              "};
  for (const std::string_view field : kFields)
    if (line.starts_with(field)) return field.size();
  const std::size_t spaces = std::min(line.find_first_not_of(' '), line.size());
  return spaces + 4;
}

void wrap_line(std::string_view line, std::size_t width, std::string& into) {
  const std::size_t indent = indent_of(line);
  std::size_t at = columns(line.substr(0, std::min(line.find_first_not_of(' '), line.size())));
  into.append(at, ' ');
  std::string_view rest = line.substr(at);
  for (bool first = true; !rest.empty();) {
    // Several spaces before a word belong to it: they align values.
    const std::size_t word_begin = std::min(rest.find_first_not_of(' '), rest.size());
    const std::size_t end = std::min(rest.find(' ', word_begin), rest.size());
    const std::size_t size = columns(rest.substr(0, end));
    if (!first && at + size > width && columns(rest.substr(word_begin, end - word_begin)) > 0) {
      into += '\n';
      into.append(indent, ' ');
      into += rest.substr(word_begin, end - word_begin);
      at = indent + columns(rest.substr(word_begin, end - word_begin));
    } else {
      into += rest.substr(0, end);
      at += size;
    }
    first = false;
    rest.remove_prefix(end);
  }
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t width) {
  if (width < kLeastWidth) return std::string(text);
  std::string made;
  made.reserve(text.size() + text.size() / 8);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (columns(line) > width)
      wrap_line(line, width, made);
    else
      made += line;
    if (end < text.size()) made += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return made;
}

}  // namespace hepcheck::reports
