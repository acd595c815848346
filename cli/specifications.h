// --spec: the specifications by which each file of a run is judged.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "validator/catalogue/clause.h"

namespace hepcheck::cli {

inline constexpr const char* kAutomatic = "auto";

// Null means the format that recognises the file.
using Specifications = std::vector<const Specification*>;

// The specifications that these words name, each once. An unknown word is a usage error.
Specifications specifications_named(const std::vector<std::string>& words);

// The main specification of the report: the first; the default if it is unknown.
const Specification& first_of(std::span<const Specification* const> wanted);

// The specifications whose clauses --only and similar options may name. A file may be recognised as
// any format.
Specifications known_of(std::span<const Specification* const> wanted);

// "hdf5-swmr-2013-10-10, hep001-1": the specifications of a baseline.
std::string names_of(std::span<const Specification* const> wanted);

// What --version prints: "hepcheck 1.0.0", and on a line for each specification the number of its
// clauses and a SHA-256 of everything that its catalogue says about them.
std::string version_text();

}  // namespace hepcheck::cli
