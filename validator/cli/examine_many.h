// Examines the files of a run, several at a time.
#pragma once

#include <vector>

#include "validator/cli/progress.h"
#include "validator/cli/target.h"
#include "validator/examine_file.h"
#include "validator/isolate/sandbox.h"

namespace hepcheck::cli {

// A report for each target, in their order, whatever was done first. With isolation as many files
// at a time as there are jobs; they share the memory and the threads that the options grant.
// Without it one after the other, since one process can do no more with the HDF5 library. `spec`
// null: each by what recognises it. `progress` may be null.
std::vector<FileReport> examine_many(const std::vector<Target>& targets, const Specification* spec,
                                     const FileOptions& options, const isolate::Bounds& bounds,
                                     bool isolated, TerminalProgress* progress);

}  // namespace hepcheck::cli
