// What the recipes describe in the files of the corpus (fixtures/hdf5/contents.json), and what a
// program says of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/suite/engine/difference.h"
#include "conformance/suite/hdf5/protocol.h"

namespace hepcheck::hdf5::suite {

// The objects of a file by their numbers; the first is the root group.
using Contents = std::vector<const Json*>;

// The contents that a reader may find: those of the file, and for a broken one also those of its
// sound original.
std::vector<Contents> contents_of(std::string_view file);

// What a program has read of a file.
struct Reading {
  // The first thing that neither description has: values, names, objects that are missing.
  std::optional<Difference> wrong{};
  // The first refusal, of objects or attributes. `excused`: of datatypes that the program does not
  // declare, or of values that are not in the file.
  std::string refused{}, excused{};
  bool unjudged = false;  // something in it has no expected value
};

// Compares the body of a reply with the contents. Throws `Malformed`.
Reading compare(const Json& body, const std::vector<Contents>& contents, const Capabilities& can);

}  // namespace hepcheck::hdf5::suite
