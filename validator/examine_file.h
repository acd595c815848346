// One file from its path to its report.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "validator/format.h"
#include "validator/options.h"
#include "validator/report.h"

namespace hepcheck {

// Gets ready what is the same for all files, in every format, and reads none. The functions below
// do it too; who forks before them saves each process the time.
void prepare(const FileOptions& options);

// Examines every subject of a file, or only the one that is wanted: by the format of the
// specification that is wanted, else by the first that recognises it. Whatever the file is, the
// answer is a report: `error` says why nothing could be examined, `unreadable` which objects could
// not. Lack of memory comes out as std::bad_alloc.
FileReport examine_bytes(const Bytes& file, const Request& wanted);
// The same, but the report tells of a lack of memory.
FileReport examine_within_memory(const Bytes& file, const Request& wanted);

// That for a file by its path, and for an image in memory, which the report calls `name`. `spec`
// null: whatever recognises the file.
FileReport examine_file(const std::string& path, const std::optional<std::string>& subject,
                        const Specification* spec, const FileOptions& options);
FileReport examine_image(std::span<const std::byte> image, const std::string& name,
                         const std::optional<std::string>& subject, const Specification* spec,
                         const FileOptions& options);

}  // namespace hepcheck
