// Stored values as comparable keys: the one place where datatypes turn into C++ types.
//
// visit_codec picks a codec for a datatype once; loops over rows then run on plain keys. A
// codec has
//   Key                    int64, uint64, float, double or string_view; < and == are the
//                          HEP001 order (10.5): -0 equals +0, strings without their padding,
//                          bytes unsigned
//   kOrdered               the datatype has a HEP001 order
//   kFloat                 keys may be NaN
//   key(const std::byte*)  decodes one stored element of either byte order
//   kBytes                 the size of an element, where the datatype alone tells it
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "validator/formats/hep001/model/datatype.h"
#include "validator/formats/hep001/model/table.h"
#include "validator/formats/hep001/model/values.h"

namespace hepcheck::hep001 {

template <class T, bool kSwap>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  if constexpr (kSwap) value = std::byteswap(value);
  return value;
}

// Integers of 1, 2, 4 or 8 bytes that use every bit; enumerations by their code.
template <class T, bool kSwap>
struct IntegerCodec {
  using Key = T;
  static constexpr bool kOrdered = true, kFloat = false;
  static constexpr std::size_t kBytes = sizeof(T);
  Key key(const std::byte* at) const { return load<T, kSwap>(at); }
};

// Any other integer of up to 8 bytes: odd sizes, reduced precision, bit offset.
template <bool kSigned>
struct OddIntegerCodec {
  using Key = std::conditional_t<kSigned, std::int64_t, std::uint64_t>;
  static constexpr bool kOrdered = true, kFloat = false;
  std::size_t size;
  std::uint32_t precision, offset;
  bool big;

  Key key(const std::byte* at) const {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < size; ++i)
      bits |= std::to_integer<std::uint64_t>(at[big ? size - 1 - i : i]) << (8 * i);
    bits >>= offset;
    if (precision < 64) {
      bits &= (std::uint64_t{1} << precision) - 1;
      if (kSigned && (bits >> (precision - 1)) != 0) bits |= ~std::uint64_t{0} << precision;
    }
    return static_cast<Key>(bits);
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

// IEEE 754 binary16 (Bits = uint16), binary32, binary64.
template <class Bits, bool kSwap>
struct FloatCodec {
  using Key = std::conditional_t<sizeof(Bits) == 8, double, float>;
  static constexpr bool kOrdered = true, kFloat = true;
  static constexpr std::size_t kBytes = sizeof(Bits);
  Bits bits(const std::byte* at) const { return load<Bits, kSwap>(at); }
  Key key(const std::byte* at) const {
    const Bits stored = bits(at);
    if constexpr (sizeof(Bits) == 2)
      return half_to_float(stored);
    else
      return std::bit_cast<Key>(stored);
  }
};

struct FixedStringCodec {
  using Key = std::string_view;
  static constexpr bool kOrdered = true, kFloat = false;
  std::size_t size;
  StringPadding padding;
  Key key(const std::byte* at) const {
    return strip_padding({reinterpret_cast<const char*>(at), size}, padding);
  }
};

// Fixed strings of up to 8 bytes whose key can be told from a number: their bytes up to the
// padding, the first one most significant, filled up with NUL. Numbers compare as the strings do.
struct ShortStringCodec {
  using Key = std::uint64_t;
  static constexpr bool kOrdered = true, kFloat = false;
  std::size_t size;
  bool ends_at_nul;

  // Padding with spaces does not qualify: "a" and "a" NUL would look alike.
  static std::optional<ShortStringCodec> of(const Datatype& type) {
    if (!type.fixed_string() || type.size == 0 || type.size > 8) return std::nullopt;
    if (type.padding == StringPadding::kNullPad) return ShortStringCodec{type.size, false};
    if (type.padding == StringPadding::kNullTerm) return ShortStringCodec{type.size, true};
    return std::nullopt;
  }
  Key key(const std::byte* at) const {
    std::uint64_t word = 0;
    if (size == sizeof word)  // a known size is loaded without a call
      std::memcpy(&word, at, sizeof word);
    else
      std::memcpy(&word, at, size);
    if constexpr (std::endian::native == std::endian::little) word = std::byteswap(word);
    if (!ends_at_nul) return word;
    // The top bit of every byte that is NUL; what follows the first of them does not count.
    constexpr std::uint64_t kLow = 0x7F7F7F7F7F7F7F7F;
    const int kept = std::countl_zero(~(((word & kLow) + kLow) | word | kLow));
    return kept >= 64 ? word : word & ~(~std::uint64_t{0} >> (kept / 8 * 8));
  }
};

// Whole elements as bytes: opaque (ordered), and every datatype without an order.
template <bool kHasOrder>
struct BytesCodec {
  using Key = std::string_view;
  static constexpr bool kOrdered = kHasOrder, kFloat = false;
  std::size_t size;
  Key key(const std::byte* at) const { return {reinterpret_cast<const char*>(at), size}; }
};

// Variable-length strings; stored elements are pointers, as the library hands them out.
struct VariableStringCodec {
  using Key = std::string_view;
  static constexpr bool kOrdered = true, kFloat = false;
  Key key(const std::byte* at) const {
    const char* text;
    std::memcpy(&text, at, sizeof text);
    return text ? Key(text) : Key();
  }
};

template <class Codec>
bool is_nan_key([[maybe_unused]] const typename Codec::Key& key) {
  if constexpr (Codec::kFloat)
    return std::isnan(key);
  else
    return false;
}

// A key that outlives its block and can be looked up: strings by value, both zeros as +0.
template <class Key>
using OwnedKey = std::conditional_t<std::is_same_v<Key, std::string_view>, std::string, Key>;
template <class Key>
OwnedKey<Key> owned_key(const Key& key) {
  if constexpr (std::is_floating_point_v<Key>)
    return key + Key(0);
  else
    return OwnedKey<Key>(key);
}

// Calls use(codec) with the codec of a datatype and returns what it returns.
template <class Use>
auto visit_codec(const Datatype& type, Use use) {
  if (type.variable_string()) return use(VariableStringCodec{});
  const Datatype& number = type.is(TypeClass::kEnum) && type.base ? *type.base : type;
  const bool big = number.order == ByteOrder::kBig;
  const bool plain_order = big || number.order == ByteOrder::kLittle;
  const bool swap = big != (std::endian::native == std::endian::big);
  const auto swapped = [&](auto little, auto other) { return swap ? use(other) : use(little); };

  if (number.is(TypeClass::kInteger) && number.size <= 8 && number.size > 0 && plain_order &&
      number.precision > 0 && number.precision + number.bit_offset <= 8 * number.size) {
    if (number.precision == 8 * number.size) switch (number.size) {
        case 1:
          return number.is_signed ? use(IntegerCodec<std::int8_t, false>{})
                                  : use(IntegerCodec<std::uint8_t, false>{});
        case 2:
          return number.is_signed ? swapped(IntegerCodec<std::int16_t, false>{},
                                            IntegerCodec<std::int16_t, true>{})
                                  : swapped(IntegerCodec<std::uint16_t, false>{},
                                            IntegerCodec<std::uint16_t, true>{});
        case 4:
          return number.is_signed ? swapped(IntegerCodec<std::int32_t, false>{},
                                            IntegerCodec<std::int32_t, true>{})
                                  : swapped(IntegerCodec<std::uint32_t, false>{},
                                            IntegerCodec<std::uint32_t, true>{});
        case 8:
          return number.is_signed ? swapped(IntegerCodec<std::int64_t, false>{},
                                            IntegerCodec<std::int64_t, true>{})
                                  : swapped(IntegerCodec<std::uint64_t, false>{},
                                            IntegerCodec<std::uint64_t, true>{});
        default: break;
      }
    return number.is_signed
               ? use(OddIntegerCodec<true>{number.size, number.precision, number.bit_offset, big})
               : use(OddIntegerCodec<false>{number.size, number.precision, number.bit_offset, big});
  }
  if (is_ieee_float(type)) switch (type.size) {
      case 2: return swapped(FloatCodec<std::uint16_t, false>{}, FloatCodec<std::uint16_t, true>{});
      case 4: return swapped(FloatCodec<std::uint32_t, false>{}, FloatCodec<std::uint32_t, true>{});
      default:
        return swapped(FloatCodec<std::uint64_t, false>{}, FloatCodec<std::uint64_t, true>{});
    }
  if (type.fixed_string()) return use(FixedStringCodec{type.size, type.padding});
  if (type.is(TypeClass::kOpaque)) return use(BytesCodec<true>{type.size});
  return use(BytesCodec<false>{type.size});
}

// The key of row `i` of a block.
// Datatypes that hold compounds or variable-length parts may come with views: their logical bytes,
// pointers followed and gaps between fields left out, which are equal for equal values.
template <class Codec>
typename Codec::Key key_at(const Codec& codec, const Block& block, std::size_t element_bytes,
                           std::uint64_t i) {
  if constexpr (std::is_same_v<Codec, VariableStringCodec>) return block.strings[i];
  if constexpr (!Codec::kOrdered)
    if (!block.strings.empty()) return block.strings[i];
  // A size that the compiler knows lets it take several rows at once.
  if constexpr (requires { Codec::kBytes; }) element_bytes = Codec::kBytes;
  return codec.key(block.bytes.data() + i * element_bytes);
}

// The canonical missing-value test (8.5) for one column. Nothing is missing without a
// user-defined fill value.
template <class Codec>
struct Missing {
  bool defined = false, nan = false;
  typename Codec::Key fill{};

  Missing(const Codec& codec, const Dataset& column) {
    if constexpr (std::is_same_v<Codec, VariableStringCodec>) {
      defined = column.storage.fill_state == FillState::kUserDefined && column.storage.fill_string;
      if (defined) fill = *column.storage.fill_string;
    } else if (const std::vector<std::byte>* bytes = fill_bytes(column)) {
      defined = true;
      fill = codec.key(bytes->data());
      nan = is_nan_key<Codec>(fill);
    }
  }

  bool operator()(const typename Codec::Key& key) const {
    return defined && (nan ? is_nan_key<Codec>(key) : key == fill);
  }
};

}  // namespace hepcheck::hep001
