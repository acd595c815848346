// The image of the metadata cache (message 0x18): blocks that stand for those at their addresses.
#pragma once

#include <cstdint>
#include <optional>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

struct CacheImage {
  std::uint64_t address = kUndefined;
  Block block{};  // must outlive the container's use of the file
  // The image is at fault; what it would replace is not known.
  bool damaged = false;
};

// Reads the image that the message names, and replaces the blocks in the file by its entries. None
// if the message names none.
std::optional<CacheImage> read_cache_image(const Region& message, Container& file);

}  // namespace hepcheck::hdf5
