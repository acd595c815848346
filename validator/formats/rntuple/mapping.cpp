#include "validator/formats/rntuple/mapping.h"

#include <algorithm>
#include <format>
#include <map>
#include <string>

#include "validator/formats/rntuple/rule.h"
#include "validator/formats/rntuple/type_name.h"

namespace hepcheck::rntuple {

namespace {

enum class Family : std::uint8_t {
  kFundamental,
  kString,
  kVector,
  kArrayOf,
  kVariantOf,
  kPair,
  kTuple,
  kBitset,
  kOptional,
  kSet,
  kMap,
  kAtomic,
  kByte,
  kCardinality,
  kClusterSize,
  kUntyped,
  kOtherStd,
  kUser,
};

struct FamilyName {
  std::string_view outer;
  Family family;
  bool later = false;  // of later drafts only
};

constexpr FamilyName kFamilies[] = {
    {"bool", Family::kFundamental},
    {"char", Family::kFundamental},
    {"std::int8_t", Family::kFundamental},
    {"std::uint8_t", Family::kFundamental},
    {"std::int16_t", Family::kFundamental},
    {"std::uint16_t", Family::kFundamental},
    {"std::int32_t", Family::kFundamental},
    {"std::uint32_t", Family::kFundamental},
    {"std::int64_t", Family::kFundamental},
    {"std::uint64_t", Family::kFundamental},
    {"float", Family::kFundamental},
    {"double", Family::kFundamental},
    {"std::string", Family::kString},
    {"std::vector", Family::kVector},
    {"ROOT::VecOps::RVec", Family::kVector},
    {"ROOT::RVec", Family::kVector},
    {"ROOT::Vec", Family::kVector},
    {"std::array", Family::kArrayOf},
    {"[]", Family::kArrayOf},
    {"std::variant", Family::kVariantOf},
    {"std::pair", Family::kPair},
    {"std::tuple", Family::kTuple},
    {"std::bitset", Family::kBitset},
    {"std::unique_ptr", Family::kOptional},
    {"std::optional", Family::kOptional},
    {"std::set", Family::kSet},
    {"std::unordered_set", Family::kSet},
    {"std::multiset", Family::kSet, true},
    {"std::unordered_multiset", Family::kSet, true},
    {"std::map", Family::kMap},
    {"std::unordered_map", Family::kMap},
    {"std::multimap", Family::kMap, true},
    {"std::unordered_multimap", Family::kMap, true},
    {"std::atomic", Family::kAtomic},
    {"std::byte", Family::kByte},
    {"ROOT::Experimental::RNTupleCardinality", Family::kCardinality},
    {"ROOT::RNTupleCardinality", Family::kCardinality},
    {"ROOT::Experimental::ClusterSize_t", Family::kClusterSize},
};

// A field with all that its mapping depends on.
struct Mapping {
  const Schema& schema;
  const Field& field;
  TypeName type{};
  Family family = Family::kUser;
  bool later = false;  // a type of later drafts
  // The types of its columns, for each representation.
  std::vector<std::vector<std::uint16_t>> columns{};
  bool complete = true;  // all columns are known

  bool is(Family other) const { return family == other; }
  std::string_view child_name(std::size_t i) const { return schema.fields[field.children[i]].name; }
  std::size_t children() const { return field.children.size(); }
  template <class Holds>
  bool each_has(std::size_t count, const Holds& holds) const {
    return std::ranges::all_of(
        columns, [&](const auto& group) { return group.size() == count && holds(group); });
  }
  bool has(std::size_t count) const {
    return each_has(count, [](const auto&) { return true; });
  }
  std::string columns_text() const {
    std::string text;
    for (const auto& group : columns)
      for (const std::uint16_t each : group)
        text += (text.empty() ? "" : ", ") + std::string(column_type(each).name);
    return text.empty() ? "no column" : "columns: " + text;
  }
  std::string children_text() const {
    std::string text = std::format("{} subfields", children());
    for (std::size_t i = 0; i < std::min<std::size_t>(children(), 5); ++i)
      text += (i == 0 ? ": " : ", ") + std::string(child_name(i));
    return text;
  }
};

bool is_index(std::uint16_t type) { return column_type(type).kind == Kind::kIndex; }

bool is_foreign(const Mapping& it) { return it.is(Family::kUser) || it.is(Family::kUntyped); }
bool is_enum(const Mapping& it) { return it.field.role == kLeaf && is_foreign(it); }

// --- What clauses of several types ask for -------------------------------------------------------

constexpr std::string_view kRoles[] = {"leaf", "collection", "record", "variant", "reference"};

template <Family kFamily, std::uint16_t kRole>
void has_role(const Mapping& it, Look& look) {
  if (!it.is(kFamily)) return;
  look.ask(
      it.field.role == kRole,
      [&] { return std::format("{} with role {}", it.type.text, it.field.role); },
      [&] { return std::format("role {}, {}", kRole, kRoles[kRole]); });
}

template <Family kFamily>
void childless_leaf(const Mapping& it, Look& look) {
  if (!it.is(kFamily)) return;
  look.ask(
      it.field.role == kLeaf && it.children() == 0,
      [&] { return std::format("role {}, {}", it.field.role, it.children_text()); },
      "role 0 without subfields");
}

template <Family kFamily>
void no_columns(const Mapping& it, Look& look) {
  if (!it.is(kFamily)) return;
  look.ask(it.has(0), [&] { return it.columns_text(); }, "no column");
}

void ask_index(const Mapping& it, bool mask, Look& look) {
  look.ask(
      it.each_has(
          1, [&](const auto& group) { return is_index(group[0]) || (mask && group[0] == kBit); }),
      [&] { return it.columns_text(); },
      [&] { return mask ? "one index or Bit column" : "one index column"; });
}

template <Family kFamily>
void one_index(const Mapping& it, Look& look) {
  if (it.is(kFamily)) ask_index(it, kFamily == Family::kOptional, look);
}

// A field that has a column in the place of its subfield is reported by the clause about its
// columns.
bool column_instead(const Mapping& it) {
  const bool without_columns =
      it.family == Family::kArrayOf || it.family == Family::kAtomic || is_enum(it);
  return without_columns && it.children() == 0 && !it.has(0);
}

void ask_one_child(const Mapping& it, Look& look) {
  if (column_instead(it)) return;
  look.ask(
      it.children() == 1 && it.child_name(0) == "_0", [&] { return it.children_text(); },
      "one subfield, _0");
}

template <Family kFamily>
void one_child(const Mapping& it, Look& look) {
  if (it.is(kFamily)) ask_one_child(it, look);
}

template <Family kFamily>
void numbered_children(const Mapping& it, Look& look) {
  if (!it.is(kFamily)) return;
  const std::size_t wanted = kFamily == Family::kPair ? 2 : it.type.arguments.size();
  bool holds = it.children() == wanted;
  for (std::size_t i = 0; i < it.children() && holds; ++i)
    holds = it.child_name(i) == std::format("_{}", i);
  look.ask(
      holds, [&] { return it.children_text(); },
      [&] { return std::format("{} subfields, _0 and so on", wanted); });
}

// --- 7.1.1, 8: all types -------------------------------------------------------------------------

void repetitive_is_array(const Mapping& it, Look& look) {
  if (!it.field.repetitive()) return;
  look.ask(
      it.is(Family::kArrayOf) || it.is(Family::kBitset),
      [&] { return std::format("flag 0x01 on {}", it.type.text); }, "an array or a bitset");
}
constexpr Rule kRepetitive("rntuple-field-repetitive-is-array", repetitive_is_array);

bool byte_is_sound(const Mapping& it) {
  return it.field.role == kLeaf && it.children() == 0 &&
         it.each_has(1, [](const auto& group) { return group[0] == kByte; });
}

void type_supported(const Mapping& it, Look& look) {
  if (!it.type.in_std()) return;
  look.ask(
      it.is(Family::kByte) ? byte_is_sound(it) : !it.is(Family::kOtherStd),
      [&] {
        return it.is(Family::kByte) ? std::format("std::byte with {}", it.columns_text())
                                    : it.type.text;
      },
      "a type that can be stored");
}

void late_std_types(const Mapping& it, Look& look) {
  if (!it.type.in_std() || it.is(Family::kOtherStd)) return;
  look.ask(
      !it.later && !(it.is(Family::kByte) && byte_is_sound(it)),
      [&] { return it.type.text + ", which this text does not list"; }, "types of this text");
}

// --- 8.1: fundamental types ----------------------------------------------------------------------

void one_column(const Mapping& it, Look& look) {
  if (!it.is(Family::kFundamental)) return;
  look.ask(it.has(1), [&] { return it.columns_text(); }, "exactly one column");
}

bool is_double32(const Mapping& it) { return it.field.alias == "Double32_t"; }

bool low_precision(const Mapping& it, std::uint16_t column) {
  if (it.type.text == "float") return column == kReal16;
  if (it.type.text != "double" || is_double32(it)) return false;
  return column == kReal32 || column == kSplitReal32 ||
         (column == kReal16 && it.schema.later_draft);
}

void column_of_type(const Mapping& it, std::string_view name, std::uint16_t a, std::uint16_t b,
                    Look& look) {
  if (!it.is(Family::kFundamental) || it.type.text != name || !it.has(1)) return;
  if (name == "double" && is_double32(it)) return;
  look.ask(
      it.each_has(1,
                  [&](const auto& group) {
                    return group[0] == a || group[0] == b || low_precision(it, group[0]);
                  }),
      [&] { return std::format("{} over {}", name, it.columns_text()); },
      [&] {
        return a == b ? std::string(column_type(a).name)
                      : std::format("{} or {}", column_type(a).name, column_type(b).name);
      });
}

void map_bool(const Mapping& it, Look& look) { column_of_type(it, "bool", kBit, kBit, look); }
void map_char(const Mapping& it, Look& look) { column_of_type(it, "char", kChar, kChar, look); }
void map_int8(const Mapping& it, Look& look) {
  column_of_type(it, "std::int8_t", kInt8, kInt8, look);
}
void map_uint8(const Mapping& it, Look& look) {
  column_of_type(it, "std::uint8_t", kUInt8, kUInt8, look);
}
void map_int16(const Mapping& it, Look& look) {
  column_of_type(it, "std::int16_t", kSplitInt16, kInt16, look);
}
void map_uint16(const Mapping& it, Look& look) {
  column_of_type(it, "std::uint16_t", kSplitUInt16, kUInt16, look);
}
void map_int32(const Mapping& it, Look& look) {
  column_of_type(it, "std::int32_t", kSplitInt32, kInt32, look);
}
void map_uint32(const Mapping& it, Look& look) {
  column_of_type(it, "std::uint32_t", kSplitUInt32, kUInt32, look);
}
void map_int64(const Mapping& it, Look& look) {
  column_of_type(it, "std::int64_t", kSplitInt64, kInt64, look);
}
void map_uint64(const Mapping& it, Look& look) {
  column_of_type(it, "std::uint64_t", kSplitUInt64, kUInt64, look);
}
void map_float(const Mapping& it, Look& look) {
  column_of_type(it, "float", kSplitReal32, kReal32, look);
}
void map_double(const Mapping& it, Look& look) {
  column_of_type(it, "double", kSplitReal64, kReal64, look);
}

void low_precision_told(const Mapping& it, Look& look) {
  if (it.type.text != "float" && it.type.text != "double") return;
  if (!it.has(1)) return;
  look.ask(
      it.each_has(1, [&](const auto& group) { return !low_precision(it, group[0]); }),
      [&] { return std::format("{} over {}", it.type.text, it.columns_text()); },
      "the columns that the text lists");
}

// --- 8.2: Double32_t -----------------------------------------------------------------------------

void double32(const Mapping& it, Look& look) {
  if (!is_double32(it)) return;
  look.ask(
      it.type.text == "double" && (!it.has(1) || it.each_has(1,
                                                             [](const auto& group) {
                                                               return group[0] == kSplitReal32 ||
                                                                      group[0] == kReal32;
                                                             })),
      [&] { return std::format("{} over {}", it.type.text, it.columns_text()); },
      "double over SplitReal32");
}

// --- 8.3: types of the standard library ----------------------------------------------------------

void string_columns(const Mapping& it, Look& look) {
  if (!it.is(Family::kString)) return;
  look.ask(it.has(2), [&] { return it.columns_text(); }, "two columns");
}
void string_index(const Mapping& it, Look& look) {
  if (!it.is(Family::kString) || !it.has(2)) return;
  look.ask(
      it.each_has(2, [](const auto& group) { return is_index(group[0]); }),
      [&] { return it.columns_text(); }, "an index column first");
}
// A string whose first column is no index is reported by the clause above.
void string_char(const Mapping& it, Look& look) {
  if (!it.is(Family::kString) || !it.has(2)) return;
  if (!it.each_has(2, [](const auto& group) { return is_index(group[0]); })) return;
  look.ask(
      it.each_has(2, [](const auto& group) { return group[1] == kChar; }),
      [&] { return it.columns_text(); }, "a Char column second");
}

void rvec_name(const Mapping& it, Look& look) {
  if (!it.is(Family::kVector)) return;
  look.ask(
      it.type.outer != "ROOT::RVec" && it.type.outer != "ROOT::Vec", [&] { return it.type.outer; },
      "ROOT::VecOps::RVec");
}

void array_repetitive(const Mapping& it, Look& look) {
  if (!it.is(Family::kArrayOf) || it.type.size == 0) return;
  look.ask(it.field.repetitive(), [&] { return it.type.text + " without flag 0x01"; }, "flag 0x01");
}
template <Family kFamily>
void size_matches(const Mapping& it, Look& look) {
  if (!it.is(kFamily) || !it.field.repetitive() || !it.type.size) return;
  look.ask(
      *it.type.size == it.field.array_size,
      [&] { return std::format("{} with array size {}", it.type.text, it.field.array_size); },
      [&] { return std::format("{}", *it.type.size); });
}

void variant_type(const Mapping& it, Look& look) {
  const bool applies = it.is(Family::kVariantOf) || it.is(Family::kUser) ||
                       it.is(Family::kUntyped) || it.is(Family::kOtherStd);
  if (it.field.role != kVariant || !applies) return;
  look.ask(
      it.is(Family::kVariantOf), [&] { return std::format("role 3 on {}", it.type.text); },
      "std::variant");
}
void variant_switch(const Mapping& it, Look& look) {
  if (!it.is(Family::kVariantOf)) return;
  look.ask(
      it.each_has(1, [](const auto& group) { return group[0] == kSwitch; }),
      [&] { return it.columns_text(); }, "one Switch column");
}

void bitset_leaf(const Mapping& it, Look& look) {
  if (!it.is(Family::kBitset)) return;
  look.ask(
      it.field.role == kLeaf && it.field.repetitive() && it.children() == 0,
      [&] {
        return std::format("role {}, flags {:#x}, {}", it.field.role, it.field.flags,
                           it.children_text());
      },
      "a repetitive leaf without subfields");
}
void bitset_bit(const Mapping& it, Look& look) {
  if (!it.is(Family::kBitset)) return;
  look.ask(
      it.each_has(1, [](const auto& group) { return group[0] == kBit; }),
      [&] { return it.columns_text(); }, "one Bit column");
}

void map_pair(const Mapping& it, Look& look) {
  if (!it.is(Family::kMap) || it.children() != 1) return;
  const TypeName child = parse_type(it.schema.fields[it.field.children[0]].type);
  look.ask(child.outer == "std::pair", [&] { return "items of type " + child.text; }, "std::pair");
}

// --- 8.5 to 8.7 ----------------------------------------------------------------------------------

void enum_columns(const Mapping& it, Look& look) {
  if (!is_enum(it)) return;
  look.ask(
      it.has(0), [&] { return std::format("{} with {}", it.type.text, it.columns_text()); },
      "no column on an enum");
}
void enum_child(const Mapping& it, Look& look) {
  if (is_enum(it)) ask_one_child(it, look);
}
void enum_integer(const Mapping& it, Look& look) {
  if (!is_enum(it) || it.children() != 1) return;
  const std::string child = parse_type(it.schema.fields[it.field.children[0]].type).text;
  look.ask(
      (child.starts_with("std::int") || child.starts_with("std::uint")) && child.ends_with("_t"),
      [&] { return "a subfield of type " + child; }, "an integer");
}

bool is_class(const Mapping& it) { return it.field.role == kRecord && is_foreign(it); }

void class_columns(const Mapping& it, Look& look) {
  if (!is_class(it)) return;
  look.ask(it.has(0), [&] { return it.columns_text(); }, "no column on a record");
}

bool names_base(std::string_view name) {
  return name.size() > 2 && name.starts_with(":_") &&
         std::ranges::all_of(name.substr(2), [](char c) { return c >= '0' && c <= '9'; });
}

void class_bases(const Mapping& it, Look& look) {
  if (!is_class(it)) return;
  std::size_t bases = 0;
  look.looked();
  for (std::size_t i = 0; i < it.children(); ++i) {
    const std::string_view name = it.child_name(i);
    if (!names_base(name)) continue;
    if (name != std::format(":_{}", bases))
      return look.fail(std::string(name), std::format(":_{}", bases));
    ++bases;
  }
}

bool is_proxy(const Mapping& it) { return it.field.role == kCollection && is_foreign(it); }

void proxy_index(const Mapping& it, Look& look) {
  if (is_proxy(it)) ask_index(it, false, look);
}
void proxy_child(const Mapping& it, Look& look) {
  if (is_proxy(it) && !it.is(Family::kUntyped)) ask_one_child(it, look);
}

void cardinality_index(const Mapping& it, Look& look) {
  if (!it.is(Family::kCardinality)) return;
  look.ask(
      it.field.role == kLeaf &&
          it.each_has(1, [](const auto& group) { return is_index(group[0]); }),
      [&] { return std::format("role {}, {}", it.field.role, it.columns_text()); },
      "a leaf with one index column");
}
void cardinality_size(const Mapping& it, Look& look) {
  if (!it.is(Family::kCardinality)) return;
  look.ask(
      it.type.arguments.size() == 1 &&
          (it.type.arguments[0] == "std::uint32_t" || it.type.arguments[0] == "std::uint64_t"),
      [&] { return it.type.text; }, "std::uint32_t or std::uint64_t");
}

constexpr Rule<Mapping> kMapping[] = {
    {"rntuple-map-type-supported", type_supported},
    {"rntuple-dialect-late-std-types", late_std_types},
    {"rntuple-map-fundamental-leaf", childless_leaf<Family::kFundamental>},
    {"rntuple-map-fundamental-one-column", one_column},
    {"rntuple-map-bool", map_bool},
    {"rntuple-map-char", map_char},
    {"rntuple-map-int8", map_int8},
    {"rntuple-map-uint8", map_uint8},
    {"rntuple-map-int16", map_int16},
    {"rntuple-map-uint16", map_uint16},
    {"rntuple-map-int32", map_int32},
    {"rntuple-map-uint32", map_uint32},
    {"rntuple-map-int64", map_int64},
    {"rntuple-map-uint64", map_uint64},
    {"rntuple-map-float", map_float},
    {"rntuple-map-double", map_double},
    {"rntuple-dialect-low-precision", low_precision_told},
    {"rntuple-map-double32", double32},
    {"rntuple-map-string-leaf", childless_leaf<Family::kString>},
    {"rntuple-map-string-columns", string_columns},
    {"rntuple-map-string-index", string_index},
    {"rntuple-map-string-char", string_char},
    {"rntuple-map-vector-collection", has_role<Family::kVector, kCollection>},
    {"rntuple-map-vector-index", one_index<Family::kVector>},
    {"rntuple-map-vector-child", one_child<Family::kVector>},
    {"rntuple-map-rvec-name", rvec_name},
    {"rntuple-map-array-repetitive", array_repetitive},
    {"rntuple-map-array-size", size_matches<Family::kArrayOf>},
    {"rntuple-map-array-no-columns", no_columns<Family::kArrayOf>},
    {"rntuple-map-array-child", one_child<Family::kArrayOf>},
    {"rntuple-map-variant-role", has_role<Family::kVariantOf, kVariant>},
    {"rntuple-map-variant-type", variant_type},
    {"rntuple-map-variant-switch", variant_switch},
    {"rntuple-map-variant-children", numbered_children<Family::kVariantOf>},
    {"rntuple-map-pair-record", has_role<Family::kPair, kRecord>},
    {"rntuple-map-pair-no-columns", no_columns<Family::kPair>},
    {"rntuple-map-pair-children", numbered_children<Family::kPair>},
    {"rntuple-map-tuple-record", has_role<Family::kTuple, kRecord>},
    {"rntuple-map-tuple-no-columns", no_columns<Family::kTuple>},
    {"rntuple-map-tuple-children", numbered_children<Family::kTuple>},
    {"rntuple-map-bitset-repetitive-leaf", bitset_leaf},
    {"rntuple-map-bitset-size", size_matches<Family::kBitset>},
    {"rntuple-map-bitset-bit", bitset_bit},
    {"rntuple-map-optional-collection", has_role<Family::kOptional, kCollection>},
    {"rntuple-map-optional-index", one_index<Family::kOptional>},
    {"rntuple-map-optional-child", one_child<Family::kOptional>},
    {"rntuple-map-set-collection", has_role<Family::kSet, kCollection>},
    {"rntuple-map-set-index", one_index<Family::kSet>},
    {"rntuple-map-set-child", one_child<Family::kSet>},
    {"rntuple-map-map-collection", has_role<Family::kMap, kCollection>},
    {"rntuple-map-map-index", one_index<Family::kMap>},
    {"rntuple-map-map-child", one_child<Family::kMap>},
    {"rntuple-map-map-pair", map_pair},
    {"rntuple-map-atomic-leaf", has_role<Family::kAtomic, kLeaf>},
    {"rntuple-map-atomic-no-columns", no_columns<Family::kAtomic>},
    {"rntuple-map-atomic-child", one_child<Family::kAtomic>},
    {"rntuple-map-enum-no-columns", enum_columns},
    {"rntuple-map-enum-child", enum_child},
    {"rntuple-map-enum-integer", enum_integer},
    {"rntuple-map-class-no-columns", class_columns},
    {"rntuple-map-class-bases", class_bases},
    {"rntuple-map-proxy-index", proxy_index},
    {"rntuple-map-proxy-child", proxy_child},
    {"rntuple-map-cardinality-index", cardinality_index},
    {"rntuple-map-cardinality-size-type", cardinality_size},
};

// --- 8: the types of subfields -------------------------------------------------------------------

struct ChildType {
  std::string_view child, argument;
};
constexpr Rule kChildType("rntuple-map-child-type", [](const ChildType& it, Look& look) {
  look.ask(
      it.child == it.argument, [&] { return std::format("a subfield of type {}", it.child); },
      [&] { return std::string(it.argument); });
});

void judge_children(const Mapping& it, const Place& at, Notes& notes) {
  switch (it.family) {
    case Family::kVector:
    case Family::kArrayOf:
    case Family::kVariantOf:
    case Family::kPair:
    case Family::kTuple:
    case Family::kOptional:
    case Family::kSet:
    case Family::kAtomic: break;
    default: return;  // the items of maps have a clause of their own
  }
  for (std::size_t i = 0; i < it.children() && i < it.type.arguments.size(); ++i) {
    const std::string child = parse_type(it.schema.fields[it.field.children[i]].type).outer;
    const std::string argument = parse_type(it.type.arguments[i]).outer;
    judge<kChildType>(ChildType{child, argument}, at, notes);
  }
}

Mapping mapping_of(const Schema& schema, const Field& field) {
  Mapping made{.schema = schema, .field = field, .type = parse_type(field.type)};
  const auto known =
      std::ranges::find(kFamilies, std::string_view(made.type.outer), &FamilyName::outer);
  if (field.type.empty())
    made.family = Family::kUntyped;
  else if (known != std::end(kFamilies) && (!known->later || schema.later_draft)) {
    made.family = known->family;
    made.later = known->later;
  } else
    made.family = made.type.in_std() ? Family::kOtherStd : Family::kUser;
  std::map<std::uint16_t, std::vector<std::uint16_t>> groups;
  const auto add = [&](const Column& column) {
    made.complete &= column.kind().known();
    groups[column.representation].push_back(column.type);
  };
  for (const std::uint32_t id : field.columns) add(schema.columns[id]);
  if (field.columns.empty())
    for (const std::uint32_t id : field.aliases) {
      const std::uint32_t column = schema.aliases[id].column;
      if (column < schema.columns.size())
        add(schema.columns[column]);
      else
        made.complete = false;
    }
  for (auto& [representation, types] : groups) made.columns.push_back(std::move(types));
  if (made.columns.empty()) made.columns.emplace_back();
  return made;
}

Shape shape_of(const Mapping& it) {
  if (it.field.projected()) return Shape::kOther;
  if (it.is(Family::kArrayOf)) return Shape::kArray;
  switch (it.field.role) {
    case kLeaf:
      return it.is(Family::kString) ? Shape::kString
             : it.children() > 0    ? Shape::kParent
                                    : Shape::kLeafField;
    case kCollection: return it.is(Family::kOptional) ? Shape::kOptional : Shape::kCollectionOf;
    case kRecord: return Shape::kParent;
    case kVariant: return Shape::kVariantOf;
    default: return Shape::kOther;
  }
}

// The fields that are known up to the top: of others, and of what is below them, nothing is asked.
std::vector<bool> known_fields(const Schema& schema) {
  std::vector<bool> done(schema.fields.size()), known(schema.fields.size());
  std::vector<std::uint32_t> way;
  for (std::uint32_t i = 0; i < schema.fields.size(); ++i) {
    std::uint32_t at = i;
    while (!done[at]) {
      way.push_back(at);
      if (schema.fields[at].parent == at) break;
      at = schema.fields[at].parent;
    }
    bool so_far = !done[at] || known[at];
    for (; !way.empty(); way.pop_back()) {
      const Field& field = schema.fields[way.back()];
      so_far &= field.role <= kVariant && std::ranges::all_of(field.columns, [&](std::uint32_t id) {
                  return schema.columns[id].kind().known();
                });
      done[way.back()] = true;
      known[way.back()] = so_far;
    }
  }
  return known;
}

}  // namespace

std::vector<Mapped> judge_mapping(const Schema& schema, Notes& notes) {
  std::vector<Mapped> made(schema.fields.size());
  const std::vector<bool> known = known_fields(schema);
  for (std::uint32_t i = 0; i < schema.fields.size(); ++i) {
    const Field& field = schema.fields[i];
    if (!known[i]) continue;
    const Mapping mapping = mapping_of(schema, field);
    if (!mapping.complete) continue;
    const Path path = schema.path_of("field", i, field.extension);
    const Place at{.path = &path, .within = field.at};
    judge<kRepetitive>(mapping, at, notes);
    const bool sound = judge_each<kMapping>(mapping, at, notes);
    if (sound) judge_children(mapping, at, notes);
    made[i] = {.shape = shape_of(mapping), .countable = sound, .alternatives = mapping.children()};
  }
  return made;
}

void mapping_rules(RuleList& list) { list.structure<kRepetitive, kMapping, kChildType>(); }

}  // namespace hepcheck::rntuple
