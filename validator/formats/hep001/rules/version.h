// HEP001 7.2: the revision that a table declares, compared numerically.
#pragma once

#include <cstdint>
#include <string>

#include "validator/formats/hep001/model/table.h"

namespace hepcheck::hep001 {

struct VersionClaim {
  enum class Kind : std::uint8_t {
    kAbsent,        // no VERSION, or one without a string value
    kThis,          // 1.0, also written with a PATCH or leading zeros
    kLaterMinor,    // 1.N: a conforming consumer of 1.0 can read it
    kLaterMajor,    // must not be processed
    kEarlierMajor,  // 0.N: not a revision to which tables can conform
    kMalformed,     // not two or three decimal numbers
  };
  Kind kind = Kind::kAbsent;
  std::string text{};
  bool two_components = false;  // MAJOR.MINOR without leading zeros, the form required by 7.2
};

// Numbers may have any length; none overflows.
VersionClaim version_claim(const Table& table);

}  // namespace hepcheck::hep001
