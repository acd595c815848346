#include "validator/formats/hep001/exchange/layout.h"

#include <algorithm>
#include <format>

#include "validator/utf8.h"

namespace hepcheck::hep001 {

namespace {

using exchange::ColumnLayout;

bool is_big(const Datatype& type) { return type.order == ByteOrder::kBig && type.size > 1; }

// The datatype of a value, if a layout has it; otherwise why not.
std::optional<std::string> describe_value(const Datatype& type, ColumnLayout& into) {
  into.width = static_cast<unsigned>(type.size);
  if (is_boolean_enum(type)) {
    into.kind = ColumnLayout::Kind::kBoolean;
    return std::nullopt;
  }
  if (type.is(TypeClass::kEnum) && type.base) return describe_value(*type.base, into);
  for (const std::size_t size : {1u, 2u, 4u, 8u})
    if (is_signed_integer(type, size) || is_unsigned_integer(type, size)) {
      into.kind = ColumnLayout::Kind::kInteger;
      into.is_signed = type.is_signed;
      return std::nullopt;
    }
  if (is_ieee_float(type) && type.size >= 4) {
    into.kind = ColumnLayout::Kind::kFloat;
    return std::nullopt;
  }
  if (type.is(TypeClass::kOpaque)) {
    into.kind = ColumnLayout::Kind::kOpaque;
    into.width = 1;
    into.count *= type.size;
    return std::nullopt;
  }
  return "its datatype has no equivalent";
}

std::optional<std::string> describe_cell(const Datatype& type, ColumnLayout& into) {
  if (type.is(TypeClass::kString)) {
    into.kind = ColumnLayout::Kind::kText;
    into.width = 1;
    into.utf8 = type.character_set == CharacterSet::kUtf8;
    into.variable = type.variable_length;
    into.count = type.size;
    return std::nullopt;
  }
  if (type.is(TypeClass::kArray) && type.base) {
    for (const std::uint64_t each : type.dims) into.count *= each;
    return describe_value(*type.base, into);
  }
  if (type.is(TypeClass::kVlen) && type.base) {
    into.variable = true;
    return describe_value(*type.base, into);
  }
  return describe_value(type, into);
}

// The fill value of a cell, little-endian.
std::vector<std::byte> fill_of(const Dataset& data, const ColumnLayout& layout) {
  if (layout.variable) {
    std::vector<std::byte> made(layout.width);
    if (data.storage.fill_string && !data.storage.fill_string->empty()) {
      const auto bytes = std::as_bytes(std::span(*data.storage.fill_string));
      made.assign(bytes.begin(), bytes.end());
    }
    return made;
  }
  std::vector<std::byte> made(layout.count * layout.width);
  const std::vector<std::byte>* const fill = fill_bytes(data);
  if (!fill) return made;
  if (data.type.is(TypeClass::kString)) {
    const std::string_view text = strip_padding(
        {reinterpret_cast<const char*>(fill->data()), fill->size()}, data.type.padding);
    std::ranges::copy(std::as_bytes(std::span(text)), made.begin());
    return made;
  }
  std::copy_n(fill->begin(), std::min(fill->size(), made.size()), made.begin());
  const Datatype& value =
      data.type.base && data.type.is(TypeClass::kArray) ? *data.type.base : data.type;
  if (is_big(value) || (value.base && is_big(*value.base)))
    for (std::size_t at = 0; at + layout.width <= made.size(); at += layout.width)
      std::reverse(made.begin() + static_cast<std::ptrdiff_t>(at),
                   made.begin() + static_cast<std::ptrdiff_t>(at + layout.width));
  return made;
}

exchange::StoredFilter stored_filter(const Filter& filter) {
  const auto level = [&]() -> std::optional<int> {
    if (filter.parameters.empty()) return std::nullopt;
    return static_cast<int>(filter.parameters[0]);
  };
  switch (filter.id) {
    case 1: return {"deflate", level()};
    case 2: return {"shuffle", {}};
    case 3: return {"fletcher32", {}};
    case 4: return {"szip", {}};
    case 5: return {"nbit", {}};
    case 6: return {"scale-offset", {}};
    case 307: return {"bzip2", level()};
    case 32004: return {"lz4", {}};
    case 32015: return {"zstd", level()};
    default: return {filter.name.empty() ? std::format("filter {}", filter.id) : filter.name, {}};
  }
}

// The position of the categories that a column refers to.
std::optional<std::size_t> categories_of(const Table& table, const Dataset& data) {
  const Attribute* const attribute = data.attribute("CATEGORIES");
  if (!attribute || attribute->references.size() != 1) return std::nullopt;
  const auto at = table.categories_by_token.find(attribute->references[0].token);
  if (at == table.categories_by_token.end()) return std::nullopt;
  return at->second;
}

// The name of an attribute, from the key of its neutral form.
std::string short_key(std::string_view key) {
  for (const std::string_view prefix : {"hep001:attr:", "hep001:attr-type:", "hep001:"})
    if (key.starts_with(prefix)) return std::string(key.substr(prefix.size()));
  return std::string(key);
}

class LayoutBuilder {
 public:
  LayoutBuilder(const Table& table, exchange::TableLayout& into) : table_(table), into_(into) {}

  void add(const exchange::Field& field) {
    const auto at = table_.column_by_name.find(field.name);
    if (at == table_.column_by_name.end()) {
      into_.refused.push_back(field.name + ": it is a list column");
      return;
    }
    const Dataset& data = *table_.columns[at->second].data;
    ColumnLayout made{.name = field.name};
    if (const auto why = describe_cell(data.type, made); why || made.count == 0) {
      into_.refused.push_back(field.name + ": " + why.value_or("its cells have no values"));
      return;
    }
    made.fill = fill_of(data, made);
    if (!data.storage.chunk.empty()) made.chunk = chunk_rows(data);
    for (const Filter& each : data.storage.filters) made.filters.push_back(stored_filter(each));
    add_categories(field, data, made);
    name_losses(field, data);
    into_.columns.push_back(std::move(made));
  }

 private:
  void lose(const std::string& column, std::string what) {
    into_.losses.push_back(std::format("column \"{}\": {}", column, what));
  }

  void add_categories(const exchange::Field& field, const Dataset& data, ColumnLayout& made) {
    const auto at = categories_of(table_, data);
    if (!at || !field.type.labels) return;
    const auto known = std::ranges::find(taken_, *at, &std::pair<std::size_t, std::size_t>::first);
    if (known != taken_.end()) {
      made.categories = known->second;
      return;
    }
    const exchange::Labels& labels = *field.type.labels;
    if (labels.type.kind != exchange::Kind::kText)
      return lose(field.name, "its categories, which are not texts");
    exchange::CategoriesLayout categories{.name = table_.categories[*at].data->name,
                                          .ordered = field.type.ordered};
    for (std::uint64_t i = 0; i < labels.values.length; ++i)
      categories.values.emplace_back(labels.values.text(i));
    auto sorted = categories.values;
    std::ranges::sort(sorted);
    if (std::ranges::adjacent_find(sorted) != sorted.end())
      return lose(field.name, "its categories, of which two are equal");
    made.categories = into_.categories.size();
    taken_.emplace_back(*at, into_.categories.size());
    into_.categories.push_back(std::move(categories));
  }

  void name_losses(const exchange::Field& field, const Dataset& data) {
    const Datatype& value = data.type.base ? *data.type.base : data.type;
    if (is_big(value)) lose(field.name, "byte order");
    if (data.type.is(TypeClass::kEnum) && !is_boolean_enum(data.type))
      lose(field.name, "names of the members of its enumeration");
    if (data.type.fixed_string()) lose(field.name, "padding of strings");
    if (data.extent().value_or(0) > table_.nrows.value_or(0)) lose(field.name, "rows beyond NROWS");
    for (const auto& [key, text] : field.metadata)
      if (key != "hep001:type" && key != "hep001:fill") lose(field.name, short_key(key));
  }

  const Table& table_;
  exchange::TableLayout& into_;
  std::vector<std::pair<std::size_t, std::size_t>> taken_{};  // categories, by their position here
};

}  // namespace

exchange::TableLayout layout_of(const Table& table, const exchange::Schema& schema,
                                const std::vector<std::string>& losses) {
  exchange::TableLayout made{.path = table.path(), .rows = table.nrows.value_or(0)};
  made.losses = losses;
  LayoutBuilder builder(table, made);
  for (const exchange::Field& field : schema.fields) builder.add(field);
  for (const SearchIndex& index : table.indexes)
    made.losses.push_back("search index " + index.data->path);
  for (const auto& [key, text] : schema.metadata)
    if (key != "hep001:column_order") made.losses.push_back("the table: " + short_key(key));
  return made;
}

}  // namespace hepcheck::hep001
