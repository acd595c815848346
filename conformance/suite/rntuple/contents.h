// What the recipes describe in the files of the corpus (fixtures/rntuple/contents.json), and what a
// program says of it.
#pragma once

#include <string_view>

#include "conformance/suite/engine/file_reader.h"
#include "conformance/suite/rntuple/protocol.h"

namespace hepcheck::rntuple::suite {

// Compares the body of a reply with the descriptions of a file: its own, and for a broken one also
// that of its sound original. Throws `Malformed`.
FileContent compare(std::string_view file, const Json& body, const Capabilities& can);

}  // namespace hepcheck::rntuple::suite
