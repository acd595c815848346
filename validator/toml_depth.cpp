#include "validator/toml_depth.h"

#include <algorithm>

namespace hepcheck {

namespace {

// The position behind a string that begins at `at`; of an unterminated one, the end of the line or
// of the text, where the parser stops as well.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const bool escapes = quote == '"';
  const std::string_view triple = escapes ? "\"\"\"" : "'''";
  if (text.substr(at).starts_with(triple)) {
    for (std::size_t i = at + 3; i < text.size(); ++i) {
      if (escapes && text[i] == '\\')
        ++i;
      else if (text.substr(i).starts_with(triple))
        return i + 3;
    }
    return text.size();
  }
  for (std::size_t i = at + 1; i < text.size() && text[i] != '\n'; ++i) {
    if (escapes && text[i] == '\\')
      ++i;
    else if (text[i] == quote)
      return i + 1;
  }
  return std::min(text.size(), text.find('\n', at));
}

}  // namespace

std::size_t key_parts_in_toml(std::string_view text) {
  std::size_t parts = 1, most = 1;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      i = end_of_string(text, i);
      continue;
    }
    if (c == '#') {
      i = std::min(text.size(), text.find('\n', i));
      continue;
    }
    if (c == '.')
      most = std::max(most, ++parts);
    else if (std::string_view("\n=,[]{}").contains(c))
      parts = 1;
    ++i;
  }
  return most;
}

}  // namespace hepcheck
