// write: a whole table.
#include <algorithm>
#include <optional>

#include "indexes.h"
#include "operations.h"
#include "store.h"

namespace adapter {

namespace {

// With missing rows it is an enumeration with a member for them (8.8).
const Json kNullableBoolean = {
    {"class", "enum"},
    {"base", kBoolean.at("base")},
    {"members", Json::array({Json::array({"FALSE", "0"}), Json::array({"TRUE", "1"}),
                             Json::array({"MISSING", "2"})})}};

// Fill values (8.5)

// The recommended one first.
std::vector<Json> candidates(const Json& type) {
  const std::string cls = type.at("class");
  const std::size_t size =
      type.contains("size") && type.at("size").is_number() ? type.at("size").get<std::size_t>() : 0;
  if (cls == "boolean") return {"2"};
  if (cls == "integer") {
    const std::size_t bits = type.value("precision", 8 * size);
    if (!type.at("signed").get<bool>())
      return {std::to_string(~std::uint64_t{0} >> (64 - bits)), "0",
              std::to_string((~std::uint64_t{0} >> (64 - bits)) - 1)};
    const std::int64_t least = std::int64_t{-1} << (bits - 1);
    return {std::to_string(least + 1), std::to_string(least), std::to_string(~least)};
  }
  if (cls == "float") {
    const char* nan = size == 2 ? "7e00" : size == 4 ? "7fc00000" : "7ff8000000000000";
    const char* lowest = size == 2 ? "fbff" : size == 4 ? "ff7fffff" : "ffefffffffffffff";
    if (size == 2) return {{{"bits", nan}}, {{"bits", lowest}}};
    return {{{"bits", size == 4 ? "7cf00000" : "479e000000000000"}},
            {{"bits", nan}},
            {{"bits", lowest}}};
  }
  if (cls == "string") return {"", "-", "?", "NA"};
  if (cls == "enum") {
    std::vector<Json> made, codes;
    for (const Json& member : type.at("members")) {
      codes.push_back(member.at(1));
      if (member.at(0) == "MISSING") made.push_back(member.at(1));
    }
    for (const Json& code : candidates(type.at("base")))
      if (std::find(codes.begin(), codes.end(), code) == codes.end()) made.push_back(code);
    return made;
  }
  if (cls == "compound") {
    Json fields = Json::array();
    for (const Json& field : type.at("fields")) fields.push_back(candidates(field.at(1)).front());
    return {fields};
  }
  if (cls == "array") {
    std::size_t count = 1;
    for (const Json& n : type.at("dims")) count *= n.get<std::size_t>();
    return {Json(std::vector<Json>(count, candidates(type.at("base")).front()))};
  }
  if (cls == "vlen") return {Json::array(), Json::array({candidates(type.at("base")).front()})};
  std::vector<Json> made;
  for (const unsigned char byte : {0xFF, 0x00, 0xFE}) {
    const Bytes bytes(size, byte);
    const Id raw(H5Tcreate(H5T_OPAQUE, size));
    made.push_back(decode(raw, bytes.data()));
  }
  return made;
}

bool is_number(const Json& type) {
  return type.at("class") == "integer" || type.at("class") == "float";
}

// The possible values of a column: a declared range, or that of the values if a recommended fill
// value is among them.
struct Range {
  std::optional<Json> low{}, high{};

  Range(const Json& column, const std::vector<Json>& values) {
    const Json& type = column.at("type");
    if (column.contains("valid_min")) {
      low = column.at("valid_min");
      high = column.at("valid_max");
      return;
    }
    const Json sentinel = candidates(type).front();
    const bool needed = column.value("domain", "") == "any" ||
                        std::find(values.begin(), values.end(), sentinel) != values.end();
    if (!needed || !is_number(type)) return;
    for (const Json& value : values) {
      if (value.is_null() || is_nan(value)) continue;
      if (!low || less(type, value, *low)) low = value;
      if (!high || less(type, *high, value)) high = value;
    }
  }
};

std::optional<Json> choose_fill(const Json& column, const std::vector<Json>& values,
                                const Range& range) {
  const Json& type = column.at("type");
  if (is_boolean(type)) return std::nullopt;  // no row of it is missing
  if (column.contains("fill")) return column.at("fill");
  const std::vector<Json> all = candidates(type);
  const bool any = column.value("domain", "") == "any";
  for (std::size_t i = any ? 1 : 0; i < all.size(); ++i) {
    const bool used = std::any_of(values.begin(), values.end(), [&](const Json& value) {
      return !value.is_null() && (is_nan(all[i]) ? is_nan(value) : equal(type, value, all[i]));
    });
    const bool inside = range.low && !less(type, all[i], *range.low) &&
                        !less(type, *range.high, all[i]) && !is_nan(all[i]);
    if (!used && !inside) return all[i];
  }
  throw Unsupported("no fill value is free");
}

// The storage of a boolean column, in revisions that define them.
Json with_boolean(Json column) {
  if (column.at("type").at("class") != "boolean") return column;
  const Json& values = column.at("values");
  const bool missing = std::find(values.begin(), values.end(), nullptr) != values.end();
  column["type"] = missing ? kNullableBoolean : kBoolean;
  return column;
}

void put_texts(hid_t owner, const Json& column) {
  for (const char* member : {"units", "units_vocabulary", "description"})
    put_text(owner, member, column, member);
}

// The elements of the leaf of a list column.
void add_elements(const Json& type, const Json& values, std::vector<Json>& elements) {
  if (type.at("class") == "text") return;
  for (const Json& value : values) {
    if (type.at("class") != "list")
      elements.push_back(value);
    else if (!value.is_null())
      add_elements(type.at("base"), value, elements);
  }
}

void write_list(hid_t group, const Json& column) {
  Json leaf = column;
  while (leaf.at("type").contains("base") && leaf.at("type").at("class") == "list")
    leaf["type"] = Json(leaf.at("type").at("base"));
  std::vector<Json> elements;
  add_elements(column.at("type"), column.at("values"), elements);
  std::optional<Json> fill;
  if (leaf.at("type").at("class") != "text")
    fill = choose_fill(leaf, elements, Range(leaf, elements));
  const Id made = create_list(
      group, column.at("name"), column.at("type"), fill,
      [](hid_t level, const char* name, const char* text) { put_text(level, name, text, true); });
  put_texts(made, column);
  append_entries(made, 0, column.at("values"));
}

void write_column(hid_t group, const std::string& path, const Json& column, hsize_t extent) {
  const Json& asked = column.at("type");
  if (asked.at("class") == "list") return write_list(group, column);
  const Id type = make_type(asked), plist(H5Pcreate(H5P_DATASET_CREATE));
  const std::vector<Json> values = column.at("values");
  const Range range(column, values);
  const std::optional<Json> fill = choose_fill(column, values, range);
  Encoder encoder;
  if (fill) H5_CHECK(H5Pset_fill_value(plist, type, encoder.all(type, {*fill}).data()));
  const hsize_t chunk =
      column.contains("chunk") ? std::stoull(column.at("chunk").get<std::string>()) : kChunk;
  H5_CHECK(H5Pset_chunk(plist, 1, &chunk));
  for (const std::string filter : column.value("filters", std::vector<std::string>()))
    H5_CHECK(filter == "shuffle"   ? H5Pset_shuffle(plist)
             : filter == "deflate" ? H5Pset_deflate(plist, 4)
                                   : H5Pset_fletcher32(plist));
  const hsize_t unlimited = H5S_UNLIMITED;
  const std::string name = column.at("name");
  const Id dataset(H5Dcreate2(group, name.c_str(), type,
                              Id(H5Screate_simple(1, &extent, &unlimited)), H5P_DEFAULT, plist,
                              H5P_DEFAULT));
  write_rows(dataset, 0, with_fill(values, fill));
  if (range.low) {
    const Json stored_as = describe_type(type);
    put(dataset, "valid_min", stored_as, {*range.low}, true);
    put(dataset, "valid_max", stored_as, {*range.high}, true);
  }
  put_texts(dataset, column);
  if (!column.contains("categories") || column.at("categories").is_null()) return;
  const Json& categories = column.at("categories");
  const std::string labels = name + "__CATEGORIES";
  const Id made = put_dataset(subgroup(group, "CATEGORIES"), labels, categories.at("type"),
                              categories.at("labels"));
  put(made, "ordered", kBoolean, {categories.at("ordered").get<bool>() ? "1" : "0"}, true);
  put_references(dataset, "CATEGORIES", {join(join(path, "CATEGORIES"), labels)}, true);
}

}  // namespace

void write(const std::string& path, const Json& asked, bool newer) {
  const Id file(H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT));
  const std::string where = asked.at("path");
  const Id links(H5Pcreate(H5P_LINK_CREATE));
  H5_CHECK(H5Pset_create_intermediate_group(links, 1));
  const Id group = where == "/"
                       ? Id(H5Gopen2(file, "/", H5P_DEFAULT))
                       : Id(H5Gcreate2(file, where.c_str(), links, H5P_DEFAULT, H5P_DEFAULT));
  const Json& columns = asked.at("columns");
  const std::uint64_t rows = columns.empty() ? 0 : columns[0].at("values").size();
  const std::uint64_t extent = std::max<std::uint64_t>(
      rows,
      asked.contains("preallocate") ? std::stoull(asked.at("preallocate").get<std::string>()) : 0);
  put_text(group, "VERSION", "1.0", true);
  put(group, "NROWS", unsigned_type(8), {"0"}, true);
  put_text(group, "TITLE", asked, "title");
  put_text(group, "description", asked, "description");
  put_text(group, "units_vocabulary", asked, "units_vocabulary");
  std::vector<Json> names;
  std::size_t longest = 0;
  for (const Json& column : columns) {
    names.push_back(column.at("name"));
    longest = std::max(longest, names.back().get_ref<const std::string&>().size());
    write_column(group, where, newer ? with_boolean(column) : column, extent);
  }
  if (!names.empty()) put(group, "column-order", text_type(longest, false), names, false);
  const auto labels = asked.value("row_labels", std::vector<std::string>());
  if (!labels.empty()) {
    std::vector<std::string> paths;
    for (const std::string& name : labels) paths.push_back(join(where, name));
    put_references(group, "INDEX_COLUMNS", paths, false);
    put_text(group, "_index", labels.front());
  }
  // From here on it is a table, without rows yet.
  put_text(group, "CLASS", "COLUMN_TABLE", true);
  const Table table = open_table(file, where, newer);
  for (const Json& column : columns)
    for (const Json& kind : column.value("indexes", Json::array()))
      build_index(table, table.column(column.at("name")), kind, rows);
  put_rows(group, rows);
}

}  // namespace adapter
