// A file or a stream as a neutral table.
#pragma once

#include <string>
#include <vector>

#include "validator/bytes.h"
#include "validator/exchange/table.h"
#include "validator/options.h"

namespace hepcheck::arrow {

struct ReadTable {
  exchange::Table table{};
  std::vector<std::string> losses{};  // what has no place in a neutral table
};

// Of an input that has been examined and has no error. All batches one behind the other;
// dictionaries united, in the order in which their values first appear. An error names the field
// that has no neutral form. `memory`: bytes that the table may take.
Result<ReadTable> read_table(const Bytes& input, const FileOptions& options, std::uint64_t memory);

}  // namespace hepcheck::arrow
