// FNV-1a, 64 bits: distinguishes what is not chosen to collide.
#pragma once

#include <cstdint>
#include <string_view>

namespace hepcheck {

class Fnv1a {
 public:
  void add(std::uint64_t number) { value_ = (value_ ^ number) * 0x100000001B3; }
  void add(std::string_view bytes) {
    for (const char c : bytes) add(std::uint64_t{static_cast<unsigned char>(c)});
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325;
};

inline std::uint64_t fnv1a(std::string_view bytes) {
  Fnv1a digest;
  digest.add(bytes);
  return digest.value();
}

}  // namespace hepcheck
