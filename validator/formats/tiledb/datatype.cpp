#include "validator/formats/tiledb/datatype.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <format>

#include "validator/integers.h"

namespace hepcheck::tiledb {

namespace {

constexpr std::array<std::string_view, kLastDatatype + 1> kDatatypeNames = {
    "INT32",         "INT64",        "FLOAT32",     "FLOAT64",       "CHAR",
    "INT8",          "UINT8",        "INT16",       "UINT16",        "UINT32",
    "UINT64",        "STRING_ASCII", "STRING_UTF8", "STRING_UTF16",  "STRING_UTF32",
    "STRING_UCS2",   "STRING_UCS4",  "ANY",         "DATETIME_YEAR", "DATETIME_MONTH",
    "DATETIME_WEEK", "DATETIME_DAY", "DATETIME_HR", "DATETIME_MIN",  "DATETIME_SEC",
    "DATETIME_MS",   "DATETIME_US",  "DATETIME_NS", "DATETIME_PS",   "DATETIME_FS",
    "DATETIME_AS",   "TIME_HR",      "TIME_MIN",    "TIME_SEC",      "TIME_MS",
    "TIME_US",       "TIME_NS",      "TIME_PS",     "TIME_FS",       "TIME_AS",
    "BLOB",          "BOOL",         "GEOM_WKB",    "GEOM_WKT"};

}  // namespace

std::string_view datatype_name(std::uint8_t datatype) {
  return is_known(datatype) ? kDatatypeNames[datatype] : "unknown";
}

std::string datatype_text(std::uint8_t datatype) {
  return std::format("{} ({})", datatype_name(datatype), datatype);
}

unsigned width_of(std::uint8_t datatype) {
  if (!is_known(datatype)) return 0;
  if (is_date_or_time(datatype)) return 8;
  switch (datatype) {
    case kInt64:
    case kFloat64:
    case kUint64: return 8;
    case kInt32:
    case kFloat32:
    case kUint32:
    case 14:
    case 16: return 4;
    case kInt16:
    case kUint16:
    case 13:
    case 15: return 2;
    default: return 1;
  }
}

std::uint32_t datatype_since(std::uint8_t datatype) {
  if (datatype < kFirstDate) return 1;
  if (datatype <= kLastDate) return 3;
  if (datatype <= kLastTime) return 9;
  if (datatype == kBlob) return 11;
  return datatype == kBool ? 14 : 21;
}

std::string default_fill(std::uint8_t datatype) {
  const unsigned width = width_of(datatype);
  std::string made(width, '\0');
  if (datatype == kFloat32) return {"\x00\x00\xc0\x7f", 4};
  if (datatype == kFloat64) return {"\x00\x00\x00\x00\x00\x00\xf8\x7f", 8};
  if (datatype == kChar) return "\x80";
  if (is_integral(datatype)) {
    if (is_signed(datatype))
      made.back() = '\x80';
    else
      made.assign(width, '\xff');
  }
  return made;
}

Wide integer_at(std::span<const std::byte> bytes, std::uint8_t datatype) {
  const Wide value = unsigned_at(bytes, datatype);
  const unsigned bits = 8 * width_of(datatype);
  if (!is_signed(datatype) || value < (Wide{1} << (bits - 1))) return value;
  return value - (Wide{1} << bits);
}

Wide unsigned_at(std::span<const std::byte> bytes, std::uint8_t datatype) {
  const unsigned width = width_of(datatype);
  Wide value = 0;
  for (unsigned i = 0; i < width && i < bytes.size(); ++i)
    value |= Wide{std::to_integer<std::uint8_t>(bytes[i])} << (8 * i);
  return value;
}

double float_at(std::span<const std::byte> bytes, std::uint8_t datatype) {
  if (datatype == kFloat32)
    return static_cast<double>(std::bit_cast<float>(load<std::uint32_t>(bytes.data())));
  return std::bit_cast<double>(load<std::uint64_t>(bytes.data()));
}

Wide least_of(std::uint8_t datatype) {
  return is_signed(datatype) ? -(Wide{1} << (8 * width_of(datatype) - 1)) : Wide{0};
}

Wide greatest_of(std::uint8_t datatype) {
  return (Wide{1} << (8 * width_of(datatype) - (is_signed(datatype) ? 1 : 0))) - 1;
}

double float_difference(double a, double b, std::uint8_t datatype) {
  if (datatype == kFloat32)
    return static_cast<double>(static_cast<float>(a) - static_cast<float>(b));
  return a - b;
}

double float_sum(double a, double b, std::uint8_t datatype) {
  if (datatype == kFloat32)
    return static_cast<double>(static_cast<float>(a) + static_cast<float>(b));
  return a + b;
}

std::string to_text(Wide value) {
  if (value == 0) return "0";
  const bool negative = value < 0;
  std::string made;
  for (; value != 0; value /= 10) {
    const int digit = static_cast<int>(value % 10);
    made += static_cast<char>('0' + (digit < 0 ? -digit : digit));
  }
  if (negative) made += '-';
  std::ranges::reverse(made);
  return made;
}

std::string value_text(std::span<const std::byte> bytes, std::uint8_t datatype) {
  if (width_of(datatype) == 0 || bytes.size() < width_of(datatype)) return hexadecimal(bytes);
  if (is_integral(datatype)) return to_text(integer_at(bytes, datatype));
  if (datatype == kFloat32) return std::format("{}", static_cast<float>(float_at(bytes, datatype)));
  if (datatype == kFloat64) return std::format("{}", float_at(bytes, datatype));
  return hexadecimal(bytes);
}

std::string hexadecimal(std::span<const std::byte> bytes, std::size_t most) {
  std::string made;
  for (const std::byte byte : bytes.first(std::min(bytes.size(), most)))
    made += std::format("{:02x}", std::to_integer<unsigned>(byte));
  return bytes.size() > most ? made + std::format("... ({} bytes)", bytes.size()) : made;
}

}  // namespace hepcheck::tiledb
