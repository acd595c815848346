#include "validator/formats/hep001/model/comparable.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <format>

#include "validator/formats/hep001/model/integers.h"
#include "validator/formats/hep001/model/table.h"

namespace hepcheck::hep001 {

namespace {

using Stored = std::span<const std::byte>;

// --- Floats --------------------------------------------------------------------------------------

// The positions of the bits of a part, counted from the least significant one.
struct Range {
  std::uint64_t first, count;
  std::uint64_t end() const { return first + count; }
  bool apart(const Range& other) const { return end() <= other.first || other.end() <= first; }
};

// Every significant bit belongs to one of the three parts of the number.
bool whole_parts(const Datatype& type) {
  const FloatLayout& f = type.floating;
  const Range sign{f.sign_position, 1}, exponent{f.exponent_position, f.exponent_size},
      mantissa{f.mantissa_position, f.mantissa_size};
  constexpr std::uint32_t kMostExponent = 32, kMostMantissa = 512;
  return f.exponent_size > 0 && f.exponent_size <= kMostExponent && f.mantissa_size > 0 &&
         f.mantissa_size <= kMostMantissa &&
         1 + exponent.count + mantissa.count == type.precision &&
         std::max({sign.end(), exponent.end(), mantissa.end()}) <= 8 * type.size &&
         sign.apart(exponent) && sign.apart(mantissa) && exponent.apart(mantissa);
}

// The 80-bit format of the x87, which stores its leading bit.
bool is_x87(const Datatype& type) {
  const FloatLayout& f = type.floating;
  return !f.implied_one && f.exponent_size == 15 && f.mantissa_size == 64;
}

std::optional<std::string> incomparable_float(const Datatype& type) {
  const std::string what = describe(type);
  if (type.order != ByteOrder::kLittle && type.order != ByteOrder::kBig)
    return what + " has an unsupported byte order";
  if (!whole_parts(type)) return what + " has parts that do not form a supported number";
  if (type.precision < 16)
    return what + " may or may not have infinities and NaN, which its datatype does not state";
  if (!type.floating.implied_one && !is_x87(type))
    return what + " stores its leading bit in an unsupported way";
  return std::nullopt;
}

bool all_ones(std::string_view bits, std::uint64_t count) {
  if (count % 8 != 0) {
    if (static_cast<unsigned char>(bits[0]) != (1u << count % 8) - 1) return false;
    bits.remove_prefix(1);
  }
  return std::ranges::all_of(bits, [](char c) { return c == '\xFF'; });
}

bool all_zeros(std::string_view bits) {
  return std::ranges::all_of(bits, [](char c) { return c == '\0'; });
}

// Exponent and mantissa, concatenated, form a number that increases with the magnitude; a byte for
// the sign precedes it. All bits are inverted below zero. True if it is NaN.
bool append_float(const Datatype& type, Stored stored, std::string& into) {
  const FloatLayout& f = type.floating;
  std::string sign, exponent, mantissa;
  append_bits(stored, type.order, f.sign_position, 1, sign);
  append_bits(stored, type.order, f.exponent_position, f.exponent_size, exponent);
  append_bits(stored, type.order, f.mantissa_position, f.mantissa_size, mantissa);
  const bool special = all_ones(exponent, f.exponent_size);
  bool nan = false;
  const bool zero = all_zeros(exponent) && all_zeros(mantissa);
  if (is_x87(type)) {
    const bool leading = (mantissa[0] & '\x80') != 0, subnormal = all_zeros(exponent);
    if (subnormal)
      exponent.back() = 1;  // numbers with exponent 0 are scaled like those with exponent 1
    if (!subnormal && !leading) nan = true;  // not a number on any machine since the 80387
    if (special) mantissa[0] &= '\x7F';
  }
  nan |= special && !all_zeros(mantissa);
  const bool negative = sign[0] != 0 && !zero;
  const std::size_t start = into.size();
  into.append(1, '\x80')
      .append(zero ? std::string(exponent.size(), '\0') : exponent)
      .append(mantissa);
  if (negative)
    for (std::size_t i = start; i < into.size(); ++i) into[i] = static_cast<char>(~into[i]);
  return nan;
}

// The three formats of IEEE 754 are far more common, often many in an array: the same, computed in
// one integer.
bool append_ieee(const Datatype& type, Stored stored, std::string& into) {
  const std::uint64_t sign = std::uint64_t{1} << (8 * type.size - 1);
  const std::uint32_t mantissa = type.floating.mantissa_size;
  const std::uint64_t infinity = ((sign >> mantissa) - 1) << mantissa;
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < type.size; ++i)
    bits = bits << 8 | std::to_integer<std::uint64_t>(
                           stored[type.order == ByteOrder::kBig ? i : type.size - 1 - i]);
  const bool nan = (bits & ~sign) > infinity;
  if (bits == sign) bits = 0;
  bits = (bits & sign) != 0 ? ~bits : bits | sign;
  for (std::size_t i = type.size; i-- > 0;) into.push_back(static_cast<char>(bits >> (8 * i)));
  return nan;
}

// --- Everything ----------------------------------------------------------------------------------

void append_count(std::uint64_t count, std::string& into) {
  into.append(reinterpret_cast<const char*>(&count), sizeof count);
}

void append_text(std::string_view text, std::string& into) {
  append_count(text.size(), into);
  into.append(text);
}

bool append(const Datatype& type, Stored stored, std::string& into);

bool append_items(const Datatype& base, Stored items, std::string& into) {
  bool nan = false;
  for (std::size_t i = 0; i + base.size <= items.size(); i += base.size)
    nan |= append(base, items.subspan(i, base.size), into);
  return nan;
}

void append_number(const Datatype& number, Stored stored, std::string& into) {
  const std::size_t start = into.size();
  append_bits(stored, number.order, number.bit_offset, number.precision, into);
  // With the sign inverted, negative numbers sort before the others.
  if (number.is_signed || number.is(TypeClass::kTime))
    into[start] =
        static_cast<char>(into[start] ^ static_cast<char>(1 << (number.precision - 1) % 8));
}

// Appends the form of a part; true if some of it is NaN.
bool append(const Datatype& type, Stored stored, std::string& into) {
  const std::string_view raw{reinterpret_cast<const char*>(stored.data()), stored.size()};
  switch (stored.size() == type.size ? type.cls : TypeClass::kUnknown) {
    case TypeClass::kInteger:
    case TypeClass::kEnum:
    case TypeClass::kTime:
    case TypeClass::kBitfield:
      if (const Datatype& number = code_type(type); has_significant_bits(number))
        append_number(number, stored, into);
      else
        into.append(raw);
      return false;
    case TypeClass::kFloat:
      if (is_ieee_float(type)) return append_ieee(type, stored, into);
      if (!incomparable_float(type)) return append_float(type, stored, into);
      into.append(raw);
      return false;
    case TypeClass::kString:
      if (type.variable_length) {
        const char* text = nullptr;
        if (stored.size() != sizeof text) break;
        std::memcpy(&text, stored.data(), sizeof text);
        append_text(text ? text : "", into);
      } else {
        append_text(strip_padding(raw, type.padding), into);
      }
      return false;
    case TypeClass::kCompound: {
      bool nan = false;
      for (const TypeMember& member : type.members)
        if (member.type && member.offset <= stored.size() &&
            member.type->size <= stored.size() - member.offset)
          nan |= append(*member.type, stored.subspan(member.offset, member.type->size), into);
      return nan;
    }
    case TypeClass::kArray:
      if (!type.base || type.base->size == 0) break;
      return append_items(*type.base, stored, into);
    case TypeClass::kVlen: {
      // Like hvl_t: a length and a pointer.
      std::size_t length = 0;
      const std::byte* items = nullptr;
      std::size_t bytes = 0;
      if (stored.size() != sizeof length + sizeof items || !type.base || type.base->size == 0)
        break;
      std::memcpy(&length, stored.data(), sizeof length);
      std::memcpy(&items, stored.data() + sizeof length, sizeof items);
      append_count(length, into);
      return items && !__builtin_mul_overflow(length, type.base->size, &bytes) &&
             append_items(*type.base, {items, bytes}, into);
    }
    case TypeClass::kOpaque:
    case TypeClass::kReference:
    case TypeClass::kUnknown: break;
  }
  into.append(raw);
  return false;
}

}  // namespace

std::optional<std::string> incomparable(const Datatype& type) {
  switch (type.cls) {
    case TypeClass::kInteger:
    case TypeClass::kTime:
    case TypeClass::kBitfield:
      if (has_significant_bits(type)) return std::nullopt;
      return describe(type) + " does not state its significant bits";
    case TypeClass::kEnum:
      if (type.base && type.base->size == type.size && type.base->is(TypeClass::kInteger))
        return incomparable(*type.base);
      return describe(type) + " has codes that are not integers";
    case TypeClass::kFloat: return is_ieee_float(type) ? std::nullopt : incomparable_float(type);
    case TypeClass::kString:
    case TypeClass::kOpaque: return std::nullopt;
    case TypeClass::kCompound:
      for (const TypeMember& member : type.members)
        if (member.type)
          if (auto why = incomparable(*member.type)) return why;
      return std::nullopt;
    case TypeClass::kArray:
    case TypeClass::kVlen: return type.base ? incomparable(*type.base) : std::nullopt;
    case TypeClass::kReference:
      if (type.reference == ReferenceKind::kLegacyObject) return std::nullopt;
      return "references of " + describe(type) + " with equal targets can differ in bytes";
    case TypeClass::kUnknown: return "values of an unknown datatype class";
  }
  return std::nullopt;
}

bool is_number(const Datatype& type) {
  switch (type.cls) {
    case TypeClass::kInteger:
    case TypeClass::kEnum:
    case TypeClass::kFloat:
    case TypeClass::kTime:
    case TypeClass::kBitfield: return !incomparable(type);
    default: return false;
  }
}

std::string comparable_form(const Datatype& type, Stored stored) {
  std::string form;
  form.reserve(1 + stored.size());
  form.push_back('\0');
  if (append(type, stored, form)) form[0] = type.is(TypeClass::kFloat) ? 1 : 2;
  return form;
}

}  // namespace hepcheck::hep001
