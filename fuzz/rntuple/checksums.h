// Repairs the checksums of RNTuples after a change of their bytes.
#pragma once

#include <cstdint>
#include <span>

namespace hepcheck::fuzz::rntuple {

// Those of the anchors in a ROOT file and of the raw envelopes that they lead to, header first,
// since footer and page lists repeat that of the header. Compressed envelopes are left alone.
void repair_checksums(std::span<std::uint8_t> file);

}  // namespace hepcheck::fuzz::rntuple
