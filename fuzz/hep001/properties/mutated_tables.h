// Tables that are mutated one part at a time (mutation_properties.cpp): one for each datatype of a
// column, with every index over it, and one with nested lists.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fuzz/hep001/grammar/column.h"

namespace hepcheck::hep001::grammar {

struct MutatedTable {
  std::string name{};
  std::function<TestTable()> make{};
};

// In the form of the revision. The column is "c": values, ties, missing and NaN rows, a tail.
// Datatypes over which no index is permitted have indexes nevertheless.
std::vector<MutatedTable> tables_of_datatypes(const Specification& spec);

// For the newest revision: lists of lists of numbers, and lists of strings in lists, with a mask at
// each level.
TestTable nested_lists();

// A table with many defects, so that mutations interact: aliases, links of every kind, indexes of
// unknown families with their targets, one that several columns list, labels in a deeper group.
TestTable tangled_table();

}  // namespace hepcheck::hep001::grammar
