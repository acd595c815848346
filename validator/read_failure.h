// Whether a file could not be read while it was examined.
//
// To a format, bytes that cannot be read are bytes that are not there. The code that reads records
// the failure here, whichever thread it runs on, so that nobody calls a file broken for that.
#pragma once

#include <optional>
#include <string>

namespace hepcheck {

// `error`: the number of the system; 0 if the file has become shorter.
void record_read_failure(int error);
// What failed first since the failures were forgotten.
std::optional<std::string> read_failure();
void forget_read_failures();

}  // namespace hepcheck
