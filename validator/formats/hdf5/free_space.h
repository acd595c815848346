// Free-space managers (III.H): of a fractal heap, and of the file.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

struct FreeSection {
  // Types of sections in heaps; in files 0 is simple, 1 small, 2 large.
  static constexpr std::uint8_t kSingle = 0, kFirstRow = 1, kNormalRow = 3;
  std::uint64_t offset = 0, size = 0;
  std::uint8_t type = 0;
  // The places of an indirect block that a row section of a heap is about.
  std::uint64_t block_offset = 0;
  std::uint16_t row = 0, column = 0, count = 0;
  Place at{};

  bool of_row() const { return type == kFirstRow || type == kNormalRow; }
  std::uint64_t end() const { return sum(offset, size); }
};

// Whether sets ascend by size, and the sections of a set by offset.
struct SetOrder {
  std::optional<std::uint64_t> before{};  // what is not smaller than its successor
  std::uint64_t after = 0;
};

// Who names the manager.
struct FreeSpaceOwner {
  bool heap = false;
  unsigned bits = 0;              // of the heap
  std::uint64_t most_direct = 0;  // likewise
};

struct FreeSpace {
  std::uint64_t total = 0, stored = 0, unstored = 0;
  Place at{};
  std::vector<FreeSection> sections{};
  bool whole = false;               // the list was read to its end
  std::optional<SetOrder> order{};  // of a list that was
  Place sets_at{};
};

// None if the header is refused.
std::optional<FreeSpace> read_free_space(std::uint64_t address, const FreeSpaceOwner& owner,
                                         Container& file);

// The order of the sections, if none of them is at fault.
void judge_section_order(const FreeSpace& space, Container& file);

// What the header says about the sections of a heap. `further`: the payload of the further rows of
// its row sections, and their number; none if these are not known.
struct FurtherRows {
  std::uint64_t payload = 0, count = 0;
};
void judge_heap_total(const FreeSpace& space, std::optional<FurtherRows> further, Container& file);

// All sections of the file and their totals, when everything has been read; by manager, undefined
// addresses included. The total of a manager is not asked where a section of it is at fault.
// `page_size`: 0 if the file has no pages, none if that is not known. `length`: of the superblock.
void judge_file_space(const std::vector<std::optional<FreeSpace>>& managers,
                      std::optional<std::uint64_t> page_size, std::uint64_t length,
                      Container& file);

}  // namespace hepcheck::hdf5
