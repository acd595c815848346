// Attribute messages, in headers and in fractal heaps.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/dataspace.h"
#include "validator/formats/hdf5/datatype.h"
#include "validator/formats/hdf5/equal_messages.h"
#include "validator/formats/hdf5/region.h"
#include "validator/formats/hdf5/shared_message.h"

namespace hepcheck::hdf5 {

struct Attribute {
  std::string name{};
  bool utf8 = false;  // the character set of the name
  Place name_at{};
  Datatype type{};
  Dataspace space{};
  Region value{};  // of the message; valid as long as that
  // Attributes that differ only in their values share it, if they have one (KnownAttributes).
  std::optional<std::uint32_t> number{};
};

// Called for each valid attribute.
using AttributeListener = std::function<void(const Attribute& attribute)>;

// None if it is refused, or not examined. `padded`: the message is in a version 1 header, which
// pads its messages. Its name is not judged (Link).
std::optional<Attribute> read_attribute(const Region& message, bool padded, Container& file,
                                        SharedMessages& shared);

// Reads attributes for a reader of values: those that equal an earlier one, except for the value,
// are not taken apart again.
class KnownAttributes {
 public:
  // Null if it is refused, or not examined; valid until the next one is read.
  const Attribute* read(const Region& message, bool padded, Container& file,
                        SharedMessages& shared);

 private:
  struct Known {
    Attribute attribute{};
    std::uint64_t size = 0;  // of the message
    bool padded = false;
  };
  EqualMessages<Known> known_{};  // by the bytes before their values
  std::optional<Attribute> other_{};
};

// Its value, up to the first zero or the trailing spaces; none if that is not a single string, or
// is in a heap that does not contain it.
std::optional<std::string> text_of(const Attribute& attribute, Container& file);

}  // namespace hepcheck::hdf5
