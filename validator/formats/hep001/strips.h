// The pictures of a report: where along a column rows are missing and indexes go wrong.
#pragma once

#include "validator/finding.h"
#include "validator/formats/hep001/derive/facts.h"

namespace hepcheck::hep001 {

// Fills the maps of the columns of `shape`, which is that of `table`.
void add_maps(const Table& table, const TableFacts& facts, TableShape& shape);

}  // namespace hepcheck::hep001
