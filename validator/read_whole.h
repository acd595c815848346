// Reads a whole file as text.
#pragma once

#include <array>
#include <cstddef>
#include <fstream>
#include <optional>
#include <string>

namespace hepcheck {

// None if it cannot be read, such as a directory, or is larger than `most` bytes.
inline std::optional<std::string> read_whole(const std::string& path,
                                             std::size_t most = std::size_t{1} << 32) {
  std::ifstream in(path, std::ios::binary);
  std::string text;
  std::array<char, std::size_t{1} << 16> part{};
  while (in) {
    in.read(part.data(), part.size());
    text.append(part.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > most) return std::nullopt;
  }
  if (!in.eof()) return std::nullopt;
  return text;
}

}  // namespace hepcheck
