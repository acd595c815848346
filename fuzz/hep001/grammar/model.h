// Arbitrary models: a conformant table, bent in arbitrary ways. What comes out may break any
// clause, but is something that the HDF5 library could have handed out: attributes hold as many
// bytes as their datatype and shape say, fields lie inside their compound, chunks are not empty.
#pragma once

#include "fuzz/hep001/grammar/column.h"

namespace hepcheck::hep001::grammar {

// A conformant table with random columns and indexes over them.
TestTable random_table(Choices& choices);
// What the newest revision has besides, and still conformant there: validity tokens that agree or
// do not, boolean columns without a fill value, list columns.
void make_newer(TestTable& table, Choices& choices);

// A datatype of any class, two levels deep at most.
Datatype any_datatype(Choices& choices, int depth = 2);
// An attribute with a reserved or another name, of any datatype and shape.
Attribute any_attribute(Choices& choices, TestTable& table);

// Changes one thing somewhere: an attribute, a datatype, an extent, a fill value, a link, values.
// What may have been conformant may no longer be.
void bend(TestTable& table, Choices& choices);

}  // namespace hepcheck::hep001::grammar
