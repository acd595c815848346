// Identifies a finding across runs, for formats that require it.
#pragma once

#include <cstdint>
#include <string_view>

namespace hepcheck::reports {

// FNV-1a over fields, with separators, so that two different lists of fields have different input.
class Fingerprint {
 public:
  void add(std::string_view field) {
    for (const char c : field) mix(static_cast<unsigned char>(c));
    mix(0x100);
  }
  std::uint64_t value() const { return hash_; }

 private:
  void mix(std::uint64_t value) { hash_ = (hash_ ^ value) * 0x100000001B3u; }
  std::uint64_t hash_ = 0xCBF29CE484222325u;
};

}  // namespace hepcheck::reports
