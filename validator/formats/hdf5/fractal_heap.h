// Fractal heaps (III.G), which store the links and attributes of an object if there are many, and
// shared messages.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/filters.h"
#include "validator/formats/hdf5/heap_filters.h"
#include "validator/formats/hdf5/huge_objects.h"
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
  std::uint16_t starting_rows = 0;
  // Huge objects, free space, and statistics.
  std::uint64_t next_huge = 0, huge_tree = kUndefined, free = 0, manager = kUndefined;
  std::uint64_t managed_size = 0, allocated = 0, iterator = 0, managed_objects = 0;
  std::uint64_t huge_bytes = 0, huge_objects = 0, tiny_bytes = 0, tiny_objects = 0;
  // With filters: of the root, if it is a direct block.
  std::uint64_t root_size = 0;
  std::uint32_t root_mask = 0;

  // For a valid geometry.
  unsigned offset_bytes() const { return (bits + 7U) / 8; }
  unsigned length_bytes() const;
  unsigned direct_rows() const;  // rows of direct blocks, if there are that many
  std::uint64_t block_size(unsigned row) const;
  std::uint64_t row_offset(unsigned row) const;  // in the heap, from the beginning of the table
  unsigned rows_of(std::uint64_t size) const;    // of an indirect block of this size
  bool blocks_summed() const { return (flags & 2) != 0; }
  // Bytes at the beginning of a direct block.
  std::uint64_t prefix(unsigned offset_size) const {
    return 5 + std::uint64_t{offset_size} + offset_bytes() + (blocks_summed() ? kChecksum : 0);
  }
  // Rows that a root may have; of a valid geometry.
  unsigned most_rows() const;
};

// A place of an indirect block.
struct HeapPlace {
  std::uint64_t offset = 0, rows = 0;  // of the indirect block
  std::vector<bool> taken{};           // by a block, for each place
};

// The bytes of an id without its reserved bits, which do not tell objects apart.
std::string key_of_heap_id(std::span<const std::byte> id);

class FractalHeap {
 public:
  // Reads and judges the heap with all its blocks. `id_length`: of the ids that its user stores; 0:
  // not known. None if it is refused, or not examined.
  static std::optional<FractalHeap> read(std::uint64_t address, Container& file,
                                         std::uint64_t id_length = 0);

  // All ids of the index of the heap, before the objects are asked for. False if two objects share
  // bytes: then none of them is known.
  bool take_ids(const std::vector<Region>& ids, Container& file);
  // Whether all of its blocks were read.
  bool whole() const { return whole_; }
  // An object, by its id, valid until the next call; none if it is refused, not examined, or in a
  // refused block.
  std::optional<Region> object(const Region& id, Container& file);
  // The reserved bits of an id.
  static void judge_reserved(const Region& id, Container& file);
  // The statistics and the free space, when the whole index has been read and is sound.
  void judge_index(Container& file) const;  // fractal_heap_space.cpp

 private:
  friend class HeapReader;
  friend class HeapSpaceJudge;
  struct Stretch {
    std::uint64_t offset = 0;  // in the heap
    std::uint64_t prefix = 0;  // bytes before the data
    Block block{};

    std::uint64_t end() const { return offset + block.region().size(); }
  };
  // A managed object.
  struct Managed {
    std::uint64_t offset = 0, size = 0;

    friend auto operator<=>(const Managed&, const Managed&) = default;
  };
  std::optional<Managed> managed(const Region& id) const;
  std::optional<Region> huge(const Region& id, Container& file);

  HeapGeometry geometry_{};
  Filters filters_{};
  Place place_{};
  std::vector<Stretch> blocks_{};   // direct ones, by offset
  std::vector<HeapPlace> inner_{};  // indirect ones
  bool whole_ = true;               // none was refused
  HugeObjects huge_{};
  std::vector<Managed> managed_{};  // by offset, each once
  std::uint64_t tiny_ = 0, tiny_bytes_ = 0;
  Block fetched_{};
};

}  // namespace hepcheck::hdf5
