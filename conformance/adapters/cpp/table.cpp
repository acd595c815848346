#include "table.h"

#include <algorithm>
#include <charconv>

namespace adapter {

namespace {

constexpr int kMajor = 1;  // of the implemented revision

void check_version(const std::string& text) {
  int major = -1;
  std::from_chars(text.data(), text.data() + text.size(), major);
  if (major < 0) throw Refused("VERSION \"" + text + "\" is none");
  if (major > kMajor) throw Refused("VERSION " + text + " is of a later major revision");
}

void find_columns(Table& table) {
  for (const Link& link : links(table.group)) {
    const std::string path = join(table.path, link.name);
    if (link.type != H5L_TYPE_HARD) {
      table.diagnostics.push_back({path, "a link that is not a hard link"});
      continue;
    }
    const Id child(H5Oopen(table.group, link.name.c_str(), H5P_DEFAULT));
    const H5I_type_t kind = H5Iget_type(child);
    const bool reserved = link.name == "CATEGORIES" || link.name == "SEARCH_INDEXES";
    if (kind == H5I_DATASET && H5Sget_simple_extent_ndims(Id(H5Dget_space(child))) == 1) {
      Column column{.name = link.name, .dataset = child, .type = Id(H5Dget_type(child))};
      column.notation = describe_type(column.type);
      column.fill = fill_value(child);
      table.columns.push_back(std::move(column));
    } else if (table.newer && kind == H5I_GROUP && !reserved && is_list_column(child)) {
      table.columns.push_back(
          {.name = link.name, .dataset = child, .notation = describe_list(child)});
    } else if (!(kind == H5I_GROUP && reserved)) {
      table.diagnostics.push_back({path, "HEP001 does not describe this object"});
    }
  }
  for (const Column& column : table.columns)
    if (table.newer && column.later())
      table.diagnostics.push_back(
          {join(table.path, column.name), "this column follows a later revision"});
  const std::vector<Json> order = read_attribute(table.group, "column-order");
  std::stable_sort(table.columns.begin(), table.columns.end(),
                   [&](const Column& a, const Column& b) {
                     return std::find(order.begin(), order.end(), a.name) <
                            std::find(order.begin(), order.end(), b.name);
                   });
}

}  // namespace

hsize_t Column::extent() const {
  hsize_t size = 0;
  H5_CHECK(H5Sget_simple_extent_dims(Id(H5Dget_space(dataset)), &size, nullptr));
  return size;
}

hsize_t Column::chunk(hsize_t rows) const {
  const Id plist(H5Dget_create_plist(dataset));
  hsize_t length = std::max<hsize_t>(rows, 1);
  if (H5Pget_layout(plist) == H5D_CHUNKED) H5_CHECK(H5Pget_chunk(plist, 1, &length));
  return length;
}

bool Column::later() const {
  return is_list() ? !notation.contains("base") : H5Aexists(dataset, "MASK") > 0;
}

bool Column::missing(const Json& value) const { return fill && is_missing(notation, value, *fill); }

std::vector<Json> Column::values(hsize_t first, hsize_t count) const {
  std::vector<Json> rows = stored(first, count);
  for (Json& value : rows)
    if (missing(value)) value = nullptr;
  return rows;
}

const Column& Table::column(const std::string& name) const {
  const auto at = std::find_if(columns.begin(), columns.end(),
                               [&](const Column& column) { return column.name == name; });
  if (at == columns.end()) throw std::runtime_error(path + " has no column " + name);
  return *at;
}

std::optional<std::uint64_t> number_attribute(hid_t owner, const std::string& name) {
  const std::optional<std::string> digits = text_attribute(owner, name);
  if (!digits) return std::nullopt;
  return std::stoull(*digits);
}

std::vector<Id> references(hid_t owner, const std::string& name) {
  std::vector<Id> objects;
  if (H5Aexists(owner, name.c_str()) <= 0) return objects;
  const Id attribute(H5Aopen(owner, name.c_str(), H5P_DEFAULT));
  if (H5Tequal(Id(H5Aget_type(attribute)), H5T_STD_REF) <= 0)
    throw Refused(name + " is not of datatype H5T_STD_REF");
  const auto count = H5Sget_simple_extent_npoints(Id(H5Aget_space(attribute)));
  std::vector<H5R_ref_t> stored(static_cast<std::size_t>(count));
  if (count) H5_CHECK(H5Aread(attribute, H5T_STD_REF, stored.data()));
  for (H5R_ref_t& reference : stored) {
    if (H5Rget_type(&reference) != H5R_OBJECT2) continue;
    objects.emplace_back(H5Ropen_object(&reference, H5P_DEFAULT, H5P_DEFAULT));
    H5Rdestroy(&reference);
  }
  return objects;
}

std::vector<Id> indexes(const Column& column, const std::string& kind) {
  std::vector<Id> found = references(column.dataset, "SEARCH_INDEX_LIST");
  std::erase_if(found, [&](const Id& index) { return text_attribute(index, "KIND") != kind; });
  return found;
}

std::optional<std::uint64_t> token(hid_t owner, const std::string& name) {
  if (H5Aexists(owner, name.c_str()) <= 0) return std::nullopt;
  const Id attribute(H5Aopen(owner, name.c_str(), H5P_DEFAULT)), type(H5Aget_type(attribute));
  const bool fits = H5Sget_simple_extent_type(Id(H5Aget_space(attribute))) == H5S_SCALAR &&
                    (H5Tequal(type, H5T_STD_U64LE) > 0 || H5Tequal(type, H5T_STD_U64BE) > 0);
  if (!fits) return std::nullopt;
  std::uint64_t value = 0;
  H5_CHECK(H5Aread(attribute, H5T_NATIVE_UINT64, &value));
  return value;
}

bool is_valid(const Table& table, hid_t index) {
  if (!table.newer) return true;
  const auto generation = token(table.group, "GENERATION"), rows = token(table.group, "NROWS");
  return generation && rows && generation == token(index, "SOURCE_GENERATION") &&
         rows == token(index, "SOURCE_NROWS");
}

bool is_table(hid_t group) { return text_attribute(group, "CLASS") == "COLUMN_TABLE"; }

std::vector<std::string> find_tables(hid_t file) {
  std::vector<std::string> tables, queue{"/"};
  std::vector<Id> seen;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const std::string path = queue[next];
    const Id group(H5Gopen2(file, path.c_str(), H5P_DEFAULT));
    if (std::any_of(seen.begin(), seen.end(),
                    [&](const Id& one) { return same_object(one, group); }))
      continue;
    seen.push_back(group);
    if (is_table(group)) {
      tables.push_back(path);
      continue;
    }
    for (const Link& link : links(group)) {
      if (link.type != H5L_TYPE_HARD) continue;
      const Id child(H5Oopen(group, link.name.c_str(), H5P_DEFAULT));
      if (H5Iget_type(child) == H5I_GROUP) queue.push_back(join(path, link.name));
    }
  }
  return tables;
}

Table open_table(hid_t file, const std::string& path, bool newer) {
  Table table{.path = path, .group = Id(H5Gopen2(file, path.c_str(), H5P_DEFAULT)), .newer = newer};
  if (!is_table(table.group)) throw Refused(path + " is not a table group");
  table.version = text_attribute(table.group, "VERSION").value_or("");
  check_version(table.version);
  const auto rows = number_attribute(table.group, "NROWS");
  if (!rows) throw Refused(path + " has no NROWS");
  table.rows = *rows;
  find_columns(table);
  return table;
}

}  // namespace adapter
