// The types of columns (7.1.2).
#pragma once

#include <cstdint>
#include <iterator>
#include <string_view>

namespace hepcheck::rntuple {

enum class Kind : std::uint8_t {
  kUnknown,
  kIndex,
  kSwitch,
  kBytes,
  kBit,
  kReal,
  kUnsigned,
  kSigned
};

struct ColumnType {
  std::string_view name{};
  std::uint16_t bits = 0;
  Kind kind = Kind::kUnknown;
  bool split = false, zigzag = false, delta = false;

  bool known() const { return kind != Kind::kUnknown; }
};

enum : std::uint16_t {
  kIndex64 = 0x01,
  kIndex32 = 0x02,
  kSwitch = 0x03,
  kByte = 0x04,
  kChar = 0x05,
  kBit = 0x06,
  kReal64 = 0x07,
  kReal32 = 0x08,
  kReal16 = 0x09,
  kUInt64 = 0x0A,
  kUInt32 = 0x0B,
  kUInt16 = 0x0C,
  kUInt8 = 0x0D,
  kSplitIndex64 = 0x0E,
  kSplitIndex32 = 0x0F,
  kSplitReal64 = 0x10,
  kSplitReal32 = 0x11,
  kSplitReal16 = 0x12,
  kSplitUInt64 = 0x13,
  kSplitUInt32 = 0x14,
  kSplitUInt16 = 0x15,
  kInt64 = 0x16,
  kInt32 = 0x17,
  kInt16 = 0x18,
  kInt8 = 0x19,
  kSplitInt64 = 0x1A,
  kSplitInt32 = 0x1B,
  kSplitInt16 = 0x1C,
  kReal32Trunc = 0x1D,
  kReal32Quant = 0x1E,
};

inline constexpr ColumnType kColumnTypes[] = {
    {},
    {"Index64", 64, Kind::kIndex},
    {"Index32", 32, Kind::kIndex},
    {"Switch", 96, Kind::kSwitch},
    {"Byte", 8, Kind::kBytes},
    {"Char", 8, Kind::kBytes},
    {"Bit", 1, Kind::kBit},
    {"Real64", 64, Kind::kReal},
    {"Real32", 32, Kind::kReal},
    {"Real16", 16, Kind::kReal},
    {"UInt64", 64, Kind::kUnsigned},
    {"UInt32", 32, Kind::kUnsigned},
    {"UInt16", 16, Kind::kUnsigned},
    {"UInt8", 8, Kind::kUnsigned},
    {"SplitIndex64", 64, Kind::kIndex, true, false, true},
    {"SplitIndex32", 32, Kind::kIndex, true, false, true},
    {"SplitReal64", 64, Kind::kReal, true},
    {"SplitReal32", 32, Kind::kReal, true},
    {"SplitReal16", 16, Kind::kReal, true},
    {"SplitUInt64", 64, Kind::kUnsigned, true},
    {"SplitUInt32", 32, Kind::kUnsigned, true},
    {"SplitUInt16", 16, Kind::kUnsigned, true},
    {"Int64", 64, Kind::kSigned},
    {"Int32", 32, Kind::kSigned},
    {"Int16", 16, Kind::kSigned},
    {"Int8", 8, Kind::kSigned},
    {"SplitInt64", 64, Kind::kSigned, true, true},
    {"SplitInt32", 32, Kind::kSigned, true, true},
    {"SplitInt16", 16, Kind::kSigned, true, true},
};

inline constexpr ColumnType kOtherType{};

constexpr const ColumnType& column_type(std::uint16_t type) {
  return type < std::size(kColumnTypes) ? kColumnTypes[type] : kOtherType;
}

}  // namespace hepcheck::rntuple
