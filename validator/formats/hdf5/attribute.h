// Attribute messages, in headers and in fractal heaps.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/dataspace.h"
#include "validator/formats/hdf5/datatype.h"
#include "validator/formats/hdf5/region.h"
#include "validator/formats/hdf5/shared_message.h"

namespace hepcheck::hdf5 {

struct Attribute {
  std::string name{};
  std::optional<std::string> text{};  // its value, if that is one string of fixed length
  Datatype type{};
  Dataspace space{};
  std::span<const std::byte> value{};  // of what was read; it does not outlive that
};

// Wants to know of the attributes that hold.
using AttributeListener = std::function<void(const Attribute& attribute)>;

// None if it is refused, or not examined.
std::optional<Attribute> read_attribute(const Region& message, Container& file,
                                        SharedMessages& shared);

}  // namespace hepcheck::hdf5
