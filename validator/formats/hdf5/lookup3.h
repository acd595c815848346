// The checksum of HDF5 metadata: Bob Jenkins' lookup3 over bytes, with the initial value 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hepcheck::hdf5 {

std::uint32_t lookup3(std::span<const std::byte> bytes);

}  // namespace hepcheck::hdf5
