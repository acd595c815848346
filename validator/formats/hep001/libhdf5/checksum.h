// The checksum that the HDF5 file format appends to its metadata.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hepcheck::hep001::libhdf5 {

// Bob Jenkins' lookup3 (hashlittle), with initial value 0.
std::uint32_t metadata_checksum(std::span<const std::byte> bytes);

}  // namespace hepcheck::hep001::libhdf5
