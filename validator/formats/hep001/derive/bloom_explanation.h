// Explains how a Bloom filter that lost a value was actually built (10.7).
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "validator/formats/hep001/derive/bloom.h"

namespace hepcheck::hep001 {

// A value of the chunk: its canonical bytes, and its stored form (empty for a variable-length
// string).
struct BloomSample {
  std::vector<std::byte> canonical{}, stored{};
};

// Another interpretation of the specification under which the filter has the bits of all samples,
// as text; empty if none is known.
std::string_view bloom_explanation(std::span<const BloomSample> samples,
                                   std::span<const std::byte> filter, const BloomParameters& p,
                                   const Datatype& type);

}  // namespace hepcheck::hep001
