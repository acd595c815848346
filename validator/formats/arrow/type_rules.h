// The requirements on the type of a field, and the layout of its arrays: Schema.fbs.
#pragma once

#include <string>
#include <string_view>

#include "validator/formats/arrow/notes.h"
#include "validator/formats/arrow/schema.h"

namespace hepcheck::arrow {

// Judges the parameters of a type; returns the clause because of which it has no known layout, or
// nothing.
std::string_view judge_type(const Field& field, const Place& place, Notes& notes);
// The name of a type that format 1.0 does not have; empty for others.
std::string newer_type(const Type& type);
// For a type with a known layout.
ArrayLayout layout_of(const Type& type);

}  // namespace hepcheck::arrow
