// Stored values of any datatype as bytes that compare like the values.
//
// The comparable forms of two values of one datatype (or of datatypes that differ in byte order)
// are
// equal exactly if the values are equal: bits that are not part of a number, gaps between fields,
// padding of strings and bytes after their end do not count, -0 equals +0, and pointers are
// followed. The forms of numbers also order like the numbers. The first byte states whether the
// value is NaN, which equals nothing, or whether a part of it is.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "validator/formats/hep001/model/datatype.h"

namespace hepcheck::hep001 {

// The reason why equality of the values of a datatype cannot be decided; nothing if it can. Their
// comparable form is then the stored bytes.
std::optional<std::string> incomparable(const Datatype& type);

// Integers, enumerations, floats, times and bitfields whose values can be compared: they have an
// arithmetic order, whether HEP001 defines it or not. Times count seconds, with a sign.
bool is_number(const Datatype& type);

// One element as returned by the library; variable-length parts are valid pointers.
std::string comparable_form(const Datatype& type, std::span<const std::byte> stored);

// The value is a NaN float; the value is NaN or has a part that is.
inline bool is_nan_form(std::string_view form) { return form.starts_with('\1'); }
inline bool holds_nan(std::string_view form) { return !form.starts_with('\0'); }

}  // namespace hepcheck::hep001
