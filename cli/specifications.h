// What --spec says: the specifications that each file of a run is held against.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "validator/catalogue/clause.h"

namespace hepcheck::cli {

inline constexpr const char* kAutomatic = "auto";

// Null stands for what recognises the file.
using Specifications = std::vector<const Specification*>;

// Of these words, each once. Complains on the command line's behalf about a word that names none.
Specifications specifications_named(const std::vector<std::string>& words);

// What the report is about, where it names no other: the first; the default if that is not known.
const Specification& first_of(std::span<const Specification* const> wanted);

// Those whose clauses --only and the like may name. A file may be recognised as anything.
Specifications known_of(std::span<const Specification* const> wanted);

// "hdf5-swmr-2013-10-10, hep001-1": what a baseline is made for.
std::string names_of(std::span<const Specification* const> wanted);

}  // namespace hepcheck::cli
