// write, and the changes of chapter 11.
#include <algorithm>
#include <optional>

#include "operations.h"

namespace adapter {

namespace {

constexpr hsize_t kChunk = 64;
constexpr const char* kProvenance = "built by the hepcheck C++ adapter";

Json unsigned_type(std::size_t size) {
  return {{"class", "integer"}, {"size", size}, {"order", "little"}, {"signed", false}};
}

Json text_type(std::size_t size, bool ascii) {
  return {{"class", "string"},
          {"size", ascii ? size + 1 : std::max<std::size_t>(size, 1)},
          {"charset", ascii ? "ascii" : "utf-8"},
          {"padding", ascii ? "null-term" : "null-pad"}};
}

const Json kBoolean = {
    {"class", "enum"},
    {"base", {{"class", "integer"}, {"size", 1}, {"order", "little"}, {"signed", true}}},
    {"members", Json::array({Json::array({"FALSE", "0"}), Json::array({"TRUE", "1"})})}};

Id space_of(std::size_t count) {
  const hsize_t size = count;
  return Id(H5Screate_simple(1, &size, nullptr));
}

void put(hid_t owner, const std::string& name, const Json& type, const std::vector<Json>& values,
         bool scalar) {
  const Id made = make_type(type),
           space = scalar ? Id(H5Screate(H5S_SCALAR)) : space_of(values.size());
  const Id attribute(H5Acreate2(owner, name.c_str(), made, space, H5P_DEFAULT, H5P_DEFAULT));
  Encoder encoder;
  if (!values.empty()) H5_CHECK(H5Awrite(attribute, made, encoder.all(made, values).data()));
}

void put_text(hid_t owner, const std::string& name, const std::string& text, bool ascii = false) {
  put(owner, name, text_type(text.size(), ascii), {text}, true);
}

void put_text(hid_t owner, const std::string& name, const Json& from, const char* member) {
  if (from.contains(member) && from.at(member).is_string())
    put_text(owner, name, from.at(member).get<std::string>());
}

void put_references(hid_t owner, const std::string& name, const std::vector<std::string>& paths,
                    bool scalar) {
  const Id space = scalar ? Id(H5Screate(H5S_SCALAR)) : space_of(paths.size());
  const Id attribute(H5Acreate2(owner, name.c_str(), H5T_STD_REF, space, H5P_DEFAULT, H5P_DEFAULT));
  std::vector<H5R_ref_t> stored(paths.size());
  for (std::size_t i = 0; i < paths.size(); ++i)
    H5_CHECK(H5Rcreate_object(owner, paths[i].c_str(), H5P_DEFAULT, &stored[i]));
  if (!paths.empty()) H5_CHECK(H5Awrite(attribute, H5T_STD_REF, stored.data()));
  for (H5R_ref_t& reference : stored) H5Rdestroy(&reference);
}

// The commit: one value, written in place.
void put_rows(hid_t group, std::uint64_t rows) {
  H5_CHECK(H5Awrite(Id(H5Aopen(group, "NROWS", H5P_DEFAULT)), H5T_NATIVE_UINT64, &rows));
}

Id subgroup(hid_t group, const char* name) {
  return H5Lexists(group, name, H5P_DEFAULT) > 0
             ? Id(H5Gopen2(group, name, H5P_DEFAULT))
             : Id(H5Gcreate2(group, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

Id put_dataset(hid_t group, const std::string& name, const Json& type,
               const std::vector<Json>& values) {
  Id dataset(H5Dcreate2(group, name.c_str(), make_type(type), space_of(values.size()), H5P_DEFAULT,
                        H5P_DEFAULT, H5P_DEFAULT));
  write_rows(dataset, 0, values);
  return dataset;
}

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

// What a column's values may be: a declared range, or that of the values where a recommended
// fill value is among them.
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

Json choose_fill(const Json& column, const std::vector<Json>& values, const Range& range) {
  const Json& type = column.at("type");
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

std::vector<Json> with_fill(std::vector<Json> values, const Json& fill) {
  for (Json& value : values)
    if (value.is_null()) value = fill;
  return values;
}

void write_column(hid_t group, const std::string& path, const Json& column, hsize_t extent) {
  const Json& asked = column.at("type");
  const Id type = make_type(asked), plist(H5Pcreate(H5P_DATASET_CREATE));
  const std::vector<Json> values = column.at("values");
  const Range range(column, values);
  const Json fill = choose_fill(column, values, range);
  Encoder encoder;
  H5_CHECK(H5Pset_fill_value(plist, type, encoder.all(type, {fill}).data()));
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
  for (const char* member : {"units", "units_vocabulary", "description"})
    put_text(dataset, member, column, member);
  if (!column.contains("categories") || column.at("categories").is_null()) return;
  const Json& categories = column.at("categories");
  const std::string labels = name + "__CATEGORIES";
  const Id made = put_dataset(subgroup(group, "CATEGORIES"), labels, categories.at("type"),
                              categories.at("labels"));
  put(made, "ordered", kBoolean, {categories.at("ordered").get<bool>() ? "1" : "0"}, true);
  put_references(dataset, "CATEGORIES", {join(join(path, "CATEGORIES"), labels)}, true);
}

// Indexes. CHUNK_MINMAX is the one family that this program builds.

void list_indexes(const Column& column, const std::vector<Id>& listed) {
  if (H5Aexists(column.dataset, "SEARCH_INDEX_LIST") > 0)
    H5_CHECK(H5Adelete(column.dataset, "SEARCH_INDEX_LIST"));
  std::vector<std::string> paths;
  for (const Id& index : listed) paths.push_back(path_of(index));
  if (!paths.empty()) put_references(column.dataset, "SEARCH_INDEX_LIST", paths, false);
}

// Takes indexes out of the column's list, then out of the file; of every KIND if none is named.
void drop(const Table& table, const Column& column, const std::string& kind) {
  std::vector<Id> kept, going;
  for (const Id& index : references(column.dataset, "SEARCH_INDEX_LIST"))
    (kind.empty() || text_attribute(index, "KIND") == kind ? going : kept).push_back(index);
  list_indexes(column, kept);
  for (const Id& index : going) {
    std::vector<std::string> paths{path_of(index)};
    for (const Id& values : references(index, "VALUES")) paths.push_back(path_of(values));
    for (const std::string& path : paths)
      H5_CHECK(H5Ldelete(table.group, path.c_str(), H5P_DEFAULT));
  }
}

// Built whole over rows [0, rows), then referred to.
void build_minmax(const Table& table, const Column& column, std::uint64_t rows) {
  if (!has_order(column.notation)) throw Unsupported("the datatype has no order");
  const std::vector<Json> stored = column.stored(0, rows);
  const hsize_t chunk = column.chunk(rows);
  std::vector<Json> entries;
  for (hsize_t first = 0; first < rows; first += chunk) {
    const hsize_t end = std::min<hsize_t>(first + chunk, rows);
    Json min = *column.fill, max = *column.fill;
    bool any = false;
    std::uint64_t nans = 0, missing = 0;
    for (hsize_t row = first; row < end; ++row) {
      const Json& value = stored[row];
      nans += is_nan(value);
      missing += column.missing(value);
      if (is_nan(value) || column.missing(value)) continue;
      if (!any || less(column.notation, value, min)) min = value;
      if (!any || less(column.notation, max, value)) max = value;
      any = true;
    }
    entries.push_back(Json::array(
        {min, max, std::to_string(nans), std::to_string(missing), std::to_string(end - first)}));
  }
  const Json count = unsigned_type(8);
  const Json type{
      {"class", "compound"},
      {"fields",
       Json::array({Json::array({"min", column.notation}), Json::array({"max", column.notation}),
                    Json::array({"nan_count", count}), Json::array({"fill_count", count}),
                    Json::array({"n", count})})}};
  const Id index = put_dataset(subgroup(table.group, "SEARCH_INDEXES"),
                               column.name + "__chunk_minmax", type, entries);
  put_text(index, "KIND", "CHUNK_MINMAX", true);
  put_text(index, "description", kProvenance);
  std::vector<Id> listed = references(column.dataset, "SEARCH_INDEX_LIST");
  listed.push_back(index);
  list_indexes(column, listed);
}

// Makes the indexes of a column describe `rows` rows; what we cannot build goes.
void update_indexes(const Table& table, const Column& column, std::uint64_t rows) {
  const bool minmax = !indexes(column, "CHUNK_MINMAX").empty();
  drop(table, column, "");
  if (minmax) build_minmax(table, column, rows);
}

}  // namespace

void write(const std::string& path, const Json& asked) {
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
    write_column(group, where, column, extent);
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
  const Table table = open_table(file, where);
  for (const Json& column : columns)
    for (const Json& kind : column.value("indexes", Json::array())) {
      if (kind != "CHUNK_MINMAX") throw Unsupported("it builds no other index than CHUNK_MINMAX");
      build_minmax(table, table.column(column.at("name")), rows);
    }
  put_rows(group, rows);
}

// 11.2, step by step.
void append(hid_t file, const Table& table, const Json& request) {
  const Json& columns = request.at("columns");
  const std::uint64_t old_rows = table.rows, rows = old_rows + columns.at(0).at("values").size();
  hsize_t extent = rows;
  for (const Column& column : table.columns) extent = std::max(extent, column.extent());
  for (const Column& column : table.columns)
    if (column.extent() < extent) H5_CHECK(H5Dset_extent(column.dataset, &extent));
  for (const Json& added : columns) {
    const Column& column = table.column(added.at("name"));
    write_rows(column.dataset, old_rows,
               with_fill(added.at("values"), column.fill.value_or(nullptr)));
  }
  for (const Column& column : table.columns) update_indexes(table, column, rows);
  if (request.value("durable", false)) H5_CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL));
  put_rows(table.group, rows);
  H5_CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL));
}

void truncate(hid_t file, const Table& table, const Json& request) {
  const std::uint64_t rows = std::stoull(request.at("rows").get<std::string>());
  for (const Column& column : table.columns) update_indexes(table, column, rows);
  put_rows(table.group, rows);
  H5_CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL));
  const hsize_t extent = rows;
  if (request.value("reclaim", false))
    for (const Column& column : table.columns) H5_CHECK(H5Dset_extent(column.dataset, &extent));
}

void update(hid_t file, const Table& table, const Json& request) {
  const Column& column = table.column(request.at("column"));
  const bool minmax = !indexes(column, "CHUNK_MINMAX").empty();
  drop(table, column, "");
  for (std::size_t i = 0; i < request.at("rows").size(); ++i)
    write_rows(column.dataset, std::stoull(request.at("rows")[i].get<std::string>()),
               with_fill({request.at("values")[i]}, column.fill.value_or(nullptr)));
  if (minmax) build_minmax(table, column, table.rows);
  H5_CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL));
}

void add_index(const Table& table, const std::string& column, const std::string& kind) {
  if (kind != "CHUNK_MINMAX") throw Unsupported("it builds no other index than CHUNK_MINMAX");
  build_minmax(table, table.column(column), table.rows);
}

void drop_index(const Table& table, const std::string& column, const std::string& kind) {
  drop(table, table.column(column), kind);
}

}  // namespace adapter
