// Undoes n-bit and scale-offset (IV.A.2.l), which pack numbers into as few bits as they need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "validator/formats/hdf5/filters.h"

namespace hepcheck::hdf5 {

// Whether it could be undone; if not, the filter describes what is not followed here. The client
// values need not be sound. `into`: a chunk of elements of `size` bytes.
bool unpack_nbit(const Filter& filter, std::span<const std::byte> packed, std::uint64_t size,
                 std::span<std::byte> into);
bool unpack_scale_offset(const Filter& filter, std::span<const std::byte> packed,
                         std::uint64_t size, std::span<std::byte> into);

}  // namespace hepcheck::hdf5
