// Stores a neutral table in a file.
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
  bool in_place = false;            // of an existing file (validator/rewrite.h)
  std::function<void()> waiting{};  // called if another hepcheck has to finish first
};

struct Imported {
  std::uint64_t rows = 0;
  std::vector<std::string> losses{};  // properties that a table cannot store
};

// Writes a table at `place`, whose group must not exist yet and whose spec must be given, to a new
// or an existing file. The result is validated before it replaces the file.
std::expected<Imported, ExchangeRefusal> import_table(const exchange::Table& table,
                                                      const TablePlace& place,
                                                      const ImportOptions& options);

}  // namespace hepcheck::hep001
