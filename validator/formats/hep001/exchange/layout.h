// The layout of a table: datatypes, fill values, chunks, filters and categories, without values.
#pragma once

#include <string>
#include <vector>

#include "validator/exchange/layout.h"
#include "validator/exchange/table.h"
#include "validator/formats/hep001/model/table.h"

namespace hepcheck::hep001 {

// `schema`: the neutral schema of the same columns, which has the labels of categoricals; `losses`:
// what that does not have.
exchange::TableLayout layout_of(const Table& table, const exchange::Schema& schema,
                                const std::vector<std::string>& losses);

}  // namespace hepcheck::hep001
