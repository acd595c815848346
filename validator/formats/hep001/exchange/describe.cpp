#include "validator/formats/hep001/exchange/describe.h"

#include <algorithm>
#include <bit>
#include <format>

#include "validator/formats/hep001/derive/codec.h"
#include "validator/formats/hep001/exchange/mapping.h"
#include "validator/formats/hep001/exchange/type_text.h"

namespace hepcheck::hep001 {

namespace {

constexpr std::string_view kNamed[] = {"units", "units_vocabulary", "description"};

// Import chooses it automatically for these values, except for booleans, which it stores as an
// enumeration.
bool is_plain(const Datatype& type, exchange::Kind as) {
  const bool little = type.order == ByteOrder::kLittle || type.size == 1;
  return as != exchange::Kind::kBoolean && little && std::has_single_bit(type.size) &&
         (is_ieee_float(type) || is_signed_integer(type, type.size) ||
          is_unsigned_integer(type, type.size));
}

std::optional<std::string> scalar_text(const Attribute& attribute) {
  if (attribute.unreadable || !attribute.space.scalar()) return std::nullopt;
  std::optional<std::string> text;
  if (attribute.type.is(TypeClass::kString))
    text = string_value(attribute);
  else if (has_integer_keys(code_type(attribute.type)) || is_ieee_float(attribute.type))
    text = value_text(attribute.type, attribute.bytes);
  return text && is_utf8(*text) ? text : std::nullopt;
}

std::string where(const std::string& path, const std::string& name) { return path + '@' + name; }

// One attribute under its own key.
void put(const std::string& path, const Attributes& attributes, std::string_view name,
         std::string key, exchange::Metadata& into, std::vector<std::string>& losses) {
  const auto it = attributes.find(name);
  if (it == attributes.end()) return;
  if (auto text = scalar_text(it->second))
    into.emplace_back(std::move(key), std::move(*text));
  else
    losses.push_back(where(path, it->first));
}

// One end of the valid range: as an attribute, or as a value of the column, for any datatype.
void put_bound(const Dataset& data, const char* name, exchange::Metadata& into,
               std::vector<std::string>& losses) {
  const Attribute* bound = data.attribute(name);
  if (!bound) return;
  std::optional<std::string> text = scalar_text(*bound);
  if (!text && !bound->unreadable && bound->space.scalar() &&
      compare(bound->type, data.type) == Sameness::kIdentical)
    text = value_text(data.type, bound->bytes);
  if (text)
    into.emplace_back(std::format("hep001:{}", name), std::move(*text));
  else
    losses.push_back(where(data.path, name));
}

}  // namespace

void describe_attributes(const std::string& path, const Attributes& attributes,
                         const std::vector<std::string_view>& but, exchange::Metadata& into,
                         std::vector<std::string>& losses) {
  for (const auto& [name, attribute] : attributes) {
    if (std::ranges::contains(but, std::string_view(name))) continue;
    const auto text = scalar_text(attribute);
    const bool is_string = attribute.type.is(TypeClass::kString);
    const auto type = is_string ? std::string() : type_text(attribute.type).value_or("");
    if (!text || !is_utf8(name) || (!is_string && type.empty())) {
      losses.push_back(where(path, name));
      continue;
    }
    if (std::ranges::contains(kNamed, std::string_view(name)) && is_string) {
      into.emplace_back("hep001:" + name, *text);
      continue;
    }
    into.emplace_back("hep001:attr:" + name, *text);
    if (!is_string) into.emplace_back("hep001:attr-type:" + name, type);
  }
}

void describe_dataset(const Dataset& data, exchange::Kind as, exchange::Metadata& into,
                      std::vector<std::string>& losses) {
  if (const auto text = type_text(data.type); text && !is_plain(data.type, as))
    into.emplace_back("hep001:type", *text);
  std::optional<std::string> fill;
  if (data.storage.fill_string)
    fill = data.storage.fill_string;
  else if (const auto* bytes = fill_bytes(data))
    fill = value_text(data.type, *bytes);
  if (has_user_fill(data)) {
    if (fill && is_utf8(*fill))
      into.emplace_back("hep001:fill", *fill);
    else
      losses.push_back(data.path + " (fill value)");
  }
  put_bound(data, "valid_min", into, losses);
  put_bound(data, "valid_max", into, losses);
  describe_attributes(data.path, data.attributes,
                      {"valid_min", "valid_max", "CATEGORIES", "SEARCH_INDEX_LIST", "arrow_type"},
                      into, losses);
}

exchange::Metadata describe_table(const Table& table, const std::set<std::string>& skipped,
                                  std::vector<std::string>& losses) {
  exchange::Metadata made;
  const Attributes& attributes = table.group.attributes;
  put(table.path(), attributes, "VERSION", "hep001:version", made, losses);
  put(table.path(), attributes, "TITLE", "hep001:title", made, losses);
  describe_attributes(
      table.path(), attributes,
      {"CLASS", "VERSION", "NROWS", "TITLE", "INDEX_COLUMNS", "column-order", "GENERATION"}, made,
      losses);
  if (const Attribute* index = table.attribute("INDEX_COLUMNS")) {
    std::vector<std::string> names;
    for (const Reference& each : index->references) {
      const auto at = table.column_by_token.find(each.token);
      if (at == table.column_by_token.end()) continue;
      const std::string& name = table.columns[at->second].name();
      if (skipped.contains(name))
        losses.push_back(where(table.path(), "INDEX_COLUMNS") + ": " + name + ", which is skipped");
      else
        names.push_back(name);
    }
    made.emplace_back("hep001:index_columns", json_list(names));
  }
  if (table.attribute("column-order")) made.emplace_back("hep001:column_order", "1");
  return made;
}

std::string json_list(const std::vector<std::string>& texts) {
  std::string made = "[";
  for (const std::string& text : texts) {
    if (made.size() > 1) made += ',';
    made += '"';
    for (const char c : text) {
      if (c == '"' || c == '\\')
        made += std::string{'\\', c};
      else if (static_cast<unsigned char>(c) < 0x20)
        made += std::format("\\u{:04x}", static_cast<int>(c));
      else
        made += c;
    }
    made += '"';
  }
  return made + ']';
}

std::optional<std::vector<std::string>> parse_json_list(std::string_view text) {
  std::vector<std::string> made;
  std::size_t i = 0;
  const auto skip = [&] {
    while (i < text.size() && (text[i] == ' ' || text[i] == '\n' || text[i] == '\t')) ++i;
  };
  const auto take = [&](char c) {
    skip();
    if (i >= text.size() || text[i] != c) return false;
    ++i;
    return true;
  };
  const auto take_text = [&] {
    if (!take('"')) return false;
    std::string& each = made.emplace_back();
    while (i < text.size() && text[i] != '"') {
      if (text[i] != '\\') {
        each += text[i++];
        continue;
      }
      if (i + 1 >= text.size()) return false;
      const char c = text[i + 1];
      if (c == 'u') {  // only control characters are written like this
        if (i + 6 > text.size() || text.substr(i + 2, 2) != "00") return false;
        const auto code = parse_value(opaque_type(1), text.substr(i + 4, 2));
        if (!code) return false;
        each += static_cast<char>(code->front());
        i += 6;
        continue;
      }
      each += c == 'n' ? '\n' : c == 't' ? '\t' : c;
      i += 2;
    }
    return take('"');
  };
  if (!take('[')) return std::nullopt;
  if (!take(']')) {
    do
      if (!take_text()) return std::nullopt;
    while (take(','));
    if (!take(']')) return std::nullopt;
  }
  skip();
  return i == text.size() ? std::optional(made) : std::nullopt;
}

}  // namespace hepcheck::hep001
