// Numbers as files have them, and as golden files do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <format>
#include <string>
#include <vector>

namespace hepcheck {

// The bytes of a number, the least significant first.
inline std::string number(std::uint64_t value, unsigned width) {
  std::string made;
  for (unsigned i = 0; i < width; ++i) made.push_back(static_cast<char>(value >> 8 * i));
  return made;
}
inline void put_number(std::vector<std::byte>& into, std::uint64_t value, unsigned width) {
  for (const char each : number(value, width)) into.push_back(static_cast<std::byte>(each));
}

inline std::string numbers_text(const auto& numbers) {
  std::string made;
  for (const auto each : numbers) made += std::format("{},", each);
  return made;
}

}  // namespace hepcheck
