// Numbers with the noun that they count.
#pragma once

#include <cstdint>
#include <format>
#include <string>
#include <string_view>

namespace hepcheck {

// "1 entry", "2 entries"
inline std::string counted(std::uint64_t n, std::string_view one, std::string_view more) {
  return std::format("{} {}", n, n == 1 ? one : more);
}
// "1 byte", "2 bytes"
inline std::string counted(std::uint64_t n, std::string_view word) {
  return std::format("{} {}{}", n, word, n == 1 ? "" : "s");
}

}  // namespace hepcheck
