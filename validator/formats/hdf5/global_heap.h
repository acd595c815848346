// Global heaps, in which data of variable length lie. They are not judged: only a text is looked
// up.
#pragma once

#include <optional>
#include <string>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

// The text that an element of variable length refers to: u32 length, O address of the collection,
// u32 number. None if it is not there. Charges for each object before it (FF-III.E).
std::optional<std::string> heap_text(const Region& element, Container& file);

}  // namespace hepcheck::hdf5
