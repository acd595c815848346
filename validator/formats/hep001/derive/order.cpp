#include "validator/formats/hep001/derive/order.h"

#include <algorithm>
#include <cmath>
#include <format>
#include <limits>

#include "validator/formats/hep001/derive/codec.h"

namespace hepcheck::hep001 {

namespace {

std::string hex(StoredValue value) {
  constexpr std::size_t kShown = 32;
  std::string text = "0x";
  for (std::size_t i = 0; i < value.size() && i < kShown; ++i)
    text += std::format("{:02x}", std::to_integer<unsigned>(value[i]));
  return value.size() > kShown ? text + "..." : text;
}

std::string_view text(StoredValue value) {
  return {reinterpret_cast<const char*>(value.data()), value.size()};
}

// An integer, or a code with the member that it represents.
std::string format_integer(const Datatype& type, StoredValue value) {
  constexpr std::size_t kShown = 80;
  std::string code = integer_text(type, value);
  if (code.size() > kShown)
    code = std::format("{}... ({} digits)", code.substr(0, kShown / 2), code.size());
  if (!type.is(TypeClass::kEnum)) return code;
  for (const TypeMember& member : type.members)
    if (member.value.size() == type.size && equal_values(type, member.value, value))
      return member.name + " (" + code + ")";
  return code + " (no member)";
}

// The nearest double of a float that has a comparable form. A finite value stays finite, and a
// nonzero value stays nonzero.
double rounded(const Datatype& type, StoredValue value) {
  const FloatLayout& f = type.floating;
  const auto bits = [&](std::uint32_t first, std::uint32_t count) {
    std::string bytes;
    append_bits(value, type.order, first, count, bytes);
    double number = 0;
    for (const char byte : bytes) number = number * 256 + static_cast<unsigned char>(byte);
    return number;
  };
  const double sign = bits(f.sign_position, 1) != 0 ? -1 : 1;
  const double exponent = bits(f.exponent_position, f.exponent_size);
  if (exponent == std::ldexp(1.0, static_cast<int>(f.exponent_size)) - 1)
    return sign * std::numeric_limits<double>::infinity();
  // If the leading bit is stored, it is the first bit of the mantissa.
  double significand = bits(f.mantissa_position, f.mantissa_size);
  significand = std::ldexp(significand, -static_cast<int>(f.mantissa_size) + !f.implied_one);
  if (f.implied_one && exponent > 0) ++significand;
  const double scale = std::max(exponent, 1.0) - static_cast<double>(f.exponent_bias);
  const double number = std::ldexp(significand, static_cast<int>(std::clamp(scale, -1e5, 1e5)));
  if (significand == 0) return sign * 0.0;
  using Limits = std::numeric_limits<double>;
  return sign * std::clamp(number, Limits::denorm_min(), Limits::max());
}

template <class Codec>
std::partial_ordering compare_keys(const Codec& codec, StoredValue a, StoredValue b) {
  const auto one = key_of(codec, a), other = key_of(codec, b);
  if (is_nan_key<Codec>(one) || is_nan_key<Codec>(other)) return std::partial_ordering::unordered;
  return one <=> other;
}

}  // namespace

bool has_order(const Datatype& type) {
  return type.is(TypeClass::kString) || type.is(TypeClass::kOpaque) || is_ieee_float(type) ||
         is_integral(type);
}

bool can_compare(const Datatype& type) { return has_order(type) || is_number(type); }

bool is_other_float(const Datatype& type) {
  return type.is(TypeClass::kFloat) && !is_ieee_float(type);
}

std::partial_ordering compare_values(const Datatype& type, StoredValue a, StoredValue b) {
  if (!can_compare(type)) return std::partial_ordering::unordered;
  return visit_codec(type, [&](auto codec) { return compare_keys(codec, a, b); });
}

bool equal_values(const Datatype& type, StoredValue a, StoredValue b) {
  return visit_codec(type, [&](auto codec) {
    using Codec = decltype(codec);
    const auto one = key_of(codec, a), other = key_of(codec, b);
    if constexpr (std::is_same_v<Codec, FormCodec>)
      return one == other && !holds_nan(one);
    else
      return one == other;
  });
}

bool is_nan(const Datatype& type, StoredValue value) {
  return visit_codec(type,
                     [&](auto codec) { return is_nan_key<decltype(codec)>(key_of(codec, value)); });
}

double float_value(const Datatype& type, StoredValue value) {
  return visit_codec(type, [&](auto codec) -> double {
    using Codec = decltype(codec);
    if constexpr (std::is_same_v<Codec, FormCodec>) {
      if (!type.is(TypeClass::kFloat) || incomparable(type)) return 0;
      if (is_nan(type, value)) return std::numeric_limits<double>::quiet_NaN();
      return rounded(type, value);
    } else if constexpr (Codec::kFloat) {
      return codec.key(value.data());
    } else {
      return 0;
    }
  });
}

ColumnOrder::ColumnOrder(const Dataset& column) {
  visit_codec(column.type, [&](auto codec) {
    using Codec = decltype(codec);
    compare_ = [codec](StoredValue a, StoredValue b) { return compare_keys(codec, a, b); };
    is_nan_ = [codec](StoredValue value) { return is_nan_key<Codec>(key_of(codec, value)); };
    is_missing_ = [codec, missing = Missing<Codec>(codec, column)](StoredValue value) {
      return missing(key_of(codec, value));
    };
  });
}

bool is_missing(const Datatype& type, StoredValue value, StoredValue fill) {
  return visit_codec(type, [&](auto codec) {
    using Codec = decltype(codec);
    const auto wanted = key_of(codec, fill);
    const auto stored = key_of(codec, value);
    return is_nan_key<Codec>(wanted) ? is_nan_key<Codec>(stored) : stored == wanted;
  });
}

std::string format_string(std::string_view text) {
  constexpr std::size_t kShown = 80;
  std::string shown(text.substr(0, kShown));
  return '"' + shown + (text.size() > kShown ? "\"..." : "\"");
}

std::string format_value(const Datatype& type, StoredValue value) {
  if (type.variable_string()) return format_string(text(value));
  if (value.size() < type.size) return "no value";
  value = value.first(type.size);
  if (is_integral(type)) return format_integer(type, value);
  return visit_codec(type, [&](auto codec) -> std::string {
    using Codec = decltype(codec);
    const auto key = codec.key(value.data());
    if constexpr (std::is_same_v<Codec, FormCodec>) {
      if (is_nan_form(key)) return "NaN (" + hex(value) + ")";
      if (!type.is(TypeClass::kFloat) || incomparable(type)) return hex(value);
      return std::format("{} ({})", rounded(type, value), hex(value));
    } else if constexpr (Codec::kFloat) {
      if (std::isnan(key)) return "NaN (" + hex(value) + ")";
      return std::format("{}", key);
    } else if constexpr (std::is_integral_v<typename Codec::Key>) {
      return std::to_string(+key);
    } else {
      return type.is(TypeClass::kString) ? format_string(key) : hex(value);
    }
  });
}

}  // namespace hepcheck::hep001
