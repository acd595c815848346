// Blocks in their stored form, for what repair changes in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "validator/bytes.h"
#include "validator/formats/hdf5/walk.h"

namespace hepcheck::hdf5 {

// A little-endian number of `size` bytes.
void put(std::span<std::byte> block, std::size_t at, std::size_t size, std::uint64_t value);

// The checksum in the last bytes of a block whose other bytes were changed on purpose.
void renew_checksum(std::span<std::byte> block);

// Bytes to be written over those of a file.
struct Overwrite {
  std::uint64_t position = 0;  // from the first byte of the file
  std::vector<std::byte> bytes{};
};

// The block with the file space info message, without the addresses of the lists of free space and
// without the end of allocation. None if there are none, or it cannot be read.
std::optional<Overwrite> without_lists(ContainerWalk& walk, const Bytes& file);

}  // namespace hepcheck::hdf5
