// A table of a file as a neutral one, a batch at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "validator/exchange/table.h"
#include "validator/options.h"

namespace hepcheck::hep001 {

struct TablePlace {
  std::string file{};
  std::optional<std::string> group{};   // none: the only table group of the file
  const Specification* spec = nullptr;  // null: the revision that the table bears signs of
};

struct ExportOptions {
  FileOptions file{};
  std::set<std::string> skip{};  // columns that are left out
  bool binary = false;           // strings that are not UTF-8 as bytes
  std::uint64_t batch_rows = 0;  // 0: as many as fit into a few MiB
  std::uint64_t most_offset = 0x7FFFFFFF;
};

// Why there is no table, or why its rows end.
struct ExchangeRefusal {
  // true: what is in it has no place on the other side, or breaks a clause; false: something could
  // not be read or examined.
  bool forbidden = false;
  Error error{};
  int exit_status() const { return forbidden ? 1 : 3; }
};

class TableSource : public exchange::Source {
 public:
  virtual const std::string& path() const = 0;
  // What of the table has no place in a neutral one, by path.
  virtual const std::vector<std::string>& losses() const = 0;
};

// Opens a table whose clauses hold, as far as they are examined, and makes sure that all of its
// columns have neutral types. Whether every row has a neutral form is seen when it is read.
std::expected<std::unique_ptr<TableSource>, ExchangeRefusal> open_table(
    const TablePlace& place, const ExportOptions& options);

}  // namespace hepcheck::hep001
