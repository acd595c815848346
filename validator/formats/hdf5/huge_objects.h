// Huge objects of a fractal heap (III.G): each is stored by itself, and found by a B-tree or by its
// id.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/filters.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

struct HeapGeometry;

struct HugeObject {
  std::uint64_t address = kUndefined, length = 0;
  std::uint32_t mask = 0;
  std::uint64_t memory = 0;  // bytes without filters
  std::uint64_t id = 0;      // where ids lead to the tree
  bool inside = false;       // it lies in the file
};

class HugeObjects {
 public:
  // Reads and judges the tree of a heap.
  void read(const HeapGeometry& geometry, bool filtered, const Place& at, Container& file);
  // The object of an id; none if it is refused, or not known.
  const HugeObject* find(const Region& id, Container& file) const;
  // The clauses on all of them.
  void judge_statistics(const HeapGeometry& geometry, const Place& at, Container& file) const;

 private:
  bool direct(const Container& file) const;
  unsigned key_bytes() const;

  std::uint16_t id_length_ = 0;
  bool filtered_ = false;
  bool sound_ = false;    // the tree has been read
  bool refused_ = false;  // a record of it is not in order
  bool astray_ = false;   // a record of it states bytes that no object has
  std::vector<HugeObject> all_{};
};

}  // namespace hepcheck::hdf5
