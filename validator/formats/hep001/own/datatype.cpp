#include "validator/formats/hep001/own/datatype.h"

#include <algorithm>
#include <format>
#include <span>
#include <utility>

#include "validator/formats/hdf5/region.h"
#include "validator/integers.h"

namespace hepcheck::hep001::own {

namespace {

using FileClass = hdf5::TypeClass;

// Sizes in memory, as libhdf5 has them on machines of 64 bits.
constexpr std::size_t kStringPointer = 8, kSequence = 16, kObjectReference = 8,
                      kRegionReference = 12, kStandardReference = 64;

ByteOrder byte_order(std::uint32_t bits) {
  return (bits & 1U) != 0 ? ByteOrder::kBig : ByteOrder::kLittle;
}

StringPadding padding_of(unsigned stored) {
  switch (stored) {
    case 0: return StringPadding::kNullTerm;
    case 1: return StringPadding::kNullPad;
    case 2: return StringPadding::kSpacePad;
    default: return StringPadding::kOther;
  }
}

CharacterSet charset_of(unsigned stored) {
  return stored == 0   ? CharacterSet::kAscii
         : stored == 1 ? CharacterSet::kUtf8
                       : CharacterSet::kOther;
}

std::string text_of(std::span<const std::byte> bytes) {
  const auto end = std::ranges::find(bytes, std::byte{0});
  return {reinterpret_cast<const char*>(bytes.data()),
          static_cast<std::size_t>(end - bytes.begin())};
}

// Reads a message that the container reader accepted, so every part of it exists.
class MessageParser {
 public:
  MessageParser(std::span<const std::byte> message, const Limits& limits,
                std::optional<std::string>& trouble)
      : message_({message, {}}), read_(message_), limits_(limits), trouble_(trouble) {}

  ReadType type(std::uint64_t depth) {
    const unsigned first = read_.u8();
    const auto bits = static_cast<std::uint32_t>(read_.number(3));
    const std::uint32_t size = read_.u32();
    Head head{.version = first >> 4U, .bits = bits, .size = size};
    made_ok_ &= read_.good();
    ReadType made;
    made.model.size = size;
    if (depth > limits_.type_depth && !trouble_)
      trouble_ =
          std::format("datatypes are nested deeper than the limit of {}", limits_.type_depth);
    if (trouble_ || !made_ok_) return made;
    made.form = plain(ElementForm::Kind::kCopy, size, size);
    properties(static_cast<FileClass>(first & 15U), head, made, depth);
    return made;
  }
  bool ok() const { return made_ok_ && read_.good(); }

 private:
  struct Head {
    unsigned version;
    std::uint32_t bits, size;
  };

  static std::shared_ptr<const ElementForm> plain(ElementForm::Kind kind, std::size_t stored,
                                                  std::size_t size) {
    return std::make_shared<const ElementForm>(
        ElementForm{.kind = kind, .stored_size = stored, .size = size});
  }

  void properties(FileClass of, const Head& head, ReadType& made, std::uint64_t depth) {
    Datatype& into = made.model;
    const std::uint32_t bits = head.bits;
    switch (of) {
      case FileClass::kInteger:
        into.cls = TypeClass::kInteger;
        into.order = byte_order(bits);
        into.is_signed = (bits & 8U) != 0;
        return significant(into);
      case FileClass::kBitField:
        into.cls = TypeClass::kBitfield;
        into.order = byte_order(bits);
        return significant(into);
      case FileClass::kFloat: return floating(bits, into);
      case FileClass::kTime:
        into.cls = TypeClass::kTime;
        into.order = byte_order(bits);
        into.precision = read_.u16();
        return;
      case FileClass::kString:
        into.cls = TypeClass::kString;
        into.padding = padding_of(bits & 15U);
        into.character_set = charset_of(bits >> 4U & 15U);
        return;
      case FileClass::kOpaque:
        into.cls = TypeClass::kOpaque;
        into.tag = text_of(read_.take(bits & 0xffU).bytes);
        return;
      case FileClass::kReference: return reference(bits & 15U, head, made);
      case FileClass::kCompound: return compound(head, made, depth);
      case FileClass::kEnumeration: return enumeration(head, into, depth);
      case FileClass::kVariableLength: return variable(head, made, depth);
      case FileClass::kArray: return array(head, made, depth);
      case FileClass::kComplex:
        into.cls = TypeClass::kUnknown;
        type(depth + 1);
        return;
    }
  }

  void significant(Datatype& into) {
    into.bit_offset = read_.u16();
    into.precision = read_.u16();
  }

  void floating(std::uint32_t bits, Datatype& into) {
    into.cls = TypeClass::kFloat;
    into.order = (bits & 0x41U) == 0x41U ? ByteOrder::kVax : byte_order(bits);
    significant(into);
    FloatLayout& f = into.floating;
    f.sign_position = bits >> 8U & 0xffU;
    f.exponent_position = read_.u8();
    f.exponent_size = read_.u8();
    f.mantissa_position = read_.u8();
    f.mantissa_size = read_.u8();
    f.exponent_bias = read_.u32();
    f.implied_one = (bits >> 4U & 3U) == 2;
  }

  void reference(unsigned kind, const Head& head, ReadType& made) {
    Datatype& into = made.model;
    into.cls = TypeClass::kReference;
    into.reference = kind == 0   ? ReferenceKind::kLegacyObject
                     : kind == 1 ? ReferenceKind::kLegacyRegion
                                 : ReferenceKind::kStandard;
    into.size = kind == 0 ? kObjectReference : kind == 1 ? kRegionReference : kStandardReference;
    made.form = plain(ElementForm::Kind::kReference, head.size, into.size);
  }

  // A zero-terminated name; in old versions padded with zeros to a multiple of eight.
  std::string name(unsigned version) {
    const hdf5::Region rest = message_.part(read_.at());
    std::string text = text_of(rest.bytes);
    const std::uint64_t length = text.size() + 1;
    read_.skip(version < 3 ? rounded_up(length, 8) : length);
    return text;
  }

  bool too_many(std::uint32_t members) {
    if (members <= limits_.type_members) return false;
    trouble_ =
        std::format("a datatype has more members than the limit of {}", limits_.type_members);
    return true;
  }

  void compound(const Head& head, ReadType& made, std::uint64_t depth) {
    Datatype& into = made.model;
    into.cls = TypeClass::kCompound;
    const std::uint32_t count = head.bits & 0xffffU;
    if (too_many(count)) return;
    auto form = std::make_shared<ElementForm>(
        ElementForm{.kind = ElementForm::Kind::kCopy, .stored_size = head.size, .size = head.size});
    struct Field {
      TypeMember member;
      std::shared_ptr<const ElementForm> form;
    };
    std::vector<Field> fields;
    for (std::uint32_t i = 0; i < count && !trouble_ && read_.good(); ++i) {
      Field field;
      field.member.name = name(head.version);
      field.member.offset = read_.number(head.version < 3 ? 4 : bytes_for(head.size));
      std::vector<std::uint64_t> dims;
      if (head.version == 1) {
        const unsigned rank = read_.u8();
        read_.skip(3 + 4 + 4);
        for (unsigned d = 0; d < 4; ++d)
          if (const std::uint32_t n = read_.u32(); d < rank) dims.push_back(n);
      }
      // With dimensions, it is an array, whose elements are one level deeper.
      ReadType type = this->type(depth + (dims.empty() ? 1 : 2));
      if (!dims.empty()) type = arrayed(std::move(type), std::move(dims));
      field.form = std::move(type.form);
      field.member.type = std::make_shared<const Datatype>(std::move(type.model));
      fields.push_back(std::move(field));
    }
    const auto converted = [](const Field& field) { return field.form && !field.form->copied(); };
    if (std::ranges::any_of(fields, converted)) {
      // libhdf5 sorts the members of such a type, and moves those after one that changes its size.
      form->kind = ElementForm::Kind::kCompound;
      std::ranges::stable_sort(fields, {}, [](const Field& each) { return each.member.offset; });
      std::uint64_t shift = 0;  // may be negative
      for (Field& field : fields) {
        const std::size_t stored = field.member.offset;
        field.member.offset += shift;
        if (field.form) shift += field.form->size - field.form->stored_size;
        form->members.push_back({stored, field.member.offset, field.form});
      }
      form->size += shift;
      into.size = form->size;
    }
    for (Field& field : fields) into.members.push_back(std::move(field.member));
    made.form = std::move(form);
  }

  void enumeration(const Head& head, Datatype& into, std::uint64_t depth) {
    into.cls = TypeClass::kEnum;
    ReadType base = type(depth + 1);
    into.order = base.model.order;
    into.is_signed = base.model.is_signed;
    const std::size_t size = base.model.size;
    into.base = std::make_shared<const Datatype>(std::move(base.model));
    const std::uint32_t count = head.bits & 0xffffU;
    if (too_many(count)) return;
    for (std::uint32_t i = 0; i < count && read_.good(); ++i)
      into.members.push_back({.name = name(head.version)});
    for (TypeMember& member : into.members) {
      const auto value = read_.take(size).bytes;
      member.value.assign(value.begin(), value.end());
    }
  }

  void variable(const Head& head, ReadType& made, std::uint64_t depth) {
    Datatype& into = made.model;
    const bool text = (head.bits & 15U) == 1;
    ReadType base = type(text ? 0 : depth + 1);
    if (text) {
      into.cls = TypeClass::kString;
      into.variable_length = true;
      into.padding = padding_of(head.bits >> 4U & 15U);
      into.character_set = charset_of(head.bits >> 8U & 15U);
      into.size = kStringPointer;
      made.form = plain(ElementForm::Kind::kString, head.size, into.size);
      return;
    }
    into.cls = TypeClass::kVlen;
    into.size = kSequence;
    into.base = std::make_shared<const Datatype>(std::move(base.model));
    made.form =
        std::make_shared<const ElementForm>(ElementForm{.kind = ElementForm::Kind::kSequence,
                                                        .stored_size = head.size,
                                                        .size = kSequence,
                                                        .base = std::move(base.form)});
  }

  void array(const Head& head, ReadType& made, std::uint64_t depth) {
    const unsigned rank = read_.u8();
    if (head.version < 3) read_.skip(3);
    std::vector<std::uint64_t> dims;
    for (unsigned d = 0; d < rank; ++d) dims.push_back(read_.u32());
    if (head.version < 3) read_.skip(std::uint64_t{4} * rank);
    made = arrayed(type(depth + 1), std::move(dims));
  }

  // An array of elements of that type.
  static ReadType arrayed(ReadType base, std::vector<std::uint64_t> dims) {
    ReadType made;
    std::uint64_t count = 1;
    for (const std::uint64_t n : dims) count = product(count, n);
    made.model.cls = TypeClass::kArray;
    made.model.size = product(count, base.model.size);
    made.model.dims = std::move(dims);
    made.model.base = std::make_shared<const Datatype>(std::move(base.model));
    if (!base.form) return made;
    made.form = std::make_shared<const ElementForm>(ElementForm{
        .kind = base.form->copied() ? ElementForm::Kind::kCopy : ElementForm::Kind::kArray,
        .stored_size = product(count, base.form->stored_size),
        .size = made.model.size,
        .count = count,
        .base = base.form});
    return made;
  }

  hdf5::Region message_;
  hdf5::Cursor read_;
  const Limits& limits_;
  std::optional<std::string>& trouble_;
  bool made_ok_ = true;
};

}  // namespace

ReadType read_datatype(const hdf5::Datatype& type, const Limits& limits,
                       std::optional<std::string>& trouble) {
  static const std::vector<std::byte> kNone;
  MessageParser parser(type.message ? *type.message : kNone, limits, trouble);
  ReadType made = parser.type(0);
  if (!trouble && (!parser.ok() || !made.form)) trouble = "its datatype cannot be read";
  return made;
}

}  // namespace hepcheck::hep001::own
