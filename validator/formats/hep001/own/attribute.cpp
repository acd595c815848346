#include "validator/formats/hep001/own/attribute.h"

#include <cstring>
#include <format>
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

// What is kept of an attribute until all of an object were read.
struct Found {
  std::string name;
  hdf5::Datatype type;
  hdf5::Dataspace space;
  std::vector<std::byte> value;
  bool too_large;
};

void read_strings(const Found& found, const ElementForm& form, Context& context, Attribute& into) {
  Elements elements(context);
  const std::uint64_t most = context.limits.string_bytes;
  for (std::size_t at = 0; at + form.stored_size <= found.value.size(); at += form.stored_size) {
    std::string_view text;
    into.unreadable = elements.text(std::span(found.value).subspan(at, form.stored_size), text);
    if (!into.unreadable && text.size() > most)
      into.unreadable = "a string is longer than the limit of " + counted(most, "byte");
    if (into.unreadable) {
      into.strings.clear();
      return;
    }
    into.strings.emplace_back(text);
  }
}

Attribute attribute_of(Found&& found, Context& context) {
  Attribute into{.name = found.name};
  ReadType type = read_datatype(found.type, context.limits, into.unreadable);
  into.type = std::move(type.model);
  into.space = space_of(found.space);
  if (into.unreadable) return into;
  const std::uint64_t bytes = product(into.space.elements(), into.type.size);
  if (found.too_large || bytes > context.limits.attribute_bytes) {
    into.unreadable = "its value claims to exceed the limit of " +
                      counted(context.limits.attribute_bytes, "byte");
    return into;
  }
  if (bytes == 0) return into;
  if (into.type.is(TypeClass::kReference))
    read_references(found.value, type.form->stored_size, context, into);
  else if (into.type.variable_string())
    read_strings(found, *type.form, context, into);
  else if (type.form->copied())
    into.bytes = std::move(found.value);
  return into;
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
  std::vector<Found> all;
  bool full = false, marked = false;
  // Attributes of an object may be stored in the same place.
  std::uint64_t left = product(4, limits.attribute_bytes);
  {
    const Attempt attempt(context);
    hdf5::read_attributes(
        header, context.container(), context.walk.shared(), [&](const hdf5::Attribute& attribute) {
          // What marks a table is read beside the limit.
          const bool marker = !marked && attribute.name == "CLASS";
          marked |= marker;
          if (all.size() >= limits.attributes && !marker) {
            full = true;
            return;
          }
          const auto bytes = attribute.value.bytes;
          const bool large = bytes.size() > limits.attribute_bytes || bytes.size() > left;
          all.push_back({until_zero(attribute.name), attribute.type, attribute.space, {}, large});
          if (large) return;
          left -= bytes.size();
          all.back().value.assign(bytes.begin(), bytes.end());
        });
    if (const auto why = attempt.trouble()) trouble = "attributes: " + *why;
  }
  if (full) trouble = std::format("more attributes than the limit of {}", limits.attributes);
  Attributes attributes;
  for (Found& found : all) {
    Attribute made = attribute_of(std::move(found), context);
    std::string name = made.name;
    attributes.emplace(std::move(name), std::move(made));
  }
  return attributes;
}

}  // namespace hepcheck::hep001::own
