// IV.A.2.d: datatypes, class by class.
#include "validator/formats/hdf5/datatype_rules.h"

#include <algorithm>
#include <format>
#include <string>
#include <utility>

#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

// A type, and what it depends on.
struct TypeOf {
  const TypeNode& type;
  const TypeNode* base;   // of an enumeration, a variable-length type, an array, a complex number
  const TypeNode* outer;  // the type around it
  unsigned offset_size;

  bool is(TypeClass wanted) const { return type.type_class == wanted; }
  std::uint64_t width() const { return 8 * std::uint64_t{type.size}; }
  std::uint64_t significant() const { return std::uint64_t{type.offset} + type.precision; }
  unsigned sign() const { return type.bits >> 8 & 0xff; }
  bool number() const {
    return is(TypeClass::kInteger) || is(TypeClass::kFloat) || is(TypeClass::kBitField);
  }
};

std::string bits_text(std::uint64_t offset, std::uint64_t size) {
  return std::format("{} bits from bit {}", size, offset);
}

// --- Numbers, times and bit fields --------------------------------------------------------------

void precision_positive(const TypeOf& it, Look& look) {
  if (!it.number() && !it.is(TypeClass::kTime)) return;
  look.looked();
  if (it.type.precision == 0)
    look.fail(it.is(TypeClass::kTime) ? 8 : 10, "a precision of 0 bits", "a precision above 0");
}

void inside(const TypeOf& it, Look& look) {
  look.looked();
  if (it.significant() > it.width())
    look.fail(8, bits_text(it.type.offset, it.type.precision),
              std::format("bits inside an element of {} bytes", it.type.size));
}

void type_bits_inside(const TypeOf& it, Look& look) {
  if (it.is(TypeClass::kInteger) || it.is(TypeClass::kBitField)) inside(it, look);
}

void float_precision_inside(const TypeOf& it, Look& look) {
  if (it.is(TypeClass::kFloat)) inside(it, look);
}

void time_precision(const TypeOf& it, Look& look) {
  if (it.is(TypeClass::kTime)) inside(it, look);
}

// --- Floating-point numbers ---------------------------------------------------------------------

void float_byte_order(const TypeOf& it, Look& look) {
  if (!it.is(TypeClass::kFloat) || it.type.version < 3) return;
  look.looked();
  if ((it.type.bits & 0x41) == 0x40)
    look.fail(1, "bit 6 of the byte order without bit 0",
              "little-endian, big-endian, or VAX with both bits");
}

void float_normalization(const TypeOf& it, Look& look) {
  if (!it.is(TypeClass::kFloat)) return;
  look.looked();
  if ((it.type.bits >> 4 & 3) == 3) look.fail(1, "normalization 3", "0, 1 or 2");
}

void float_sign_inside(const TypeOf& it, Look& look) {
  if (!it.is(TypeClass::kFloat)) return;
  look.looked();
  if (it.sign() >= it.width())
    look.fail(2, std::format("the sign at bit {}", it.sign()),
              std::format("a bit of an element of {} bytes", it.type.size));
}

void range_inside(const TypeOf& it, Look& look, std::uint64_t at, unsigned location,
                  unsigned size) {
  look.looked();
  if (size == 0)
    look.fail(at + 1, "0 bits", "one or more");
  else if (location + std::uint64_t{size} > it.width())
    look.fail(at, bits_text(location, size),
              std::format("bits inside an element of {} bytes", it.type.size));
}

void float_exponent_inside(const TypeOf& it, Look& look) {
  if (it.is(TypeClass::kFloat))
    range_inside(it, look, 12, it.type.exponent_at, it.type.exponent_size);
}

void float_mantissa_inside(const TypeOf& it, Look& look) {
  if (it.is(TypeClass::kFloat))
    range_inside(it, look, 14, it.type.mantissa_at, it.type.mantissa_size);
}

void float_parts_disjoint(const TypeOf& it, Look& look) {
  if (!it.is(TypeClass::kFloat)) return;
  look.looked();
  const auto meet = [](unsigned a, unsigned size, unsigned b, unsigned size_b) {
    return a < b + size_b && b < a + size;
  };
  const TypeNode& type = it.type;
  const bool sign_in_exponent = meet(it.sign(), 1, type.exponent_at, type.exponent_size);
  if (sign_in_exponent || meet(it.sign(), 1, type.mantissa_at, type.mantissa_size))
    look.fail(2,
              std::format("the sign at bit {}, inside the {}", it.sign(),
                          sign_in_exponent ? "exponent" : "mantissa"),
              "a bit of its own");
  else if (meet(type.exponent_at, type.exponent_size, type.mantissa_at, type.mantissa_size))
    look.fail(12,
              std::format("an exponent of {} and a mantissa of {}",
                          bits_text(type.exponent_at, type.exponent_size),
                          bits_text(type.mantissa_at, type.mantissa_size)),
              "parts that share no bit");
}

// --- Strings, opaque types, references ----------------------------------------------------------

void string_padding(const TypeOf& it, Look& look) {
  if (!it.type.text()) return;
  look.looked();
  if (it.type.string_padding() > 2)
    look.fail(1, std::format("string padding {}", it.type.string_padding()), "0, 1 or 2");
}

void string_charset(const TypeOf& it, Look& look) {
  if (!it.type.text()) return;
  look.looked();
  if (it.type.charset() > 1)
    look.fail(1, std::format("character set {}", it.type.charset()), "0 (ASCII) or 1 (UTF-8)");
}

void opaque_tag_length(const TypeOf& it, Look& look) {
  if (!it.is(TypeClass::kOpaque)) return;
  look.looked();
  if ((it.type.bits & 7) != 0)
    look.fail(1, std::format("a tag of {} bytes", it.type.bits & 0xff), "a multiple of 8");
}

void reference_size(const TypeOf& it, Look& look) {
  constexpr unsigned kInMemory = 8;  // bytes of an address
  if (!it.is(TypeClass::kReference)) return;
  look.looked();
  const std::uint32_t more = it.type.kind() == 0 ? 0 : it.type.kind() == 1 ? 4 : 10;
  // In sequences the library leaves old references as wide as they are in memory.
  const bool wide = it.outer && it.outer->type_class == TypeClass::kVariableLength &&
                    it.type.kind() <= 1 && it.type.size == kInMemory + more;
  if (it.type.size != it.offset_size + more && !wide)
    look.fail(4, std::format("a reference of kind {} in {} bytes", it.type.kind(), it.type.size),
              std::format("{}", it.offset_size + more));
}

// --- Types with a base --------------------------------------------------------------------------

void vlen_type(const TypeOf& it, Look& look) {
  if (!it.is(TypeClass::kVariableLength)) return;
  look.looked();
  if (it.type.kind() > 1)
    look.fail(1, std::format("a variable-length type {}", it.type.kind()),
              "0 (sequence) or 1 (string)");
}

void vlen_size(const TypeOf& it, Look& look) {
  if (!it.is(TypeClass::kVariableLength)) return;
  look.looked();
  if (it.type.size != 8 + it.offset_size)
    look.fail(4, std::format("elements of {} bytes", it.type.size),
              std::format("{}: a length and a heap id", 8 + it.offset_size));
}

void complex_homogeneous(const TypeOf& it, Look& look) {
  if (!it.is(TypeClass::kComplex)) return;
  look.looked();
  if ((it.type.bits & 7) != 1)
    look.fail(1, std::format("bits {:#x} of a complex number", it.type.bits & 7),
              "bit 0 set, bits 1 and 2 clear");
}

void complex_base(const TypeOf& it, Look& look) {
  if (!it.is(TypeClass::kComplex) || !it.base) return;
  look.looked();
  if (it.base->type_class != TypeClass::kFloat)
    look.fail(8, std::format("a base type of class {}", static_cast<unsigned>(it.base->type_class)),
              "a floating-point type");
  else if (it.type.size != 2 * std::uint64_t{it.base->size})
    look.fail(4, std::format("a complex number of {} bytes", it.type.size),
              std::format("{}, twice its base", 2 * std::uint64_t{it.base->size}));
}

// A type ends with the first of its errors.
constexpr Rule<TypeOf> kTypeRules[] = {
    {"h5-datatype-precision-positive", precision_positive},
    {"h5-datatype-bits-inside", type_bits_inside},
    {"h5-datatype-float-precision-inside", float_precision_inside},
    {"h5-datatype-time-precision", time_precision},
    {"h5-datatype-float-byte-order", float_byte_order},
    {"h5-datatype-float-normalization", float_normalization},
    {"h5-datatype-string-padding", string_padding},
    {"h5-datatype-string-charset", string_charset},
    {"h5-datatype-opaque-tag-length", opaque_tag_length},
    {"h5-datatype-reference-size", reference_size},
    {"h5-datatype-vlen-type", vlen_type},
    {"h5-datatype-vlen-size", vlen_size},
    {"h5-datatype-complex-homogeneous", complex_homogeneous},
    {"h5-datatype-complex-base", complex_base},
};
// Each of these is judged for itself.
constexpr Rule<TypeOf> kFloatRules[] = {
    {"h5-datatype-float-sign-inside", float_sign_inside},
    {"h5-datatype-float-exponent-inside", float_exponent_inside},
    {"h5-datatype-float-mantissa-inside", float_mantissa_inside},
};
constexpr Rule kDisjointRule("h5-datatype-float-parts-disjoint", float_parts_disjoint);

// --- Members of compounds -----------------------------------------------------------------------

struct MemberOf {
  std::string_view name;
  const TypeDimensions& dimensions;
};

void member_dimensionality(const MemberOf& it, Look& look) {
  look.looked();
  if (it.dimensions.rank > it.dimensions.sizes.size())
    look.fail(0, std::format("a member of {} dimensions", it.dimensions.rank), "4 at most");
}

void member_dimension_positive(const MemberOf& it, Look& look) {
  look.looked();
  for (unsigned d = 0; d < it.dimensions.rank; ++d)
    if (it.dimensions.sizes[d] == 0)
      return look.fail(0, std::format("size 0 in dimension {} of a member", d), "a size above 0");
}

void member_name_not_empty(const MemberOf& it, Look& look) {
  look.looked();
  if (it.name.empty()) look.fail(0, "a member without a name", "a name");
}

constexpr Rule<MemberOf> kMemberRules[] = {
    {"h5-datatype-member-dimensionality", member_dimensionality},
    {"h5-datatype-member-dimension-positive", member_dimension_positive},
    {"h5-datatype-member-name-not-empty", member_name_not_empty},
};

// Names, sorted.
std::string_view twice(const std::vector<std::string_view>& sorted) {
  const auto found = std::ranges::adjacent_find(sorted);
  return found == sorted.end() ? std::string_view() : *found;
}

void names_unique(const std::vector<std::string_view>& names, Look& look) {
  look.looked();
  if (const std::string_view name = twice(names); !name.empty())
    look.fail(0, std::format("\"{}\" twice", name), "each name once");
}

constexpr Rule kMemberNamesRule("h5-datatype-member-names-unique", names_unique);

// --- Enumerations -------------------------------------------------------------------------------

void enum_size(const TypeEnumeration& it, Look& look) {
  look.looked();
  if (it.size != it.base)
    look.fail(4, std::format("an enumeration of {} bytes", it.size),
              std::format("{}, the size of its base", it.base));
}

void enum_name_not_empty(const TypeEnumeration& it, Look& look) {
  look.looked();
  if (!it.names.empty() && it.names.front().empty())
    look.fail(0, "a value without a name", "a name");
}

void enum_names_unique(const TypeEnumeration& it, Look& look) { names_unique(it.names, look); }

void enum_values_unique(const TypeEnumeration& it, Look& look) {
  look.looked();
  std::vector<std::string_view> values;
  const std::string_view all(reinterpret_cast<const char*>(it.values.bytes.data()),
                             it.values.bytes.size());
  for (std::size_t i = 0; i < it.names.size(); ++i)
    values.push_back(all.substr(i * it.base, it.base));
  std::ranges::sort(values);
  if (std::ranges::adjacent_find(values) != values.end())
    look.fail(0, "two names of one value", "each value once");
}

constexpr Rule<TypeEnumeration> kEnumerationRules[] = {
    {"h5-datatype-enum-size", enum_size},
    {"h5-datatype-enum-name-not-empty", enum_name_not_empty},
    {"h5-datatype-enum-names-unique", enum_names_unique},
    {"h5-datatype-enum-values-unique", enum_values_unique},
};

constexpr Rule kArrayRankRule("h5-datatype-array-rank", [](const unsigned& rank, Look& look) {
  look.looked();
  if (rank < 1 || rank > 32)
    look.fail(8, std::format("an array of {} dimensions", rank), "1 to 32");
});

// --- Remarks about a sound type -----------------------------------------------------------------

// The bits of the class that mean nothing.
std::uint32_t reserved_bits(const TypeNode& type) {
  switch (type.type_class) {
    case TypeClass::kInteger: return 0xfffff0;
    case TypeClass::kFloat: return type.version < 3 ? 0xff00c0 : 0xff0080;
    case TypeClass::kTime: return 0xfffffe;
    case TypeClass::kString: return 0xffff00;
    case TypeClass::kBitField: return 0xfffff8;
    case TypeClass::kOpaque: return 0xffff00;
    case TypeClass::kCompound:
    case TypeClass::kEnumeration: return 0xff0000;
    case TypeClass::kReference: return type.kind() < 2 ? 0xfffff0 : 0xffff00;
    case TypeClass::kVariableLength: return 0xfff000;
    case TypeClass::kArray: return 0xffffff;
    case TypeClass::kComplex: return 0xfffff8;
  }
  return 0;
}

void bits_reserved(const TypeOf& it, Look& look) {
  look.looked();
  if (const std::uint32_t bits = it.type.bits & reserved_bits(it.type); bits != 0)
    look.fail(1, std::format("reserved bits {:#08x}", bits), "zeros");
}

void unused_bits(const TypeOf& it, Look& look) {
  if (!it.number() || it.type.size <= 1) return;
  look.looked();
  if (it.width() > 2 * it.significant())
    look.fail(
        10,
        std::format("{} in {} bytes", bits_text(it.type.offset, it.type.precision), it.type.size),
        "at least half of the bits of the element");
}

void float_parts_in_precision(const TypeOf& it, Look& look) {
  if (!it.is(TypeClass::kFloat)) return;
  look.looked();
  const auto outside = [&](unsigned at, unsigned size) {
    return at < it.type.offset || at + size > it.significant();
  };
  if (outside(it.sign(), 1) || outside(it.type.exponent_at, it.type.exponent_size) ||
      outside(it.type.mantissa_at, it.type.mantissa_size))
    look.fail(8, "a sign, an exponent or a mantissa outside the precision",
              bits_text(it.type.offset, it.type.precision));
}

void float_bias(const TypeOf& it, Look& look) {
  if (!it.is(TypeClass::kFloat)) return;
  look.looked();
  if (it.type.exponent_size < 32 && it.type.bias >> it.type.exponent_size != 0)
    look.fail(16, std::format("a bias of {}", it.type.bias),
              std::format("a number of {} bits", it.type.exponent_size));
}

void opaque_tag_terminated(const TypeOf& it, Look& look) {
  if (!it.is(TypeClass::kOpaque) || (it.type.bits & 0xff) == 0) return;
  look.looked();
  if (it.type.tag)
    look.fail(8, "a tag that is not ASCII letters, then zeros", "a zero after the letters");
}

void name_padding(const TypeOf& it, Look& look) {
  if (it.type.version > 2) return;
  if (!it.is(TypeClass::kCompound) && !it.is(TypeClass::kEnumeration)) return;
  look.looked();
  if (it.type.padding) look.fail(0, "other bytes after the zero of a name", "zeros");
}

void member_reserved(const TypeOf& it, Look& look) {
  if (it.type.version > 1 || !it.is(TypeClass::kCompound)) return;
  look.looked();
  if (it.type.member_reserved)
    look.fail(0, "reserved bytes or a permutation of a member that are not zero", "zeros");
}

void reference_revised_version(const TypeOf& it, Look& look) {
  if (!it.is(TypeClass::kReference) || it.type.kind() != 2) return;
  look.looked();
  if (it.type.version < 4)
    look.fail(0, std::format("a revised reference in version {}", it.type.version),
              "version 4 or later");
}

void enum_base_integer(const TypeOf& it, Look& look) {
  if (!it.is(TypeClass::kEnumeration) || !it.base) return;
  look.looked();
  if (it.base->type_class != TypeClass::kInteger)
    look.fail(8, std::format("a base type of class {}", static_cast<unsigned>(it.base->type_class)),
              "an integer");
}

void vlen_sequence_bits(const TypeOf& it, Look& look) {
  if (!it.is(TypeClass::kVariableLength) || it.type.kind() != 0) return;
  look.looked();
  if ((it.type.bits & 0xff0) != 0)
    look.fail(1, "a padding or a character set of a sequence", "zeros");
}

void vlen_string_base(const TypeOf& it, Look& look) {
  if (!it.is(TypeClass::kVariableLength) || it.type.kind() != 1 || !it.base) return;
  look.looked();
  if (it.base->size != 1) look.fail(8, std::format("letters of {} bytes", it.base->size), "1 byte");
}

void array_reserved(const TypeOf& it, Look& look) {
  if (!it.is(TypeClass::kArray) || it.type.version > 2) return;
  look.looked();
  if (it.type.array_reserved)
    look.fail(9, "reserved bytes, or permutation indices in another order",
              "zeros, and the indices 0, 1, 2 and on");
}

void complex_version(const TypeOf& it, Look& look) {
  if (!it.is(TypeClass::kComplex)) return;
  look.looked();
  if (it.type.version < 5)
    look.fail(0, std::format("a complex number in version {}", it.type.version),
              "version 5 or later");
}

void nested_version(const TypeOf& it, Look& look) {
  if (!it.outer) return;
  look.looked();
  if (it.type.version > it.outer->version)
    look.fail(0,
              std::format("a type of version {} inside one of version {}", it.type.version,
                          it.outer->version),
              "no later version than that of the type around it");
}

void risk_element_size(const TypeOf& it, Look& look) {
  if (it.outer) return;
  look.looked();
  if (it.type.size > std::uint32_t{1} << 30)
    look.fail(4, std::format("elements of {} bytes", it.type.size), "1 GiB at most");
}

constexpr Rule<TypeOf> kFormRules[] = {
    {"h5-datatype-bits-reserved", bits_reserved},
    {"h5-datatype-unused-bits", unused_bits},
    {"h5-datatype-float-parts-in-precision", float_parts_in_precision},
    {"h5-datatype-float-bias", float_bias},
    {"h5-datatype-opaque-tag-terminated", opaque_tag_terminated},
    {"h5-datatype-name-padding", name_padding},
    {"h5-datatype-member-reserved", member_reserved},
    {"h5-datatype-reference-revised-version", reference_revised_version},
    {"h5-datatype-enum-base-integer", enum_base_integer},
    {"h5-datatype-vlen-sequence-bits", vlen_sequence_bits},
    {"h5-datatype-vlen-string-base", vlen_string_base},
    {"h5-datatype-array-reserved", array_reserved},
    {"h5-datatype-complex-version", complex_version},
    {"h5-datatype-nested-version", nested_version},
    {"h5-risk-element-size", risk_element_size},
};

constexpr Rule kDepthRule("h5-risk-datatype-depth", [](const bool& deep, Look& look) {
  look.looked();
  if (deep) look.fail(0, "a datatype of more than 32 levels", "32 at most");
});

constexpr Rule kMembersRule("h5-risk-datatype-members",
                            [](const std::uint64_t& members, Look& look) {
                              look.looked();
                              if (members > kManyTypeMembers)
                                look.fail(0, std::format("{} members", members), "4,096 at most");
                            });

TypeOf with_others(const TypeNode& type, const TypeNodes& all, unsigned offset_size) {
  const auto at = [&](std::uint32_t number) {
    return number < all.size() ? &all[number] : nullptr;
  };
  return {type, at(type.base), at(type.outer), offset_size};
}

}  // namespace

void datatype_class_rules(RuleList& list) {
  list.structure<kTypeRules, kFloatRules, kDisjointRule, kMemberRules, kMemberNamesRule,
                 kEnumerationRules, kArrayRankRule, kFormRules, kDepthRule, kMembersRule>();
}

std::uint64_t TypeDimensions::product() const {
  std::uint64_t times = 1;
  for (unsigned d = 0; d < rank && d < sizes.size(); ++d)
    times = hepcheck::product(times, sizes[d]);
  return times;
}

bool judge_type(const TypeNode& type, const TypeNodes& all, Container& file) {
  const TypeOf it = with_others(type, all, file.offset_size);
  return judge<kTypeRules>(it, type.at, file.notes) &&
         judge_each<kFloatRules>(it, type.at, file.notes) &&
         judge<kDisjointRule>(it, type.at, file.notes);
}

bool judge_type_member(std::string_view name, const TypeDimensions& dimensions, const Place& at,
                       Notes& notes) {
  return judge<kMemberRules>(MemberOf{name, dimensions}, at, notes);
}

bool judge_type_member_names(std::vector<std::string_view> names, const Place& at, Notes& notes) {
  std::ranges::sort(names);
  return judge<kMemberNamesRule>(names, at, notes);
}

bool judge_type_enumeration(TypeEnumeration enumeration, const Place& at, Notes& notes) {
  std::ranges::sort(enumeration.names);
  return judge<kEnumerationRules>(enumeration, at, notes);
}

bool judge_type_array(unsigned rank, const Place& at, Notes& notes) {
  return judge<kArrayRankRule>(rank, at, notes);
}

void judge_type_form(const TypeNodes& types, Notes& notes) {
  for (const TypeNode& type : types)
    judge_each<kFormRules>(with_others(type, types, 0), type.at, notes);
}

void judge_type_depth(bool deep, const Place& at, Notes& notes) {
  judge<kDepthRule>(deep, at, notes);
}

void judge_type_members(std::uint64_t members, const Place& at, Notes& notes) {
  judge<kMembersRule>(members, at, notes);
}

}  // namespace hepcheck::hdf5
