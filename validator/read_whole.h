// Reads a whole file as text.
#pragma once

#include <array>
#include <cstddef>
#include <fstream>
#include <optional>
#include <string>

namespace hepcheck {

// None if it cannot be read, such as a directory.
inline std::optional<std::string> read_whole(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text;
  std::array<char, std::size_t{1} << 16> part{};
  while (in) {
    in.read(part.data(), part.size());
    text.append(part.data(), static_cast<std::size_t>(in.gcount()));
  }
  if (!in.eof()) return std::nullopt;
  return text;
}

}  // namespace hepcheck
