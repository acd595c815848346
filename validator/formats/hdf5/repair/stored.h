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

// A little-endian number of `size` bytes, at most eight.
std::uint64_t number(std::span<const std::byte> block, std::size_t at, std::size_t size);
void put(std::span<std::byte> block, std::size_t at, std::size_t size, std::uint64_t value);

// The checksum in the last bytes of a block whose other bytes were changed on purpose.
void renew_checksum(std::span<std::byte> block);

// Bytes to be written over those of a file.
struct Overwrite {
  std::uint64_t position = 0;  // from the first byte of the file
  std::vector<std::byte> bytes{};
};

// The block with the file space info message, without the addresses of the lists of free space. The
// end of allocation, which the HDF5 library requires of a file that lists its free space, is then
// that of the file. None if nothing changes by it, or the block cannot be read.
std::optional<Overwrite> without_lists(ContainerWalk& walk, const Bytes& file);

// Where the end of allocation is stored, from the first byte of the file, if it is defined.
std::optional<std::uint64_t> allocation_end_at(const ContainerWalk& walk);

}  // namespace hepcheck::hdf5
