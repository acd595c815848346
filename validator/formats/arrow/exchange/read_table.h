// Reads a file or a stream as a neutral table.
#pragma once

#include <string>
#include <vector>

#include "validator/bytes.h"
#include "validator/exchange/table.h"
#include "validator/options.h"

namespace hepcheck::arrow {

struct ReadTable {
  exchange::Table table{};
  std::vector<std::string> losses{};  // properties without a neutral equivalent
};

// For an input that was examined and has no error. Concatenates all batches and merges
// dictionaries, in the order of the first occurrence of their values. An error names the field that
// has no neutral form. `memory`: the maximum number of bytes of the table.
Result<ReadTable> read_table(const Bytes& input, const FileOptions& options, std::uint64_t memory);

}  // namespace hepcheck::arrow
