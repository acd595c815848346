// Reads files, and digests texts that are too long to be in a golden file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <format>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "validator/integers.h"
#include "validator/sha256.h"

namespace hepcheck::golden {

// Empty if there is no such file.
inline std::string file_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return (std::ostringstream() << in.rdbuf()).str();
}

inline std::string sha256_of(std::string_view text) {
  Sha256 sum;
  sum.add({reinterpret_cast<const unsigned char*>(text.data()), text.size()});
  return sum.hexadecimal();
}

// 16 digits that change with the text, in a thirtieth of the time of SHA-256. Nobody chooses the
// text so that they do not.
inline std::string digest_of(std::string_view text) {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
  std::uint64_t state = text.size();
  const auto add = [&](std::uint64_t word) {
    state = (state ^ word) * kOdd;
    state ^= state >> 29;
  };
  for (; text.size() >= 8; text.remove_prefix(8))
    add(load<std::uint64_t>(reinterpret_cast<const std::byte*>(text.data())));
  for (const char letter : text) add(static_cast<unsigned char>(letter));
  add(0);
  return std::format("{:016x}", state);
}

}  // namespace hepcheck::golden
