// The filter pipeline message.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

struct Filter {
  std::uint16_t id = 0, flags = 0;
  std::vector<std::uint32_t> values{};
};

struct Filters {
  std::uint8_t version = 0, count = 0;
  bool whole = false;
  std::vector<Filter> list{};  // in the order in which they are applied
};

// None if it is refused.
std::optional<Filters> read_filters(const Region& message, Container& file);

}  // namespace hepcheck::hdf5
