#include "validator/formats/hdf5/datatype.h"

#include <algorithm>
#include <format>
#include <iterator>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include "validator/formats/hdf5/datatype_rules.h"
#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

constexpr std::uint64_t kTypeHead = 8;

// --- What is judged -----------------------------------------------------------------------------

// The common beginning of all types, and the end of their properties.
struct TypeHead {
  std::uint8_t version = 0, type_class = 0;
  std::uint32_t bits = 0, size = 0;
  bool whole = false;

  TypeClass is() const { return static_cast<TypeClass>(type_class); }
  unsigned reference_kind() const { return bits & 15U; }
};

// Whether its properties extend beyond the message.
struct TypeBody {
  bool fits;
};

struct TypeMember {
  std::string name;
  std::uint64_t offset, size, of;  // of: the size of the compound
  bool shared;                     // some of its bytes belong to an earlier member
};

struct TypeArray {
  std::uint8_t version;
  std::uint64_t product, size;
};

void head_fits(bool fits, Look& look) {
  look.looked();
  if (!fits) look.fail(0, "the message ends inside the type", "a type that its message holds");
}

void version(const TypeHead& it, Look& look) {
  if (!it.whole) return;
  look.looked();
  if (it.version < 1 || it.version > 5)
    look.fail(0, std::format("version {}", it.version), "version 1 to 5");
}

void type_class(const TypeHead& it, Look& look) {
  if (!it.whole) return;
  look.looked();
  if (it.type_class > static_cast<std::uint8_t>(TypeClass::kComplex))
    look.fail(0, std::format("class {}", it.type_class), "class 0 to 11");
}

void size(const TypeHead& it, Look& look) {
  if (!it.whole) return;
  look.looked();
  if (it.size == 0) look.fail(4, "elements of 0 bytes", "a size above 0");
}

void member_count(const TypeHead& it, Look& look) {
  if (it.is() != TypeClass::kCompound) return;
  look.looked();
  if ((it.bits & 0xffff) == 0) look.fail(1, "a compound of 0 members", "one or more");
}

void reference_type(const TypeHead& it, Look& look) {
  if (it.is() != TypeClass::kReference) return;
  look.looked();
  const unsigned kind = it.reference_kind();
  if (kind <= 1) return;
  if (kind > 4 || (kind > 2 && it.version < 4))
    look.fail(1, std::format("a reference of kind {} in version {}", kind, it.version),
              "0, 1 or 2, or in version 4 and later 3 or 4");
  else if ((it.bits >> 4 & 15) != 1)
    look.fail(1, std::format("version {} of the reference encoding", it.bits >> 4 & 15), "1");
}

// The clause is checked twice: at the beginning of a type, and at its end.
constexpr Rule<TypeHead> kHeadRules[] = {
    {"swmr-datatype-version", version},
    {"swmr-datatype-class", type_class},
    {"swmr-datatype-size", size},
    {"swmr-datatype-member-count", member_count},
    {"swmr-datatype-reference-type", reference_type},
};

constexpr Rule kBodyRule("swmr-datatype-fits",
                         [](const TypeBody& it, Look& look) { head_fits(it.fits, look); });

constexpr Rule kMemberRule("swmr-datatype-member-inside", [](const TypeMember& it, Look& look) {
  look.looked();
  if (sum(it.offset, it.size) > it.of)
    look.fail(0, std::format("a member of {} bytes at offset {}", it.size, it.offset),
              std::format("a member inside the compound of {} bytes", it.of));
  else if (it.shared)
    look.fail(0,
              std::format("a member of {} bytes at offset {}, which overlaps another", it.size,
                          it.offset),
              "members that share no bytes");
});

void array_size(const TypeArray& it, Look& look) {
  look.looked();
  if (it.product != it.size)
    look.fail(
        4, std::format("an array of {} bytes", it.size),
        it.product == kUndefined
            ? std::string("the product of its dimensions and its base type, which is not a size")
            : std::format("{}, the product of its dimensions and its base type", it.product));
}

void array_version(const TypeArray& it, Look& look) {
  look.looked();
  if (it.version < 2) look.fail(0, "an array of version 1", "version 2 or later");
}

constexpr Rule<TypeArray> kArrayRules[] = {
    {"swmr-datatype-array-size", array_size},
    {"swmr-datatype-array-version", array_version},
};

// --- Reading ------------------------------------------------------------------------------------

std::uint64_t padded(std::uint64_t size) { return (size + 7) / 8 * 8; }

class TypeReader {
 public:
  TypeReader(const Region& message, Container& file)
      : message_(message), file_(file), read_(message) {}

  // None if it is refused, or not examined.
  std::optional<Datatype> outermost() {
    std::optional<Datatype> made = type(1, TypeNode::kNone);
    judge_type_depth(too_deep_, message_.place, file_.notes);
    judge_type_members(members_, message_.place, file_.notes);
    if (!made) return std::nullopt;
    if (sound_) judge_type_form(nodes_, file_.notes);
    made->sound = sound_;
    made->encoded = read_.at();
    if (file_.for_values) {
      const auto used = message_.bytes.first(read_.at());
      made->message = std::make_shared<const std::vector<std::byte>>(used.begin(), used.end());
    }
    made->nodes = std::make_shared<const TypeNodes>(std::move(nodes_));
    return made;
  }

 private:
  std::optional<Datatype> type(unsigned level, std::uint32_t outer) {
    const Region here = message_.part(read_.at());
    too_deep_ |= level > kManyTypeLevels;
    if (level > kMostTypeLevels) return unexamined("a datatype of more than 64 levels");
    if (nodes_.size() == kMostTypes) return unexamined("a datatype of more than 200,000 types");
    const std::uint64_t begin = read_.at();
    TypeHead head;
    const std::uint8_t first = read_.u8("class and version");
    head.version = first >> 4;
    head.type_class = first & 15;
    head.bits = static_cast<std::uint32_t>(read_.number(3, "bits"));
    head.size = read_.u32("size");
    head.whole = read_.good();
    if (!fits(begin) || !holds<kHeadRules>(head, here.place)) return std::nullopt;
    const auto number = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({.at = here.place,
                      .version = head.version,
                      .type_class = head.is(),
                      .bits = head.bits,
                      .size = head.size,
                      .outer = outer});
    Datatype made{
        .version = head.version, .type_class = head.is(), .bits = head.bits, .size = head.size};
    if (!properties(head, begin, level, number, made) || !fits(begin)) return std::nullopt;
    if (sound_) sound_ = judge_type(nodes_[number], nodes_, file_);
    return made;
  }

  // A datatype with an error ends there: what follows may have been taken apart at the wrong bytes.
  template <const auto& kRules, class Structure>
  bool holds(const Structure& structure, const Place& at) {
    std::optional<Notes::Silence> silence;
    if (!sound_) silence.emplace(file_.notes);
    return judge<kRules>(structure, at, file_.notes);
  }

  std::nullopt_t unexamined(std::string reason) {
    file_.notes.not_examined("swmr-datatype-fits", std::move(reason));
    return std::nullopt;
  }

  // Everything of the type up to here was inside the message.
  bool fits(std::uint64_t begin) {
    return holds<kBodyRule>(TypeBody{read_.good()}, message_.part(begin).place);
  }

  bool properties(const TypeHead& head, std::uint64_t begin, unsigned level, std::uint32_t number,
                  Datatype& made) {
    TypeNode& node = nodes_[number];  // until another type is read
    switch (head.is()) {
      case TypeClass::kInteger:
      case TypeClass::kBitField: significant_bits(node); return true;
      case TypeClass::kFloat: floating(node); return true;
      case TypeClass::kTime: node.precision = read_.u16("precision"); return true;
      case TypeClass::kString: return true;
      case TypeClass::kOpaque:
        node.tag = !ends_in_zeros(read_.take(head.bits & 0xff, "tag"));
        return true;
      case TypeClass::kReference: reference(head, made); return true;
      case TypeClass::kCompound: return compound(head, begin, level, number, made);
      case TypeClass::kEnumeration: return enumeration(head, begin, level, number);
      case TypeClass::kVariableLength: return variable_length(level, number, made);
      case TypeClass::kArray: return array(head, begin, level, number, made);
      case TypeClass::kComplex: return base(level, number).has_value();
    }
    return false;
  }

  void significant_bits(TypeNode& node) {
    node.offset = read_.u16("offset");
    node.precision = read_.u16("precision");
  }

  void floating(TypeNode& node) {
    significant_bits(node);
    node.exponent_at = read_.u8("exponent at");
    node.exponent_size = read_.u8("exponent size");
    node.mantissa_at = read_.u8("mantissa at");
    node.mantissa_size = read_.u8("mantissa size");
    node.bias = read_.u32("bias");
  }

  // ASCII letters, a zero, and nothing but zeros after it; an empty tag is none.
  static bool ends_in_zeros(const Region& tag) {
    const auto zero = std::ranges::find(tag.bytes, std::byte{0});
    const auto plain = [](std::byte each) { return std::to_integer<unsigned>(each) < 0x80; };
    return tag.bytes.empty() ||
           (zero != tag.bytes.end() && std::all_of(tag.bytes.begin(), zero, plain) &&
            std::all_of(zero, tag.bytes.end(),
                        [](std::byte each) { return each == std::byte{0}; }));
  }

  static void reference(const TypeHead& head, Datatype& made) {
    const unsigned kind = head.reference_kind();
    made.region_reference = kind == 1 || kind == 3;
    made.attribute_reference = kind == 4;
    if (kind == 2) made.references.push_back(0);
  }

  // The contents of a type are contents of the enclosing type, shifted by `offset` bytes and
  // repeated `times` times.
  static void take_in(const Datatype& inner, std::uint64_t offset, std::uint64_t times,
                      Datatype& into) {
    constexpr std::size_t kMost = std::size_t{1} << 17;
    into.variable_length |= inner.variable_length;
    into.region_reference |= inner.region_reference;
    into.attribute_reference |= inner.attribute_reference;
    into.all_references &= inner.all_references;
    for (std::uint64_t i = 0; i < times && !inner.references.empty(); ++i)
      for (const std::uint32_t at : inner.references) {
        if (into.references.size() == kMost) {
          into.all_references = false;
          return;
        }
        into.references.push_back(static_cast<std::uint32_t>(offset + i * inner.size + at));
      }
  }

  bool zeros(std::uint64_t size, const char* name) {
    const Region region = read_.take(size, name);
    return std::ranges::all_of(region.bytes, [](std::byte each) { return each == std::byte{0}; });
  }

  // A zero-terminated name; in old versions padded with zeros to a multiple of eight.
  std::string_view name(std::uint8_t version, std::uint32_t number) {
    const Region rest = message_.part(read_.at());
    const auto zero = std::ranges::find(rest.bytes, std::byte{0});
    const auto length = static_cast<std::uint64_t>(zero - rest.bytes.begin());
    read_.take(length + 1, "name");
    if (version < 3 && !zeros(padded(length + 1) - (length + 1), "padding"))
      nodes_[number].padding = true;
    return {reinterpret_cast<const char*>(rest.bytes.data()), length};
  }

  bool compound(const TypeHead& head, std::uint64_t begin, unsigned level, std::uint32_t number,
                Datatype& made) {
    const unsigned members = head.bits & 0xffff;
    std::map<std::uint64_t, std::uint64_t> taken;  // bytes of the element: begin and end
    std::vector<std::string_view> names;
    for (unsigned i = 0; i < members; ++i) {
      ++members_;
      const Place here = message_.part(read_.at()).place;
      const std::string_view named = name(head.version, number);
      TypeMember member{
          .name = std::string(named), .offset = 0, .size = 0, .of = head.size, .shared = false};
      member.offset = read_.number(head.version < 3 ? 4 : bytes_for(head.size), "offset");
      TypeDimensions dimensions;
      if (head.version == 1) {
        dimensions.rank = read_.u8("rank");
        const bool reserved = zeros(3 + 4 + 4, "reserved");
        if (!reserved) nodes_[number].member_reserved = true;
        for (unsigned d = 0; d < dimensions.sizes.size(); ++d)
          dimensions.sizes[d] = read_.u32("size");
      }
      if (!fits(begin)) return false;
      const std::uint64_t times = dimensions.product();
      if (sound_) sound_ = judge_type_member(named, dimensions, here, file_.notes);
      names.push_back(named);
      const auto at = static_cast<std::uint32_t>(nodes_.size());
      const std::optional<Datatype> type = this->type(level + 1, number);
      if (!type) return false;
      member.size = product(times, type->size);
      const std::uint64_t end = sum(member.offset, member.size);
      const auto behind = taken.lower_bound(end);
      member.shared = behind != taken.begin() && std::prev(behind)->second > member.offset;
      if (!holds<kMemberRule>(member, here)) return false;
      taken[member.offset] = end;
      nodes_[number].members.push_back({member.offset, times, at});
      take_in(*type, member.offset, times, made);
    }
    if (sound_)
      sound_ = judge_type_member_names(std::move(names), message_.part(begin).place, file_.notes);
    return true;
  }

  // The base type of the type with that number, which follows it.
  std::optional<Datatype> base(unsigned level, std::uint32_t number) {
    nodes_[number].base = static_cast<std::uint32_t>(nodes_.size());
    return type(level + 1, number);
  }

  bool enumeration(const TypeHead& head, std::uint64_t begin, unsigned level,
                   std::uint32_t number) {
    const std::optional<Datatype> base = this->base(level, number);
    if (!base) return false;
    const unsigned count = head.bits & 0xffff;
    std::vector<std::string_view> names;
    for (unsigned i = 0; i < count && read_.good(); ++i)
      names.push_back(name(head.version, number));
    const Region values = read_.take(product(count, base->size), "values");
    members_ += count;
    if (read_.good() && sound_)
      sound_ = judge_type_enumeration({head.size, base->size, std::move(names), values},
                                      message_.part(begin).place, file_.notes);
    return true;
  }

  bool variable_length(unsigned level, std::uint32_t number, Datatype& made) {
    const std::optional<Datatype> base = this->base(level, number);
    if (!base) return false;
    take_in(*base, 0, 0, made);
    made.variable_length = true;
    return true;
  }

  bool array(const TypeHead& head, std::uint64_t begin, unsigned level, std::uint32_t number,
             Datatype& made) {
    const std::uint8_t dimensions = read_.u8("dimensions");
    bool plain = head.version >= 3 || zeros(3, "reserved");
    std::uint64_t elements = 1;
    for (unsigned d = 0; d < dimensions; ++d) elements = product(elements, read_.u32("dimension"));
    if (head.version < 3)
      for (unsigned d = 0; d < dimensions; ++d) plain &= read_.u32("permutation") == d;
    if (!fits(begin)) return false;
    nodes_[number].array_reserved = !plain;
    nodes_[number].elements = elements;
    const std::optional<Datatype> base = this->base(level, number);
    if (!base) return false;
    const Place at = message_.part(begin).place;
    if (!holds<kArrayRules>(TypeArray{head.version, product(elements, base->size), head.size}, at))
      return false;
    if (sound_) sound_ = judge_type_array(dimensions, at, file_.notes);
    take_in(*base, 0, elements, made);
    return true;
  }

  Region message_;
  Container& file_;
  Cursor read_;
  TypeNodes nodes_{};
  std::uint64_t members_ = 0;  // and names of enumerations
  bool too_deep_ = false;
  bool sound_ = true;  // no clause of chapter IV.A.2.d is violated as an error
};

}  // namespace

void datatype_rules(RuleList& list) {
  list.structure<kHeadRules, kBodyRule, kMemberRule, kArrayRules>();
}

std::string type_text(const TypeNodes& types, std::uint32_t number) {
  const TypeNode& type = types[number];
  switch (type.type_class) {
    case TypeClass::kInteger:
      return std::format("{}int{}", (type.bits & 8) != 0 ? "" : "u", 8 * std::uint64_t{type.size});
    case TypeClass::kFloat: return std::format("float{}", 8 * std::uint64_t{type.size});
    case TypeClass::kTime: return "time";
    case TypeClass::kString: return std::format("string of {} bytes", type.size);
    case TypeClass::kBitField: return std::format("bits{}", 8 * std::uint64_t{type.size});
    case TypeClass::kOpaque: return std::format("opaque of {} bytes", type.size);
    case TypeClass::kReference: {
      constexpr std::string_view kKinds[] = {"object reference", "region reference", "reference",
                                             "region reference", "attribute reference"};
      return std::string(kKinds[std::min<std::size_t>(type.kind(), 4)]);
    }
    case TypeClass::kCompound: {
      const unsigned members = type.bits & 0xffff;
      return std::format("compound of {} member{}", members, members == 1 ? "" : "s");
    }
    case TypeClass::kEnumeration: return "enumeration of " + type_text(types, type.base);
    case TypeClass::kVariableLength:
      return type.kind() == 1 ? "variable-length string"
                              : "variable-length sequence of " + type_text(types, type.base);
    case TypeClass::kArray:
      return std::format("array of {} {}", type.elements, type_text(types, type.base));
    case TypeClass::kComplex: return "complex number of two " + type_text(types, type.base);
  }
  return "";
}

std::optional<Datatype> read_datatype(const Region& message, Container& file) {
  return TypeReader(message, file).outermost();
}

}  // namespace hepcheck::hdf5
