// Search indexes into a file and out of it: the only code of hepcheck that writes to one.
//
// Order: a new index is written whole while no link leads to it, then flushed; then it gets its
// link; only then the column lists it, with another flush. Taking it out goes backwards. At no
// time does a SEARCH_INDEX_LIST refer to something that is not there. (Between two flushes the
// library keeps no order; that nobody finds a file in that state is the matter of rewrite.h.)
//
// In revisions with validity tokens an index that passes the check has right contents at every
// time: the tokens of one that is replaced fail first, the table has its GENERATION next, and those
// of the new one are written behind its contents. GENERATION itself does not change for it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "validator/formats/hep001/libhdf5/file.h"
#include "validator/formats/hep001/libhdf5/index_dataset.h"

namespace hepcheck::hep001::libhdf5 {

using Tokens = std::set<ObjectToken>;

// The datasets that leave a table with some of its indexes: they themselves, and those of their
// values datasets that no other bitmap needs.
Tokens datasets_of(const Table& table, const std::vector<const SearchIndex*>& indexes);

// Adds an index over `column` to SEARCH_INDEXES, which is made if need be, and to the column's
// SEARCH_INDEX_LIST in the place of `replaced`, which are then deleted. With `refill`, a replaced
// index that is sound but for what it holds takes the contents where it lies, if it can. `file`
// must be writable, and `table` have been read from it. Returns the path of the new index.
Result<std::string> add_index(const File& file, const Table& table, const Column& column,
                              const IndexContents& index,
                              const std::vector<const SearchIndex*>& replaced, bool refill);

// Takes indexes off the lists of all columns, then deletes them, and their values datasets unless
// another bitmap needs those.
Result<void> remove_indexes(const File& file, const Table& table,
                            const std::vector<const SearchIndex*>& indexes);

}  // namespace hepcheck::hep001::libhdf5
