// Version 2 B-trees of chunks, of links and attributes by name and by order of creation, of huge
// objects, and of shared messages.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/pages.h"
#include "validator/formats/hdf5/region.h"
#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

enum class Tree2Type : std::uint8_t {
  kHuge = 1,
  kHugeFiltered = 2,
  kHugeDirect = 3,
  kHugeDirectFiltered = 4,
  kLinkNames = 5,
  kLinkOrder = 6,
  kSharedMessages = 7,
  kAttributeNames = 8,
  kAttributeOrder = 9,
  kChunks = 10,
  kFilteredChunks = 11,
};

// The requirements of its use on a tree.
struct Tree2Wanted {
  struct Parameters {
    std::uint32_t node_size;
    std::uint8_t split, merge;
    friend bool operator==(const Parameters&, const Parameters&) = default;
  };
  Tree2Type type{};
  std::uint64_t record_size = 0;
  std::optional<Parameters> parameters{};  // if a layout states them, too
};

// Its records in order; false if one is refused.
using Tree2Records = std::function<bool(const Region& record)>;

// False if part of the tree was refused, or not read.
bool walk_tree2(std::uint64_t address, const Tree2Wanted& wanted, Container& file,
                const Tree2Records& record);

// --- What its rules look at (btree2_rules.cpp) --------------------------------------------------

struct Tree2Header {
  Region region{};
  const Tree2Wanted& wanted;
  Summed sum{};
  std::uint8_t version = 0, type = 0;
  std::uint32_t node_size = 0;
  std::uint16_t record_size = 0, depth = 0;
  std::uint8_t split = 0, merge = 0;
  std::uint64_t root = kUndefined;
  std::uint16_t root_records = 0;
  std::uint64_t total = 0;
  unsigned offset_size = 8;
};
bool holds(const Tree2Header& header, const Place& at, Notes& notes);

// The layout of nodes, which follows from the sizes.
struct Tree2Shape {
  struct Level {
    std::uint64_t pointer = 0;     // bytes of a child's address and counts; 0 in leaves
    unsigned total_width = 0;      // of those, the bytes of the count of all records below
    std::uint64_t most = 0;        // records of a node
    std::uint64_t cumulative = 0;  // and of all below it
  };
  unsigned count_width = 0;  // of the count of a child's records
  std::vector<Level>
      levels{};  // by depth; leaves are at 0. Ends at the depth where no record fits.
};
Tree2Shape shape_of(const Tree2Header& header);

// A reference to a node: from the header, or from the node above.
struct Tree2Pointer {
  std::uint64_t address = kUndefined, records = 0, total = 0;
  unsigned depth = 0;
  std::uint64_t most = 0;  // the capacity in records
  bool root = false, again = false;
};
bool holds(const Tree2Pointer& pointer, const Place& at, Notes& notes);

struct Tree2Node {
  Region region{};
  std::uint8_t version = 0, type = 0, type_wanted = 0;
  bool leaf = false;
};
// Before the checksum is verified, and after it.
bool holds(const Tree2Node& node, const Place& at, Notes& notes);
bool holds_behind(const Tree2Node& node, const Place& at, Notes& notes);

// The checksum follows the used bytes directly, so it matches only for the correct number of
// records.
struct Tree2Sum {
  Summed sum{};
  bool root = false;
  std::uint64_t records = 0;
  std::optional<std::uint64_t> for_others{};  // the count for which it matches
};
// `at`: of the node; `pointer`: of the reference to it.
bool holds(const Tree2Sum& sum, const Place& at, const Place& pointer, Notes& notes);

// Counted below a child, or in total.
struct Tree2Total {
  bool all = false;
  std::uint64_t stated = 0, found = 0;
};
bool holds(const Tree2Total& total, const Place& at, Notes& notes);

}  // namespace hepcheck::hdf5
