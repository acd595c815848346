#include "validator/formats/hep001/model/datatype.h"

#include <algorithm>
#include <format>

#include "validator/formats/hep001/model/comparable.h"
#include "validator/formats/hep001/model/integers.h"

namespace hepcheck::hep001 {

namespace {

bool whole_integer(const Datatype& type, std::size_t bytes) {
  return type.is(TypeClass::kInteger) && type.size == bytes && type.precision == 8 * bytes &&
         type.bit_offset == 0;
}

struct IeeeFormat {
  std::size_t size;
  std::uint32_t exponent, mantissa;
  std::uint64_t bias;
};
constexpr IeeeFormat kIeeeFormats[] = {{2, 5, 10, 15}, {4, 8, 23, 127}, {8, 11, 52, 1023}};

std::string byte_order_suffix(const Datatype& type) {
  switch (type.order) {
    case ByteOrder::kBig: return " big-endian";
    case ByteOrder::kVax: return " VAX order";
    case ByteOrder::kMixed: return " mixed order";
    default: return "";
  }
}

std::string describe_integer(const Datatype& type, const char* word) {
  std::string text = std::format("{}{}", word, 8 * type.size);
  if (type.precision != 8 * type.size || type.bit_offset != 0)
    text += std::format(" ({} bits at offset {})", type.precision, type.bit_offset);
  return text + (type.size > 1 ? byte_order_suffix(type) : "");
}

std::string describe_string(const Datatype& type) {
  const char* padding = type.padding == StringPadding::kNullTerm   ? "NULLTERM"
                        : type.padding == StringPadding::kNullPad  ? "NULLPAD"
                        : type.padding == StringPadding::kSpacePad ? "SPACEPAD"
                                                                   : "unknown padding";
  const char* set = type.character_set == CharacterSet::kAscii  ? "ASCII"
                    : type.character_set == CharacterSet::kUtf8 ? "UTF-8"
                                                                : "unknown character set";
  if (type.variable_length) return std::format("variable-length string ({})", set);
  return std::format("fixed string of {} byte{} ({}, {})", type.size, type.size == 1 ? "" : "s",
                     padding, set);
}

template <class Each>
std::string listed(const std::vector<TypeMember>& members, Each each) {
  constexpr std::size_t kShown = 6;
  std::string text = "{";
  for (std::size_t i = 0; i < members.size() && i < kShown; ++i)
    text += (i ? ", " : "") + each(members[i]);
  if (members.size() > kShown) text += std::format(", and {} more", members.size() - kShown);
  return text + "}";
}

std::string describe_at(const Datatype& type, int depth) {
  if (depth > 8) return "...";
  switch (type.cls) {
    case TypeClass::kInteger: return describe_integer(type, type.is_signed ? "int" : "uint");
    case TypeClass::kFloat:
      return is_ieee_float(type) ? std::format("float{}{}", 8 * type.size, byte_order_suffix(type))
                                 : std::format("non-IEEE float of {} bytes ({} bits){}", type.size,
                                               type.precision, byte_order_suffix(type));
    case TypeClass::kTime: return std::format("time{}", 8 * type.size);
    case TypeClass::kString: return describe_string(type);
    case TypeClass::kBitfield: return describe_integer(type, "bitfield");
    case TypeClass::kOpaque:
      return std::format("opaque of {} byte{}", type.size, type.size == 1 ? "" : "s");
    case TypeClass::kCompound:
      return "compound " + listed(type.members, [&](const TypeMember& m) {
               return m.name + ": " + (m.type ? describe_at(*m.type, depth + 1) : "?");
             });
    case TypeClass::kReference:
      switch (type.reference) {
        case ReferenceKind::kStandard: return "H5T_STD_REF";
        case ReferenceKind::kLegacyObject: return "H5T_STD_REF_OBJ";
        case ReferenceKind::kLegacyRegion: return "H5T_STD_REF_DSETREG";
      }
      return "reference";
    case TypeClass::kEnum: {
      if (!type.base) return "enum";
      const Datatype& base = *type.base;
      return "enum over " + describe_at(base, depth + 1) + " " +
             listed(type.members, [&](const TypeMember& m) {
               return std::format("{} = {}", m.name, integer_text(base, m.value));
             });
    }
    case TypeClass::kVlen:
      return "variable-length sequence of " +
             (type.base ? describe_at(*type.base, depth + 1) : "?");
    case TypeClass::kArray: {
      std::string dims;
      for (const std::uint64_t d : type.dims)
        dims += (dims.empty() ? "" : ", ") + std::to_string(d);
      return std::format("array ({}) of {}", dims,
                         type.base ? describe_at(*type.base, depth + 1) : "?");
    }
    case TypeClass::kUnknown: return "unknown datatype class";
  }
  return "unknown datatype class";
}

Sameness worse(Sameness a, Sameness b) { return std::max(a, b); }

Sameness compare_bases(const std::shared_ptr<const Datatype>& a,
                       const std::shared_ptr<const Datatype>& b) {
  if (!a || !b) return !a && !b ? Sameness::kIdentical : Sameness::kDifferent;
  return compare(*a, *b);
}

Sameness compare_enums(const Datatype& a, const Datatype& b) {
  if (a.members.size() != b.members.size()) return Sameness::kDifferent;
  const Sameness bases = compare_bases(a.base, b.base);
  if (bases == Sameness::kDifferent || !a.base || !b.base) return Sameness::kDifferent;
  std::vector<std::pair<std::string_view, std::string>> of_a, of_b;
  for (const TypeMember& m : a.members)
    of_a.emplace_back(m.name, comparable_form(*a.base, m.value));
  for (const TypeMember& m : b.members)
    of_b.emplace_back(m.name, comparable_form(*b.base, m.value));
  std::ranges::sort(of_a);
  std::ranges::sort(of_b);
  return of_a == of_b ? bases : Sameness::kDifferent;
}

Sameness compare_compounds(const Datatype& a, const Datatype& b) {
  if (a.members.size() != b.members.size()) return Sameness::kDifferent;
  Sameness result = Sameness::kIdentical;
  for (std::size_t i = 0; i < a.members.size(); ++i) {
    const TypeMember &ma = a.members[i], &mb = b.members[i];
    if (ma.name != mb.name) return Sameness::kDifferent;
    result = worse(result, compare_bases(ma.type, mb.type));
  }
  return result;
}

}  // namespace

bool is_unsigned_integer(const Datatype& type, std::size_t bytes) {
  return whole_integer(type, bytes) && !type.is_signed;
}

bool is_signed_integer(const Datatype& type, std::size_t bytes) {
  return whole_integer(type, bytes) && type.is_signed;
}

bool is_ieee_float(const Datatype& type) {
  if (!type.is(TypeClass::kFloat)) return false;
  if (type.order != ByteOrder::kLittle && type.order != ByteOrder::kBig) return false;
  for (const IeeeFormat& f : kIeeeFormats) {
    const FloatLayout ieee{.sign_position = f.exponent + f.mantissa,
                           .exponent_position = f.mantissa,
                           .exponent_size = f.exponent,
                           .mantissa_position = 0,
                           .mantissa_size = f.mantissa,
                           .exponent_bias = f.bias,
                           .implied_one = true};
    if (type.size == f.size)
      return type.precision == 8 * f.size && type.bit_offset == 0 && type.floating == ieee;
  }
  return false;
}

const TypeMember* find_member(const Datatype& type, const std::string& name) {
  const auto it = std::ranges::find(type.members, name, &TypeMember::name);
  return it == type.members.end() ? nullptr : &*it;
}

bool is_hep001_boolean(const Datatype& type) {
  return is_boolean_enum(type) && is_signed_integer(*type.base, 1) &&
         type.base->order == ByteOrder::kLittle;
}

bool is_boolean_enum(const Datatype& type) {
  if (!type.is(TypeClass::kEnum) || !type.base || type.members.size() != 2) return false;
  if (type.size != 1) return false;
  const TypeMember* no = find_member(type, "FALSE");
  const TypeMember* yes = find_member(type, "TRUE");
  return no && yes && integer_value(*type.base, no->value) == Integer{0, false} &&
         integer_value(*type.base, yes->value) == Integer{1, false};
}

bool contains_class(const Datatype& type, TypeClass cls) {
  if (type.is(cls)) return true;
  if (type.base && contains_class(*type.base, cls)) return true;
  return std::ranges::any_of(
      type.members, [&](const TypeMember& m) { return m.type && contains_class(*m.type, cls); });
}

bool has_variable_part(const Datatype& type) {
  if (type.is(TypeClass::kVlen) || type.variable_string()) return true;
  if (type.is(TypeClass::kReference)) return false;
  if (type.base && has_variable_part(*type.base)) return true;
  return std::ranges::any_of(
      type.members, [](const TypeMember& m) { return m.type && has_variable_part(*m.type); });
}

Sameness compare(const Datatype& a, const Datatype& b) {
  if (a.cls != b.cls || a.size != b.size) return Sameness::kDifferent;
  const Sameness order =
      a.order == b.order || a.size == 1 ? Sameness::kIdentical : Sameness::kByteOrderOnly;
  const bool bits = a.precision == b.precision && a.bit_offset == b.bit_offset;
  switch (a.cls) {
    case TypeClass::kInteger:
      return bits && a.is_signed == b.is_signed ? order : Sameness::kDifferent;
    case TypeClass::kFloat: return bits && a.floating == b.floating ? order : Sameness::kDifferent;
    case TypeClass::kTime:
    case TypeClass::kBitfield: return bits ? order : Sameness::kDifferent;
    case TypeClass::kString:
      return a.variable_length == b.variable_length && a.character_set == b.character_set &&
                     (a.variable_length || a.padding == b.padding)
                 ? Sameness::kIdentical
                 : Sameness::kDifferent;
    case TypeClass::kOpaque: return Sameness::kIdentical;
    case TypeClass::kReference:
      return a.reference == b.reference ? Sameness::kIdentical : Sameness::kDifferent;
    case TypeClass::kEnum: return compare_enums(a, b);
    case TypeClass::kCompound: return compare_compounds(a, b);
    case TypeClass::kArray:
      return a.dims == b.dims ? compare_bases(a.base, b.base) : Sameness::kDifferent;
    case TypeClass::kVlen: return compare_bases(a.base, b.base);
    case TypeClass::kUnknown: return Sameness::kDifferent;
  }
  return Sameness::kDifferent;
}

std::string describe(const Datatype& type) { return describe_at(type, 0); }

Datatype integer_type(std::size_t bytes, bool is_signed, ByteOrder order) {
  return {.cls = TypeClass::kInteger,
          .size = bytes,
          .order = order,
          .precision = static_cast<std::uint32_t>(8 * bytes),
          .is_signed = is_signed};
}

Datatype ieee_float_type(std::size_t bytes, ByteOrder order) {
  Datatype type{.cls = TypeClass::kFloat,
                .size = bytes,
                .order = order,
                .precision = static_cast<std::uint32_t>(8 * bytes)};
  for (const IeeeFormat& f : kIeeeFormats)
    if (f.size == bytes)
      type.floating = {
          f.exponent + f.mantissa, f.mantissa, f.exponent, 0, f.mantissa, f.bias, true};
  return type;
}

Datatype fixed_string_type(std::size_t bytes, StringPadding padding, CharacterSet set) {
  return {.cls = TypeClass::kString, .size = bytes, .padding = padding, .character_set = set};
}

Datatype variable_string_type(CharacterSet set) {
  return {.cls = TypeClass::kString,
          .size = sizeof(char*),
          .variable_length = true,
          .padding = StringPadding::kNullTerm,
          .character_set = set};
}

Datatype opaque_type(std::size_t bytes, std::string tag) {
  return {.cls = TypeClass::kOpaque, .size = bytes, .tag = std::move(tag)};
}

Datatype enum_type(Datatype base,
                   const std::vector<std::pair<std::string, std::int64_t>>& members) {
  Datatype type{.cls = TypeClass::kEnum, .size = base.size, .order = base.order};
  for (const auto& [name, code] : members) {
    TypeMember member{.name = name, .value = std::vector<std::byte>(base.size)};
    for (std::size_t i = 0; i < base.size; ++i) {
      const std::size_t at = base.order == ByteOrder::kBig ? base.size - 1 - i : i;
      std::uint64_t bits = static_cast<std::uint64_t>(code);
      if (base.precision < 64) bits &= (std::uint64_t{1} << base.precision) - 1;
      bits <<= base.bit_offset;
      member.value[at] = static_cast<std::byte>(i < 8 ? bits >> (8 * i) : (code < 0 ? 0xFF : 0));
    }
    type.members.push_back(std::move(member));
  }
  type.base = std::make_shared<const Datatype>(std::move(base));
  return type;
}

Datatype boolean_type() { return enum_type(integer_type(1, true), {{"FALSE", 0}, {"TRUE", 1}}); }

Datatype standard_reference_type() {
  return {.cls = TypeClass::kReference, .size = 64, .reference = ReferenceKind::kStandard};
}

Datatype compound_type(std::size_t size, std::vector<TypeMember> members) {
  return {.cls = TypeClass::kCompound, .size = size, .members = std::move(members)};
}

}  // namespace hepcheck::hep001
