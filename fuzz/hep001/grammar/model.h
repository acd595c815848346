// Arbitrary models: a conformant table, mutated arbitrarily. The result may violate any clause, but
// is a model that the HDF5 library could have produced: attributes have as many bytes as their
// datatype and shape require, fields are inside their compound, chunks are not empty.
#pragma once

#include "fuzz/hep001/grammar/column.h"

namespace hepcheck::hep001::grammar {

// A conformant table with random columns and indexes over them.
TestTable random_table(Choices& choices);
// The additional features of the newest revision, also conformant: validity tokens that match or
// not, boolean columns without a fill value, list columns.
void make_newer(TestTable& table, Choices& choices);

// A datatype of any class, nested at most two levels.
Datatype any_datatype(Choices& choices, int depth = 2);
// An attribute with a reserved or another name, of any datatype and shape.
Attribute any_attribute(Choices& choices, TestTable& table);

// Changes one thing: an attribute, a datatype, an extent, a fill value, a link, values. A
// conformant table may become non-conformant.
void mutate(TestTable& table, Choices& choices);

}  // namespace hepcheck::hep001::grammar
