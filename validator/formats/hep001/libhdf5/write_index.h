// Adds search indexes to a file and removes them.
//
// Order: a new index is written completely while no link leads to it, then flushed; then it gets
// its
// link; only then the column lists it, followed by another flush. Removal reverses this order. At
// no
// time does a SEARCH_INDEX_LIST refer to a missing object. (Between two flushes the library keeps
// no
// order; rewrite.h ensures that no program finds a file in that state.)
//
// In revisions with validity tokens, an index that passes the check has correct contents at every
// time: the tokens of a replaced index are invalidated first, then the table gets its GENERATION,
// and
// the tokens of the new index are written after its contents. GENERATION itself does not change.
#pragma once

#include <string>
#include <vector>

#include "validator/formats/hep001/index_table.h"
#include "validator/formats/hep001/libhdf5/file.h"
#include "validator/formats/hep001/libhdf5/index_dataset.h"

namespace hepcheck::hep001::libhdf5 {

// Adds an index over `column` to SEARCH_INDEXES, which is created if necessary, and to the column's
// SEARCH_INDEX_LIST in place of `replaced`, which are then deleted. With `refill`, a replaced index
// that is valid except for its contents is refilled in place, if possible. `file` must be writable,
// and `table` must have been read from it. Returns the path of the new index.
Result<std::string> add_index(const File& file, const Table& table, const Column& column,
                              const IndexContents& index,
                              const std::vector<const SearchIndex*>& replaced, bool refill);

// Removes indexes from the lists of all columns, then deletes them, and their values datasets
// unless another bitmap needs them.
Result<void> remove_indexes(const File& file, const Table& table,
                            const std::vector<const SearchIndex*>& indexes);

}  // namespace hepcheck::hep001::libhdf5
