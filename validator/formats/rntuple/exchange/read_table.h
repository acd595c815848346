// Reads the flat fields of an RNTuple as a neutral table.
#pragma once

#include <expected>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "validator/bytes.h"
#include "validator/exchange/table.h"
#include "validator/options.h"

namespace hepcheck::rntuple {

struct ReadOptions {
  FileOptions file{};
  std::set<std::string> skip{};  // top-level fields to omit
  bool projected = false;        // also fields that show data of others
  bool schema_only = false;      // no rows
  bool small_booleans = false;  // bool as an integer with the range 0 to 1 and 2 for missing values
  std::uint64_t memory = 0;     // bytes of the table at most
};

struct ReadTable {
  exchange::Table table{};
  std::string path{};                 // of the RNTuple
  std::vector<std::string> losses{};  // what has no neutral equivalent
  // Top-level fields that have no neutral form, with the reason; they are not in the table.
  std::vector<std::string> refused{};
};

// Why there is no table.
struct NotRead {
  std::string why{};
  bool unknown = false;  // what the file holds was not examined
};

// For an RNTuple that was examined and has no error; without a name, the only one of the file.
std::expected<ReadTable, NotRead> read_table(const Bytes& file,
                                             const std::optional<std::string>& name,
                                             const ReadOptions& options);

}  // namespace hepcheck::rntuple
