// One file from its path to its report.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "validator/finding.h"
#include "validator/options.h"

namespace hepcheck {

// Makes the HDF5 library ready, which reads no file. The functions below do it too; who forks
// before them saves each process the time.
void prepare(const FileOptions& options);

// Examines every table group of a file, or only the group asserted to be one. Whatever the
// file is, the answer is a report: `error` says why nothing could be examined, `unreadable`
// which objects could not.
FileReport examine_file(const std::string& path, const std::optional<std::string>& group,
                        const Specification& spec, const FileOptions& options);

// The same for a file that is open already; `name` is what the report calls it. Lack of memory
// comes out as std::bad_alloc.
FileReport examine_descriptor(int descriptor, const std::string& name,
                              const std::optional<std::string>& group, const Specification& spec,
                              const FileOptions& options);

// The same for a file in memory; `name` is what the report calls it.
FileReport examine_image(std::span<const std::byte> image, const std::string& name,
                         const std::optional<std::string>& group, const Specification& spec,
                         const FileOptions& options);

// The process's exit status for a report: 0 conformant, 1 a violation, 3 something could not
// be examined. A violation outweighs what could not be examined.
// With `violations_count` false, a violation bars nothing.
int exit_status(const Report& report, bool violations_count = true);

}  // namespace hepcheck
