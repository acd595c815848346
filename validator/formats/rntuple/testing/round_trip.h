// Whether every envelope of a file, read and written again, has the same bytes.
#pragma once

#include <cstdint>
#include <string>

#include "validator/bytes.h"

namespace hepcheck::rntuple {

struct RoundTrip {
  std::uint64_t envelopes = 0;  // that were compared
  std::string difference{};     // the first one that differs; empty if there is none
};

RoundTrip round_trip(const Bytes& file);

}  // namespace hepcheck::rntuple
