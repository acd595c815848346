#include "validator/formats/hdf5/datatype.h"

#include <algorithm>
#include <format>
#include <iterator>
#include <map>

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

std::string plain_text(const TypeHead& head) {
  switch (head.is()) {
    case TypeClass::kInteger:
      return std::format("{}int{}", (head.bits & 8) != 0 ? "" : "u", 8 * std::uint64_t{head.size});
    case TypeClass::kFloat: return std::format("float{}", 8 * std::uint64_t{head.size});
    case TypeClass::kTime: return "time";
    case TypeClass::kString: return std::format("string of {} bytes", head.size);
    case TypeClass::kBitField: return std::format("bits{}", 8 * std::uint64_t{head.size});
    case TypeClass::kOpaque: return std::format("opaque of {} bytes", head.size);
    case TypeClass::kReference: {
      constexpr std::string_view kKinds[] = {"object reference", "region reference", "reference",
                                             "region reference", "attribute reference"};
      return std::string(kKinds[std::min<std::size_t>(head.reference_kind(), 4)]);
    }
    default: return "";
  }
}

class TypeReader {
 public:
  TypeReader(const Region& message, Container& file)
      : message_(message), file_(file), read_(message) {}

  // None if it is refused, or not examined.
  std::optional<Datatype> type(unsigned level) {
    const Region here = message_.part(read_.at());
    if (level > kMostTypeLevels) return unexamined("a datatype of more than 64 levels");
    const std::uint64_t begin = read_.at();
    TypeHead head;
    const std::uint8_t first = read_.u8();
    head.version = first >> 4;
    head.type_class = first & 15;
    head.bits = static_cast<std::uint32_t>(read_.number(3));
    head.size = read_.u32();
    head.whole = read_.good();
    if (!fits(begin) || !judge<kHeadRules>(head, here.place, file_.notes)) return std::nullopt;
    Datatype made{.version = head.version,
                  .type_class = head.is(),
                  .bits = head.bits,
                  .size = head.size,
                  .text = plain_text(head)};
    if (!properties(head, begin, level, made) || !fits(begin)) return std::nullopt;
    return made;
  }

 private:
  std::nullopt_t unexamined(std::string reason) {
    file_.notes.not_examined("swmr-datatype-fits", std::move(reason));
    return std::nullopt;
  }

  // Everything of the type up to here was inside the message.
  bool fits(std::uint64_t begin) {
    return judge<kBodyRule>(TypeBody{read_.good()}, message_.part(begin).place, file_.notes);
  }

  bool properties(const TypeHead& head, std::uint64_t begin, unsigned level, Datatype& made) {
    switch (head.is()) {
      case TypeClass::kInteger:
      case TypeClass::kBitField: read_.skip(4); return true;
      case TypeClass::kFloat: read_.skip(12); return true;
      case TypeClass::kTime: read_.skip(2); return true;
      case TypeClass::kString: return true;
      case TypeClass::kOpaque: read_.skip(head.bits & 0xff); return true;
      case TypeClass::kReference: reference(head, made); return true;
      case TypeClass::kCompound: return compound(head, begin, level, made);
      case TypeClass::kEnumeration: return enumeration(head, level, made);
      case TypeClass::kVariableLength: return variable_length(head, level, made);
      case TypeClass::kArray: return array(head, begin, level, made);
      case TypeClass::kComplex: unexamined("a datatype of class 11 (complex)"); return false;
    }
    return false;
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

  // A zero-terminated name; in old versions padded with zeros to a multiple of eight.
  std::string name(std::uint8_t version) {
    const Region rest = message_.part(read_.at());
    const auto zero = std::ranges::find(rest.bytes, std::byte{0});
    const auto length = static_cast<std::uint64_t>(zero - rest.bytes.begin());
    read_.skip(version < 3 ? padded(length + 1) : length + 1);
    return {reinterpret_cast<const char*>(rest.bytes.data()), length};
  }

  bool compound(const TypeHead& head, std::uint64_t begin, unsigned level, Datatype& made) {
    const unsigned members = head.bits & 0xffff;
    std::map<std::uint64_t, std::uint64_t> taken;  // bytes of the element: begin and end
    for (unsigned i = 0; i < members; ++i) {
      const Place here = message_.part(read_.at()).place;
      TypeMember member{
          .name = name(head.version), .offset = 0, .size = 0, .of = head.size, .shared = false};
      member.offset = read_.number(head.version < 3 ? 4 : bytes_for(head.size));
      std::uint64_t times = 1;
      if (head.version == 1) {
        const std::uint8_t dimensions = read_.u8();
        read_.skip(3 + 4 + 4);
        for (unsigned d = 0; d < 4; ++d) {
          const std::uint64_t size = read_.u32();
          if (d < dimensions) times = product(times, size);
        }
      }
      if (!fits(begin)) return false;
      const std::optional<Datatype> type = this->type(level + 1);
      if (!type) return false;
      member.size = product(times, type->size);
      const std::uint64_t end = sum(member.offset, member.size);
      const auto behind = taken.lower_bound(end);
      member.shared = behind != taken.begin() && std::prev(behind)->second > member.offset;
      if (!judge<kMemberRule>(member, here, file_.notes)) return false;
      taken[member.offset] = end;
      take_in(*type, member.offset, times, made);
    }
    made.text = std::format("compound of {} member{}", members, members == 1 ? "" : "s");
    return true;
  }

  bool enumeration(const TypeHead& head, unsigned level, Datatype& made) {
    const std::optional<Datatype> base = type(level + 1);
    if (!base) return false;
    const unsigned names = head.bits & 0xffff;
    for (unsigned i = 0; i < names && read_.good(); ++i) name(head.version);
    read_.skip(product(names, base->size));
    made.text = "enumeration of " + base->text;
    return true;
  }

  bool variable_length(const TypeHead& head, unsigned level, Datatype& made) {
    const std::optional<Datatype> base = type(level + 1);
    if (!base) return false;
    take_in(*base, 0, 0, made);
    made.variable_length = true;
    made.text = (head.bits & 15) == 1 ? "variable-length string"
                                      : "variable-length sequence of " + base->text;
    return true;
  }

  bool array(const TypeHead& head, std::uint64_t begin, unsigned level, Datatype& made) {
    const std::uint8_t dimensions = read_.u8();
    if (head.version < 3) read_.skip(3);
    std::uint64_t elements = 1;
    for (unsigned d = 0; d < dimensions; ++d) elements = product(elements, read_.u32());
    if (head.version < 3) read_.skip(4 * std::uint64_t{dimensions});
    if (!fits(begin)) return false;
    const std::optional<Datatype> base = type(level + 1);
    if (!base) return false;
    if (!judge<kArrayRules>(TypeArray{head.version, product(elements, base->size), head.size},
                            message_.part(begin).place, file_.notes))
      return false;
    take_in(*base, 0, elements, made);
    made.text = std::format("array of {} {}", elements, base->text);
    return true;
  }

  Region message_;
  Container& file_;
  Cursor read_;
};

}  // namespace

void datatype_rules(RuleList& list) {
  list.structure<kHeadRules, kBodyRule, kMemberRule, kArrayRules>();
}

std::optional<Datatype> read_datatype(const Region& message, Container& file) {
  return TypeReader(message, file).type(1);
}

}  // namespace hepcheck::hdf5
