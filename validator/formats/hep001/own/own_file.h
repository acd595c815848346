// A file with tables, read from its raw bytes by the container reader (formats/hdf5).
#pragma once

#include <memory>

#include "validator/bytes.h"
#include "validator/formats/hep001/reader/table_file.h"
#include "validator/limits.h"

namespace hepcheck::hep001::own {

// `file` must outlive the result. Also if a SWMR writer has it open.
Result<std::unique_ptr<TableFile>> open_file(const Bytes& file, const Limits& limits);

}  // namespace hepcheck::hep001::own
