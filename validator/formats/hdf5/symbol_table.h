// Old-style groups: their names in a local heap, their entries in a version 1 B-tree of symbol
// nodes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/link.h"
#include "validator/formats/hdf5/local_heap.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

struct SymbolTable {
  std::uint64_t tree = kUndefined, heap = kUndefined;
};
SymbolTable parse_symbol_table(const Region& message, const Container& file);

// Adds the links of an old-style group. False if part of them was refused, or not read.
bool read_symbol_table(const SymbolTable& table, Container& file, std::vector<Link>& links);

// The entry of the root group in a superblock of version 0 or 1, which has no name. None if it is
// refused.
std::optional<Link> read_root_entry(const Region& entry, Container& file);

// Compares the cached data of an entry for a group with the group's header; `table` is null if it
// is not an old-style group.
void judge_scratch(const Link::Scratch& scratch, const SymbolTable* table, Container& file);

}  // namespace hepcheck::hdf5
