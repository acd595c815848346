// Datatypes without a native equivalent: integers of any width, floats of other formats, times,
// bitfields, arrays and compounds of these. Values are those of column.h; the encoding is computed
// bit by bit here, with random irrelevant bits.
#pragma once

#include "fuzz/hep001/grammar/column.h"

namespace hepcheck::hep001::grammar {

enum class Unusual : std::uint8_t {
  kWideInteger,  // 9 to 40 bytes, or 1000; any precision and offset
  kOtherFloat,   // bfloat16, 19 bits in 4 bytes, x87, binary128
  kTime,
  kBitfield,
  kWideEnum,
  kArray,  // of integers, floats or strings
  kCompound,
};
constexpr Unusual kNumbers[] = {Unusual::kWideInteger, Unusual::kOtherFloat, Unusual::kTime,
                                Unusual::kBitfield, Unusual::kWideEnum};
constexpr Unusual kIndexable[] = {Unusual::kWideInteger, Unusual::kOtherFloat, Unusual::kWideEnum};
constexpr Unusual kAnyUnusual[] = {Unusual::kWideInteger, Unusual::kOtherFloat, Unusual::kTime,
                                   Unusual::kBitfield,    Unusual::kWideEnum,   Unusual::kArray,
                                   Unusual::kCompound};

bool is_unusual(const Datatype& type);
Datatype unusual_type(Choices& choices, Unusual unusual);
// For an array or compound, a number that represents its parts.
Value unusual_value(Choices& choices, const Datatype& type);
std::vector<std::byte> encode_unusual(const Datatype& type, const Value& value, Choices& noise);

RandomColumn unusual_column(Choices& choices, Unusual unusual, std::uint64_t most_rows);

}  // namespace hepcheck::hep001::grammar
