#include "fuzz/hep001/grammar/model.h"

#include <algorithm>
#include <utility>

#include "fuzz/hep001/grammar/list.h"

namespace hepcheck::hep001::grammar {

namespace {

// Every name with a meaning in the specification, some in a wrong form, and others.
constexpr std::string_view kNames[] = {"CLASS",
                                       "VERSION",
                                       "NROWS",
                                       "TITLE",
                                       "INDEX_COLUMNS",
                                       "column-order",
                                       "_index",
                                       "description",
                                       "units",
                                       "units_vocabulary",
                                       "encoding-type",
                                       "encoding-version",
                                       "SEARCH_INDEX_LIST",
                                       "CATEGORIES",
                                       "valid_min",
                                       "valid_max",
                                       "KIND",
                                       "VALUES",
                                       "ordered",
                                       "nan_tail_length",
                                       "fill_tail_length",
                                       "k",
                                       "m_bits",
                                       "seed",
                                       "hash_family",
                                       "GENERATION",
                                       "SOURCE_GENERATION",
                                       "SOURCE_NROWS",
                                       "exhaustive",
                                       "OFFSETS",
                                       "MASK",
                                       "CHARS",
                                       "SEARCH_INDEXES",
                                       "class",
                                       "Nrows",
                                       "column_order",
                                       "user",
                                       "_x",
                                       "",
                                       "\xff",
                                       "a/b",
                                       "CHUNK_MINMAX",
                                       "BITMAP"};
constexpr std::string_view kTexts[] = {"COLUMN_TABLE",
                                       "1.0",
                                       "1.0.0",
                                       "1.7",
                                       "2.0",
                                       "1",
                                       "one",
                                       "CHUNK_MINMAX",
                                       "SORTED_ROWS",
                                       "BITMAP",
                                       "CHUNK_BLOOM",
                                       "LIST_COLUMN",
                                       "STRING_VALUES",
                                       "OFFSETS",
                                       "murmur3_x64_128_double",
                                       "dataframe",
                                       "row_id",
                                       "label",
                                       "",
                                       "\xff\xfe",
                                       "chunk_minmax",
                                       "99999999999999999999.0"};

std::shared_ptr<const Datatype> shared(Datatype type) {
  return std::make_shared<const Datatype>(std::move(type));
}

// The fill value that 8.5 recommends; as a real value it would require a declared range.
bool recommended(const Datatype& type, const Value& value) {
  if (type.is(TypeClass::kFloat)) return type.size > 2 && std::get<double>(value) == 0x1.ep+122;
  if (!type.is(TypeClass::kInteger)) return false;
  const Integer ones = (Integer{1} << (8 * type.size)) - 1;
  return std::get<Integer>(value) == (type.is_signed ? -(ones / 2) : ones);
}

// Paths of all datasets and groups below the table, itself included.
void paths_below(const Group& group, const std::string& prefix, std::vector<std::string>& objects,
                 std::vector<std::string>& links) {
  for (const Child& child : group.children) {
    const std::string path = prefix.empty() ? child.name : prefix + "/" + child.name;
    // TableBuilder splits paths at slashes; names that it cannot address are skipped.
    if (child.name.empty() || child.name.contains('/')) continue;
    links.push_back(path);
    if (child.dataset || child.group) objects.push_back(path);
    if (child.group) paths_below(*child.group, path, objects, links);
  }
}

struct Places {
  std::vector<std::string> objects{""}, links{}, datasets{}, groups{""};

  explicit Places(TestTable& table) {
    paths_below(table.table.group, "", objects, links);
    for (const std::string& path : objects)
      if (!path.empty()) (table.child(path).dataset ? datasets : groups).push_back(path);
  }
};

const std::string& one_of(Choices& choices, const std::vector<std::string>& options) {
  return options[choices.below(options.size())];
}

Dataspace any_space(Choices& choices) {
  switch (choices.below(8)) {
    default: return {};
    case 4: return null_space();
    case 5: return simple_space({choices.below(5), choices.below(4)});
    case 2:
    case 6:
    case 7: return simple_space({choices.below(9)});
  }
}

std::vector<std::byte> any_bytes(Choices& choices, const Datatype& type, std::uint64_t elements) {
  std::vector<std::byte> bytes(type.size * elements);
  // Heap pointers are null, because the reader never produces others.
  if (has_variable_part(type)) return bytes;
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(choices.below(256));
  return bytes;
}

Reference any_reference(Choices& choices, TestTable& table) {
  const Places places(table);
  switch (choices.below(8)) {
    default: return table.to(one_of(choices, places.objects));
    case 3: return null_reference();
    case 4: return dangling_reference();
    case 5: return reference_elsewhere("other.h5");
    case 6: return region_of(table.to(one_of(choices, places.objects)));
    case 7: return attribute_of(table.to(one_of(choices, places.objects)));
  }
}

void fill_attribute(Attribute& attribute, Choices& choices, TestTable& table) {
  const std::uint64_t elements =
      attribute.space.kind == Dataspace::Kind::kNull ? 0 : attribute.space.elements();
  attribute.bytes.clear();
  attribute.strings.clear();
  attribute.references.clear();
  for (std::uint64_t i = 0; i < elements; ++i) {
    if (attribute.type.is(TypeClass::kReference))
      attribute.references.push_back(any_reference(choices, table));
    else if (attribute.type.variable_string())
      attribute.strings.emplace_back(choices.of(kTexts));
    else if (attribute.type.fixed_string() && !choices.one_in(4)) {
      const auto bytes = Cell(choices.of(kTexts)).stored_as(attribute.type);
      attribute.bytes.insert(attribute.bytes.end(), bytes.begin(), bytes.end());
    } else if (attribute.type.is(TypeClass::kInteger) && attribute.type.size <= 8 &&
               !choices.one_in(4)) {
      const auto bytes = Cell(choices.below(40)).stored_as(attribute.type);
      attribute.bytes.insert(attribute.bytes.end(), bytes.begin(), bytes.end());
    } else if (!has_variable_part(attribute.type)) {
      const auto bytes = any_bytes(choices, attribute.type, 1);
      attribute.bytes.insert(attribute.bytes.end(), bytes.begin(), bytes.end());
    }
  }
}

void any_fill(Dataset& dataset, Choices& choices) {
  Storage& storage = dataset.storage;
  constexpr FillState kStates[] = {FillState::kUserDefined, FillState::kDefault,
                                   FillState::kUndefined};
  storage.fill_state = choices.of(kStates);
  storage.fill.clear();
  storage.fill_string.reset();
  storage.fill_unreadable.reset();
  if (storage.fill_state != FillState::kUserDefined) return;
  if (choices.one_in(8))
    storage.fill_unreadable = "no conversion";
  else if (dataset.type.variable_string())
    storage.fill_string = choices.of(kTexts);
  else if (!has_variable_part(dataset.type))
    storage.fill = any_bytes(choices, dataset.type, 1);
}

void any_storage(Dataset& dataset, Choices& choices) {
  constexpr StorageLayout kLayouts[] = {StorageLayout::kChunked, StorageLayout::kContiguous,
                                        StorageLayout::kCompact, StorageLayout::kVirtual,
                                        StorageLayout::kExternal};
  Storage& storage = dataset.storage;
  storage.layout = choices.of(kLayouts);
  storage.chunk.clear();
  if (storage.layout == StorageLayout::kChunked)
    storage.chunk.assign(std::max<std::size_t>(1, dataset.space.rank()), 1 + choices.below(9));
  storage.filters.clear();
  if (choices.one_in(3))
    storage.filters.push_back({.id = static_cast<int>(choices.below(40000)),
                               .name = "a filter",
                               .optional = choices.maybe(),
                               .parameters = {1},
                               .available = choices.maybe()});
}

void any_values(TestTable& table, const std::string& path, Choices& choices) {
  const Dataset& dataset = table.dataset(path);
  const std::uint64_t elements = std::min<std::uint64_t>(dataset.space.elements(), 64);
  if (dataset.type.variable_string()) {
    std::vector<std::string> texts;
    for (std::uint64_t i = 0; i < elements; ++i) texts.emplace_back(choices.of(kTexts));
    return table.values.set_strings(dataset.token, std::move(texts));
  }
  table.values.set(dataset.token, any_bytes(choices, dataset.type, elements));
}

std::string fresh_path(TestTable& table, Choices& choices) {
  const Places places(table);
  const std::string& group = one_of(choices, places.groups);
  const std::string name(choices.of(kNames));
  return group.empty() ? name : group + "/" + name;
}

// A name that TableBuilder can address and that is still free.
bool usable(TestTable& table, const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  return !name.empty() && !path.contains("a/b") && !table.has(path);
}

void add_something(TestTable& table, Choices& choices) {
  const std::string path = fresh_path(table, choices);
  if (!usable(table, path)) return;
  const Places places(table);
  switch (choices.below(8)) {
    default: {
      const std::uint64_t length = choices.below(12);
      Dataset& made = table.add_dataset(path, any_datatype(choices), {length});
      if (choices.one_in(4)) made.space = any_space(choices);
      any_fill(made, choices);
      any_values(table, path, choices);
      break;
    }
    case 2: table.add_group(path); break;
    case 3: table.add_named_datatype(path); break;
    case 4: table.add_soft_link(path, "/t/row_id"); break;
    case 5: table.add_external_link(path, "other.h5", "/x"); break;
    case 6: table.add_user_link(path); break;
    case 7:
      if (!places.datasets.empty()) table.add_hard_link(path, one_of(choices, places.datasets));
      break;
  }
}

void mutate_dataset(TestTable& table, const std::string& path, Choices& choices) {
  Dataset& dataset = table.dataset(path);
  switch (choices.below(7)) {
    case 0: return any_fill(dataset, choices);
    case 1: return any_storage(dataset, choices);
    case 2:
      dataset.space = any_space(choices);
      any_storage(dataset, choices);
      return any_values(table, path, choices);
    case 3:
      if (dataset.space.rank() > 0) dataset.space.extent[0] = choices.below(24);
      return;
    case 4:
      dataset.type = any_datatype(choices);
      any_fill(dataset, choices);
      return any_values(table, path, choices);
    case 5: return any_values(table, path, choices);
    case 6:
      if (choices.maybe())
        dataset.unreadable = "cannot be opened";
      else
        dataset.attributes_unreadable = "cannot be listed";
      return;
  }
}

}  // namespace

TestTable random_table(Choices& choices) {
  const std::uint64_t nrows = choices.below(21);
  const std::uint64_t spare = choices.below(6);
  TestTable table("/t", nrows);
  std::vector<std::string> names;
  for (std::uint64_t n = 1 + choices.below(4); n > 0; --n) {
    const Family family = choices.of(kFamilies);
    RandomColumn column = random_column(choices, family, 20);
    // Two values leave no value for the fill value (8.5).
    if (column.type.precision == 1) column = random_column(choices, Family::kSigned, 20);
    column.nrows = nrows;
    column.fill = std::nullopt;
    const std::string name = "c" + std::to_string(names.size());
    Value fill = random_value(choices, column.type);
    if (family == Family::kBoolean) fill = static_cast<Integer>(-1);
    if (family == Family::kEnum) fill = Integer{0};
    column.rows.clear();
    for (std::uint64_t row = 0; row < nrows + spare; ++row)
      column.rows.push_back(random_value(choices, column.type));
    std::ranges::replace_if(
        column.rows, [&](const Value& value) { return recommended(column.type, value); }, fill);
    column.fill = fill;
    NoChoice plain;
    add(table, name, column, plain);
    names.push_back(name);
    if (choices.maybe()) add_minmax(table, name, column, expected_minmax(column));
    if (choices.maybe()) add_sorted(table, name, expected_order(column));
    if (const auto values = distinct(column); choices.maybe())
      add_bitmap(table, name, column, values, expected_bitmap(column, values));
    if (const Filter filter{.k = 2}; hashable(column.type) && choices.maybe())
      add_bloom(table, name, filter, expected_bloom(column, filter));
  }
  table.set("", utf8_list("column-order", names));
  if (choices.maybe()) {
    table.set("", references("INDEX_COLUMNS", {table.to(names.back())}));
    table.set("", utf8("_index", names.back()));
  }
  if (choices.maybe()) table.set("", utf8("TITLE", "a table"));
  return table;
}

void make_newer(TestTable& table, Choices& choices) {
  const Datatype number = integer_type(8, false);
  const auto nrows = unsigned_value(table.attribute("", "NROWS")).value_or(0);
  const std::uint64_t generation = choices.below(4);
  table.set("", attribute("GENERATION", number, Cell(generation)));
  for (const Child& child : table.table.group.children)
    if (child.dataset && is_boolean_enum(child.dataset->type)) {
      child.dataset->storage.fill_state = FillState::kDefault;
      child.dataset->storage.fill.clear();
    }
  std::vector<std::string> indexes;
  if (table.has("SEARCH_INDEXES"))
    for (const Child& child : table.group("SEARCH_INDEXES").children)
      if (child.dataset && child.dataset->attribute("KIND"))
        indexes.push_back("SEARCH_INDEXES/" + child.name);
  for (const std::string& index : indexes) {
    const std::uint64_t source = generation + (choices.one_in(4) ? 1 : 0);
    table.set(index, attribute("SOURCE_GENERATION", number, Cell(source)));
    table.set(index, attribute("SOURCE_NROWS", number, Cell(nrows)));
    if (index.ends_with("__bitmap")) table.set(index, boolean("exhaustive", choices.maybe()));
  }
  if (!table.attributes("").contains("column-order")) return;
  std::vector<std::string> names = string_elements(table.attribute("", "column-order"));
  for (std::uint64_t n = choices.below(3); n > 0; --n) {
    names.push_back("list" + std::to_string(n));
    add(table, names.back(), random_list(choices, nrows, 12, {}));
  }
  table.set("", utf8_list("column-order", names));
}

Datatype any_datatype(Choices& choices, int depth) {
  constexpr TypeClass kLeaves[] = {TypeClass::kTime, TypeClass::kBitfield, TypeClass::kUnknown};
  constexpr ReferenceKind kReferences[] = {ReferenceKind::kStandard, ReferenceKind::kLegacyObject,
                                           ReferenceKind::kLegacyRegion};
  switch (choices.below(depth > 0 ? 13 : 9)) {
    default: return random_type(choices, choices.of(kFamilies));
    case 4: {
      Datatype type{
          .cls = choices.of(kLeaves), .size = 1 + choices.below(8), .order = ByteOrder::kLittle};
      type.precision = static_cast<std::uint32_t>(8 * type.size);
      return type;
    }
    case 5: {
      Datatype type = standard_reference_type();
      type.reference = choices.of(kReferences);
      return type;
    }
    case 6: {
      // A float beyond the three of IEEE 754, or in another byte order.
      Datatype type = ieee_float_type(choices.maybe() ? 8 : 4);
      if (choices.maybe()) type.order = ByteOrder::kVax;
      type.floating.exponent_size += static_cast<std::uint32_t>(choices.below(2));
      return type;
    }
    case 7: return integer_type(choices.maybe() ? 16 : 12, choices.maybe());
    case 8: {
      // Enumerations of any base, members as the base stores them.
      const Datatype base = integer_type(std::size_t{1} << choices.below(4), choices.maybe(),
                                         choices.maybe() ? ByteOrder::kBig : ByteOrder::kLittle);
      std::vector<std::pair<std::string, std::int64_t>> members;
      constexpr std::string_view kMembers[] = {"FALSE", "TRUE", "MISSING", "false", "X"};
      for (std::uint64_t n = choices.below(4); n > 0; --n) {
        const std::string name(choices.of(kMembers));
        if (std::ranges::none_of(members, [&](const auto& m) { return m.first == name; }))
          members.emplace_back(name, static_cast<std::int64_t>(choices.below(4)));
      }
      return enum_type(base, members);
    }
    case 9: {
      Datatype type{.cls = TypeClass::kArray,
                    .base = shared(any_datatype(choices, depth - 1)),
                    .dims = {1 + choices.below(3)}};
      type.size = type.base->size * type.dims[0];
      return type;
    }
    case 10:
      return {
          .cls = TypeClass::kVlen, .size = 16, .base = shared(any_datatype(choices, depth - 1))};
    case 11:
    case 12: {
      std::vector<TypeMember> members;
      std::size_t size = 0;
      constexpr std::string_view kFields[] = {"min", "max", "nan_count", "fill_count", "n", "re"};
      for (std::uint64_t n = 1 + choices.below(6); n > 0; --n) {
        Datatype field =
            choices.maybe() ? integer_type(8, false) : any_datatype(choices, depth - 1);
        const std::string name(kFields[members.size() < 6 ? members.size() : choices.below(6)]);
        const std::size_t end = size + field.size;
        members.push_back({.name = name, .offset = size, .type = shared(std::move(field))});
        size = end + choices.below(2);
      }
      return compound_type(size, std::move(members));
    }
  }
}

Attribute any_attribute(Choices& choices, TestTable& table) {
  Attribute made{.name = std::string(choices.of(kNames))};
  made.type = any_datatype(choices);
  made.space = any_space(choices);
  fill_attribute(made, choices, table);
  if (choices.one_in(16)) made.unreadable = "cannot be read";
  return made;
}

void mutate(TestTable& table, Choices& choices) {
  const Places places(table);
  const std::string& object = one_of(choices, places.objects);
  Attributes& attributes = table.attributes(object);
  const auto an_attribute = [&] {
    return std::next(attributes.begin(),
                     static_cast<std::ptrdiff_t>(choices.below(attributes.size())));
  };
  switch (choices.below(12)) {
    case 0: return table.set(object, any_attribute(choices, table));
    case 1:
      if (!attributes.empty()) attributes.erase(an_attribute());
      return;
    case 2:  // another value
      if (!attributes.empty()) fill_attribute(an_attribute()->second, choices, table);
      return;
    case 3:  // another datatype
      if (!attributes.empty()) {
        Attribute& attribute = an_attribute()->second;
        attribute.type = any_datatype(choices);
        fill_attribute(attribute, choices, table);
      }
      return;
    case 4:  // another shape
      if (!attributes.empty()) {
        Attribute& attribute = an_attribute()->second;
        attribute.space = any_space(choices);
        fill_attribute(attribute, choices, table);
      }
      return;
    case 5: return add_something(table, choices);
    case 6:
      if (!places.links.empty()) table.remove(one_of(choices, places.links));
      return;
    case 7:
      if (!places.links.empty()) {
        const std::string& link = one_of(choices, places.links);
        const std::string name(choices.of(kNames));
        const std::size_t slash = link.rfind('/');
        const std::string renamed =
            slash == std::string::npos ? name : link.substr(0, slash + 1) + name;
        if (usable(table, renamed)) table.rename(link, name);
      }
      return;
    case 8: {
      Group& group = table.group(one_of(choices, places.groups));
      if (choices.maybe())
        group.unreadable = "cannot be listed";
      else
        group.attributes_unreadable = "cannot be listed";
      return;
    }
    default:
      if (!places.datasets.empty())
        mutate_dataset(table, one_of(choices, places.datasets), choices);
      return;
  }
}

}  // namespace hepcheck::hep001::grammar
