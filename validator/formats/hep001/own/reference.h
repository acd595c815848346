// References of both generations in attributes, and what they lead to.
#pragma once

#include <cstddef>
#include <span>

#include "validator/formats/hep001/model/table.h"
#include "validator/formats/hep001/own/context.h"

namespace hepcheck::hep001::own {

// Resolves the elements of a reference attribute, `element_bytes` each.
void read_references(std::span<const std::byte> stored, std::size_t element_bytes, Context& context,
                     Attribute& into);

}  // namespace hepcheck::hep001::own
