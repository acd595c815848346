// The contents of a search index over a column of a file, ready to be stored.
#pragma once

#include <string>

#include "validator/formats/hep001/index_table.h"
#include "validator/formats/hep001/libhdf5/index_dataset.h"
#include "validator/formats/hep001/model/values.h"

namespace hepcheck::hep001 {

struct BuiltIndex {
  libhdf5::IndexContents index{};
  std::string summary{};  // for display: "3 entries"
};

// Computes the contents of an index over a column, with a description that states who built it, and
// the tokens of the present table, if its revision has them.
Result<BuiltIndex> index_contents(IndexKind kind, const Table& table, const Dataset& column,
                                  ValueSource& values, const IndexOptions& options);

}  // namespace hepcheck::hep001
