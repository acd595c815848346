#include "validator/formats/hdf5/region.h"

#include <bit>
#include <format>

namespace hepcheck::hdf5 {

std::string Place::text() const { return std::format("{} @ {} + {}", kind, block, offset); }

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? kUndefined : result;
}

std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? kUndefined : result;
}

unsigned bytes_for(std::uint64_t n) {
  return n == 0 ? 1 : (static_cast<unsigned>(std::bit_width(n)) - 1) / 8 + 1;
}

}  // namespace hepcheck::hdf5
