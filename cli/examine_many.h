// Examines the files of a run, several at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cli/specifications.h"
#include "cli/target.h"
#include "cli/terminal_progress.h"
#include "validator/examine_file.h"
#include "validator/isolate/sandbox.h"

namespace hepcheck::cli {

// The resources of all files of a run together.
struct RunBounds {
  isolate::Bounds workers{};  // the memory of all workers; the other limits apply to each worker
  std::uint64_t reports = 0;  // bytes for reports
};

// The number of files examined concurrently, and the share of each.
struct Shares {
  std::size_t lanes = 1;
  FileOptions options{};
  isolate::Bounds bounds{};
};
Shares shares_of(std::size_t files, const FileOptions& options, const isolate::Bounds& bounds);

// Whether memory ran short and kept something from being examined, so that more memory may help.
bool lacked_memory(const FileReport& report);

// Returns a report for each target, in order. With isolation, as many files are examined
// concurrently as jobs and memory allow; they share the memory and the threads of the options, and
// a file for which its share was too small is examined again alone. Without isolation, files are
// examined one after another, because a process cannot use the HDF5 library concurrently. Each file
// is judged by each of `specs`, at least one. `progress` may be null.
std::vector<FileReport> examine_many(const std::vector<Target>& targets,
                                     const Specifications& specs, const FileOptions& options,
                                     const RunBounds& bounds, bool isolated,
                                     TerminalProgress* progress);

}  // namespace hepcheck::cli
