// Pages of array blocks, and the bits that mark them as used.
#pragma once

#include <cstddef>
#include <cstdint>

#include "validator/formats/hdf5/lookup3.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

// The bit of a page, counted from the highest of the first byte.
inline bool page_bit(const Region& bitmap, std::uint64_t number) {
  const std::uint64_t byte = number / 8;
  if (byte >= bitmap.size()) return false;
  return (std::to_integer<unsigned>(bitmap.bytes[byte]) >> (7 - number % 8) & 1U) != 0;
}

// The first set bit from `first` on; kUndefined if there is none.
inline std::uint64_t first_page_bit(const Region& bitmap, std::uint64_t first) {
  for (std::uint64_t bit = first; bit < 8 * bitmap.size(); ++bit)
    if (page_bit(bitmap, bit)) return bit;
  return kUndefined;
}

// A block that ends in the checksum of the bytes before it.
struct Summed {
  std::uint32_t stored = 0, computed = 0;
  std::uint64_t at = 0;  // of the checksum

  bool good() const { return stored == computed; }
};
inline Summed sum_of(const Region& block) {
  constexpr std::uint64_t kSize = 4;
  if (block.size() < kSize) return {.stored = 1};
  Cursor read(block.part(block.size() - kSize));
  if (address_recording) record_checksum(block.part(0, block.size() - kSize), block.size() - kSize);
  return {read.u32("checksum"), lookup3(block.bytes.first(block.size() - kSize)),
          block.size() - kSize};
}

}  // namespace hepcheck::hdf5
