// Attribute messages, in headers and in fractal heaps.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/dataspace.h"
#include "validator/formats/hdf5/datatype.h"
#include "validator/formats/hdf5/region.h"
#include "validator/formats/hdf5/shared_message.h"

namespace hepcheck::hdf5 {

struct Attribute {
  std::string name{};
  Datatype type{};
  Dataspace space{};
  Region value{};  // of the message; valid as long as that
};

// Called for each valid attribute.
using AttributeListener = std::function<void(const Attribute& attribute)>;

// None if it is refused, or not examined. `padded`: the message is in a version 1 header, which
// pads its messages.
std::optional<Attribute> read_attribute(const Region& message, bool padded, Container& file,
                                        SharedMessages& shared);

// Its value, up to the first zero or the trailing spaces; none if that is not a single string, or
// is in a heap that does not contain it.
std::optional<std::string> text_of(const Attribute& attribute, Container& file);

}  // namespace hepcheck::hdf5
