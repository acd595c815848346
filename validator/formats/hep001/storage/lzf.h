// LZF, the compression filter of h5py (id 32000), as the filter of a dataset.
#pragma once

#include <cstddef>
#include <span>

#include "validator/formats/hep001/model/table.h"

namespace hepcheck::hep001 {

inline constexpr int kLzfFilter = 32000;

// True if `from` is valid and produces exactly as many bytes as `into` holds.
bool decode_lzf(std::span<const std::byte> from, std::span<std::byte> into);

// Whether the filter states the size of a chunk, and states it correctly. Decoders trust it.
bool states_chunk_size(const Filter& lzf, const Dataset& dataset);

}  // namespace hepcheck::hep001
