// Converts the library's error stack to an Error instead of printing it.
#pragma once

#include <string>

#include "validator/formats/hep001/libhdf5/handle.h"
#include "validator/result.h"

namespace hepcheck::hep001::libhdf5 {

// Prepares the library for hostile files, before the first of them is opened: disables error
// printing, and filter plugins from the environment unless `allow_plugins`. Idempotent.
void initialise(bool allow_plugins);

// The innermost message of the error stack, with `what` as context; clears the stack.
Error last_error(std::string what);

inline std::unexpected<Error> library_failure(std::string what) {
  return std::unexpected(last_error(std::move(what)));
}

}  // namespace hepcheck::hep001::libhdf5
