// Links to objects, and the messages about the storage of links in a group.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

// A link of a group, in any storage.
struct Link {
  std::string name{};
  bool hard = false;
  std::uint64_t target = kUndefined;  // of a hard link: the header
  Place at{};
  // An entry of a symbol table may repeat parts of the header of the group.
  struct Scratch {
    std::uint64_t tree = kUndefined, heap = kUndefined;
    Place at{};
  };
  std::optional<Scratch> scratch{};
};

// A link message, or a heap object that is one. None if it is refused.
std::optional<Link> read_link(const Region& message, Container& file);

// The storage of dense links or attributes.
struct Dense {
  std::uint64_t heap = kUndefined, names = kUndefined;

  bool any() const { return heap != kUndefined && names != kUndefined; }
};
// None if they are refused.
std::optional<Dense> read_link_info(const Region& message, Container& file);
std::optional<Dense> read_attribute_info(const Region& message, Container& file);
bool group_info_holds(const Region& message, Container& file);

}  // namespace hepcheck::hdf5
