// Changes of a table: chapter 11 of revision 2026-06-16, chapter 12 of 2026-07-09.
#include <algorithm>

#include "indexes.h"
#include "operations.h"
#include "store.h"

namespace adapter {

namespace {

void flush(hid_t file) { H5_CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL)); }

bool has_minmax(const Column& column) { return !indexes(column, "CHUNK_MINMAX").empty(); }

// Without tokens: makes the indexes of a column describe `rows` rows; unsupported ones are dropped.
void replace_indexes(const Table& table, const Column& column, std::uint64_t rows) {
  const bool minmax = has_minmax(column);
  drop_indexes(table, column, "");
  if (minmax) build_index(table, column, "CHUNK_MINMAX", rows);
}

struct Index {
  const Column* column;
  Id dataset;
  bool ours() const { return can_rewrite(*column, dataset); }
};

// Every index that a column lists.
std::vector<Index> all_indexes(const Table& table) {
  std::vector<Index> found;
  for (const Column& column : table.columns)
    if (!column.is_list())
      for (const Id& index : references(column.dataset, "SEARCH_INDEX_LIST"))
        found.push_back({&column, index});
  return found;
}

// Indexes that a change keeps valid.
std::vector<Index> maintained(const Table& table, const Json& request) {
  std::vector<Index> kept = all_indexes(table);
  const bool leave = request.value("indexes", "maintain") == "leave";
  std::erase_if(kept, [&](const Index& index) { return leave || !index.ours(); });
  return kept;
}

// The GENERATION to commit. An index that is not maintained may have exactly the tokens that are
// about to be committed, left by a crashed append: an additional increment prevents it from
// becoming valid.
std::uint64_t next_generation(hid_t file, const Table& table, const std::vector<Index>& kept,
                              std::uint64_t rows) {
  const std::uint64_t generation = *token(table.group, "GENERATION");
  for (const Index& index : all_indexes(table)) {
    const bool is_kept = std::any_of(kept.begin(), kept.end(), [&](const Index& other) {
      return same_object(other.dataset, index.dataset);
    });
    if (is_kept || token(index.dataset, "SOURCE_GENERATION") != generation + 1 ||
        token(index.dataset, "SOURCE_NROWS") != rows)
      continue;
    put_token(table.group, "GENERATION", generation + 1);
    flush(file);
    return generation + 2;
  }
  return generation + 1;
}

// Tokens of the future state, then contents, then GENERATION and NROWS (12.3).
void commit(hid_t file, const Table& table, const Json& request, std::uint64_t rows) {
  if (token(table.group, "GENERATION")) {
    const std::vector<Index> kept = maintained(table, request);
    const std::uint64_t generation = next_generation(file, table, kept, rows);
    for (const Index& index : kept) put_tokens(index.dataset, generation, rows);
    flush(file);  // contents must not reach the disk first
    for (const Index& index : kept) rewrite(*index.column, index.dataset, rows);
    flush(file);
    put_token(table.group, "GENERATION", generation);
  }
  put_rows(table.group, rows);
  flush(file);
}

// The same without tokens (11.2).
void commit_older(hid_t file, const Table& table, const Json& request, std::uint64_t rows) {
  for (const Column& column : table.columns) replace_indexes(table, column, rows);
  if (request.value("durable", false)) flush(file);
  put_rows(table.group, rows);
  flush(file);
}

void put_new_rows(const Table& table, const Json& columns, std::uint64_t rows) {
  hsize_t extent = rows;
  for (const Column& column : table.columns)
    if (!column.is_list()) extent = std::max(extent, column.extent());
  for (const Column& column : table.columns)
    if (!column.is_list() && column.extent() < extent)
      H5_CHECK(H5Dset_extent(column.dataset, &extent));
  for (const Json& added : columns) {
    const Column& column = table.column(added.at("name"));
    if (column.is_list())
      append_entries(column.dataset, table.rows, added.at("values"));
    else
      write_rows(column.dataset, table.rows, with_fill(added.at("values"), column.fill));
  }
}

void put_cells(const Table& table, const Column& column, const Json& request) {
  const Json &rows = request.at("rows"), &values = request.at("values");
  const auto row = [&](std::size_t i) { return std::stoull(rows[i].get<std::string>()); };
  if (!column.is_list()) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      write_rows(column.dataset, row(i), with_fill({values[i]}, column.fill));
  } else if (!rows.empty()) {  // lists change their lengths: all of them move
    std::vector<Json> all = column.stored(0, table.rows);
    for (std::size_t i = 0; i < rows.size(); ++i) all.at(row(i)) = values[i];
    append_entries(column.dataset, 0, all);
  }
}

// Without tokens the indexes are dropped first, and rebuilt last.
void update_older(const Table& table, const Column& column, const Json& request) {
  const bool minmax = has_minmax(column);
  drop_indexes(table, column, "");
  put_cells(table, column, request);
  if (minmax) build_index(table, column, "CHUNK_MINMAX", table.rows);
}

// GENERATION first, so that no index is valid in the meantime; contents, then tokens (12.6).
void update_newer(hid_t file, const Table& table, const Column& column, const Json& request) {
  const auto generation = token(table.group, "GENERATION");
  if (!generation || request.at("rows").empty()) return put_cells(table, column, request);
  std::vector<Index> valid = all_indexes(table);
  std::erase_if(valid, [&](const Index& index) { return !is_valid(table, index.dataset); });
  put_token(table.group, "GENERATION", *generation + 1);
  flush(file);
  put_cells(table, column, request);
  for (const Index& index : valid) {
    const bool changed = index.column == &column;
    if (changed && !index.ours()) continue;
    if (changed) rewrite(column, index.dataset, table.rows);
    put_tokens(index.dataset, *generation + 1, table.rows);
  }
}

}  // namespace

void append(hid_t file, const Table& table, const Json& request) {
  const Json& columns = request.at("columns");
  const std::uint64_t rows = table.rows + columns.at(0).at("values").size();
  put_new_rows(table, columns, rows);
  if (table.newer && request.value("durable", false)) flush(file);
  (table.newer ? commit : commit_older)(file, table, request, rows);
}

void truncate(hid_t file, const Table& table, const Json& request) {
  const std::uint64_t rows = std::stoull(request.at("rows").get<std::string>());
  (table.newer ? commit : commit_older)(file, table, request, rows);
  if (!request.value("reclaim", false)) return;
  const hsize_t extent = rows;
  for (const Column& column : table.columns) {
    if (column.is_list())
      reclaim_entries(column.dataset, rows);
    else
      H5_CHECK(H5Dset_extent(column.dataset, &extent));
  }
}

void update(hid_t file, const Table& table, const Json& request) {
  const Column& column = table.column(request.at("column"));
  if (table.newer)
    update_newer(file, table, column, request);
  else
    update_older(table, column, request);
  flush(file);
}

void add_index(const Table& table, const std::string& column, const std::string& kind) {
  build_index(table, table.column(column), kind, table.rows);
}

void drop_index(const Table& table, const std::string& column, const std::string& kind) {
  drop_indexes(table, table.column(column), kind);
}

}  // namespace adapter
