#include "validator/formats/hep001/libhdf5/checksum.h"

#include <bit>

namespace hepcheck::hep001::libhdf5 {

std::uint32_t metadata_checksum(std::span<const std::byte> bytes) {
  std::uint32_t a = 0xdeadbeef + static_cast<std::uint32_t>(bytes.size()), b = a, c = a;
  // Bytes beyond the end are zero.
  const auto at = [&](std::size_t i) {
    return i < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i]) : 0u;
  };
  const auto word = [&](std::size_t i) {
    return at(i) | at(i + 1) << 8 | at(i + 2) << 16 | at(i + 3) << 24;
  };
  while (bytes.size() > 12) {
    a += word(0);
    b += word(4);
    c += word(8);
    a -= c;
    a ^= std::rotl(c, 4);
    c += b;
    b -= a;
    b ^= std::rotl(a, 6);
    a += c;
    c -= b;
    c ^= std::rotl(b, 8);
    b += a;
    a -= c;
    a ^= std::rotl(c, 16);
    c += b;
    b -= a;
    b ^= std::rotl(a, 19);
    a += c;
    c -= b;
    c ^= std::rotl(b, 4);
    b += a;
    bytes = bytes.subspan(12);
  }
  if (bytes.empty()) return c;
  a += word(0);
  b += word(4);
  c += word(8);
  c ^= b;
  c -= std::rotl(b, 14);
  a ^= c;
  a -= std::rotl(c, 11);
  b ^= a;
  b -= std::rotl(a, 25);
  c ^= b;
  c -= std::rotl(b, 16);
  a ^= c;
  a -= std::rotl(c, 4);
  b ^= a;
  b -= std::rotl(a, 14);
  c ^= b;
  c -= std::rotl(b, 24);
  return c;
}

}  // namespace hepcheck::hep001::libhdf5
