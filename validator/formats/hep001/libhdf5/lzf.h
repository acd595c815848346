// LZF, the compression filter that h5py brings along (id 32000). Decoding only.
#pragma once

#include <cstddef>
#include <span>

#include "validator/formats/hep001/model/table.h"

namespace hepcheck::hep001::libhdf5 {

inline constexpr int kLzfFilter = 32000;

// True if `from` is sound and makes exactly as many bytes as `into` has room for.
bool decode_lzf(std::span<const std::byte> from, std::span<std::byte> into);

// The filter says how many bytes a chunk has, and says so rightly. The library trusts it.
bool states_chunk_size(const Filter& lzf, const Dataset& dataset);

// Lets the library read such chunks, without loading a plugin.
void register_lzf();

}  // namespace hepcheck::hep001::libhdf5
