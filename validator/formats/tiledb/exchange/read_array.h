// Reads the schema of a one-dimensional dense array as a table whose values are all missing.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "validator/examine_file.h"
#include "validator/exchange/table.h"

namespace hepcheck::tiledb {

struct ArrayTable {
  exchange::Table table{};
  std::vector<std::string> losses{};
};

// `input`: an array directory, an archive of one, or a schema file; it is conformant. The error
// says why it cannot be a table.
std::expected<ArrayTable, std::string> read_array(const Input& input, const FileOptions& options);

}  // namespace hepcheck::tiledb
