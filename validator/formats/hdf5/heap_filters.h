// The filters of fractal heaps (III.G).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/filters.h"

namespace hepcheck::hdf5 {

struct HeapBytes {
  std::vector<std::byte> bytes{};
  std::string trouble{};  // why they cannot be decoded; empty if they can
  bool unknown = false;   // because of a filter that is not built in
};

// Undoes the filters of a block or of an object that has `size` bytes without them.
HeapBytes undo_heap_filters(const Filters& filters, std::uint32_t mask,
                            std::span<const std::byte> stored, std::uint64_t size);

// Judges the mask, and whether the bytes decode to `size`. The decoded bytes; none if they do not,
// or are not examined.
std::optional<Block> decode_heap_bytes(const Filters& filters, std::uint32_t mask,
                                       const Region& stored, std::uint64_t size, Container& file);

}  // namespace hepcheck::hdf5
