// The common part of hepcheck export and import.
#pragma once

#include <optional>
#include <string>

#include "validator/examine_file.h"

namespace hepcheck::cli {

// Prints why a file is not read or not written, and returns the exit status.
int refused(const std::string& file, std::string why, int status);

struct Objection {
  std::string text{};
  int status = 0;  // the exit status
};

// Why an input is refused: its first error, or that it could not be examined.
std::optional<Objection> objection(const Input& input, const Request& request);

// Arrays of similar sizes follow each other, so the process keeps the memory that it frees.
void keep_freed_memory();

// A fatal signal leaves no incomplete file, and exceeding a limit on file sizes is a failed write.
void leave_nothing_behind(bool quiet = true);

// If the HDF5 library aborts or crashes on a damaged file, which this process reads, a message says
// so, the status is 3, and unfinished files are removed.
void survive_assertions();

}  // namespace hepcheck::cli
