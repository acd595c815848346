// The search indexes of a column in the model of a table.
#pragma once

#include <chrono>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "validator/formats/hep001/index_file.h"
#include "validator/formats/hep001/reader/read_tables.h"

namespace hepcheck::hep001 {

std::string_view name_of(IndexKind kind);  // "CHUNK_MINMAX"

// SOURCE_DATE_EPOCH, or the present time, in seconds.
std::chrono::sys_seconds build_time();

// The named table, or the only one, as interpreted by its revision.
struct FoundTable {
  Table table{};
  RevisionChoice choice{};
};
Result<FoundTable> find_table(TableFile& file, const IndexPlace& place);

const Specification& spec_of(const Table& table);
Result<const Column*> find_column(const Table& table, const std::string& name);
std::vector<const SearchIndex*> indexes_of(const Table& table, const Column& column,
                                           IndexKind kind);
// The column's indexes of this kind, or the reason why there are none.
Result<std::vector<const SearchIndex*>> existing_indexes(const Table& table,
                                                         const IndexPlace& place);

using Tokens = std::set<ObjectToken>;

// The datasets that belong to some indexes of a table: they themselves, and those of their values
// datasets that no other bitmap needs.
Tokens datasets_of(const Table& table, const std::vector<const SearchIndex*>& indexes);

// Removes indexes from the model, as if they had never existed in the file.
void forget(Table& table, const std::vector<const SearchIndex*>& indexes);
// Reduces a table to these indexes and the columns that list them.
void keep_only(Table& table, const std::vector<const SearchIndex*>& indexes);

}  // namespace hepcheck::hep001
