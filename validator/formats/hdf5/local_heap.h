// Local heaps: the names of an old-style group.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

class LocalHeap {
 public:
  // None if it is refused.
  static std::optional<LocalHeap> read(std::uint64_t address, Container& file);

  std::uint64_t size() const { return segment_.region().size(); }
  // The string that begins there; none if it does not end inside the heap.
  std::optional<std::string_view> text(std::uint64_t offset) const;

 private:
  Block segment_{};
};

}  // namespace hepcheck::hdf5
