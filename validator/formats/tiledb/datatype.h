// The datatypes of the format, and arithmetic on their values.                    [notes:
// constants]
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hepcheck::tiledb {

constexpr std::uint8_t kInt32 = 0, kInt64 = 1, kFloat32 = 2, kFloat64 = 3, kChar = 4, kInt8 = 5,
                       kUint8 = 6, kInt16 = 7, kUint16 = 8, kUint32 = 9, kUint64 = 10,
                       kStringAscii = 11, kStringUtf8 = 12, kAny = 17, kFirstDate = 18,
                       kLastDate = 30, kFirstTime = 31, kLastTime = 39, kBlob = 40, kBool = 41,
                       kLastDatatype = 43;
// The number of values of a cell of variable size.
constexpr std::uint32_t kVariable = 0xffffffff;

std::string_view datatype_name(std::uint8_t datatype);  // "INT32"; "unknown"
std::string datatype_text(std::uint8_t datatype);       // "INT32 (0)"
// Bytes of a value; 0 if the datatype is unknown.
unsigned width_of(std::uint8_t datatype);
// The first format version that has it.
std::uint32_t datatype_since(std::uint8_t datatype);
// The value that an attribute without a fill value has, once.
std::string default_fill(std::uint8_t datatype);

constexpr bool is_known(std::uint8_t type) { return type <= kLastDatatype; }
constexpr bool is_integer(std::uint8_t type) {
  return type <= kInt64 || (type >= kInt8 && type <= kUint64);
}
constexpr bool is_float(std::uint8_t type) { return type == kFloat32 || type == kFloat64; }
constexpr bool is_date_or_time(std::uint8_t type) {
  return type >= kFirstDate && type <= kLastTime;
}
// Integers, dates and times.
constexpr bool is_integral(std::uint8_t type) { return is_integer(type) || is_date_or_time(type); }
constexpr bool is_signed(std::uint8_t type) {
  return type == kInt32 || type == kInt64 || type == kInt8 || type == kInt16 ||
         is_date_or_time(type);
}
// What a dimension, or the data of a label, can have.
constexpr bool is_dimension_type(std::uint8_t type) {
  return is_integral(type) || is_float(type) || type == kStringAscii;
}

// Integers of all datatypes, and the differences of any two of them.
using Wide = __int128;

// The values of a datatype: `bytes` has at least its width.
Wide integer_at(std::span<const std::byte> bytes, std::uint8_t datatype);
Wide unsigned_at(std::span<const std::byte> bytes, std::uint8_t datatype);  // of the same width
double float_at(std::span<const std::byte> bytes, std::uint8_t datatype);
Wide least_of(std::uint8_t datatype);
Wide greatest_of(std::uint8_t datatype);
// a - b as the datatype computes it.
double float_difference(double a, double b, std::uint8_t datatype);
double float_sum(double a, double b, std::uint8_t datatype);

std::string to_text(Wide value);
// The value at the beginning of the bytes, as a person would write it.
std::string value_text(std::span<const std::byte> bytes, std::uint8_t datatype);
std::string hexadecimal(std::span<const std::byte> bytes, std::size_t most = 16);

}  // namespace hepcheck::tiledb
