// Tables whose things are bent one at a time (bend_properties.cpp): one for each datatype that a
// column may have, with every index over it, and one of nested lists.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fuzz/hep001/grammar/column.h"

namespace hepcheck::hep001::grammar {

struct BentTable {
  std::string name{};
  std::function<TestTable()> make{};
};

// As the revision wants them. The column is "c": values, ties, missing and NaN rows, a tail. Those
// whose datatype no index may stand over have it all the same.
std::vector<BentTable> tables_of_datatypes(const Specification& spec);

// For the newest revision: lists of lists of numbers, and lists of strings within lists, with a
// mask at each level.
TestTable nested_lists();

// A table in which much is wrong already, so that faults meet: aliases, links of every kind,
// indexes of unknown families with what they refer to, one that several columns list, labels in a
// deeper group.
TestTable tangled_table();

}  // namespace hepcheck::hep001::grammar
