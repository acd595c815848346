// Fractal heaps, which store the links and attributes of an object if there are many.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/pages.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

// The contents of the header.
struct HeapGeometry {
  std::uint8_t version = 0, flags = 0;
  std::uint16_t id_length = 0, filter_length = 0;
  std::uint32_t most_managed = 0;            // bytes of a managed object
  std::uint16_t width = 0;                   // entries of a row of the doubling table
  std::uint64_t start = 0, most_direct = 0;  // sizes of blocks
  std::uint16_t bits = 0;                    // of an offset in the heap
  std::uint64_t root = kUndefined;
  std::uint16_t rows = 0;  // of the root; 0: it is a direct block

  // For a valid geometry.
  unsigned offset_bytes() const { return (bits + 7U) / 8; }
  unsigned length_bytes() const;
  unsigned direct_rows() const;  // rows of direct blocks, if there are that many
  std::uint64_t block_size(unsigned row) const;
  std::uint64_t row_offset(unsigned row) const;  // in the heap, from the beginning of the table
  unsigned rows_of(std::uint64_t size) const;    // of an indirect block of this size
  bool blocks_summed() const { return (flags & 2) != 0; }
};

class FractalHeap {
 public:
  // Reads and judges the heap with all its blocks. None if it is refused, or not examined.
  static std::optional<FractalHeap> read(std::uint64_t address, Container& file);

  // An object, by its id; none if it is refused, not examined, or in a refused block.
  std::optional<Region> object(const Region& id, Container& file) const;

 private:
  friend class HeapReader;
  struct Stretch {
    std::uint64_t offset = 0;  // in the heap
    std::uint64_t prefix = 0;  // bytes before the data
    Block block{};
  };

  HeapGeometry geometry_{};
  std::vector<Stretch> blocks_{};  // direct ones, by offset
  bool whole_ = true;              // none was refused
};

}  // namespace hepcheck::hdf5
