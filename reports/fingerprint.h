// Identifies a finding across runs, for formats that require it.
#pragma once

#include <cstdint>
#include <string_view>

#include "validator/fnv1a.h"

namespace hepcheck::reports {

// Of fields, with separators, so that two different lists of fields have different input.
class Fingerprint {
 public:
  void add(std::string_view field) {
    digest_.add(field);
    digest_.add(0x100u);
  }
  std::uint64_t value() const { return digest_.value(); }

 private:
  Fnv1a digest_;
};

}  // namespace hepcheck::reports
