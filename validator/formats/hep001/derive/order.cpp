#include "validator/formats/hep001/derive/order.h"

#include <format>

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

}  // namespace

bool has_order(const Datatype& type) {
  return visit_codec(type, [](auto codec) { return decltype(codec)::kOrdered; });
}

std::partial_ordering compare_values(const Datatype& type, StoredValue a, StoredValue b) {
  return visit_codec(type, [&](auto codec) -> std::partial_ordering {
    if (!decltype(codec)::kOrdered) return std::partial_ordering::unordered;
    return key_of(codec, a) <=> key_of(codec, b);
  });
}

bool is_nan(const Datatype& type, StoredValue value) {
  return visit_codec(type,
                     [&](auto codec) { return is_nan_key<decltype(codec)>(key_of(codec, value)); });
}

double float_value(const Datatype& type, StoredValue value) {
  return visit_codec(type, [&](auto codec) -> double {
    if constexpr (decltype(codec)::kFloat) return codec.key(value.data());
    return 0;
  });
}

ColumnOrder::ColumnOrder(const Dataset& column) {
  visit_codec(column.type, [&](auto codec) {
    using Codec = decltype(codec);
    compare_ = [codec](StoredValue a, StoredValue b) -> std::partial_ordering {
      if (!Codec::kOrdered) return std::partial_ordering::unordered;
      return key_of(codec, a) <=> key_of(codec, b);
    };
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
  return visit_codec(type, [&](auto codec) -> std::string {
    using Codec = decltype(codec);
    const auto key = codec.key(value.data());
    if constexpr (Codec::kFloat) {
      if (std::isnan(key)) return "NaN (" + hex(value) + ")";
      return std::format("{}", key);
    } else if constexpr (std::is_integral_v<typename Codec::Key>) {
      const std::string code = std::to_string(+key);
      if (!type.is(TypeClass::kEnum)) return code;
      for (const TypeMember& member : type.members)
        if (member.value.size() == type.size && codec.key(member.value.data()) == key)
          return member.name + " (" + code + ")";
      return code + " (no member)";
    } else {
      return type.is(TypeClass::kString) ? format_string(key) : hex(value.first(type.size));
    }
  });
}

}  // namespace hepcheck::hep001
