// SHA-256 (FIPS 180-4), which identifies the bytes that a report describes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace hepcheck {

class Sha256 {
 public:
  void add(std::span<const unsigned char> bytes);
  // The digest of everything added, in hexadecimal. Nothing can be added afterwards.
  std::string hexadecimal();

 private:
  void block(const unsigned char* bytes);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> rest_{};  // bytes of an incomplete block
  std::uint64_t length_ = 0;
};

}  // namespace hepcheck
