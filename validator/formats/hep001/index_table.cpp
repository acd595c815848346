#include "validator/formats/hep001/index_table.h"

#include <algorithm>
#include <cstdlib>
#include <format>
#include <utility>

#include "validator/formats/hep001/judge.h"

namespace hepcheck::hep001 {

std::string_view name_of(IndexKind kind) {
  switch (kind) {
    case IndexKind::kChunkMinmax: return "CHUNK_MINMAX";
    case IndexKind::kSortedRows: return "SORTED_ROWS";
    case IndexKind::kBitmap: return "BITMAP";
    case IndexKind::kChunkBloom: return "CHUNK_BLOOM";
    case IndexKind::kUnknown: break;
  }
  return "unknown";
}

std::chrono::sys_seconds build_time() {
  if (const char* epoch = std::getenv("SOURCE_DATE_EPOCH"); epoch && *epoch)
    return std::chrono::sys_seconds(std::chrono::seconds(std::strtoll(epoch, nullptr, 10)));
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

Result<FoundTable> find_table(TableFile& file, const IndexPlace& place) {
  const auto ready = [&](Table&& table) {
    FoundTable found{.table = std::move(table)};
    found.choice = place.spec ? RevisionChoice{.revision = &revision_of(*place.spec)}
                              : revision_by_signs(found.table.group);
    assign_roles(found.table, *found.choice.revision);
    return found;
  };
  if (place.group) return read_table_at(file, *place.group).transform(ready);
  std::vector<Table> tables;
  for_each_table(file, {.table = [&](Table&& table) { tables.push_back(std::move(table)); },
                        .unreadable = [](const Error&) {}});
  if (tables.size() == 1) return ready(std::move(tables.front()));
  if (tables.empty()) return failure("", "no table group");
  return failure(
      "", std::format("{} tables; name one as FILE:{}", tables.size(), tables.front().path()));
}

const Specification& spec_of(const Table& table) {
  return *find_specification(table.revision->spec);
}

Result<const Column*> find_column(const Table& table, const std::string& name) {
  const auto it = table.column_by_name.find(name);
  if (table.list_by_name.contains(name))
    return failure(table.path(),
                   '"' + name + "\" is a list column, which cannot have search indexes");
  if (it == table.column_by_name.end()) return failure(table.path(), "no column \"" + name + '"');
  return &table.columns[it->second];
}

std::vector<const SearchIndex*> indexes_of(const Table& table, const Column& column,
                                           IndexKind kind) {
  const auto position = static_cast<std::size_t>(&column - table.columns.data());
  std::vector<const SearchIndex*> found;
  for (const SearchIndex& index : table.indexes)
    if (index.kind == kind && std::ranges::contains(index.columns, position))
      found.push_back(&index);
  return found;
}

void forget(Table& table, const std::vector<const SearchIndex*>& indexes) {
  const Tokens leaving = datasets_of(table, indexes);
  for (Child& child : table.group.children) {
    if (child.name == "SEARCH_INDEXES" && child.group)
      std::erase_if(child.group->children,
                    [&](const Child& c) { return leaving.contains(c.token); });
    if (!child.dataset) continue;
    const auto list = child.dataset->attributes.find("SEARCH_INDEX_LIST");
    if (list == child.dataset->attributes.end()) continue;
    std::vector<Reference>& references = list->second.references;
    const auto removed = std::erase_if(
        references, [&](const Reference& r) { return r.resolved() && leaving.contains(r.token); });
    if (removed > 0 && references.empty())
      child.dataset->attributes.erase(list);
    else if (removed > 0)
      list->second.space.extent = {references.size()};
  }
  assign_roles(table, *table.revision);
}

void keep_only(Table& table, const std::vector<const SearchIndex*>& indexes) {
  std::vector<const SearchIndex*> others;
  for (const SearchIndex& index : table.indexes)
    if (!std::ranges::contains(indexes, &index)) others.push_back(&index);
  Tokens listing;
  for (const SearchIndex* index : indexes)
    for (const std::size_t c : index->columns) listing.insert(table.columns[c].data->token);
  std::erase_if(table.group.children, [&](const Child& child) {
    return child.dataset && !listing.contains(child.token);
  });
  forget(table, others);
}

Result<std::vector<const SearchIndex*>> existing_indexes(const Table& table,
                                                         const IndexPlace& place) {
  const Result<const Column*> column = find_column(table, place.column);
  if (!column) return std::unexpected(column.error());
  auto indexes = indexes_of(table, **column, place.kind);
  if (indexes.empty())
    return failure((*column)->path(), std::format("no {} index", name_of(place.kind)));
  return indexes;
}

Tokens datasets_of(const Table& table, const std::vector<const SearchIndex*>& indexes) {
  Tokens all;
  for (const SearchIndex* index : indexes) {
    all.insert(index->data->token);
    if (index->values) all.insert(index->values->token);
  }
  for (const SearchIndex& other : table.indexes)
    if (other.values && !all.contains(other.data->token)) all.erase(other.values->token);
  return all;
}

}  // namespace hepcheck::hep001
