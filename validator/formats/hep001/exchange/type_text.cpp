#include "validator/formats/hep001/exchange/type_text.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <format>
#include <set>

#include "validator/formats/hep001/derive/codec.h"
#include "validator/formats/hep001/model/integers.h"

namespace hepcheck::hep001 {

namespace {

constexpr int kMostDepth = 32;

std::string quoted_name(std::string_view text) {
  std::string made = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') made += '\\';
    made += c;
  }
  return made + '"';
}

const char* word(StringPadding padding) {
  switch (padding) {
    case StringPadding::kNullTerm: return "nullterm";
    case StringPadding::kNullPad: return "nullpad";
    case StringPadding::kSpacePad: return "spacepad";
    case StringPadding::kOther: break;
  }
  return nullptr;
}

const char* word(CharacterSet set) {
  return set == CharacterSet::kAscii ? "ascii" : set == CharacterSet::kUtf8 ? "utf8" : nullptr;
}

std::optional<std::string> number_text(const char* name, const Datatype& type) {
  if (type.order != ByteOrder::kLittle && type.order != ByteOrder::kBig && type.size > 1)
    return std::nullopt;
  std::string text = std::format("{}{}", name, 8 * type.size);
  if (type.order == ByteOrder::kBig && type.size > 1) text += "be";
  if (type.precision != 8 * type.size || type.bit_offset != 0)
    text += std::format("({},{})", type.precision, type.bit_offset);
  return text;
}

std::optional<std::string> enum_text(const Datatype& type) {
  const auto base = type.base ? type_text(*type.base) : std::nullopt;
  if (!base) return std::nullopt;
  std::string text = "enum(" + *base;
  for (const TypeMember& member : type.members)
    text += ',' + quoted_name(member.name) + '=' + integer_text(*type.base, member.value);
  return text + ')';
}

std::optional<std::string> compound_text(const Datatype& type) {
  std::string text = std::format("compound({}", type.size);
  for (const TypeMember& member : type.members) {
    const auto inside = member.type ? type_text(*member.type) : std::nullopt;
    if (!inside) return std::nullopt;
    text += std::format(",{}@{} {}", quoted_name(member.name), member.offset, *inside);
  }
  return text + ')';
}

class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  std::optional<Datatype> whole() {
    auto type = any(0);
    return rest_.empty() ? type : std::nullopt;
  }

 private:
  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  template <class T>
  bool number(T& value) {
    const auto [end, trouble] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (trouble != std::errc()) return false;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return true;
  }

  bool text(std::string& value) {
    if (!take("\"")) return false;
    while (!rest_.empty() && rest_.front() != '"') {
      if (rest_.front() == '\\') rest_.remove_prefix(1);
      if (rest_.empty()) return false;
      value += rest_.front();
      rest_.remove_prefix(1);
    }
    return take("\"");
  }

  std::optional<Datatype> any(int depth) {
    if (depth > kMostDepth) return std::nullopt;
    if (take("string(")) return string();
    if (take("opaque(")) return opaque();
    if (take("enum(")) return enumeration(depth);
    if (take("compound(")) return compound(depth);
    if (take("array(")) return array(depth);
    if (take("vlen(")) return sequence(depth);
    if (take("uint")) return atomic(TypeClass::kInteger, false);
    if (take("int")) return atomic(TypeClass::kInteger, true);
    if (take("bits")) return atomic(TypeClass::kBitfield, false);
    if (take("float")) return ieee();
    return std::nullopt;
  }

  std::optional<Datatype> atomic(TypeClass cls, bool is_signed) {
    std::size_t bits = 0;
    if (!number(bits) || bits == 0 || bits % 8 != 0 || bits > 64) return std::nullopt;
    const ByteOrder order = take("be") ? ByteOrder::kBig : ByteOrder::kLittle;
    Datatype type = integer_type(bits / 8, is_signed, order);
    type.cls = cls;
    if (take("(") && !(number(type.precision) && take(",") && number(type.bit_offset) && take(")")))
      return std::nullopt;
    if (type.precision == 0 || std::uint64_t{type.precision} + type.bit_offset > bits)
      return std::nullopt;
    return type;
  }

  std::optional<Datatype> ieee() {
    std::size_t bits = 0;
    if (!number(bits) || (bits != 16 && bits != 32 && bits != 64)) return std::nullopt;
    return ieee_float_type(bits / 8, take("be") ? ByteOrder::kBig : ByteOrder::kLittle);
  }

  std::optional<Datatype> string() {
    std::size_t size = 0;
    const bool variable = take("*");
    if ((!variable && (!number(size) || size == 0)) || !take(",")) return std::nullopt;
    const StringPadding padding = take("nullterm")   ? StringPadding::kNullTerm
                                  : take("nullpad")  ? StringPadding::kNullPad
                                  : take("spacepad") ? StringPadding::kSpacePad
                                                     : StringPadding::kOther;
    if (padding == StringPadding::kOther || !take(",")) return std::nullopt;
    const CharacterSet set = take("ascii")  ? CharacterSet::kAscii
                             : take("utf8") ? CharacterSet::kUtf8
                                            : CharacterSet::kOther;
    if (set == CharacterSet::kOther || !take(")")) return std::nullopt;
    Datatype type = variable ? variable_string_type(set) : fixed_string_type(size, padding, set);
    type.padding = padding;
    return type;
  }

  std::optional<Datatype> opaque() {
    std::size_t size = 0;
    std::string tag;
    if (!number(size) || size == 0 || !take(",") || !text(tag) || !take(")")) return std::nullopt;
    return opaque_type(size, std::move(tag));
  }

  std::optional<Datatype> enumeration(int depth) {
    const auto base = any(depth + 1);
    if (!base || !base->is(TypeClass::kInteger)) return std::nullopt;
    std::vector<std::pair<std::string, std::int64_t>> members;
    while (take(",")) {
      if (members.size() == kMostMembers) return std::nullopt;
      auto& [name, code] = members.emplace_back();
      if (!text(name) || !take("=")) return std::nullopt;
      std::uint64_t large = 0;
      if (!number(code)) {
        if (!number(large)) return std::nullopt;
        code = static_cast<std::int64_t>(large);
      }
    }
    if (!take(")") || members.empty()) return std::nullopt;
    Datatype type = enum_type(*base, members);
    std::set<std::vector<std::byte>> codes;
    for (const TypeMember& member : type.members) codes.insert(member.value);
    if (codes.size() < type.members.size() || !names_tell(type.members)) return std::nullopt;
    return type;
  }

  std::optional<Datatype> compound(int depth) {
    Datatype type{.cls = TypeClass::kCompound};
    if (!number(type.size)) return std::nullopt;
    while (take(",")) {
      if (type.members.size() == kMostMembers) return std::nullopt;
      TypeMember& member = type.members.emplace_back();
      if (!text(member.name) || !take("@") || !number(member.offset) || !take(" "))
        return std::nullopt;
      const auto inside = any(depth + 1);
      if (!inside || member.offset > type.size || inside->size > type.size - member.offset)
        return std::nullopt;
      member.type = std::make_shared<const Datatype>(*inside);
    }
    if (!take(")") || type.members.empty()) return std::nullopt;
    if (!names_tell(type.members)) return std::nullopt;
    return type;
  }

  std::optional<Datatype> array(int depth) {
    Datatype type{.cls = TypeClass::kArray};
    std::uint64_t dimension = 0, elements = 1;
    while (number(dimension) && take(",")) {
      if (dimension == 0 || __builtin_mul_overflow(elements, dimension, &elements))
        return std::nullopt;
      type.dims.push_back(dimension);
    }
    const auto base = any(depth + 1);
    if (!base || type.dims.empty() || !take(")") ||
        __builtin_mul_overflow(elements, base->size, &type.size))
      return std::nullopt;
    type.base = std::make_shared<const Datatype>(*base);
    return type;
  }

  std::optional<Datatype> sequence(int depth) {
    const auto base = any(depth + 1);
    if (!base || !take(")")) return std::nullopt;
    return Datatype{.cls = TypeClass::kVlen,
                    .size = 16,  // a length and a pointer
                    .base = std::make_shared<const Datatype>(*base)};
  }

  // The time that the HDF5 library takes grows with the square of their number.
  static constexpr std::size_t kMostMembers = 4096;

  std::string_view rest_;
};

std::string hexadecimal(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte each : bytes) text += std::format("{:02x}", std::to_integer<int>(each));
  return text;
}

std::optional<std::vector<std::byte>> from_hexadecimal(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    unsigned value = 0;
    const auto [end, trouble] = std::from_chars(text.data() + i, text.data() + i + 2, value, 16);
    if (trouble != std::errc() || end != text.data() + i + 2) return std::nullopt;
    bytes.push_back(static_cast<std::byte>(value));
  }
  return bytes;
}

std::string float_text(const Datatype& type, std::span<const std::byte> stored) {
  const std::uint64_t bits = load_unsigned(stored.data(), type.size, type.order);
  const double value = type.size == 8   ? std::bit_cast<double>(bits)
                       : type.size == 4 ? std::bit_cast<float>(static_cast<std::uint32_t>(bits))
                                        : half_to_float(static_cast<std::uint16_t>(bits));
  if (std::isnan(value)) return std::format("nan(0x{:x})", bits);
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  return std::format("{}0x{:a}", std::signbit(value) ? "-" : "", std::fabs(value));
}

std::vector<std::byte> bytes_of(std::uint64_t bits, std::size_t size, ByteOrder order) {
  std::vector<std::byte> made(size);
  for (std::size_t i = 0; i < size; ++i)
    made[order == ByteOrder::kBig ? size - 1 - i : i] =
        static_cast<std::byte>(i < 8 ? bits >> (8 * i) : 0);
  return made;
}

// The only one of all 65,536 with this value; texts represent existing values.
std::optional<std::uint64_t> half_of(double value) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits)
    if (const float each = half_to_float(static_cast<std::uint16_t>(bits));
        static_cast<double>(each) == value && std::signbit(each) == std::signbit(value))
      return bits;
  return std::nullopt;
}

std::optional<std::vector<std::byte>> parse_float(const Datatype& type, std::string_view text) {
  if (text.starts_with("nan(0x") && text.ends_with(")")) {
    std::uint64_t bits = 0;
    const auto [end, trouble] =
        std::from_chars(text.data() + 6, text.data() + text.size() - 1, bits, 16);
    if (trouble != std::errc() || end != text.data() + text.size() - 1) return std::nullopt;
    return bytes_of(bits, type.size, type.order);
  }
  const std::string whole(text);
  char* end = nullptr;
  const double value = std::strtod(whole.c_str(), &end);
  if (whole.empty() || *end != '\0' || std::isnan(value)) return std::nullopt;
  if (type.size == 8) return bytes_of(std::bit_cast<std::uint64_t>(value), 8, type.order);
  if (type.size == 4) {
    const auto narrow = static_cast<float>(value);
    if (static_cast<double>(narrow) != value) return std::nullopt;
    return bytes_of(std::bit_cast<std::uint32_t>(narrow), 4, type.order);
  }
  const auto half = half_of(value);
  if (!half) return std::nullopt;
  return bytes_of(*half, 2, type.order);
}

std::optional<std::vector<std::byte>> parse_integer(const Datatype& type, std::string_view text) {
  const Datatype& code = code_type(type);
  if (code.size > 8 || code.precision > 64) return std::nullopt;
  const bool negative = text.starts_with('-');
  std::uint64_t bits = 0;
  const std::string_view digits = text.substr(negative ? 1 : 0);
  const auto [end, trouble] = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
  if (trouble != std::errc() || end != digits.data() + digits.size() || digits.empty())
    return std::nullopt;
  if (negative) bits = ~bits + 1;
  if (code.precision < 64) bits &= (std::uint64_t{1} << code.precision) - 1;
  std::vector<std::byte> made = bytes_of(bits << code.bit_offset, code.size, code.order);
  return value_text(type, made) == text ? std::optional(std::move(made)) : std::nullopt;
}

}  // namespace

bool names_tell(const std::vector<TypeMember>& members) {
  std::set<std::string_view> seen;
  return std::ranges::all_of(members, [&](const TypeMember& member) {
    return !member.name.empty() && !member.name.contains('\0') && seen.insert(member.name).second;
  });
}

std::optional<std::string> type_text(const Datatype& type) {
  switch (type.cls) {
    case TypeClass::kInteger: return number_text(type.is_signed ? "int" : "uint", type);
    case TypeClass::kBitfield: return number_text("bits", type);
    case TypeClass::kFloat: return is_ieee_float(type) ? number_text("float", type) : std::nullopt;
    case TypeClass::kString: {
      const char *padding = word(type.padding), *set = word(type.character_set);
      if (!padding || !set) return std::nullopt;
      return std::format("string({},{},{})", type.variable_length ? "*" : std::to_string(type.size),
                         padding, set);
    }
    case TypeClass::kOpaque: return std::format("opaque({},{})", type.size, quoted_name(type.tag));
    case TypeClass::kEnum: return enum_text(type);
    case TypeClass::kCompound: return compound_text(type);
    case TypeClass::kArray: {
      const auto base = type.base ? type_text(*type.base) : std::nullopt;
      if (!base) return std::nullopt;
      std::string text = "array(";
      for (const std::uint64_t each : type.dims) text += std::format("{},", each);
      return text + *base + ')';
    }
    case TypeClass::kVlen: {
      const auto base = type.base ? type_text(*type.base) : std::nullopt;
      return base ? std::optional("vlen(" + *base + ')') : std::nullopt;
    }
    case TypeClass::kTime:
    case TypeClass::kReference:
    case TypeClass::kUnknown: break;
  }
  return std::nullopt;
}

std::optional<Datatype> parse_type(std::string_view text) { return Parser(text).whole(); }

std::optional<std::string> value_text(const Datatype& type, std::span<const std::byte> stored) {
  if (stored.size() != type.size || has_variable_part(type)) return std::nullopt;
  if (has_integer_keys(code_type(type)))
    return visit_codec(type, [&](const auto& codec) -> std::string {
      if constexpr (std::is_integral_v<typename std::decay_t<decltype(codec)>::Key>)
        return std::to_string(codec.key(stored.data()));
      else
        return {};
    });
  if (is_ieee_float(type)) return float_text(type, stored);
  if (type.fixed_string())
    return std::string(
        strip_padding({reinterpret_cast<const char*>(stored.data()), stored.size()}, type.padding));
  return hexadecimal(stored);
}

std::optional<std::vector<std::byte>> parse_value(const Datatype& type, std::string_view text) {
  if (type.variable_string()) {
    const auto bytes = std::as_bytes(std::span(text));
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  }
  if (has_variable_part(type)) return std::nullopt;
  if (has_integer_keys(code_type(type))) return parse_integer(type, text);
  if (is_ieee_float(type)) return parse_float(type, text);
  if (type.fixed_string()) {
    if (text.size() > type.size) return std::nullopt;
    const auto padding =
        static_cast<std::byte>(type.padding == StringPadding::kSpacePad ? ' ' : '\0');
    std::vector<std::byte> made(type.size, padding);
    std::memcpy(made.data(), text.data(), text.size());
    return made;
  }
  auto bytes = from_hexadecimal(text);
  return bytes && bytes->size() == type.size ? bytes : std::nullopt;
}

}  // namespace hepcheck::hep001
