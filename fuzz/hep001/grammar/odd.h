// Datatypes without a native equivalent: integers of any width, floats of other formats, times,
// bitfields, arrays and compounds of these. Values are those of column.h; the encoding is computed
// bit by bit here, with random irrelevant bits.
#pragma once

#include "fuzz/hep001/grammar/column.h"

namespace hepcheck::hep001::grammar {

enum class Odd : std::uint8_t {
  kWideInteger,  // 9 to 40 bytes, or 1000; any precision and offset
  kOtherFloat,   // bfloat16, 19 bits in 4 bytes, x87, binary128
  kTime,
  kBitfield,
  kWideEnum,
  kArray,  // of integers, floats or strings
  kCompound,
};
constexpr Odd kNumbers[] = {Odd::kWideInteger, Odd::kOtherFloat, Odd::kTime, Odd::kBitfield,
                            Odd::kWideEnum};
constexpr Odd kIndexable[] = {Odd::kWideInteger, Odd::kOtherFloat, Odd::kWideEnum};
constexpr Odd kAnyOdd[] = {Odd::kWideInteger, Odd::kOtherFloat, Odd::kTime,    Odd::kBitfield,
                           Odd::kWideEnum,    Odd::kArray,      Odd::kCompound};

bool is_odd(const Datatype& type);
Datatype odd_type(Choices& choices, Odd odd);
// For an array or compound, a number that represents its parts.
Value odd_value(Choices& choices, const Datatype& type);
std::vector<std::byte> encode_odd(const Datatype& type, const Value& value, Choices& noise);

RandomColumn odd_column(Choices& choices, Odd odd, std::uint64_t most_rows);

}  // namespace hepcheck::hep001::grammar
