#include "validator/formats/hep001/own/attribute.h"

#include <algorithm>
#include <format>
#include <memory>
#include <utility>
#include <vector>

#include "validator/counted.h"
#include "validator/formats/hdf5/object_parts.h"
#include "validator/formats/hep001/own/datatype.h"
#include "validator/formats/hep001/own/elements.h"
#include "validator/formats/hep001/own/reference.h"
#include "validator/integers.h"

namespace hepcheck::hep001::own {

namespace {

// The value of an attribute that refers to something else, until all of an object were read.
struct Pending {
  std::size_t at;  // of the attribute
  std::shared_ptr<const ElementForm> form;
  std::vector<std::byte> value;
};

void read_strings(const Pending& pending, Context& context, Attribute& into) {
  Elements elements(context);
  const std::uint64_t most = context.limits.string_bytes;
  const std::size_t size = pending.form->stored_size;
  for (std::size_t at = 0; at + size <= pending.value.size(); at += size) {
    std::string_view text;
    into.unreadable = elements.text(std::span(pending.value).subspan(at, size), text);
    if (!into.unreadable && text.size() > most)
      into.unreadable = "a string is longer than the limit of " + counted(most, "byte");
    if (into.unreadable) {
      into.strings.clear();
      return;
    }
    into.strings.emplace_back(text);
  }
}

// Everything but its value. Thousands of objects have attributes that differ in nothing else.
Context::Described described(const hdf5::Attribute& attribute, Context& context) {
  const auto describe = [&] {
    Context::Described made{.attribute = {.name = until_zero(attribute.name)}};
    ReadType type = context.type(attribute.type, made.attribute.unreadable);
    made.attribute.type = std::move(type.model);
    made.attribute.space = space_of(attribute.space);
    made.form = std::move(type.form);
    return made;
  };
  if (!attribute.number) return describe();
  auto& all = context.described;
  if (*attribute.number >= all.size()) all.resize(*attribute.number + 1);
  if (!all[*attribute.number]) all[*attribute.number] = describe();
  return *all[*attribute.number];
}

}  // namespace

Dataspace space_of(const hdf5::Dataspace& space) {
  Dataspace into;
  if (space.null())
    into.kind = Dataspace::Kind::kNull;
  else if (space.version == 2 ? space.type != 0 : space.rank > 0)
    into.kind = Dataspace::Kind::kSimple;
  if (into.kind != Dataspace::Kind::kSimple) return into;
  into.extent.assign(space.size().begin(), space.size().end());
  into.max_extent.assign(space.maximum().begin(), space.maximum().end());
  return into;
}

Attributes read_attributes(const hdf5::ObjectHeader& header, Context& context,
                           std::optional<std::string>& trouble) {
  const Limits& limits = context.limits;
  std::vector<Attributes::value_type> all;
  const auto stored =
      std::ranges::count(header.messages, hdf5::MessageType::kAttribute, &hdf5::Message::type);
  all.reserve(std::min(static_cast<std::uint64_t>(stored), limits.attributes));
  std::vector<Pending> pending;
  bool full = false, marked = false;
  // Attributes of an object may be stored in the same place.
  std::uint64_t left = product(4, limits.attribute_bytes);
  const auto add = [&](const hdf5::Attribute& attribute) {
    // What marks a table is read beside the limit.
    const bool marker = !marked && attribute.name == "CLASS";
    marked |= marker;
    if (all.size() >= limits.attributes && !marker) {
      full = true;
      return;
    }
    const auto bytes = attribute.value.bytes;
    const bool large = bytes.size() > limits.attribute_bytes || bytes.size() > left;
    if (!large) left -= bytes.size();
    auto [made, form] = described(attribute, context);
    Attribute& into = all.emplace_back(made.name, std::move(made)).second;
    if (into.unreadable) return;
    const std::uint64_t size = product(into.space.elements(), into.type.size);
    if (large || size > limits.attribute_bytes) {
      into.unreadable =
          "its value claims to exceed the limit of " + counted(limits.attribute_bytes, "byte");
    } else if (size > 0 && form->copied()) {
      into.bytes.assign(bytes.begin(), bytes.end());
    } else if (size > 0 && (into.type.is(TypeClass::kReference) || into.type.variable_string())) {
      pending.push_back({all.size() - 1, std::move(form), {bytes.begin(), bytes.end()}});
    }
  };
  {
    const Attempt attempt(context);
    hdf5::read_attributes(header, context.container(), context.walk.shared(), add,
                          &context.known_attributes);
    if (const auto why = attempt.trouble()) trouble = "attributes: " + *why;
  }
  if (full) trouble = std::format("more attributes than the limit of {}", limits.attributes);
  for (const Pending& each : pending) {
    Attribute& into = all[each.at].second;
    if (into.type.is(TypeClass::kReference))
      read_references(each.value, each.form->stored_size, context, into);
    else
      read_strings(each, context, into);
  }
  return Attributes(std::move(all));
}

}  // namespace hepcheck::hep001::own
