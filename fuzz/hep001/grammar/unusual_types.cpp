#include "fuzz/hep001/grammar/unusual_types.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace hepcheck::hep001::grammar {

namespace {

using Stored = std::vector<std::byte>;

std::shared_ptr<const Datatype> part_type(Datatype type) {
  return std::make_shared<const Datatype>(std::move(type));
}

ByteOrder any_order(Choices& choices) {
  return choices.maybe() ? ByteOrder::kBig : ByteOrder::kLittle;
}

// Significant bits at any position in this many bytes.
Datatype number_of(Choices& choices, TypeClass cls, std::size_t size, bool is_signed) {
  Datatype type{.cls = cls, .size = size, .order = any_order(choices), .is_signed = is_signed};
  const std::uint64_t bits = 8 * size;
  // Three bits at least: both signs, and 0, 1 and 2.
  type.precision = static_cast<std::uint32_t>(choices.maybe() ? bits : 3 + choices.below(bits - 2));
  type.bit_offset = static_cast<std::uint32_t>(choices.below(bits - type.precision + 1));
  return type;
}

std::size_t wide_size(Choices& choices) {
  return choices.one_in(8) ? 1000 : choices.maybe() ? 16 : 9 + choices.below(32);
}

Datatype float_of(Choices& choices) {
  struct Format {
    std::size_t size;
    std::uint32_t exponent, mantissa;
    bool implied;
  };
  constexpr Format kFormats[] = {{2, 8, 7, true},
                                 {4, 8, 10, true},
                                 {16, 15, 64, false},
                                 {16, 15, 112, true},
                                 {12, 11, 60, true}};
  const Format& f = choices.of(kFormats);
  return {.cls = TypeClass::kFloat,
          .size = f.size,
          .order = any_order(choices),
          .precision = 1 + f.exponent + f.mantissa,
          .floating = {f.exponent + f.mantissa, f.mantissa, f.exponent, 0, f.mantissa,
                       (std::uint64_t{1} << (f.exponent - 1)) - 1, f.implied}};
}

// A part of an array or a compound.
Datatype part_of(Choices& choices) {
  switch (choices.below(6)) {
    default: return number_of(choices, TypeClass::kInteger, 1 + choices.below(4), choices.maybe());
    case 1: return float_of(choices);
    case 2: return ieee_float_type(choices.maybe() ? 8 : 4, any_order(choices));
    case 3: return number_of(choices, TypeClass::kBitfield, 1 + choices.below(12), false);
    case 4: return number_of(choices, TypeClass::kInteger, wide_size(choices), choices.maybe());
    case 5: return fixed_string_type(3, StringPadding::kNullTerm, CharacterSet::kAscii);
  }
}

void put_bit(Stored& bytes, std::uint64_t at, bool bit) {
  const std::byte mask = std::byte{1} << (at % 8);
  bytes[at / 8] = bit ? bytes[at / 8] | mask : bytes[at / 8] & ~mask;
}

const Datatype& number_behind(const Datatype& type) { return type.base ? *type.base : type; }
bool is_signed(const Datatype& number) { return number.is_signed || number.is(TypeClass::kTime); }

// The bits that the values of a datatype use: at most those of an Integer. In other datatypes they
// are the uppermost ones, so neighbours differ only there.
std::uint32_t used_bits(const Datatype& number) { return std::min(number.precision, 120u); }
std::uint32_t shift(const Datatype& number) {
  return number.bit_offset % 2 == 0 ? number.precision - used_bits(number) : 0;
}

Integer least_of(const Datatype& number) {
  return is_signed(number) ? -(Integer{1} << (used_bits(number) - 1)) : 0;
}
Integer greatest_of(const Datatype& number) {
  return (Integer{1} << (used_bits(number) - (is_signed(number) ? 1 : 0))) - 1;
}

Stored encode_number(const Datatype& number, Integer value, Choices& noise) {
  Stored bytes(number.size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(noise.below(256));
  for (std::uint32_t i = 0; i < number.precision; ++i) {
    const bool bit = i >= shift(number) && (value >> std::min(i - shift(number), 127u) & 1) != 0;
    put_bit(bytes, number.bit_offset + i, bit);
  }
  if (number.order == ByteOrder::kBig) std::ranges::reverse(bytes);
  return bytes;
}

// Numbers that both a binary64 and the format can represent.
Stored encode_number(const Datatype& type, double value, Choices& noise) {
  const FloatLayout& f = type.floating;
  Stored bytes(type.size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(noise.below(256));
  const auto put = [&](std::uint32_t first, std::uint32_t count, Integer bits) {
    for (std::uint32_t i = 0; i < count; ++i) put_bit(bytes, first + i, (bits >> i & 1) != 0);
  };
  const std::uint32_t fraction = f.implied_one ? f.mantissa_size : f.mantissa_size - 1;
  const Integer one = Integer{1} << fraction, top = (Integer{1} << f.exponent_size) - 1;
  Integer exponent = 0, mantissa = 0;
  if (std::isnan(value)) {
    exponent = top;
    mantissa = one + 1 + static_cast<Integer>(noise.below(100));
  } else if (std::isinf(value)) {
    exponent = top;
    mantissa = one;
  } else if (value != 0) {
    // None of them is subnormal in any of the formats.
    int power = 0;
    const double half = std::frexp(std::abs(value), &power);  // in [0.5, 1)
    exponent = static_cast<Integer>(f.exponent_bias) + power - 1;
    const auto significand = static_cast<Integer>(std::ldexp(half, 53));
    mantissa = fraction >= 52 ? significand << (fraction - 52) : significand >> (52 - fraction);
  }
  put(f.mantissa_position, f.mantissa_size, mantissa);
  put(f.exponent_position, f.exponent_size, exponent);
  const bool free_sign = std::isnan(value) || value == 0;
  put(f.sign_position, 1, free_sign ? noise.maybe() : value < 0);
  if (type.order == ByteOrder::kBig) std::ranges::reverse(bytes);
  return bytes;
}

// The part that a number represents.
Stored encode_part(const Datatype& type, unsigned which, Choices& noise) {
  constexpr std::string_view kPartTexts[] = {"", "a", "ab"};
  if (type.is(TypeClass::kString)) return encode(type, std::string(kPartTexts[which]), noise);
  if (is_ieee_float(type)) return encode(type, static_cast<double>(which), noise);
  if (type.is(TypeClass::kFloat)) return encode_number(type, static_cast<double>(which), noise);
  return encode_number(type, static_cast<Integer>(which), noise);
}

}  // namespace

bool is_unusual(const Datatype& type) {
  switch (type.cls) {
    case TypeClass::kInteger:
    case TypeClass::kEnum: return type.size > 8;
    case TypeClass::kFloat: return !is_ieee_float(type);
    case TypeClass::kTime:
    case TypeClass::kBitfield:
    case TypeClass::kArray:
    case TypeClass::kCompound: return true;
    default: return false;
  }
}

Datatype unusual_type(Choices& choices, Unusual unusual) {
  switch (unusual) {
    case Unusual::kWideInteger:
      return number_of(choices, TypeClass::kInteger, wide_size(choices), choices.maybe());
    case Unusual::kOtherFloat: return float_of(choices);
    case Unusual::kTime: {
      Datatype type = number_of(choices, TypeClass::kTime, choices.maybe() ? 4 : 12, false);
      type.bit_offset = 0;  // the file cannot store it
      return type;
    }
    case Unusual::kBitfield:
      return number_of(choices, TypeClass::kBitfield, 1 + choices.below(16), false);
    case Unusual::kWideEnum: {
      // Codes are chosen from all values, whatever the members: only their order counts.
      return enum_type(number_of(choices, TypeClass::kInteger, wide_size(choices), choices.maybe()),
                       {{"MISSING", 0}});
    }
    case Unusual::kArray: {
      Datatype part = part_of(choices);
      const std::size_t size = 2 * part.size;
      return {
          .cls = TypeClass::kArray, .size = size, .base = part_type(std::move(part)), .dims = {2}};
    }
    case Unusual::kCompound: {
      const auto a = part_type(part_of(choices)), b = part_type(part_of(choices));
      const std::size_t gap = choices.below(4);
      return compound_type(a->size + b->size + 2 * gap,
                           {{"a", 0, a, {}}, {"b", a->size + gap, b, {}}});
    }
  }
  std::unreachable();
}

Value unusual_value(Choices& choices, const Datatype& type) {
  if (type.is(TypeClass::kArray) || type.is(TypeClass::kCompound))
    return static_cast<Integer>(choices.below(9));
  if (type.is(TypeClass::kFloat)) switch (choices.below(8)) {
      default: return static_cast<double>(choices.below(3));
      case 4: return -1.5;
      case 5: return std::numeric_limits<double>::quiet_NaN();
      case 6: return choices.maybe() ? HUGE_VAL : -HUGE_VAL;
      case 7: {
        // Any normal bfloat16, which all of these formats can represent.
        const auto exponent = static_cast<int>(choices.below(250)) - 125;
        const double value =
            std::ldexp(1 + static_cast<double>(choices.below(128)) / 128, exponent);
        return choices.maybe() ? -value : value;
      }
    }
  const Datatype& number = number_behind(type);
  const Integer low = least_of(number), high = greatest_of(number);
  const auto small = static_cast<Integer>(choices.below(3));
  const auto within = [&](Integer n) { return std::clamp(n, low, high); };
  switch (choices.below(8)) {
    default: return within(small);
    case 3: return within(-small);
    case 4: return within(low + small);
    case 5: return within(high - small);
    case 6: return within((Integer{1} << 64) + small);
    case 7: {
      const Integer bits = static_cast<Integer>(choices.bits() >> 8) << 56 |
                           static_cast<Integer>(choices.bits() >> 8);
      return low + (bits & (high - low));
    }
  }
}

Stored encode_unusual(const Datatype& type, const Value& value, Choices& noise) {
  if (const auto* number = std::get_if<double>(&value)) return encode_number(type, *number, noise);
  const Integer number = std::get<Integer>(value);
  if (!type.is(TypeClass::kArray) && !type.is(TypeClass::kCompound))
    return encode_number(number_behind(type), number, noise);
  const auto parts = static_cast<unsigned>(number);
  const auto part = [&](const Datatype& of, unsigned which) {
    return encode_part(of, which, noise);
  };
  if (type.is(TypeClass::kArray)) {
    Stored bytes = part(*type.base, parts / 3);
    const Stored second = part(*type.base, parts % 3);
    bytes.insert(bytes.end(), second.begin(), second.end());
    return bytes;
  }
  Stored bytes(type.size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(noise.below(256));
  std::ranges::copy(part(*type.members[0].type, parts / 3), bytes.begin());
  std::ranges::copy(part(*type.members[1].type, parts % 3),
                    bytes.begin() + static_cast<std::ptrdiff_t>(type.members[1].offset));
  return bytes;
}

RandomColumn unusual_column(Choices& choices, Unusual unusual, std::uint64_t most_rows) {
  RandomColumn column{.type = unusual_type(choices, unusual)};
  column.fill = unusual_value(choices, column.type);
  column.nrows = 1 + choices.below(most_rows);
  constexpr std::uint64_t kChunks[] = {0, 4, 1, 7};
  column.chunk = choices.of(kChunks);
  for (std::uint64_t i = 0; i < column.nrows; ++i)
    column.rows.push_back(choices.below(5) == 4 ? *column.fill
                                                : unusual_value(choices, column.type));
  return column;
}

}  // namespace hepcheck::hep001::grammar
