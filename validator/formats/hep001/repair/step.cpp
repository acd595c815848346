#include "validator/formats/hep001/repair/step.h"

#include <algorithm>
#include <format>
#include <utility>

#include "validator/formats/hep001/derive/order.h"

namespace hepcheck::hep001 {

namespace {

std::vector<std::byte> bytes_of(std::string_view text, std::size_t size) {
  std::vector<std::byte> bytes(size);
  std::ranges::copy(std::as_bytes(std::span(text)).first(std::min(size, text.size())),
                    bytes.begin());
  return bytes;
}

Dataspace list_space(std::size_t count) {
  return {.kind = Dataspace::Kind::kSimple, .extent = {count}, .max_extent = {count}};
}

constexpr std::size_t kMostShown = 8;

std::string joined(const std::vector<std::string>& parts, std::size_t all) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  if (all > parts.size()) text += std::format(" and {} more", all - parts.size());
  return text;
}

std::string values_of(const Attribute& attribute) {
  std::vector<std::string> parts;
  const auto full = [&] { return parts.size() >= kMostShown; };
  if (attribute.type.is(TypeClass::kReference)) {
    for (const Reference& reference : attribute.references)
      if (!full())
        parts.push_back(reference.null() ? "null"
                        : reference.resolved()
                            ? (reference.path.empty() ? "an object without a path" : reference.path)
                            : "dangling");
    return joined(parts, attribute.references.size());
  }
  const std::uint64_t count = attribute.space.elements();
  if (attribute.type.is(TypeClass::kString)) {
    for (const std::string& each : string_elements(attribute))
      if (!full()) parts.push_back('"' + each + '"');
    return joined(parts, count);
  }
  const std::size_t size = attribute.type.size;
  if (size == 0 || attribute.bytes.size() / size < count) return {};
  for (std::uint64_t i = 0; i < count && !full(); ++i)
    parts.push_back(
        format_value(attribute.type, std::span(attribute.bytes).subspan(i * size, size)));
  return joined(parts, count);
}

}  // namespace

Step put_attribute(std::string path, Attribute value) {
  Step step{.kind = Step::Kind::kPutAttribute, .path = std::move(path)};
  step.name = value.name;
  step.value = std::move(value);
  return step;
}
Step drop_attribute(std::string path, std::string name) {
  return {.kind = Step::Kind::kDropAttribute, .path = std::move(path), .name = std::move(name)};
}
Step rename_attribute(std::string path, std::string name, std::string to) {
  return {.kind = Step::Kind::kRenameAttribute,
          .path = std::move(path),
          .name = std::move(name),
          .other = std::move(to)};
}
Step remove_link(std::string path) {
  return {.kind = Step::Kind::kUnlink, .path = std::move(path)};
}
Step link_to(std::string path, const ObjectToken& token, std::string target) {
  return {.kind = Step::Kind::kLink,
          .path = std::move(path),
          .other = std::move(target),
          .token = token};
}
Step move_link(std::string path, std::string to) {
  return {.kind = Step::Kind::kMove, .path = std::move(path), .other = std::move(to)};
}
Step extend(std::string path, std::uint64_t rows) {
  return {.kind = Step::Kind::kExtend, .path = std::move(path), .extent = rows};
}

Attribute scalar_attribute(std::string name, Datatype type, std::vector<std::byte> bytes) {
  return {.name = std::move(name), .type = std::move(type), .bytes = std::move(bytes)};
}

Attribute ascii_attribute(std::string name, std::string_view value) {
  const std::size_t size = value.size() + 1;
  return scalar_attribute(std::move(name),
                          fixed_string_type(size, StringPadding::kNullTerm, CharacterSet::kAscii),
                          bytes_of(value, size));
}

Attribute utf8_attribute(std::string name, std::string_view value) {
  const std::size_t size = std::max<std::size_t>(1, value.size());
  return scalar_attribute(std::move(name),
                          fixed_string_type(size, StringPadding::kNullPad, CharacterSet::kUtf8),
                          bytes_of(value, size));
}

Attribute utf8_list_attribute(std::string name, const std::vector<std::string>& values) {
  std::size_t size = 1;
  for (const std::string& each : values) size = std::max(size, each.size());
  Attribute made{.name = std::move(name),
                 .type = fixed_string_type(size, StringPadding::kNullPad, CharacterSet::kUtf8),
                 .space = list_space(values.size())};
  for (const std::string& each : values) {
    const std::vector<std::byte> bytes = bytes_of(each, size);
    made.bytes.insert(made.bytes.end(), bytes.begin(), bytes.end());
  }
  return made;
}

Attribute number_attribute(std::string name, std::uint64_t value) {
  std::vector<std::byte> bytes;
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
  return scalar_attribute(std::move(name), integer_type(8, false), std::move(bytes));
}

Attribute boolean_attribute(std::string name, bool value) {
  return scalar_attribute(std::move(name), boolean_type(), {std::byte{value}});
}

Attribute reference_attribute(std::string name, const Reference& target) {
  Attribute made{.name = std::move(name), .type = standard_reference_type()};
  made.references = {target};
  return made;
}

Attribute reference_list(std::string name, std::vector<Reference> targets) {
  Attribute made{.name = std::move(name),
                 .type = standard_reference_type(),
                 .space = list_space(targets.size())};
  made.references = std::move(targets);
  return made;
}

std::string describe_value(const Attribute& attribute) {
  if (attribute.unreadable) return "unreadable: " + *attribute.unreadable;
  std::string text = describe(attribute.type);
  if (!attribute.space.scalar()) text += ", " + describe(attribute.space);
  if (const std::string values = values_of(attribute); !values.empty()) text += ": " + values;
  return text;
}

}  // namespace hepcheck::hep001
