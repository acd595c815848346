// Attribute messages, in headers and in fractal heaps.
#pragma once

#include <optional>
#include <string>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/region.h"
#include "validator/formats/hdf5/shared_message.h"

namespace hepcheck::hdf5 {

struct Attribute {
  std::string name{};
  std::optional<std::string> text{};  // its value, if that is one string of fixed length
};

// None if it is refused, or not examined.
std::optional<Attribute> read_attribute(const Region& message, Container& file,
                                        SharedMessages& shared);

}  // namespace hepcheck::hdf5
