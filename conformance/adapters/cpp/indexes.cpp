#include "indexes.h"

#include <algorithm>

#include "store.h"

namespace adapter {

namespace {

constexpr const char* kProvenance = "built by the hepcheck C++ adapter";

void list_indexes(const Column& column, const std::vector<Id>& listed) {
  if (H5Aexists(column.dataset, "SEARCH_INDEX_LIST") > 0)
    H5_CHECK(H5Adelete(column.dataset, "SEARCH_INDEX_LIST"));
  std::vector<std::string> paths;
  for (const Id& index : listed) paths.push_back(path_of(index));
  if (!paths.empty()) put_references(column.dataset, "SEARCH_INDEX_LIST", paths, false);
}

Json minmax_type(const Column& column) {
  const Json count = unsigned_type(8);
  return {{"class", "compound"},
          {"fields",
           Json::array({Json::array({"min", column.notation}),
                        Json::array({"max", column.notation}), Json::array({"nan_count", count}),
                        Json::array({"fill_count", count}), Json::array({"n", count})})}};
}

std::vector<Json> minmax_entries(const Column& column, std::uint64_t rows) {
  const std::vector<Json> stored = column.stored(0, rows);
  const hsize_t chunk = column.chunk(rows);
  std::vector<Json> entries;
  for (hsize_t first = 0; first < rows; first += chunk) {
    const hsize_t end = std::min<hsize_t>(first + chunk, rows);
    Json min = column.fill.value_or(nullptr), max = min;
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
  return entries;
}

}  // namespace

void build_index(const Table& table, const Column& column, const std::string& kind,
                 std::uint64_t rows) {
  if (kind != "CHUNK_MINMAX") throw Unsupported("it builds only CHUNK_MINMAX indexes");
  if (!has_order(column.notation)) throw Unsupported("the datatype has no order");
  if (table.newer && !token(table.group, "GENERATION")) put_token(table.group, "GENERATION", 0);
  const Id index =
      put_dataset(subgroup(table.group, "SEARCH_INDEXES"), column.name + "__chunk_minmax",
                  minmax_type(column), minmax_entries(column, rows), table.newer);
  put_text(index, "KIND", kind, true);
  put_text(index, "description", kProvenance);
  if (table.newer) put_tokens(index, *token(table.group, "GENERATION"), rows);
  std::vector<Id> listed = references(column.dataset, "SEARCH_INDEX_LIST");
  listed.push_back(index);
  list_indexes(column, listed);
}

void drop_indexes(const Table& table, const Column& column, const std::string& kind) {
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

bool can_rewrite(const Column& column, hid_t index) {
  hsize_t extent = 0, most = 0;
  const Id space(H5Dget_space(index));
  return text_attribute(index, "KIND") == "CHUNK_MINMAX" &&
         H5Sget_simple_extent_ndims(space) == 1 &&
         H5Sget_simple_extent_dims(space, &extent, &most) == 1 && most == H5S_UNLIMITED &&
         describe_type(Id(H5Dget_type(index))) == minmax_type(column);
}

void rewrite(const Column& column, hid_t index, std::uint64_t rows) {
  const std::vector<Json> entries = minmax_entries(column, rows);
  const hsize_t extent = entries.size();
  H5_CHECK(H5Dset_extent(index, &extent));
  write_rows(index, 0, entries);
}

void put_tokens(hid_t index, std::uint64_t generation, std::uint64_t rows) {
  put_token(index, "SOURCE_GENERATION", generation);
  put_token(index, "SOURCE_NROWS", rows);
}

}  // namespace adapter
