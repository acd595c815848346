// The checksum of HDF5 metadata: Bob Jenkins' lookup3 over bytes, with the initial value 0 except
// for the hashes of shared messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hepcheck::hdf5 {

std::uint32_t lookup3(std::span<const std::byte> bytes, std::uint32_t initial = 0);

}  // namespace hepcheck::hdf5
