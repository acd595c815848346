// Examines the files of a run, several at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cli/progress.h"
#include "cli/specifications.h"
#include "cli/target.h"
#include "validator/examine_file.h"
#include "validator/isolate/sandbox.h"

namespace hepcheck::cli {

// What all files of a run together may take.
struct RunBounds {
  isolate::Bounds workers{};  // the memory is that of all workers; the rest is each one's
  std::uint64_t reports = 0;  // bytes for what was found
};

// How many files at a time, and what each of them may use of what all may.
struct Shares {
  std::size_t lanes = 1;
  FileOptions options{};
  isolate::Bounds bounds{};
};
Shares shares_of(std::size_t files, const FileOptions& options, const isolate::Bounds& bounds);

// Whether memory ran short and kept something from being examined, so that more memory may help.
bool lacked_memory(const FileReport& report);

// A report for each target, in their order, whatever was done first. With isolation as many files
// at a time as there are jobs and memory for; they share the memory and the threads that the
// options grant, and a file for which its share was too little is examined once more, alone.
// Without it one after the other, since one process can do no more with the HDF5 library. Each file
// is held against each of `specs`, one at least. `progress` may be null.
std::vector<FileReport> examine_many(const std::vector<Target>& targets,
                                     const Specifications& specs, const FileOptions& options,
                                     const RunBounds& bounds, bool isolated,
                                     TerminalProgress* progress);

}  // namespace hepcheck::cli
