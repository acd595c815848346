#include "validator/formats/hdf5/attribute.h"

#include <algorithm>
#include <format>

#include "validator/formats/hdf5/dataspace.h"
#include "validator/formats/hdf5/global_heap.h"
#include "validator/formats/hdf5/names.h"
#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

constexpr std::uint8_t kSharedType = 1, kSharedSpace = 2;

struct Fields {
  std::uint8_t version = 0, flags = 0;
  std::uint16_t name_size = 0, type_size = 0, space_size = 0;
  Region name{}, type{}, space{}, value{};
  bool whole = false;  // the three parts exist
  std::uint8_t charset = 0;
  bool padding = false;  // the padding of version 1 is not zero

  std::string name_text() const {
    const auto zero = std::ranges::find(name.bytes, std::byte{0});
    return {reinterpret_cast<const char*>(name.bytes.data()),
            static_cast<std::size_t>(zero - name.bytes.begin())};
  }
};

void version(const Fields& it, Look& look) {
  look.looked();
  if (it.version < 1 || it.version > 3)
    look.fail(0, std::format("version {}", it.version), "version 1, 2 or 3");
}

void flags(const Fields& it, Look& look) {
  if (it.version < 2) return;  // reserved byte
  look.looked();
  if ((it.flags & 0xfc) != 0)
    look.fail(1, std::format("flags {:#04x}", it.flags), "bits 2 to 7 clear");
}

void parts_fit(const Fields& it, Look& look) {
  look.looked();
  if (!it.whole)
    look.fail(0,
              std::format("a name of {}, a datatype of {} and a dataspace of {} bytes",
                          it.name_size, it.type_size, it.space_size),
              "parts that the message holds");
}

void name(const Fields& it, Look& look) {
  look.looked();
  const auto bytes = it.name.bytes;
  const auto zero = std::ranges::find(bytes, std::byte{0});
  if (bytes.empty())
    look.fail(2, "a name of 0 bytes", "a name that ends in a zero");
  else if (zero == bytes.end())
    look.fail(2, "a name without a zero at its end", "a zero as the last byte of the name");
  else if (zero + 1 != bytes.end())
    look.fail(2,
              std::format("a zero at byte {} of a name of {}", zero - bytes.begin(), bytes.size()),
              "a zero only as its last byte");
}

constexpr Rule<Fields> kAttributeRules[] = {
    {"swmr-attribute-version", version},
    {"swmr-attribute-flags", flags},
    {"swmr-attribute-fits", parts_fit},
    {"swmr-attribute-name", name},
};

struct Value {
  std::uint64_t there, wanted;
};

constexpr Rule kValueRule("swmr-attribute-fits", [](const Value& it, Look& look) {
  look.looked();
  if (it.there < it.wanted)
    look.fail(0, std::format("a value of {} bytes", it.there),
              std::format("{}, as datatype and dataspace require", it.wanted));
});

// --- What an attribute says ---------------------------------------------------------------------

void charset(const Fields& it, Look& look) {
  if (it.version != 3) return;
  look.looked();
  if (it.charset > 1)
    look.fail(8, std::format("character set {}", it.charset), "0 (ASCII) or 1 (UTF-8)");
}

// A name without its zero has its own clause.
void name_not_empty(const Fields& it, Look& look) {
  look.looked();
  if (it.name_size < 2)
    look.fail(2, std::format("a name of {} bytes", it.name_size), "one letter and a zero");
}

constexpr Rule<Fields> kAttributeMeaningRules[] = {
    {"h5-attribute-charset", charset},
    {"h5-attribute-name-not-empty", name_not_empty},
};

constexpr Rule kAttributeReservedRule("h5-attribute-v1-reserved", [](const Fields& it, Look& look) {
  if (it.version != 1) return;
  look.looked();
  if (it.flags != 0 || it.padding)
    look.fail(1, "a reserved byte or padding that is not zero", "zeros");
});

// A sound attribute.
struct AttributeOf {
  const Fields& fields;
  const Attribute& attribute;
  std::uint64_t type_size, space_size;  // of the parts, by what they hold
  bool padded;

  bool type_fits() const { return fits(fields.type_size, type_size); }
  bool space_fits() const { return fits(fields.space_size, space_size); }

 private:
  bool fits(std::uint64_t stated, std::uint64_t encoded) const {
    return fields.version == 1 ? stated >= encoded && stated - encoded <= 7 : stated == encoded;
  }
};

void part_sizes(const AttributeOf& it, Look& look) {
  look.looked();
  if (!it.type_fits())
    look.fail(4, std::format("a datatype of {} bytes", it.fields.type_size),
              std::format("{}, which it takes", it.type_size));
  else if (!it.space_fits())
    look.fail(6, std::format("a dataspace of {} bytes", it.fields.space_size),
              std::format("{}, which it takes", it.space_size));
}

void not_extendable(const AttributeOf& it, Look& look) {
  look.looked();
  if (it.attribute.space.can_grow())
    look.fail(0, "a maximum above the size", "the size, which cannot change");
}

// Where a part takes fewer bytes than it should, or states too few elements, more are left.
void attribute_slack(const AttributeOf& it, Look& look) {
  if (!it.type_fits() || !it.space_fits() || !it.attribute.type.sound) return;
  if (it.attribute.space.can_grow()) return;
  look.looked();
  const std::uint64_t slack = it.fields.value.size() - it.attribute.value.size();
  if (slack >= (it.padded ? 8 : 1))
    look.fail(0, std::format("{} bytes after the value", slack),
              it.padded ? "fewer than 8" : "none");
}

constexpr Rule<AttributeOf> kAttributeFormRules[] = {
    {"h5-attribute-part-sizes", part_sizes},
    {"h5-attribute-not-extendable", not_extendable},
    {"h5-attribute-slack", attribute_slack},
};

// The bytes of a part that is stored elsewhere.
std::uint64_t shared_size(const Region& part, const Container& file) {
  Cursor read(part);
  const std::uint8_t version = read.u8("version"), type = read.u8("type");
  if (version == 1) return 8 + std::uint64_t{file.length_size} + file.offset_size;
  return version == 3 && type == 1 ? 10 : 2 + std::uint64_t{file.offset_size};
}

Fields parse(const Region& message) {
  Cursor read(message);
  Fields made{.version = read.u8("version"), .flags = read.u8("flags")};
  made.name_size = read.u16("name size");
  made.type_size = read.u16("type size");
  made.space_size = read.u16("space size");
  if (made.version == 3) made.charset = read.u8("charset");
  const auto part = [&](std::uint64_t size, const char* name) {
    const Region taken = read.take(size, name);
    if (made.version == 1)
      made.padding |= read.number(static_cast<unsigned>((8 - size % 8) % 8), "padding") != 0;
    return taken;
  };
  made.name = part(made.name_size, "name");
  made.type = part(made.type_size, nullptr);
  made.space = part(made.space_size, nullptr);
  made.whole = read.good();
  made.value = message.part(read.at());
  name_contents(made.value, "value");
  name_unused(made.type, "padding");
  name_unused(made.space, "padding");
  return made;
}

std::optional<Attribute> read_parsed(const Fields& fields, const Region& message, bool padded,
                                     Container& file, SharedMessages& shared) {
  Attribute made{.name = fields.name_text()};
  file.notes.in_attribute(made.name);
  if (!judge<kAttributeRules>(fields, message.place, file.notes)) return std::nullopt;
  const bool flagged = fields.version > 1;
  const bool type_shared = flagged && (fields.flags & kSharedType) != 0;
  const bool space_shared = flagged && (fields.flags & kSharedSpace) != 0;
  const std::optional<Datatype> type = shared.datatype(fields.type, type_shared);
  std::optional<Dataspace> space;
  const bool spaced = type && shared.with(fields.space, MessageType::kDataspace, space_shared,
                                          [&](const Region& data) {
                                            space = read_dataspace(data, file);
                                            return space.has_value();
                                          });
  if (!spaced) return std::nullopt;
  const Value value{fields.value.size(), product(space->elements(), type->size)};
  // The size of a datatype that is at fault gives no finding of its own.
  if (type->sound || !file.whole_format ? !judge<kValueRule>(value, fields.value.place, file.notes)
                                        : value.there < value.wanted)
    return std::nullopt;
  made.type = *type;
  made.space = *space;
  made.value = fields.value.part(0, value.wanted);
  elements_hold(*space, fields.space.place, file.notes);
  if (judge<kAttributeMeaningRules>(fields, message.place, file.notes)) {
    judge<kAttributeReservedRule>(fields, message.place, file.notes);
    const AttributeOf sound{
        fields, made, type_shared ? shared_size(fields.type, file) : type->encoded,
        space_shared ? shared_size(fields.space, file) : space->encoded, padded};
    judge_each<kAttributeFormRules>(sound, message.place, file.notes);
  }
  made.utf8 = fields.charset == 1;  // versions before 3 state none
  made.name_at = fields.name.place;
  return made;
}

}  // namespace

void attribute_rules(RuleList& list) {
  list.structure<kAttributeRules, kAttributeMeaningRules, kAttributeReservedRule,
                 kAttributeFormRules>();
}

std::optional<Attribute> read_attribute(const Region& message, bool padded, Container& file,
                                        SharedMessages& shared) {
  return read_parsed(parse(message), message, padded, file, shared);
}

// Of the value, the clauses only ask how long it is.
const Attribute* KnownAttributes::read(const Region& message, bool padded, Container& file,
                                       SharedMessages& shared) {
  const Fields fields = parse(message);
  const Region before = message.part(0, message.size() - fields.value.size());
  if (Known* known = fields.whole ? known_.find(before) : nullptr;
      known && known->size == message.size() && known->padded == padded) {
    known->attribute.value = fields.value.part(0, known->attribute.value.size());
    return &known->attribute;
  }
  other_ = read_parsed(fields, message, padded, file, shared);
  if (!other_) return nullptr;
  if (file.notes.errors().any() || !known_.has_room(before) || known_.find(before)) return &*other_;
  other_->number = known_.size();
  return &known_.keep(before, {*std::move(other_), message.size(), padded}).attribute;
}

std::optional<std::string> text_of(const Attribute& attribute, Container& file) {
  constexpr unsigned kSpacePadded = 2, kString = 1;
  const Datatype& type = attribute.type;
  if (attribute.space.elements() != 1) return std::nullopt;
  const bool variable =
      type.type_class == TypeClass::kVariableLength && (type.bits & 15U) == kString;
  if (!variable && type.type_class != TypeClass::kString) return std::nullopt;
  const auto bytes = attribute.value.bytes;
  std::optional<std::string> text =
      variable ? heap_text(attribute.value, file)
               : std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text) return std::nullopt;
  text->erase(std::min(text->find('\0'), text->size()));
  const unsigned padding = (variable ? type.bits >> 4U : type.bits) & 15U;
  if (padding == kSpacePadded) text->erase(text->find_last_not_of(' ') + 1);
  return text;
}

}  // namespace hepcheck::hdf5
