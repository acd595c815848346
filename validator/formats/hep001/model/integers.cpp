#include "validator/formats/hep001/model/integers.h"

#include <algorithm>
#include <format>

namespace hepcheck::hep001 {

namespace {

unsigned digit_of(char byte) { return static_cast<unsigned char>(byte); }

// The bytes of a number, most significant first.
std::string decimal(std::string bytes) {
  constexpr std::uint64_t kPart = 1'000'000'000;  // the number of digits obtained per division
  std::string text;
  do {
    std::uint64_t rest = 0;
    for (char& byte : bytes) {
      rest = rest << 8 | digit_of(byte);
      byte = static_cast<char>(rest / kPart);
      rest %= kPart;
    }
    const bool last = std::ranges::all_of(bytes, [](char byte) { return byte == 0; });
    text.insert(0, last ? std::to_string(rest) : std::format("{:09}", rest));
    if (last) return text;
  } while (true);
}

// The significant bits of an integer or code, most significant byte first.
std::string significant(const Datatype& number, std::span<const std::byte> stored) {
  std::string bytes;
  append_bits(stored, number.order, number.bit_offset, number.precision, bytes);
  return bytes;
}

// The sign is the most significant of the significant bits.
bool is_negative(const Datatype& number, std::string_view bytes) {
  return number.is_signed && (digit_of(bytes[0]) >> (number.precision - 1) % 8 & 1) != 0;
}

// The absolute value, from the significant bits.
std::string magnitude(const Datatype& number, std::string bytes) {
  if (!is_negative(number, bytes)) return bytes;
  // In two's complement: invert every bit and add one.
  unsigned carry = 1;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    const unsigned sum = (~digit_of(bytes[i]) & 0xFF) + carry;
    bytes[i] = static_cast<char>(sum);
    carry = sum >> 8;
  }
  if (const unsigned rest = number.precision % 8; rest != 0)
    bytes[0] = static_cast<char>(digit_of(bytes[0]) & ((1u << rest) - 1));
  return bytes;
}

}  // namespace

bool has_significant_bits(const Datatype& type) {
  return (type.order == ByteOrder::kBig || type.order == ByteOrder::kLittle) &&
         type.precision > 0 &&
         std::uint64_t{type.precision} + type.bit_offset <= std::uint64_t{8} * type.size;
}

void append_bits(std::span<const std::byte> stored, ByteOrder order, std::uint64_t first,
                 std::uint64_t count, std::string& into) {
  const auto byte = [&](std::uint64_t i) {  // counted from the least significant one
    if (i >= stored.size()) return 0u;
    return std::to_integer<unsigned>(stored[order == ByteOrder::kBig ? stored.size() - 1 - i : i]);
  };
  const std::size_t start = into.size();
  const unsigned shift = first % 8;
  for (std::uint64_t i = (count + 7) / 8; i-- > 0;) {
    unsigned bits = byte(first / 8 + i) >> shift;
    if (shift != 0) bits |= byte(first / 8 + i + 1) << (8 - shift);
    into.push_back(static_cast<char>(bits));
  }
  if (count % 8 != 0)
    into[start] = static_cast<char>(digit_of(into[start]) & ((1u << count % 8) - 1));
}

std::optional<Integer> integer_value(const Datatype& type, std::span<const std::byte> stored) {
  const Datatype& number = code_type(type);
  if (!is_integral(type) || stored.size() != number.size) return std::nullopt;
  const std::string bytes = significant(number, stored);
  std::uint64_t value = 0;
  for (const char byte : magnitude(number, bytes)) {
    if (value >> 56 != 0) return std::nullopt;
    value = value << 8 | digit_of(byte);
  }
  const bool negative = is_negative(number, bytes);
  if (negative && value > std::uint64_t{1} << 63) return std::nullopt;
  return Integer{.bits = negative ? ~value + 1 : value, .negative = negative};
}

std::optional<std::vector<std::byte>> stored_integer(const Datatype& type, std::uint64_t value) {
  const Datatype& number = code_type(type);
  if (!is_integral(type)) return std::nullopt;
  const std::uint32_t room = number.precision - (number.is_signed ? 1 : 0);
  if (room < 64 && value >> room != 0) return std::nullopt;
  std::vector<std::byte> stored(number.size);
  for (std::uint64_t bit = 0; bit < std::min<std::uint32_t>(room, 64); ++bit) {
    if ((value >> bit & 1) == 0) continue;
    const std::uint64_t at = number.bit_offset + bit;
    const std::size_t byte = at / 8;
    stored[number.order == ByteOrder::kBig ? number.size - 1 - byte : byte] |= std::byte{1}
                                                                               << (at % 8);
  }
  return stored;
}

std::string integer_text(const Datatype& type, std::span<const std::byte> stored) {
  const Datatype& number = code_type(type);
  if (!is_integral(type) || stored.size() != number.size) return "no number";
  const std::string bytes = significant(number, stored);
  return (is_negative(number, bytes) ? "-" : "") + decimal(magnitude(number, bytes));
}

}  // namespace hepcheck::hep001
