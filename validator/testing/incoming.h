// What tests and properties of what comes in through a pipe need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace hepcheck::testing {

inline constexpr std::uint64_t kStep = std::uint64_t{256} << 10;  // held, however little may be

// Byte i is that of i.
inline std::string counted(std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 0x9E3779B1u >> 24);
  return bytes;
}

}  // namespace hepcheck::testing
