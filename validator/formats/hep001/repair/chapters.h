// The repairs by what they change; acts.cpp joins them.
#pragma once

#include <span>

#include "validator/formats/hep001/repair/acts.h"

namespace hepcheck::hep001 {

std::span<const Repair> attribute_repairs();  // attributes in another form
std::span<const Repair> link_repairs();       // links, names, references and lists of names
std::span<const Repair> column_repairs();     // datatypes, fill values, ranges and extents

}  // namespace hepcheck::hep001
