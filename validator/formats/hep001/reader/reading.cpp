#include "validator/formats/hep001/reader/reading.h"

#include <format>

#include "validator/fnv1a.h"

namespace hepcheck::hep001 {

namespace {

constexpr unsigned kMostTypes = 64;  // nested ones

std::string number_text(std::span<const std::uint64_t> numbers) {
  std::string text;
  for (const std::uint64_t each : numbers)
    text += std::format("{}{}", text.empty() ? "" : ",", each);
  return "(" + text + ")";
}

std::string token_text(const ObjectToken& token) {
  return reading_of(std::as_bytes(std::span(token.bytes)));
}

std::string type_text(const Datatype& type, unsigned level) {
  if (level > kMostTypes) return "...";
  std::string text =
      std::format("class {} size {} order {} precision {} offset {}{}", static_cast<int>(type.cls),
                  type.size, static_cast<int>(type.order), type.precision, type.bit_offset,
                  type.is_signed ? " signed" : "");
  if (type.is(TypeClass::kFloat)) {
    const FloatLayout& f = type.floating;
    text += std::format(" sign {} exponent {}+{} bias {} mantissa {}+{}{}", f.sign_position,
                        f.exponent_position, f.exponent_size, f.exponent_bias, f.mantissa_position,
                        f.mantissa_size, f.implied_one ? " implied" : "");
  }
  if (type.is(TypeClass::kString))
    text += std::format(" {} padding {} set {}", type.variable_length ? "variable" : "fixed",
                        static_cast<int>(type.padding), static_cast<int>(type.character_set));
  if (type.is(TypeClass::kOpaque)) text += " tag " + type.tag;
  if (type.is(TypeClass::kReference))
    text += std::format(" reference {}", static_cast<int>(type.reference));
  for (const TypeMember& member : type.members) {
    text += std::format(" {{{} @ {}", member.name, member.offset);
    if (member.type) text += " " + type_text(*member.type, level + 1);
    if (!member.value.empty()) text += " = " + reading_of(member.value);
    text += "}";
  }
  if (type.base) text += " of [" + type_text(*type.base, level + 1) + "]";
  if (type.is(TypeClass::kArray)) text += number_text(type.dims);
  return text;
}

}  // namespace

std::string reading_of(std::span<const std::byte> bytes) {
  constexpr std::size_t kMost = 32;
  std::string text = std::format("{} bytes", bytes.size());
  for (std::size_t i = 0; i < std::min(kMost, bytes.size()); ++i)
    text += std::format("{}{:02x}", i == 0 ? " " : "", std::to_integer<unsigned>(bytes[i]));
  if (bytes.size() > kMost)
    text += std::format("... with the FNV-1a digest {:016x}",
                        fnv1a({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
  return text;
}

std::string reading_of(const Datatype& type) { return type_text(type, 0); }

std::string reading_of(const Dataspace& space) {
  return std::format("space {} {} to {}", static_cast<int>(space.kind), number_text(space.extent),
                     number_text(space.max_extent));
}

std::string reading_of(const Reference& reference) {
  std::string text = std::format("reference {} to {}", static_cast<int>(reference.kind),
                                 static_cast<int>(reference.target));
  if (reference.resolved())
    text += std::format(" {} {}", reading_of(reference.object), token_text(reference.token));
  return text + (reference.file.empty() ? "" : " in " + reference.file);
}

std::string reading_of(const Attribute& attribute) {
  std::string text = std::format("{}; {}", reading_of(attribute.type), reading_of(attribute.space));
  if (!attribute.bytes.empty()) text += "; " + reading_of(attribute.bytes);
  for (const std::string& each : attribute.strings) text += "; \"" + each + '"';
  for (const Reference& each : attribute.references) text += "; " + reading_of(each);
  return text;
}

std::string reading_of(const LinkInfo& link) {
  return std::format("\"{}\" {} {} bytes {}", link.name, static_cast<int>(link.kind),
                     link.value_bytes, token_text(link.token));
}

std::string reading_of(const Storage& storage, const Datatype& type) {
  std::string text = std::format("layout {} chunk {}", static_cast<int>(storage.layout),
                                 number_text(storage.chunk));
  for (const Filter& filter : storage.filters) {
    text += std::format("; filter {} {}{}{}", filter.id, filter.name,
                        filter.optional ? " optional" : "", filter.available ? "" : " unknown");
    for (const unsigned each : filter.parameters) text += std::format(" {}", each);
  }
  text += std::format("; fill {}", static_cast<int>(storage.fill_state));
  if (storage.fill_unreadable) return text;
  // References have another form in memory.
  if (!contains_class(type, TypeClass::kReference)) {
    if (!storage.fill.empty()) text += " " + reading_of(storage.fill);
    if (storage.fill_form)
      text += " form " + reading_of(std::as_bytes(std::span(*storage.fill_form)));
  }
  if (storage.fill_string) text += " \"" + *storage.fill_string + '"';
  return text;
}

std::string reading_of(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::kGroup: return "a group";
    case ObjectKind::kDataset: return "a dataset";
    case ObjectKind::kNamedDatatype: return "a datatype";
    default: return "another object";
  }
}

}  // namespace hepcheck::hep001
