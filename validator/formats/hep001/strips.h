// The pictures of a report: where rows of a column are missing and indexes are wrong.
#pragma once

#include <string>
#include <vector>

#include "validator/formats/hep001/derive/facts.h"
#include "validator/report.h"

namespace hepcheck::hep001 {

// A list column as shown in reports; the facts contain its levels.
Part part_of(const Table& table, const ListColumn& list);
// A note on each list column: the number of entries of its levels, and their lengths.
void note_lists(const Table& table, const TableFacts& facts, std::vector<std::string>& notes);

// Fills in the strips of `columns`, which are those of `table`, and the levels of list columns.
void add_strips(const Table& table, const TableFacts& facts, std::vector<Part>& columns);

}  // namespace hepcheck::hep001
