// Examines one file: from its path to its report.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "validator/descriptor.h"
#include "validator/format.h"
#include "validator/options.h"
#include "validator/report.h"

namespace hepcheck {

// Prepares everything that is the same for all files, in every format, without reading any. The
// functions below do it as well; a caller that forks first saves each process the time.
void prepare(const FileOptions& options);

// What is examined: a file, or a directory with its members. A view, like both of them.
struct Input {
  Input() = default;
  Input(Bytes bytes) : file(std::move(bytes)) {}
  Input(const Members& directory, const Format& recognised)
      : members(&directory), format(&recognised) {}

  Bytes file{};
  const Members* members = nullptr;
  const Format* format = nullptr;  // the one that recognised the directory

  const std::string& name() const { return members ? members->name() : file.name(); }
  // What a process that examines it has to keep open.
  std::vector<int> descriptors() const;
};

// An input that was opened by its path, and what owns it.
struct OpenedInput {
  Descriptor file{};
  std::unique_ptr<const Members> members{};
  Input input{};
};
// A directory is opened if a format recognises it as its subject.
Result<OpenedInput> open_input(const std::string& path, const Limits& limits,
                               bool may_be_empty = false);

// Examines every subject of a file, or only the requested one, with the format of the requested
// specification or else the first format that recognises the file. The result is always a report:
// `error` states why nothing could be examined, `unreadable` which objects could not. Throws
// std::bad_alloc if memory is exhausted.
FileReport examine_bytes(const Input& input, const Request& wanted);
// The same, but reports exhausted memory as an error.
FileReport examine_within_memory(const Input& input, const Request& wanted);

// The same for a file given by its path, and for an image in memory, which the report calls `name`.
// `spec` null: the format that recognises the file chooses.
FileReport examine_file(const std::string& path, const std::optional<std::string>& subject,
                        const Specification* spec, const FileOptions& options);
FileReport examine_image(std::span<const std::byte> image, const std::string& name,
                         const std::optional<std::string>& subject, const Specification* spec,
                         const FileOptions& options);

}  // namespace hepcheck
