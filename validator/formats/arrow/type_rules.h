// What is asked of the type of a field, and how its arrays lie in memory: Schema.fbs.
#pragma once

#include <string_view>

#include "validator/formats/arrow/notes.h"
#include "validator/formats/arrow/schema.h"

namespace hepcheck::arrow {

// Judges the parameters of a type; the clause by which it cannot be laid out, empty if it can.
std::string_view judge_type(const Field& field, const Place& place, Notes& notes);
// Of a type that can be laid out.
Layout layout_of(const Type& type);

}  // namespace hepcheck::arrow
