// What the recipes describe in the files of the corpus (fixtures/hdf5/contents.json), and what a
// program says of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/suite/engine/file_reader.h"
#include "conformance/suite/hdf5/protocol.h"

namespace hepcheck::hdf5::suite {

// The objects of a file by their numbers; the first is the root group.
using Contents = std::vector<const Json*>;

// The contents that a reader may find: those of the file, and for a broken one also those of its
// sound original.
std::vector<Contents> contents_of(std::string_view file);

using Reading = FileContent;

// Compares the body of a reply with the contents. Throws `Malformed`.
Reading compare(const Json& body, const std::vector<Contents>& contents, const Capabilities& can);

}  // namespace hepcheck::hdf5::suite
