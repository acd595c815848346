// A whole file as text.
#pragma once

#include <fstream>
#include <iterator>
#include <optional>
#include <string>

namespace hepcheck {

// None if it cannot be read.
inline std::optional<std::string> read_whole(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) return std::nullopt;
  return text;
}

}  // namespace hepcheck
