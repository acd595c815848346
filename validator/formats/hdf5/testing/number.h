// Numbers as the files of tests have them.
#pragma once

#include <cstdint>
#include <string>

namespace hepcheck::hdf5::testing {

// The bytes of a number, the least significant first.
inline std::string number(std::uint64_t value, unsigned width) {
  std::string made;
  for (unsigned i = 0; i < width; ++i) made.push_back(static_cast<char>(value >> 8 * i));
  return made;
}

}  // namespace hepcheck::hdf5::testing
