// The fill value messages: the value of unwritten elements, and the time of allocation.
#pragma once

#include <cstdint>
#include <optional>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

struct Fill {
  bool old = false;  // the message of type 4, which has no version
  std::uint8_t version = 0, flags = 0;
  std::uint8_t allocation = 0;  // 1 early, 2 late, 3 incremental; 0: not stated
  bool whole = false;
  std::optional<std::int64_t> size{};  // of the value, if there is one

  bool early() const { return allocation == 1; }
};

// None if it is refused. `type_size`: of the elements, and therefore of the value.
std::optional<Fill> read_fill(const Region& message, bool old, std::uint32_t type_size,
                              Container& file);

}  // namespace hepcheck::hdf5
