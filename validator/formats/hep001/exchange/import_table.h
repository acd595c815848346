// A neutral table into a file.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <vector>

#include "validator/exchange/table.h"
#include "validator/formats/hep001/exchange/export_table.h"

namespace hepcheck::hep001 {

struct ImportOptions {
  FileOptions file{};
  bool in_place = false;            // of a file that is there (validator/rewrite.h)
  std::function<void()> waiting{};  // told if another hepcheck that writes to it has to end first
};

struct Imported {
  std::uint64_t rows = 0;
  std::vector<std::string> losses{};  // what has no place in a table
};

// Writes a table at `place`, whose group must not exist yet and whose spec must be given, into a
// file that comes into being with it or is there already. What is written has been examined before
// it takes the file's place.
std::expected<Imported, ExchangeRefusal> import_table(const exchange::Table& table,
                                                      const TablePlace& place,
                                                      const ImportOptions& options);

}  // namespace hepcheck::hep001
