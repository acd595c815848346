// Chunks in an extensible array.
#pragma once

#include <array>
#include <cstdint>

#include "validator/formats/hdf5/chunk.h"
#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/dataset.h"
#include "validator/formats/hdf5/pages.h"
#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

// False if part of the index was refused, or not read.
bool walk_extensible_array(const Dataset& dataset, Container& file, Chunks& chunks);

// --- What its rules look at (extensible_array_rules.cpp) ----------------------------------------

struct EaStatistics {
  std::uint64_t super_blocks = 0, super_block_bytes = 0, data_blocks = 0, data_block_bytes = 0,
                max_index = 0, realized = 0;
};

struct EaHeader {
  const Dataset& dataset;
  Region region{};
  Summed sum{};
  std::uint64_t element_size_wanted = 0;
  std::uint8_t version = 0, client = 0, element_size = 0, max_bits = 0, index_elements = 0,
               min_elements = 0, min_pointers = 0, page_bits = 0;
  EaStatistics stated{};
  std::uint64_t index_block = kUndefined;

  // For valid parameters.
  unsigned log_elements() const;        // of min_elements
  unsigned index_super_blocks() const;  // whose data blocks are in the index block
  unsigned super_blocks() const;        // in the index block
  std::uint64_t data_blocks(unsigned super_block) const;  // of a super block
  std::uint64_t elements(unsigned super_block) const;     // of each of those
  std::uint64_t start(unsigned super_block) const;        // number of its first element
  bool paged(unsigned super_block) const { return elements(super_block) > page_elements(); }
  std::uint64_t page_elements() const {
    return page_bits < 64 ? std::uint64_t{1} << page_bits : kUndefined;
  }
  std::uint64_t pages(unsigned super_block) const;  // of each of its data blocks; 0: not paged
  unsigned offset_bytes() const { return (max_bits + 7U) / 8; }  // bytes of an element number
};
bool holds(const EaHeader& header, const Place& at, Notes& notes);

enum class EaKind : std::uint8_t { kIndex, kSuper, kData };
std::string_view to_string(EaKind kind);  // "EAIB"

// The common part of its blocks.
struct EaBlock {
  EaKind kind{};
  Region region{};
  Summed sum{};
  std::uint8_t version = 0, client = 0, client_wanted = 0;
  std::uint64_t owner = 0, owner_wanted = 0;
};
bool holds(const EaBlock& block, const Place& at, Notes& notes);

// The first element number stated by a super block or data block.
struct EaOffset {
  EaKind kind{};
  std::uint64_t stated = 0;
  std::uint64_t wanted = 0;
  std::uint64_t also = 0;  // the value that libhdf5 writes into blocks of the index block
};
bool holds(const EaOffset& offset, const Place& at, Notes& notes);

// The page bits of a super block.
struct EaBitmap {
  Region bits{};
  std::uint64_t pages = 0;     // in total
  std::uint64_t of_block = 0;  // of each data block
  Region blocks{};             // the addresses of the data blocks
  unsigned offset_size = 8;
};
bool holds(const EaBitmap& bitmap, const Place& at, Notes& notes);

struct EaPage {
  Summed sum{};
  std::uint64_t number = 0;
};
bool holds(const EaPage& page, const Place& at, Notes& notes);

// Compares the header with the results.
struct EaTotals {
  EaStatistics stated{}, found{};
  std::uint64_t beyond_last = 0;  // one more than the last element with a chunk
  unsigned length_size = 8;
};
bool holds(const EaTotals& totals, const Place& at, Notes& notes);

}  // namespace hepcheck::hdf5
