// A table in transit as lines, for golden files.
#pragma once

#include <string>

#include "validator/exchange/layout.h"
#include "validator/exchange/table.h"

namespace hepcheck::conformance {

// Every property of the fields, and a digest of the values.
std::string table_text(const exchange::Table& table);

// How its columns are stored, and what cannot be described.
std::string layout_text(const exchange::TableLayout& layout);

}  // namespace hepcheck::conformance
