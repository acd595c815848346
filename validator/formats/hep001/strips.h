// The pictures of a report: where along a column rows are missing and indexes go wrong.
#pragma once

#include <vector>

#include "validator/formats/hep001/derive/facts.h"
#include "validator/report.h"

namespace hepcheck::hep001 {

// Fills in the strips of `columns`, which are those of `table`.
void add_strips(const Table& table, const TableFacts& facts, std::vector<Part>& columns);

}  // namespace hepcheck::hep001
