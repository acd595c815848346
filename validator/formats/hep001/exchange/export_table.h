// Reads a table of a file as a neutral one, batch by batch.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "validator/exchange/layout.h"
#include "validator/exchange/table.h"
#include "validator/options.h"

namespace hepcheck::hep001 {

struct TablePlace {
  std::string file{};
  std::optional<std::string> group{};   // none: the only table group of the file
  const Specification* spec = nullptr;  // null: the revision whose features the table shows
};

struct ExportOptions {
  FileOptions file{};
  std::set<std::string> skip{};  // columns to omit
  bool binary = false;           // export strings that are not UTF-8 as bytes
  // A column that has no neutral type is left out and named in the layout, instead of refused.
  bool partial = false;
  std::uint64_t batch_rows = 0;  // 0: as many as fit into a few MiB
  std::uint64_t most_offset = 0x7FFFFFFF;
};

// The reason why there is no table, or why its rows end.
struct ExchangeRefusal {
  // true: its contents have no equivalent, or violate a clause; false: something could not be read
  // or examined.
  bool forbidden = false;
  Error error{};
  int exit_status() const { return forbidden ? 1 : 3; }
};

class TableSource : public exchange::Source {
 public:
  virtual const std::string& path() const = 0;
  // The properties of the table without a neutral equivalent, by path.
  virtual const std::vector<std::string>& losses() const = 0;
  // How its columns are stored.
  virtual exchange::TableLayout layout() const = 0;
};

// Opens a table that satisfies the examined clauses, and checks that all of its columns have
// neutral types, unless `partial`. Whether every row has a neutral form is determined when it is
// read.
std::expected<std::unique_ptr<TableSource>, ExchangeRefusal> open_table(
    const TablePlace& place, const ExportOptions& options);

}  // namespace hepcheck::hep001
