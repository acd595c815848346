// The interface between the target `file` and a format: how to change a file so that its reader
// still accepts it. Each format has one file here that defines it.
#pragma once

#include <cstdint>
#include <random>
#include <span>

namespace hepcheck::fuzz {

using Image = std::span<std::uint8_t>;

// A little-endian number of at most 8 bytes, which must exist.
inline std::uint64_t little(Image bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) value |= std::uint64_t{bytes[at + i]} << (8 * i);
  return value;
}
inline void put_little(Image bytes, std::size_t at, std::size_t size, std::uint64_t value) {
  for (std::size_t i = 0; i < size; ++i)
    bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
}

// Repairs in place the inconsistencies that a mutation caused in the file as a whole: checksums,
// lengths, the end of the file. Sometimes leaves one, as selected by `random`.
using Repair = void(Image file, std::minstd_rand& random);
Repair repair_arrow, repair_hdf5, repair_hep001, repair_rntuple, repair_tiledb;

}  // namespace hepcheck::fuzz
