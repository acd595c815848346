#include "validator/formats/hep001/testing/build.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <limits>
#include <utility>

namespace hepcheck::hep001 {

namespace {

std::vector<std::byte> raw(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

// The low bytes of `bits` in the byte order of `type`.
std::vector<std::byte> number(std::uint64_t bits, const Datatype& type) {
  assert(type.size <= 8);
  std::vector<std::byte> bytes(type.size);
  for (std::size_t i = 0; i < type.size; ++i)
    bytes[type.order == ByteOrder::kBig ? type.size - 1 - i : i] =
        static_cast<std::byte>(bits >> (8 * i));
  return bytes;
}

std::string_view parent_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

std::string_view name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

Attribute with_type(Attribute attribute, Datatype type) {
  attribute.type = std::move(type);
  return attribute;
}

void add_paths(const Group& group, const std::string& path, std::vector<std::string>& into) {
  into.push_back(path);
  for (const Child& child : group.children) {
    const std::string below = path.empty() ? child.name : path + '/' + child.name;
    if (child.group) add_paths(*child.group, below, into);
    if (child.dataset) into.push_back(below);
  }
}

}  // namespace

std::vector<std::byte> Cell::stored_as(const Datatype& type) const {
  if (const auto* text = std::get_if<std::string>(&value_)) {
    std::vector<std::byte> bytes = raw(*text);
    bytes.resize(type.size,
                 type.padding == StringPadding::kSpacePad ? std::byte{' '} : std::byte{});
    return bytes;
  }
  if (!type.is(TypeClass::kFloat)) {
    assert(std::holds_alternative<std::int64_t>(value_));
    return number(static_cast<std::uint64_t>(std::get<std::int64_t>(value_)), type);
  }
  const double value = std::holds_alternative<double>(value_)
                           ? std::get<double>(value_)
                           : static_cast<double>(std::get<std::int64_t>(value_));
  assert(type.size == 4 || type.size == 8);
  return type.size == 8 ? number(std::bit_cast<std::uint64_t>(value), type)
                        : number(std::bit_cast<std::uint32_t>(static_cast<float>(value)), type);
}

std::string Cell::text() const { return std::get<std::string>(value_); }

std::vector<std::byte> stored_as(const Datatype& type, const Cells& cells) {
  std::vector<std::byte> bytes;
  for (const Cell& cell : cells) std::ranges::copy(cell.stored_as(type), std::back_inserter(bytes));
  return bytes;
}

Attribute attribute(std::string name, Datatype type, const Cell& value) {
  Attribute made = attribute(std::move(name), std::move(type), Cells{value});
  made.space = {};
  return made;
}

Attribute attribute(std::string name, Datatype type, const Cells& values) {
  Attribute made{.name = std::move(name), .type = std::move(type), .space = {}};
  made.space = simple_space({values.size()});
  if (made.type.variable_string())
    for (const Cell& value : values) made.strings.push_back(value.text());
  else
    made.bytes = stored_as(made.type, values);
  return made;
}

Attribute utf8(std::string name, std::string_view value) {
  const Datatype type = fixed_string_type(std::max<std::size_t>(value.size(), 1),
                                          StringPadding::kNullPad, CharacterSet::kUtf8);
  return attribute(std::move(name), type, Cell(value));
}

Attribute utf8_list(std::string name, const std::vector<std::string>& values) {
  std::size_t size = 1;
  Cells cells;
  for (const std::string& value : values) {
    size = std::max(size, value.size());
    cells.emplace_back(std::string_view(value));
  }
  return attribute(std::move(name),
                   fixed_string_type(size, StringPadding::kNullPad, CharacterSet::kUtf8), cells);
}

Attribute ascii(std::string name, std::string_view value) {
  return attribute(
      std::move(name),
      fixed_string_type(value.size() + 1, StringPadding::kNullTerm, CharacterSet::kAscii),
      Cell(value));
}

Attribute variable_length(std::string name, std::string_view value) {
  return attribute(std::move(name), variable_string_type(CharacterSet::kUtf8), Cell(value));
}

Attribute boolean(std::string name, bool value) {
  return attribute(std::move(name), boolean_type(), Cell(value ? 1 : 0));
}

Attribute reference(std::string name, Reference target) {
  Attribute made = references(std::move(name), {std::move(target)});
  made.space = {};
  return made;
}

Attribute references(std::string name, std::vector<Reference> targets) {
  Attribute made{.name = std::move(name), .type = standard_reference_type()};
  made.space = simple_space({targets.size()});
  made.references = std::move(targets);
  return made;
}

Attribute shaped(Attribute attribute, std::vector<std::uint64_t> extent) {
  attribute.space = simple_space(std::move(extent));
  const auto repeat = [n = attribute.space.elements()](auto& elements) {
    const auto once = elements;
    elements.clear();
    for (std::uint64_t i = 0; i < n; ++i) elements.insert(elements.end(), once.begin(), once.end());
  };
  repeat(attribute.bytes);
  repeat(attribute.strings);
  repeat(attribute.references);
  return attribute;
}

Attribute without_value(Attribute attribute) {
  attribute.space = null_space();
  attribute.bytes.clear();
  attribute.strings.clear();
  attribute.references.clear();
  return attribute;
}

Attribute legacy(Attribute attribute) {
  Datatype type = standard_reference_type();
  type.size = 8;
  type.reference = ReferenceKind::kLegacyObject;
  return with_type(std::move(attribute), std::move(type));
}

Reference null_reference() { return {}; }

Reference dangling_reference() {
  return {.kind = Reference::Kind::kObject,
          .target = Reference::Target::kDangling,
          .why = "the object does not exist"};
}

Reference reference_elsewhere(std::string file) {
  return {.kind = Reference::Kind::kObject,
          .target = Reference::Target::kElsewhere,
          .file = std::move(file)};
}

Reference region_of(Reference object) {
  object.kind = Reference::Kind::kRegion;
  return object;
}

Reference attribute_of(Reference object) {
  object.kind = Reference::Kind::kAttribute;
  return object;
}

Dataspace simple_space(std::vector<std::uint64_t> extent) {
  return {.kind = Dataspace::Kind::kSimple, .extent = extent, .max_extent = extent};
}

Dataspace null_space() { return {.kind = Dataspace::Kind::kNull, .extent = {}, .max_extent = {}}; }

TableBuilder::TableBuilder(std::string path, std::uint64_t nrows) {
  table.group.path = std::move(path);
  table.group.token = fresh_token();
  set("", ascii("CLASS", "COLUMN_TABLE"));
  set("", ascii("VERSION", "1.0"));
  set("", hep001::attribute("NROWS", integer_type(8, false), Cell(nrows)));
}

ObjectToken TableBuilder::fresh_token() {
  ObjectToken token;
  const std::uint64_t address = ++last_token_;
  std::memcpy(token.bytes.data(), &address, sizeof address);
  return token;
}

Group& TableBuilder::group(std::string_view path) {
  if (path.empty()) return table.group;
  assert(child(path).group);
  return *child(path).group;
}

Dataset& TableBuilder::dataset(std::string_view path) {
  assert(child(path).dataset);
  return *child(path).dataset;
}

std::vector<std::string> TableBuilder::objects() const {
  std::vector<std::string> paths;
  add_paths(table.group, "", paths);
  return paths;
}

bool TableBuilder::is_dataset(std::string_view path) {
  return !path.empty() && child(path).dataset;
}

Child& TableBuilder::child(std::string_view path) {
  Group& parent = group(parent_of(path));
  const auto it = std::ranges::find(parent.children, name_of(path), &Child::name);
  assert(it != parent.children.end());
  return *it;
}

bool TableBuilder::has(std::string_view path) const {
  const Group* at = &table.group;
  while (true) {
    const std::size_t slash = path.find('/');
    const Child* next = at->child(path.substr(0, slash));
    if (!next || slash == std::string_view::npos) return next != nullptr;
    at = next->group.get();
    if (!at) return false;
    path.remove_prefix(slash + 1);
  }
}

Reference TableBuilder::to(std::string_view path) const {
  auto& self = const_cast<TableBuilder&>(*this);  // child() modifies nothing
  const bool root = path.empty();
  return {.kind = Reference::Kind::kObject,
          .target = Reference::Target::kObject,
          .token = root ? table.group.token : self.child(path).token,
          .object = root ? ObjectKind::kGroup : self.child(path).object,
          .path = root ? table.group.path : self.child(path).path};
}

Reference TableBuilder::outside(std::string path, ObjectKind kind) {
  return {.kind = Reference::Kind::kObject,
          .target = Reference::Target::kObject,
          .token = fresh_token(),
          .object = kind,
          .path = std::move(path)};
}

Attributes& TableBuilder::attributes(std::string_view path) {
  if (path.empty()) return table.group.attributes;
  Child& at = child(path);
  return at.dataset ? at.dataset->attributes : at.group->attributes;
}

Attribute& TableBuilder::attribute(std::string_view path, std::string_view name) {
  const auto it = attributes(path).find(name);
  assert(it != attributes(path).end());
  return it->second;
}

void TableBuilder::set(std::string_view path, Attribute attribute) {
  attributes(path).insert_or_assign(attribute.name, attribute);
}

std::optional<std::string>& TableBuilder::attributes_unreadable(std::string_view path) {
  return is_dataset(path) ? dataset(path).attributes_unreadable : group(path).attributes_unreadable;
}

void TableBuilder::erase(std::string_view path, std::string_view name) {
  const auto it = attributes(path).find(name);
  assert(it != attributes(path).end());
  attributes(path).erase(it);
}

Child& TableBuilder::add(std::string_view path, ObjectKind kind) {
  assert(!has(path));
  Group& parent = group(parent_of(path));
  Child made{.name = std::string(name_of(path))};
  made.path = (parent.path == "/" ? "" : parent.path) + "/" + made.name;
  made.object = kind;
  made.token = fresh_token();
  parent.children.push_back(std::move(made));
  return parent.children.back();
}

Dataset& TableBuilder::add_dataset(std::string_view path, Datatype type,
                                   std::vector<std::uint64_t> extent, const Cells& cells) {
  Child& at = add(path, ObjectKind::kDataset);
  at.dataset = std::make_shared<Dataset>();
  Dataset& made = *at.dataset;
  made.name = at.name;
  made.path = at.path;
  made.token = at.token;
  made.type = std::move(type);
  made.space = simple_space(std::move(extent));
  store(path, cells);
  return made;
}

Dataset& TableBuilder::add_column(std::string_view name, Datatype type, const Cells& cells,
                                  const Cell& fill, std::uint64_t chunk) {
  Dataset& column = add_dataset(name, std::move(type), {cells.size()}, cells);
  column.storage.fill_state = FillState::kUserDefined;
  if (column.type.variable_string())
    column.storage.fill_string = fill.text();
  else
    column.storage.fill = fill.stored_as(column.type);
  if (chunk > 0) {
    column.storage.layout = StorageLayout::kChunked;
    column.storage.chunk = {chunk};
    column.space.max_extent = {Dataspace::kUnlimited};
  }
  return column;
}

Group& TableBuilder::add_group(std::string_view path) {
  Child& at = add(path, ObjectKind::kGroup);
  at.group = std::make_shared<Group>();
  at.group->path = at.path;
  at.group->token = at.token;
  return *at.group;
}

Child& TableBuilder::add_named_datatype(std::string_view path) {
  return add(path, ObjectKind::kNamedDatatype);
}

Child& TableBuilder::add_soft_link(std::string_view path, std::string target) {
  Child& at = add(path, ObjectKind::kUnknown);
  at.link = Child::LinkKind::kSoft;
  at.link_target = std::move(target);
  return at;
}

Child& TableBuilder::add_external_link(std::string_view path, std::string file,
                                       std::string target) {
  Child& at = add(path, ObjectKind::kUnknown);
  at.link = Child::LinkKind::kExternal;
  at.link_target = std::move(file) + ":" + std::move(target);
  return at;
}

Child& TableBuilder::add_user_link(std::string_view path) {
  Child& at = add(path, ObjectKind::kUnknown);
  at.link = Child::LinkKind::kUserDefined;
  return at;
}

Child& TableBuilder::add_hard_link(std::string_view path, std::string_view existing) {
  const Child original = child(existing);
  Child& at = add(path, original.object);
  at.token = original.token;
  if (original.dataset) {
    at.dataset = std::make_shared<Dataset>(*original.dataset);
    at.dataset->name = at.name;
    at.dataset->path = at.path;
  }
  return at;
}

void TableBuilder::remove(std::string_view path) {
  Group& parent = group(parent_of(path));
  const auto removed =
      std::erase_if(parent.children, [&](const Child& c) { return c.name == name_of(path); });
  assert(removed == 1);
  static_cast<void>(removed);
}

void TableBuilder::rename(std::string_view path, std::string_view name) {
  Child& at = child(path);
  at.path = at.path.substr(0, at.path.size() - at.name.size()) + std::string(name);
  at.name = name;
  if (!at.dataset) return;
  at.dataset->name = at.name;
  at.dataset->path = at.path;
}

void TableBuilder::store(std::string_view path, const Cells& cells) {
  const Dataset& into = dataset(path);
  if (!into.type.variable_string()) return values.set(into.token, stored_as(into.type, cells));
  std::vector<std::string> strings;
  for (const Cell& cell : cells) strings.push_back(cell.text());
  values.set_strings(into.token, std::move(strings));
}

void TableBuilder::list_columns() {
  std::vector<std::string> names;
  for (const Child& c : table.group.children)
    if (c.is_dataset()) names.push_back(c.name);
  set("", utf8_list("column-order", names));
}

const Specification& older_revision() { return *find_specification("hep001-2026-06-16"); }

const Table& TableBuilder::finish(const Specification& spec) {
  assign_roles(table, revision_of(spec));
  return table;
}

namespace {

constexpr double kFloatFill = 9.9692099683868690e+36;  // Table 1 of section 8.5

Datatype compound_of(const std::vector<std::pair<std::string, Datatype>>& fields) {
  std::vector<TypeMember> members;
  std::size_t size = 0;
  for (const auto& [name, type] : fields) {
    members.push_back({.name = name,
                       .offset = size,
                       .type = std::make_shared<const Datatype>(type),
                       .value = {}});
    size += type.size;
  }
  return compound_type(size, std::move(members));
}

// Adds a search index to the list of its column, and the attributes that every index has.
void list_index(TableBuilder& t, const std::string& column, const std::string& index,
                std::string_view kind) {
  t.set(index, ascii("KIND", kind));
  t.set(index, utf8("description", "2026-06-16, written by hand"));
  std::vector<Reference> listed;
  if (t.attributes(column).contains("SEARCH_INDEX_LIST"))
    listed = t.attribute(column, "SEARCH_INDEX_LIST").references;
  listed.push_back(t.to(index));
  t.set(column, references("SEARCH_INDEX_LIST", std::move(listed)));
}

// Entries are rows of min, max, nan_count, fill_count, n.
void add_minmax(TableBuilder& t, const std::string& column, const std::vector<Cells>& entries) {
  const Datatype type = chunk_minmax_type(t.dataset(column).type);
  const std::string index = "SEARCH_INDEXES/" + column + "__minmax";
  t.add_dataset(index, type, {entries.size()});
  std::vector<std::byte> bytes;
  for (const Cells& entry : entries)
    for (std::size_t i = 0; i < entry.size(); ++i)
      std::ranges::copy(entry[i].stored_as(*type.members[i].type), std::back_inserter(bytes));
  t.values.set(t.dataset(index).token, std::move(bytes));
  list_index(t, column, index, "CHUNK_MINMAX");
}

void add_sorted(TableBuilder& t, const std::string& column, const Cells& permutation,
                int nan_tail_length, int fill_tail_length) {
  const Datatype count = integer_type(8, false);
  const std::string index = "SEARCH_INDEXES/" + column + "__sorted";
  t.add_dataset(index, count, {permutation.size()}, permutation);
  t.set(index, attribute("nan_tail_length", count, Cell(nan_tail_length)));
  t.set(index, attribute("fill_tail_length", count, Cell(fill_tail_length)));
  t.set(index, boolean("ordered", true));
  list_index(t, column, index, "SORTED_ROWS");
}

void add_bitmap(TableBuilder& t, const std::string& column, const Cells& indexed,
                std::uint64_t row_bytes, const Cells& bits) {
  const std::string index = "SEARCH_INDEXES/" + column + "__bitmap";
  const std::string values = "SEARCH_INDEXES/" + column + "__values";
  t.add_dataset(values, t.dataset(column).type, {indexed.size()}, indexed);
  t.add_dataset(index, integer_type(1, false), {indexed.size(), row_bytes}, bits);
  t.set(index, reference("VALUES", t.to(values)));
  t.set(index, boolean("ordered", false));
  list_index(t, column, index, "BITMAP");
}

void add_bloom(TableBuilder& t, const std::string& column, int k, std::uint64_t m_bits,
               const Cells& bits) {
  const std::string index = "SEARCH_INDEXES/" + column + "__bloom";
  t.add_dataset(index, integer_type(1, false), {bits.size() / (m_bits / 8), m_bits / 8}, bits);
  t.set(index, attribute("k", integer_type(2, false), Cell(k)));
  t.set(index, attribute("m_bits", integer_type(8, false), Cell(m_bits)));
  t.set(index, ascii("hash_family", "murmur3_x64_128_double"));
  t.set(index, attribute("seed", integer_type(4, false), Cell(0)));
  list_index(t, column, index, "CHUNK_BLOOM");
}

void add_columns(TableBuilder& t) {
  constexpr std::uint64_t kChunk = 4;
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInf = std::numeric_limits<double>::infinity();
  constexpr auto kMissing = std::numeric_limits<std::int64_t>::min() + 1;

  Cells row_id;
  for (int row = 0; row < 16; ++row) row_id.emplace_back(100 + row);
  t.add_column("row_id", integer_type(8, false), row_id, -1, kChunk);
  t.add_column("ts", integer_type(8, true),
               {50, 40, 40, 70, 10, kMissing, 90, 10, -30, 60, 999, -999, 1, 2, 3, 4}, kMissing,
               kChunk);
  t.add_column("energy", ieee_float_type(8),
               {1.5, kNan, -2.25, kFloatFill, 1.5, 0.0, kInf, kNan, kFloatFill, 8.5, kNan,
                kFloatFill, -1e9, 1e9, 5.0, 6.0},
               kFloatFill, kChunk);
  t.add_column("label", integer_type(1, true),
               {0, 1, 2, 1, -127, 0, 0, 2, 1, 1, 99, -5, 0, 1, 2, -127}, -127, kChunk);
  t.add_column("name", fixed_string_type(8, StringPadding::kNullPad, CharacterSet::kUtf8),
               {"muon", "pion", "", "kaon", "muon", "d\u00e9j\u00e0", "tau", "", "eta", "rho",
                "junk", "", "a", "b", "c", "d"},
               "", kChunk);
  t.add_column("grade",
               enum_type(integer_type(2, true), {{"GOOD", 1}, {"BAD", 2}, {"MISSING", -1}}),
               {1, 2, 1, 1, -1, 2, 2, 1, 1, 1, 7, -1, 1, 1, 1, 1}, -1, kChunk);
  t.add_column("passed", boolean_type(), {0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 5, -1, 0, 0, 0, 0}, -1,
               kChunk);
  const Datatype part = ieee_float_type(4);
  t.add_column("impedance", compound_of({{"re", part}, {"im", part}}), Cells(16, "1234abcd"),
               "\xff\xff\xff\xff\xff\xff\xff\xff", kChunk);
}

}  // namespace

TableBuilder small_table() {
  TableBuilder t("/t", 5);
  t.add_column("id", integer_type(4, false), {10, 11, 12, 13, 14}, -1);
  t.add_column("energy", ieee_float_type(4), {0.5, 1.5, -2.5, 3.5, 4.5}, kFloatFill);
  t.list_columns();
  t.finish();
  return t;
}

Datatype chunk_minmax_type(const Datatype& value) {
  const Datatype count = integer_type(8, false);
  return compound_of(
      {{"min", value}, {"max", value}, {"nan_count", count}, {"fill_count", count}, {"n", count}});
}

TableBuilder good_table() {
  TableBuilder t("/t", 10);
  add_columns(t);
  t.list_columns();
  t.set("", utf8("TITLE", "Sample run"));
  t.set("", utf8("description", "A table for tests, \u00e0 la carte."));
  t.set("", utf8("units_vocabulary", "UDUNITS-2"));
  t.set("", utf8("encoding-type", "dataframe"));
  t.set("", utf8("encoding-version", "0.2.0"));
  t.set("", references("INDEX_COLUMNS", {t.to("row_id")}));
  t.set("", utf8("_index", "row_id"));

  t.set("ts", utf8("units", "s"));
  t.set("ts", utf8("units_vocabulary", "UCUM"));
  t.set("ts", utf8("description", "Event time."));
  t.set("ts", attribute("valid_min", t.dataset("ts").type, Cell(-100)));
  t.set("ts", attribute("valid_max", t.dataset("ts").type, Cell(100)));

  t.add_group("CATEGORIES");
  const std::string labels = "CATEGORIES/label__CATEGORIES";
  t.add_dataset(labels, fixed_string_type(6, StringPadding::kNullPad, CharacterSet::kUtf8), {3},
                {"signal", "noise", "pileup"});
  t.set(labels, boolean("ordered", false));
  t.set("label", reference("CATEGORIES", t.to(labels)));

  // Computed by hand; the filters by the Python generators (chunk_bloom in
  // generators/hep001/indexes.py), which share no code with the validator.
  t.add_group("SEARCH_INDEXES");
  add_minmax(t, "ts", {{40, 70, 0, 0, 4}, {10, 90, 0, 1, 4}, {-30, 60, 0, 0, 2}});
  add_sorted(t, "ts", {8, 4, 7, 1, 2, 0, 9, 3, 6, 5}, 0, 1);
  add_minmax(t, "energy",
             {{-2.25, 1.5, 1, 1, 4},
              {0.0, std::numeric_limits<double>::infinity(), 1, 0, 4},
              {8.5, 8.5, 0, 1, 2}});
  add_sorted(t, "energy", {2, 5, 0, 4, 9, 6, 3, 8, 1, 7}, 2, 2);
  add_bitmap(t, "label", {0, 1, 2}, 2, {0x61, 0x00, 0x0a, 0x03, 0x84, 0x00});
  add_bloom(t, "name", 3, 64, {0x20, 0x08, 0x22, 0x02, 0x00, 0x22, 0x00, 0x02,  //
                               0x00, 0x2a, 0x00, 0x12, 0x00, 0x02, 0x00, 0x42,  //
                               0xc0, 0x00, 0x10, 0x01, 0x00, 0x80, 0x00, 0x04});
  t.finish();
  return t;
}

namespace {

Cells numbers(std::initializer_list<int> values) { return {values.begin(), values.end()}; }

void add_list_group(TableBuilder& t, const std::string& path, const Cells& offsets) {
  t.add_group(path);
  t.set(path, ascii("CLASS", "LIST_COLUMN"));
  t.set(path, ascii("KIND", "OFFSETS"));
  t.add_dataset(path + "/OFFSETS", integer_type(8, false), {offsets.size()}, offsets);
}

// As left by a writer that can extend them.
void make_growable(Dataset& index) {
  index.storage.layout = StorageLayout::kChunked;
  index.storage.chunk = index.space.extent;
  index.space.max_extent.assign(index.space.rank(), Dataspace::kUnlimited);
}

}  // namespace

TableBuilder newer_table() {
  TableBuilder t = good_table();
  Storage& passed = t.dataset("passed").storage;
  passed.fill_state = FillState::kDefault;
  passed.fill.clear();
  const Datatype count = integer_type(8, false);
  t.set("", attribute("GENERATION", count, Cell(7)));
  for (const Child& child : t.group("SEARCH_INDEXES").children) {
    if (!child.dataset->attribute("KIND")) continue;
    make_growable(*child.dataset);
    child.dataset->attributes.insert_or_assign("SOURCE_GENERATION",
                                               attribute("SOURCE_GENERATION", count, Cell(7)));
    child.dataset->attributes.insert_or_assign("SOURCE_NROWS",
                                               attribute("SOURCE_NROWS", count, Cell(10)));
  }
  add_list_group(t, "tracks", numbers({0, 2, 2, 5, 5, 5, 6, 6, 6, 6, 7}));
  t.add_dataset("tracks/VALUES", integer_type(2, true), {8}, numbers({1, 2, 3, 4, 5, 6, 7, 99}));
  t.add_dataset("tracks/MASK", boolean_type(), {10}, numbers({1, 1, 1, 1, 0, 1, 1, 1, 1, 1}));
  add_list_group(t, "tags", numbers({0, 1, 1, 3, 3, 3, 3, 3, 3, 3, 4}));
  t.add_group("tags/VALUES");
  t.set("tags/VALUES", ascii("CLASS", "STRING_VALUES"));
  t.add_dataset("tags/VALUES/OFFSETS", count, {5}, numbers({0, 2, 2, 5, 7}));
  t.add_dataset("tags/VALUES/CHARS", integer_type(1, false), {7},
                numbers({'a', 'b', 'x', 'y', 'z', 0xC3, 0xA9}));
  std::vector<std::string> names = string_elements(t.attribute("", "column-order"));
  names.insert(names.end(), {"tracks", "tags"});
  t.set("", utf8_list("column-order", names));
  t.finish(*find_specification("hep001-2026-07-09"));
  return t;
}

}  // namespace hepcheck::hep001
