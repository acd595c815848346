#include "validator/formats/hep001/model/table.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <unordered_set>

#include "validator/formats/hep001/model/integers.h"

namespace hepcheck::hep001 {

namespace {

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The integer stored in the first element of an attribute.
std::optional<Integer> first_integer(const Attribute& attribute) {
  const std::size_t size = attribute.type.size;
  if (attribute.unreadable || attribute.bytes.size() < size) return std::nullopt;
  return integer_value(attribute.type, std::span(attribute.bytes).first(size));
}

// The first string element of an attribute, without padding.
std::optional<std::string_view> string_view_of(const Attribute& attribute) {
  if (!attribute.type.is(TypeClass::kString) || attribute.unreadable) return std::nullopt;
  if (attribute.type.variable_length)
    return attribute.strings.empty() ? std::nullopt
                                     : std::optional<std::string_view>(attribute.strings.front());
  const std::size_t size = attribute.type.size;
  if (size == 0 || attribute.bytes.size() < size) return std::nullopt;
  return strip_padding(as_text(attribute.bytes).substr(0, size), attribute.type.padding);
}

IndexKind kind_of(const Dataset& dataset) {
  const Attribute* kind = dataset.attribute("KIND");
  const std::optional<std::string_view> value = kind ? string_view_of(*kind) : std::nullopt;
  if (value == "CHUNK_MINMAX") return IndexKind::kChunkMinmax;
  if (value == "SORTED_ROWS") return IndexKind::kSortedRows;
  if (value == "BITMAP") return IndexKind::kBitmap;
  if (value == "CHUNK_BLOOM") return IndexKind::kChunkBloom;
  return IndexKind::kUnknown;
}

std::uint64_t chunk_length(const Dataset& column) {
  const bool chunked =
      column.storage.layout == StorageLayout::kChunked && !column.storage.chunk.empty();
  return chunked ? column.storage.chunk[0] : 0;
}

// The datasets directly in a reserved group, in link order.
std::vector<std::shared_ptr<const Dataset>> datasets_in(const Group* group) {
  std::vector<std::shared_ptr<const Dataset>> found;
  if (!group) return found;
  for (const Child& child : group->children)
    if (child.is_dataset() && child.dataset) found.push_back(child.dataset);
  return found;
}

void assign_columns(Table& table) {
  for (const Child& child : table.group.children) {
    if (child.is_group() && child.group) {
      if (child.name == "CATEGORIES") table.categories_group = child.group.get();
      if (child.name == "SEARCH_INDEXES") table.search_indexes_group = child.group.get();
    }
    if (!child.is_dataset() || !child.dataset || !child.dataset->space.one_dimensional()) continue;
    const std::size_t at = table.columns.size();
    table.columns.push_back({child.dataset});
    table.column_by_name.emplace(child.name, at);
    table.column_by_token.emplace(child.token, at);  // two names for one object: the first
  }
}

void assign_lists(Table& table) {
  table.lists = list_columns(table.group);
  for (std::size_t i = 0; i < table.lists.size(); ++i) {
    table.list_by_name.emplace(table.lists[i].name, i);
    table.list_by_token.emplace(table.lists[i].group().token, i);
  }
}

void assign_categories(Table& table) {
  for (auto& dataset : datasets_in(table.categories_group)) {
    table.categories_by_token.emplace(dataset->token, table.categories.size());
    table.categories.push_back({.data = std::move(dataset), .columns = {}});
  }
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Attribute* link = table.columns[i].data->attribute("CATEGORIES");
    if (!link || link->references.empty() || !link->references[0].resolved()) continue;
    const auto it = table.categories_by_token.find(link->references[0].token);
    if (it != table.categories_by_token.end()) table.categories[it->second].columns.push_back(i);
  }
}

void assign_indexes(Table& table) {
  const auto datasets = datasets_in(table.search_indexes_group);
  std::unordered_map<ObjectToken, std::shared_ptr<const Dataset>, ObjectTokenHash> by_token;
  for (const auto& dataset : datasets) by_token.emplace(dataset->token, dataset);

  // Which columns list which indexes, and which datasets are values datasets.
  std::unordered_map<ObjectToken, std::vector<std::size_t>, ObjectTokenHash> listed_by;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Attribute* list = table.columns[i].data->attribute("SEARCH_INDEX_LIST");
    if (!list) continue;
    for (const Reference& reference : list->references) {
      if (!reference.resolved()) continue;
      std::vector<std::size_t>& columns = listed_by[reference.token];
      // One dataset under two names is one column (column-hard-link).
      if (std::ranges::none_of(columns, [&](std::size_t other) {
            return other == i || table.columns[other].data->token == table.columns[i].data->token;
          }))
        columns.push_back(i);
    }
  }
  std::unordered_set<ObjectToken, ObjectTokenHash> listed_by_lists;
  for (const ListColumn& column : table.lists)
    if (const Attribute* list = column.group().attribute("SEARCH_INDEX_LIST"))
      for (const Reference& reference : list->references)
        if (reference.resolved()) listed_by_lists.insert(reference.token);
  std::unordered_map<ObjectToken, std::shared_ptr<const Dataset>, ObjectTokenHash> values;
  const auto values_of = [&](const Dataset& dataset) -> std::shared_ptr<const Dataset> {
    const Attribute* link = dataset.attribute("VALUES");
    if (!link || link->references.empty() || !link->references[0].resolved()) return nullptr;
    const auto it = by_token.find(link->references[0].token);
    return it == by_token.end() || it->first == dataset.token ? nullptr : it->second;
  };
  for (const auto& dataset : datasets)
    if (kind_of(*dataset) == IndexKind::kBitmap)
      if (auto target = values_of(*dataset)) values.emplace(target->token, target);

  for (const auto& dataset : datasets) {
    if (values.contains(dataset->token)) {
      table.accompanying.push_back(dataset);
      continue;
    }
    if (dataset->unreadable) continue;  // its role is unknown
    const auto listed = listed_by.find(dataset->token);
    const bool by_list_column = listed_by_lists.contains(dataset->token);
    if (!dataset->attribute("KIND") && listed == listed_by.end() && !by_list_column) {
      table.strays.push_back(dataset);
      continue;
    }
    SearchIndex index{.data = dataset,
                      .kind = kind_of(*dataset),
                      .columns = {},
                      .listed_by_list_column = by_list_column,
                      .values = {}};
    if (listed != listed_by.end()) index.columns = listed->second;
    if (index.kind == IndexKind::kBitmap) index.values = values_of(*dataset);
    index.gate = gate_of(table, *dataset);
    table.index_by_token.emplace(dataset->token, table.indexes.size());
    table.indexes.push_back(std::move(index));
  }
}

}  // namespace

std::size_t ObjectTokenHash::operator()(const ObjectToken& token) const {
  std::uint64_t halves[2];
  std::memcpy(halves, token.bytes.data(), sizeof halves);
  return static_cast<std::size_t>(halves[0] * 0x9E3779B97F4A7C15u ^ halves[1]);
}

std::uint64_t Dataspace::elements() const {
  if (kind == Kind::kNull) return 0;
  std::uint64_t n = 1;
  for (const std::uint64_t d : extent)
    if (__builtin_mul_overflow(n, d, &n)) {
      // A zero in a later dimension makes the product zero.
      return std::ranges::contains(extent, std::uint64_t{0})
                 ? 0
                 : std::numeric_limits<std::uint64_t>::max();
    }
  return n;
}

std::string describe(const Dataspace& space) {
  if (space.kind == Dataspace::Kind::kScalar) return "scalar";
  if (space.kind == Dataspace::Kind::kNull) return "null dataspace";
  std::string text = "shape (";
  for (std::size_t i = 0; i < space.extent.size(); ++i)
    text += (i ? ", " : "") + std::to_string(space.extent[i]);
  return text + (space.extent.size() == 1 ? ",)" : ")");
}

Attributes::Attributes(std::vector<value_type> all) {
  // Attributes are large, so each is moved once, to its place.
  std::vector<value_type*> order;
  order.reserve(all.size());
  for (value_type& each : all) order.push_back(&each);
  std::ranges::sort(order, [](const value_type* a, const value_type* b) {
    const int way = a->first.compare(b->first);
    return way != 0 ? way < 0 : a < b;
  });
  all_.reserve(all.size());
  for (value_type* const each : order)
    if (all_.empty() || all_.back().first != each->first) all_.push_back(std::move(*each));
}

void Attributes::emplace(std::string name, Attribute attribute) {
  const auto at = std::ranges::lower_bound(all_, name, {}, &value_type::first);
  if (at == all_.end() || at->first != name)
    all_.emplace(at, std::move(name), std::move(attribute));
}

void Attributes::insert_or_assign(std::string name, Attribute attribute) {
  if (const auto at = find(name); at != end())
    at->second = std::move(attribute);
  else
    emplace(std::move(name), std::move(attribute));
}

std::string_view strip_padding(std::string_view stored, StringPadding padding) {
  if (padding == StringPadding::kNullTerm) return stored.substr(0, stored.find('\0'));
  const char pad = padding == StringPadding::kSpacePad ? ' ' : '\0';
  const std::size_t last = stored.find_last_not_of(pad);
  return stored.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

std::vector<std::string> string_elements(const Attribute& attribute) {
  if (!attribute.type.is(TypeClass::kString) || attribute.unreadable) return {};
  if (attribute.type.variable_length) return attribute.strings;
  std::vector<std::string> elements;
  const std::size_t size = attribute.type.size;
  const std::string_view all = as_text(attribute.bytes);
  for (std::size_t at = 0; size > 0 && at + size <= all.size(); at += size)
    elements.emplace_back(strip_padding(all.substr(at, size), attribute.type.padding));
  return elements;
}

std::optional<std::string> string_value(const Attribute& attribute) {
  const std::optional<std::string_view> value = string_view_of(attribute);
  return value ? std::optional<std::string>(*value) : std::nullopt;
}

bool is_string(const Attribute* attribute, std::string_view value) {
  return attribute && string_view_of(*attribute) == value;
}

std::optional<std::uint64_t> unsigned_value(const Attribute& attribute) {
  const std::optional<Integer> value = first_integer(attribute);
  if (!value || value->negative) return std::nullopt;
  return value->bits;
}

std::optional<std::int64_t> signed_value(const Attribute& attribute) {
  const std::optional<Integer> value = first_integer(attribute);
  if (!value) return std::nullopt;
  const auto as_signed = static_cast<std::int64_t>(value->bits);
  if (!value->negative && as_signed < 0) return std::nullopt;
  return as_signed;
}

const Attribute* Dataset::attribute(std::string_view wanted) const {
  const auto it = attributes.find(wanted);
  return it == attributes.end() ? nullptr : &it->second;
}

std::optional<std::uint64_t> Dataset::extent() const {
  if (space.kind != Dataspace::Kind::kSimple || space.extent.empty()) return std::nullopt;
  return space.extent[0];
}

const Attribute* Group::attribute(std::string_view wanted) const {
  const auto it = attributes.find(wanted);
  return it == attributes.end() ? nullptr : &it->second;
}

const Child* Group::child(std::string_view wanted) const {
  const auto it = std::ranges::find(children, wanted, &Child::name);
  return it == children.end() ? nullptr : &*it;
}

bool marks_table(const Group& group) { return is_string(group.attribute("CLASS"), "COLUMN_TABLE"); }

void assign_roles(Table& table, const Revision& revision) {
  Group group = std::move(table.group);
  table = Table{};
  table.group = std::move(group);
  table.revision = &revision;
  if (const Attribute* nrows = table.attribute("NROWS")) table.nrows = unsigned_value(*nrows);
  assign_columns(table);
  if (revision.list_columns) assign_lists(table);
  assign_categories(table);
  assign_indexes(table);
}

std::uint64_t logical_rows(const Table& table, const Dataset& column) {
  return std::min(table.nrows.value_or(0), column.extent().value_or(0));
}

std::uint64_t chunk_rows(const Dataset& column) {
  const std::uint64_t length = chunk_length(column);
  return length ? length : column.extent().value_or(0);
}

std::uint64_t data_bearing_chunks(const Table& table, const Dataset& column) {
  const std::uint64_t rows = logical_rows(table, column);
  const std::uint64_t length = chunk_length(column);
  if (rows == 0) return 0;
  return length ? (rows - 1) / length + 1 : 1;
}

bool has_user_fill(const Dataset& column) {
  return column.storage.fill_state == FillState::kUserDefined && !column.storage.fill_unreadable;
}

const std::vector<std::byte>* fill_bytes(const Dataset& column) {
  const Storage& storage = column.storage;
  const bool usable = has_user_fill(column) && storage.fill.size() == column.type.size;
  return usable ? &storage.fill : nullptr;
}

}  // namespace hepcheck::hep001
