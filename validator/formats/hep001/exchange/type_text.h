// Datatypes as text that can be read back, for tables on their way through a format that has no
// such types:
//
//   int32  uint16be  int32(12,3)        12 significant bits from bit 3 on
//   bits8  float64be
//   string(13,nullterm,ascii)  string(*,nullterm,utf8)
//   opaque(16,"tag")
//   enum(int8,"FALSE"=0,"TRUE"=1)
//   compound(12,"x"@0 int32,"y"@4 float64)
//   array(2,3,int16)  vlen(int32)
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "validator/formats/hep001/model/datatype.h"

namespace hepcheck::hep001 {

// Nothing for types without such a text: references, times, floats that are not IEEE 754.
std::optional<std::string> type_text(const Datatype& type);
// Nothing for a text that is not a datatype.
std::optional<Datatype> parse_type(std::string_view text);

// Whether names identify the members: they are distinct, and HDF5 can store each.
bool names_tell(const std::vector<TypeMember>& members);

// One stored value: integers in decimal, floats in hexadecimal, NaN with all its bits, strings
// unchanged, other types as bytes in hexadecimal. Nothing for datatypes with variable parts.
std::optional<std::string> value_text(const Datatype& type, std::span<const std::byte> stored);
// Nothing if the text is not a value of the datatype. Variable-length strings are their own text.
std::optional<std::vector<std::byte>> parse_value(const Datatype& type, std::string_view text);

}  // namespace hepcheck::hep001
