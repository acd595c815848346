// Links to objects, and the messages that say how a group keeps its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

// A link of a group, however it is stored.
struct Link {
  std::string name{};
  bool hard = false;
  std::uint64_t target = kUndefined;  // of a hard link: the header
  Place at{};
  // An entry of a symbol table may repeat what the header of the group has.
  struct Scratch {
    std::uint64_t tree = kUndefined, heap = kUndefined;
    Place at{};
  };
  std::optional<Scratch> scratch{};
};

// A link message, or an object of a heap that is one. None if it is refused.
std::optional<Link> read_link(const Region& message, Container& file);

// Where links or attributes lie when they are dense.
struct Dense {
  std::uint64_t heap = kUndefined, names = kUndefined;

  bool any() const { return heap != kUndefined && names != kUndefined; }
};
// None if they are refused.
std::optional<Dense> read_link_info(const Region& message, Container& file);
std::optional<Dense> read_attribute_info(const Region& message, Container& file);
bool group_info_holds(const Region& message, Container& file);

}  // namespace hepcheck::hdf5
