// Stored values of any datatype as bytes that compare as the values do.
//
// The comparable form of two values of one datatype (or of datatypes that differ in byte order) is
// the same exactly if the values are equal: bits that are no part of a number, gaps between fields,
// padding of strings and what stands behind their end do not count, -0 equals +0, and pointers are
// followed. Of numbers, the forms besides compare as the numbers do. The first byte says whether
// the value is NaN, which is equal to nothing, or some part of it is.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "validator/formats/hep001/model/datatype.h"

namespace hepcheck::hep001 {

// Why it cannot be told which values of a datatype are equal; nothing if it can. Their comparable
// form is then their bytes as they are.
std::optional<std::string> incomparable(const Datatype& type);

// Integers, enumerations, floats, times and bitfields whose values can be compared: they have an
// arithmetic order, whether HEP001 speaks of it or not. Times count seconds, with a sign.
bool is_number(const Datatype& type);

// One element as the library hands it out; variable-length parts are pointers that can be followed.
std::string comparable_form(const Datatype& type, std::span<const std::byte> stored);

// The value is a float, and NaN; it is that, or has a part that is.
inline bool is_nan_form(std::string_view form) { return form.starts_with('\1'); }
inline bool holds_nan(std::string_view form) { return !form.starts_with('\0'); }

}  // namespace hepcheck::hep001
