// Stored values as comparable keys: the one place where datatypes turn into C++ types.
//
// visit_codec picks a codec for a datatype once; a few codecs do for all datatypes. Loops over all
// rows of a column ask visit_fast_codec, which has besides one for each number as the machine has
// it: keys are then loaded without a question, many at a time. Every codec makes all of a loop
// compile once more, so what is not a loop over rows belongs elsewhere (order.h).
//
// A codec has
//   Key                    an integer, float, double, string_view or string; == is equality, and <
//                          the order of datatypes that have one (10.5): -0 equals +0, strings
//                          without their padding, bytes unsigned
//   kFloat                 keys may be NaN
//   key(const std::byte*)  decodes one stored element of either byte order
//   kBytes or size         the size of an element
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "validator/formats/hep001/derive/order.h"
#include "validator/formats/hep001/model/comparable.h"
#include "validator/formats/hep001/model/datatype.h"
#include "validator/formats/hep001/model/integers.h"
#include "validator/formats/hep001/model/table.h"
#include "validator/formats/hep001/model/values.h"

namespace hepcheck::hep001 {

template <class T>
T load(const std::byte* at, bool swap = false) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return swap ? std::byteswap(value) : value;
}

inline bool is_foreign(ByteOrder order) {
  return (order == ByteOrder::kBig) != (std::endian::native == std::endian::big);
}

// An unsigned integer of up to 8 bytes.
inline std::uint64_t load_unsigned(const std::byte* at, std::size_t size, ByteOrder order) {
  const bool swap = is_foreign(order);
  switch (size) {
    case 1: return load<std::uint8_t>(at);
    case 2: return load<std::uint16_t>(at, swap);
    case 4: return load<std::uint32_t>(at, swap);
    case 8: return load<std::uint64_t>(at, swap);
    default: break;
  }
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < size; ++i)
    bits |= std::to_integer<std::uint64_t>(at[order == ByteOrder::kBig ? size - 1 - i : i])
            << (8 * i);
  return bits;
}

// Native integers of 1, 2, 4 or 8 bytes; enumerations by their code.
template <class T>
struct NativeIntegerCodec {
  using Key = T;
  static constexpr bool kFloat = false;
  static constexpr std::size_t kBytes = sizeof(T);
  Key key(const std::byte* at) const { return load<T>(at); }
};

// Integers, times and bitfields of up to 8 bytes: any byte order, size, precision and bit offset.
template <bool kSigned>
struct IntegerCodec {
  using Key = std::conditional_t<kSigned, std::int64_t, std::uint64_t>;
  static constexpr bool kFloat = false;
  std::size_t size;
  std::uint32_t precision, offset;
  ByteOrder order;

  Key key(const std::byte* at) const {
    const std::uint64_t bits = load_unsigned(at, size, order);
    return static_cast<Key>(bits << (64 - precision - offset)) >> (64 - precision);
  }
};

// IEEE 754 binary16 bits as a float; exact.
inline float half_to_float(std::uint16_t bits) {
  const float sign = bits & 0x8000 ? -1.0f : 1.0f;
  const int exponent = (bits >> 10) & 0x1F;
  const auto mantissa = static_cast<float>(bits & 0x3FF);
  if (exponent == 0x1F)
    return mantissa != 0 ? std::numeric_limits<float>::quiet_NaN()
                         : sign * std::numeric_limits<float>::infinity();
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  return sign * std::ldexp(mantissa + 1024.0f, exponent - 25);
}

// Native IEEE 754 binary32 and binary64.
template <class T>
struct NativeFloatCodec {
  using Key = T;
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  static constexpr bool kFloat = true;
  static constexpr std::size_t kBytes = sizeof(T);
  Bits bits(const std::byte* at) const { return load<Bits>(at); }
  Key key(const std::byte* at) const { return std::bit_cast<Key>(bits(at)); }
};

// IEEE 754 binary16 (Bits = uint16), binary32, binary64 of either byte order.
template <class Bits>
struct FloatCodec {
  using Key = std::conditional_t<sizeof(Bits) == 8, double, float>;
  static constexpr bool kFloat = true;
  static constexpr std::size_t kBytes = sizeof(Bits);
  bool swap;
  Bits bits(const std::byte* at) const { return load<Bits>(at, swap); }
  Key key(const std::byte* at) const {
    const Bits stored = bits(at);
    if constexpr (sizeof(Bits) == 2)
      return half_to_float(stored);
    else
      return std::bit_cast<Key>(stored);
  }
};

// Fixed strings without their padding; opaque elements, which have none, completely.
struct TextCodec {
  using Key = std::string_view;
  static constexpr bool kFloat = false;
  std::size_t size;
  std::optional<StringPadding> padding;
  Key key(const std::byte* at) const {
    const Key whole{reinterpret_cast<const char*>(at), size};
    return padding ? strip_padding(whole, *padding) : whole;
  }
};

// Fixed strings of up to 8 bytes as numbers: their bytes up to the padding, the first one most
// significant, filled up with NUL. The numbers compare like the strings.
struct ShortStringCodec {
  using Key = std::uint64_t;
  static constexpr bool kFloat = false;
  std::size_t size;
  bool ends_at_nul;

  // Space padding does not qualify: "a" and "a" NUL would be equal.
  static std::optional<ShortStringCodec> of(const Datatype& type) {
    if (!type.fixed_string() || type.size == 0 || type.size > 8) return std::nullopt;
    if (type.padding == StringPadding::kNullPad) return ShortStringCodec{type.size, false};
    if (type.padding == StringPadding::kNullTerm) return ShortStringCodec{type.size, true};
    return std::nullopt;
  }
  Key key(const std::byte* at) const {
    std::uint64_t word = 0;
    if (size == sizeof word)  // a constant size is loaded without a call
      std::memcpy(&word, at, sizeof word);
    else
      std::memcpy(&word, at, size);
    if constexpr (std::endian::native == std::endian::little) word = std::byteswap(word);
    if (!ends_at_nul) return word;
    // The top bit of every NUL byte; bits after the first one do not count.
    constexpr std::uint64_t kLow = 0x7F7F7F7F7F7F7F7F;
    const int kept = std::countl_zero(~(((word & kLow) + kLow) | word | kLow));
    return kept >= 64 ? word : word & ~(~std::uint64_t{0} >> (kept / 8 * 8));
  }
};

// All other types, by their comparable form: longer integers, other floats, composite values.
struct FormCodec {
  using Key = std::string;
  static constexpr bool kFloat = true;
  const Datatype* type;
  Key key(const std::byte* at) const { return comparable_form(*type, {at, type->size}); }
};

// Variable-length strings; stored elements are pointers, as returned by the library.
struct VariableStringCodec {
  using Key = std::string_view;
  static constexpr bool kFloat = false;
  Key key(const std::byte* at) const {
    const char* text;
    std::memcpy(&text, at, sizeof text);
    return text ? Key(text) : Key();
  }
};

template <class Codec>
bool is_nan_key([[maybe_unused]] const typename Codec::Key& key) {
  if constexpr (std::is_same_v<Codec, FormCodec>)
    return is_nan_form(key);
  else if constexpr (Codec::kFloat)
    return std::isnan(key);
  else
    return false;
}

// A key that outlives its block and can be looked up, independent of the size of numbers; strings
// by value.
template <class Key>
using OwnedKey = std::conditional_t<
    !std::is_arithmetic_v<Key>, std::string,
    std::conditional_t<std::is_floating_point_v<Key>, double,
                       std::conditional_t<std::is_signed_v<Key>, std::int64_t, std::uint64_t>>>;
template <class Key>
OwnedKey<Key> owned_key(const Key& key) {
  return OwnedKey<Key>(key);
}
// Enables lookup of a string by a string_view.
struct OwnedKeyHash {
  using is_transparent = void;
  template <class Key>
  std::size_t operator()(const Key& key) const {
    if constexpr (std::is_arithmetic_v<Key>)
      return std::hash<Key>()(key);
    else
      return std::hash<std::string_view>()(key);
  }
};

// An integer of up to 8 bytes, or a type stored as one.
inline bool has_integer_keys(const Datatype& type) {
  const bool integer =
      type.is(TypeClass::kInteger) || type.is(TypeClass::kTime) || type.is(TypeClass::kBitfield);
  return integer && type.size <= 8 && has_significant_bits(type);
}

// Its keys are comparable forms.
inline bool is_told_by_form(const Datatype& type) {
  return !type.is(TypeClass::kString) && !type.is(TypeClass::kOpaque) && !is_ieee_float(type) &&
         !has_integer_keys(code_type(type));
}

// Calls use(codec) with a codec of the datatype, which must outlive it, and returns the result.
template <class Use>
auto visit_codec(const Datatype& type, Use use) {
  if (type.variable_string()) return use(VariableStringCodec{});
  if (const Datatype& code = code_type(type); has_integer_keys(code))
    return code.is_signed || code.is(TypeClass::kTime)
               ? use(IntegerCodec<true>{code.size, code.precision, code.bit_offset, code.order})
               : use(IntegerCodec<false>{code.size, code.precision, code.bit_offset, code.order});
  if (is_ieee_float(type)) {
    const bool swap = is_foreign(type.order);
    switch (type.size) {
      case 2: return use(FloatCodec<std::uint16_t>{swap});
      case 4: return use(FloatCodec<std::uint32_t>{swap});
      default: return use(FloatCodec<std::uint64_t>{swap});
    }
  }
  if (type.fixed_string()) return use(TextCodec{type.size, type.padding});
  if (type.is(TypeClass::kOpaque)) return use(TextCodec{type.size, std::nullopt});
  return use(FormCodec{&type});
}

// The same with a codec that is optimised for loops over many rows.
template <class Use>
auto visit_fast_codec(const Datatype& type, Use use) {
  const Datatype& code = code_type(type);
  const auto either = [&](auto one, auto other) { return code.is_signed ? use(one) : use(other); };
  const bool native = code.size == 1 || !is_foreign(code.order);
  const bool whole = code.is(TypeClass::kInteger) && code.precision == 8 * code.size;
  if (native && whole && has_integer_keys(code)) switch (code.size) {
      case 1: return either(NativeIntegerCodec<std::int8_t>{}, NativeIntegerCodec<std::uint8_t>{});
      case 2:
        return either(NativeIntegerCodec<std::int16_t>{}, NativeIntegerCodec<std::uint16_t>{});
      case 4:
        return either(NativeIntegerCodec<std::int32_t>{}, NativeIntegerCodec<std::uint32_t>{});
      case 8:
        return either(NativeIntegerCodec<std::int64_t>{}, NativeIntegerCodec<std::uint64_t>{});
      default: break;
    }
  if (native && is_ieee_float(type)) {
    if (type.size == 4) return use(NativeFloatCodec<float>{});
    if (type.size == 8) return use(NativeFloatCodec<double>{});
  }
  return visit_codec(type, use);
}

// The key of a stored value.
template <class Codec>
typename Codec::Key key_of(const Codec& codec, StoredValue value) {
  if constexpr (std::is_same_v<Codec, VariableStringCodec>)
    return {reinterpret_cast<const char*>(value.data()), value.size()};
  else if constexpr (std::is_same_v<Codec, FormCodec>)
    return comparable_form(*codec.type, value);
  else
    return codec.key(value.data());
}

// The value in row `i` of a block.
inline StoredValue stored_at(const Block& block, const Datatype& type, std::uint64_t i) {
  if (type.variable_string()) return std::as_bytes(std::span(block.strings[i]));
  return block.bytes.subspan(i * type.size, type.size);
}

// The key of row `i` of a block. Datatypes that contain compounds or variable-length parts may be
// given as views: their comparable forms.
template <class Codec>
typename Codec::Key key_at(const Codec& codec, const Block& block, std::size_t element_bytes,
                           std::uint64_t i) {
  if constexpr (std::is_same_v<Codec, VariableStringCodec>) return block.strings[i];
  if constexpr (std::is_same_v<Codec, FormCodec>)
    if (!block.strings.empty()) return std::string(block.strings[i]);
  // A constant size allows the compiler to process several rows at once.
  if constexpr (requires { Codec::kBytes; }) element_bytes = Codec::kBytes;
  return codec.key(block.bytes.data() + i * element_bytes);
}

// The user-defined fill value of a column.
inline std::optional<StoredValue> stored_fill(const Dataset& column) {
  const Storage& storage = column.storage;
  if (!column.type.variable_string()) {
    const std::vector<std::byte>* bytes = fill_bytes(column);
    return bytes ? std::optional<StoredValue>(*bytes) : std::nullopt;
  }
  if (storage.fill_state != FillState::kUserDefined || !storage.fill_string) return std::nullopt;
  return std::as_bytes(std::span(*storage.fill_string));
}

// The canonical test for missing values (8.5) for one column. Without a user-defined fill value,
// nothing is missing.
template <class Codec>
struct Missing {
  bool defined = false, nan = false;
  typename Codec::Key fill{};

  Missing(const Codec& codec, const Dataset& column) {
    if constexpr (std::is_same_v<Codec, FormCodec>)
      if (column.storage.fill_form) {
        defined = true;
        fill = *column.storage.fill_form;
        return;
      }
    const std::optional<StoredValue> stored = stored_fill(column);
    if (!stored) return;
    defined = true;
    fill = key_of(codec, *stored);
    nan = is_nan_key<Codec>(fill);
  }

  bool operator()(const typename Codec::Key& key) const {
    return defined && (nan ? is_nan_key<Codec>(key) : key == fill);
  }
};

}  // namespace hepcheck::hep001
