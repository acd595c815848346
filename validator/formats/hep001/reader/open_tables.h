// Opens a file with tables with the requested reader.
#pragma once

#include <memory>

#include "validator/bytes.h"
#include "validator/descriptor.h"
#include "validator/formats/hep001/reader/read_tables.h"
#include "validator/options.h"

namespace hepcheck::hep001 {

// Does what is the same for all files.
void prepare_readers(const FileOptions& options);

// `file` must outlive the result.
Result<std::unique_ptr<TableFile>> open_tables(const Bytes& file, const FileOptions& options);

// A file that was opened by its path.
struct OpenedTables {
  Descriptor descriptor{};
  std::unique_ptr<Bytes> bytes{};
  std::unique_ptr<TableFile> file{};
};
Result<OpenedTables> open_tables(const std::string& path, const FileOptions& options);

}  // namespace hepcheck::hep001
