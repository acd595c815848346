// Chapters 4.8 and 4.9: custom metadata, extension types.
#include <algorithm>
#include <format>

#include "validator/formats/arrow/rule.h"
#include "validator/formats/arrow/schema_rules.h"
#include "validator/utf8.h"

namespace hepcheck::arrow {

namespace {

struct Pair {
  const KeyValue& pair;
  std::string_view apart_from;
};

void key_and_value_present(const Pair& it, Look& look) {
  look.ask(
      it.pair.key && it.pair.value,
      [&] { return it.pair.key ? "a pair without a value" : "a pair without a key"; },
      "a key and a value");
}

void utf8(const Pair& it, Look& look) {
  const bool key = is_utf8(it.pair.key.value_or("")), value = is_utf8(it.pair.value.value_or(""));
  look.ask(
      key && value,
      [&] {
        return key ? std::format("the value of \"{}\"", *it.pair.key) : std::string("the key");
      },
      "UTF-8");
}

void reserved_namespace(const Pair& it, Look& look) {
  const std::string_view key = it.pair.key.value_or("");
  if (key == it.apart_from && !key.empty()) return;
  const bool reserved = key == "ARROW" || key.starts_with("ARROW:");
  look.ask(
      !reserved || key == kExtensionName || key == kExtensionMetadata,
      [&] { return std::format("the key \"{}\"", key); },
      "a key outside the namespace ARROW, or one of an extension type");
}

constexpr Rule<Pair> kPairRules[] = {
    {"arrow-metadata-key-and-value-present", key_and_value_present},
    {"arrow-metadata-utf8", utf8},
    {"arrow-metadata-reserved-namespace", reserved_namespace},
};

void metadata_needs_name(const Field& field, Look& look) {
  if (!find_pair(field, kExtensionMetadata)) return;
  look.ask(find_pair(field, kExtensionName) != nullptr, "extension metadata alone",
           "an extension name with them");
}

void name_prefixed(const Field& field, Look& look) {
  const KeyValue* pair = find_pair(field, kExtensionName);
  if (!pair || !pair->value) return;
  const std::string_view name = *pair->value;
  const std::size_t dot = name.find('.', 1);
  look.ask(
      dot != name.npos && dot + 1 < name.size(), [&] { return std::format("\"{}\"", name); },
      "a name with a prefix: \"prefix.name\"");
}

constexpr Rule<Field> kExtensionRules[] = {
    {"arrow-extension-metadata-needs-name", metadata_needs_name},
    {"arrow-extension-name-prefixed", name_prefixed},
};

}  // namespace

const KeyValue* find_pair(const Field& field, std::string_view key) {
  const auto it =
      std::ranges::find_if(field.metadata, [&](const KeyValue& pair) { return pair.key == key; });
  return it == field.metadata.end() ? nullptr : &*it;
}

void judge_metadata(const std::vector<KeyValue>& pairs, const Path& path, std::uint64_t start,
                    Notes& notes, std::string_view apart_from) {
  for (const KeyValue& pair : pairs)
    judge_each<kPairRules>(Pair{pair, apart_from}, {.path = &path, .byte = start + pair.at}, notes);
}

void judge_extension(const Field& field, const Place& place, Notes& notes) {
  judge_each<kExtensionRules>(field, place, notes);
}

void metadata_rules(RuleList& list) { list.structure<kPairRules, kExtensionRules>(); }

}  // namespace hepcheck::arrow
