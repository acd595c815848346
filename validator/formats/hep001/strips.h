// The pictures of a report: where along a column rows are missing and indexes go wrong.
#pragma once

#include <string>
#include <vector>

#include "validator/formats/hep001/derive/facts.h"
#include "validator/report.h"

namespace hepcheck::hep001 {

// A list column as reports show it; its levels come with the facts.
Part part_of(const Table& table, const ListColumn& list);
// A word on each list column: how many entries its levels have, and how long they are.
void note_lists(const Table& table, const TableFacts& facts, std::vector<std::string>& notes);

// Fills in the strips of `columns`, which are those of `table`, and the levels of list columns.
void add_strips(const Table& table, const TableFacts& facts, std::vector<Part>& columns);

}  // namespace hepcheck::hep001
