#include "validator/formats/hep001/model/index_gate.h"

#include <algorithm>
#include <array>
#include <format>
#include <optional>

#include "validator/formats/hep001/model/table.h"

namespace hepcheck::hep001 {

namespace {

// One of the four attributes: its value, or the reason why there is none.
struct Token {
  const char* name;
  std::optional<std::uint64_t> value{};
  std::string wrong{};   // it is absent or has the wrong form
  std::string unread{};  // it exists, or may exist, but cannot be read
};

Token token(const char* name, const Attributes& attributes,
            const std::optional<std::string>& unlisted) {
  const auto it = attributes.find(name);
  if (it == attributes.end())
    return unlisted ? Token{.name = name, .unread = *unlisted}
                    : Token{.name = name, .wrong = std::format("{} absent", name)};
  const Attribute& attribute = it->second;
  if (attribute.unreadable) return {.name = name, .unread = *attribute.unreadable};
  if (!is_unsigned_integer(attribute.type, 8))
    return {.name = name, .wrong = std::format("{} is {}", name, describe(attribute.type))};
  if (!attribute.space.scalar())
    return {.name = name, .wrong = std::format("{} is not a scalar", name)};
  return {.name = name, .value = unsigned_value(attribute)};
}

bool differ(const Token& a, const Token& b) { return a.value && b.value && *a.value != *b.value; }

}  // namespace

std::string IndexGate::text() const {
  switch (state) {
    case State::kValid: return "valid";
    case State::kStale: return "stale: " + why;
    case State::kDisabled: return "disabled: " + why;
    case State::kUnknown: return "not known: " + why;
  }
  return "?";
}

IndexGate gate_of(const Table& table, const Dataset& index) {
  if (!table.revision->tokens) return {};
  const Group& group = table.group;
  const std::array tokens = {
      token("SOURCE_GENERATION", index.attributes, index.attributes_unreadable),
      token("GENERATION", group.attributes, group.attributes_unreadable),
      token("SOURCE_NROWS", index.attributes, index.attributes_unreadable),
      token("NROWS", group.attributes, group.attributes_unreadable)};
  using State = IndexGate::State;
  // A token that certainly fails decides the check, regardless of the others.
  for (const Token& each : tokens)
    if (!each.wrong.empty()) return {State::kDisabled, each.wrong};
  for (std::size_t i = 0; i < tokens.size(); i += 2)
    if (differ(tokens[i], tokens[i + 1]))
      return {State::kStale, std::format("{} {}, {} {}", tokens[i].name, *tokens[i].value,
                                         tokens[i + 1].name, *tokens[i + 1].value)};
  for (const Token& each : tokens)
    if (!each.value)
      return {State::kUnknown, std::format("{} cannot be read: {}", each.name, each.unread)};
  return {};
}

}  // namespace hepcheck::hep001
