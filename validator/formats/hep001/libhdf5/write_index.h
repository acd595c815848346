// Search indexes into a file and out of it: the only code of hepcheck that writes to one.
//
// Order (11.2): an index is written whole while no link leads to it, then flushed; then it gets
// its link; only then the column lists it, with another flush. Taking it out goes backwards. At
// no time does a SEARCH_INDEX_LIST refer to something that is not there. (Between two flushes the
// library keeps no order; that nobody finds a file in that state is the matter of rewrite.h.)
#pragma once

#include <set>
#include <string>
#include <variant>
#include <vector>

#include "validator/formats/hep001/derive/build_index.h"
#include "validator/formats/hep001/libhdf5/file.h"

namespace hepcheck::hep001::libhdf5 {

using Tokens = std::set<ObjectToken>;

// The datasets that leave a table with some of its indexes: they themselves, and those of their
// values datasets that no other bitmap needs.
Tokens datasets_of(const Table& table, const std::vector<const SearchIndex*>& indexes);

struct BloomFilters {
  BloomParameters parameters{};
  std::vector<std::byte> filters{};
};

struct IndexContents {
  std::variant<std::vector<ChunkMinmax>, SortedRows, Bitmap, BloomFilters> contents{};
  std::string description{};  // provenance (10.3)
};

// Adds an index over `column` to SEARCH_INDEXES, which is made if need be, and to the column's
// SEARCH_INDEX_LIST in the place of `replaced`, which are then deleted. `file` must be writable,
// and `table` have been read from it. Returns the path of the new index.
Result<std::string> add_index(const File& file, const Table& table, const Column& column,
                              const IndexContents& index,
                              const std::vector<const SearchIndex*>& replaced);

// Takes indexes off the lists of all columns, then deletes them, and their values datasets unless
// another bitmap needs those.
Result<void> remove_indexes(const File& file, const Table& table,
                            const std::vector<const SearchIndex*>& indexes);

}  // namespace hepcheck::hep001::libhdf5
