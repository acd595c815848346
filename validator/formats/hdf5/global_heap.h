// Global heaps, which contain variable-length data. They are not judged: only a string is looked
// up.
#pragma once

#include <optional>
#include <string>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

// The string of a variable-length element: u32 length, O address of the collection, u32 number.
// None if it does not exist. Charges the budget for each object before it (FF-III.E).
std::optional<std::string> heap_text(const Region& element, Container& file);

}  // namespace hepcheck::hdf5
