// Integers in stored form: any number of bytes, with significant bits anywhere in them, in either
// byte order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "validator/formats/hep001/model/datatype.h"

namespace hepcheck::hep001 {

// The significant bits of such a number are inside its bytes, and their order is known.
bool has_significant_bits(const Datatype& type);

// The type of the codes of an enumeration; every other datatype itself.
inline const Datatype& code_type(const Datatype& type) {
  return type.is(TypeClass::kEnum) && type.base ? *type.base : type;
}

// An integer, or an enumeration of integers, whose values can be decoded.
inline bool is_integral(const Datatype& type) {
  return code_type(type).is(TypeClass::kInteger) && has_significant_bits(code_type(type));
}

// Bits [first, first + count) of a stored number, counted from the least significant one, appended
// as bytes, most significant first, with leading zeros. They must be inside it.
void append_bits(std::span<const std::byte> stored, ByteOrder order, std::uint64_t first,
                 std::uint64_t count, std::string& into);

// An integer that fits into 64 bits: `bits` in two's complement.
struct Integer {
  std::uint64_t bits = 0;
  bool negative = false;
  friend bool operator==(const Integer&, const Integer&) = default;
};
// The value of an integer or enumeration; nothing if there is none, or it does not fit into 64
// bits.
std::optional<Integer> integer_value(const Datatype& type, std::span<const std::byte> stored);

// A non-negative number in the form of an integer datatype; nothing if it does not fit.
std::optional<std::vector<std::byte>> stored_integer(const Datatype& type, std::uint64_t value);

// The value of an integer or enumeration in decimal digits, of any number.
std::string integer_text(const Datatype& type, std::span<const std::byte> stored);

}  // namespace hepcheck::hep001
