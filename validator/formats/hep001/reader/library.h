// The reader with libhdf5, which a build may leave out.
#pragma once

#include <memory>

#include "validator/bytes.h"
#include "validator/formats/hep001/reader/table_file.h"
#include "validator/options.h"

namespace hepcheck::hep001 {

// Does what is the same for all files.
void prepare_library(const FileOptions& options);

// `file` must outlive the result. `fast` false: the library reads all values itself, for comparison
// with another reader.
Result<std::unique_ptr<TableFile>> open_with_library(const Bytes& file, const FileOptions& options,
                                                     bool fast);

}  // namespace hepcheck::hep001
