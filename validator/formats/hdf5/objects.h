// The objects of a file, in the order of discovery.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "validator/formats/hdf5/address_map.h"
#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/symbol_table.h"

namespace hepcheck::hdf5 {

enum class ObjectKind : std::uint8_t { kUnknown, kGroup, kDataset, kCommittedType, kOther };

struct Object {
  std::uint64_t address = kUndefined;  // of its header
  std::uint32_t parent = 0;            // the root group is its own parent
  std::uint32_t depth = 0;             // below the root group
  std::string name{};                  // in its parent
  ObjectKind kind = ObjectKind::kUnknown;
  bool visited = false;
  bool sound = false;  // its header has been read, and is valid
  bool whole = false;  // a group whose links have been read, and are valid
  bool old = false;    // a group without checksums
  std::uint8_t header_version = 0;
  std::uint32_t stated_links = 0;  // by its header
  std::uint64_t links = 0;         // discovered hard links
  SymbolTable symbols{};           // of an old-style group
};

class Objects {
 public:
  // The first is the root group, regardless of its kind.
  Objects() : all_(1) {}

  Object& operator[](std::uint32_t number) { return all_[number]; }
  const Object& operator[](std::uint32_t number) const { return all_[number]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(all_.size()); }

  // The number of the object at that address; a new one has this path in the file.
  struct Found {
    std::uint32_t number;
    bool fresh;
  };
  Found at(std::uint64_t address, std::uint32_t parent, const std::string& name);
  void set_root(std::uint64_t address);

  // "/events/time"; only the end of a very long one.
  std::string path(std::uint32_t number) const;

 private:
  std::vector<Object> all_;
  AddressMap<std::uint32_t> by_address_{};
};

// The beginning of its header.
Place header_place(const Object& object, const Container& file);

// The reference count of a header; judged when all groups have been read.
void judge_reference_count(const Object& object, Container& file);

}  // namespace hepcheck::hdf5
