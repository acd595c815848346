// Inspects a file that a program has left.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>

#include "conformance/suite/hep001/content.h"
#include "conformance/suite/hep001/recording.h"
#include "validator/formats/hep001/libhdf5/edit.h"
#include "validator/report.h"

namespace hepcheck::hep001::suite {

struct Inspection {
  FileReport report{};                   // `error` if it could not be examined completely
  std::optional<FileContent> content{};  // its tables, if it could be read completely
  // Columns whose first rows, the requested number, can be read.
  std::set<std::string> readable{};
};

// Validates and reads the file in a sandboxed process, because the HDF5 library may fail on the
// output of a program. Returns in time in any case.
Inspection inspect(const std::string& path, const Specification& spec, std::uint64_t first_rows);

// The file with these changes, made in such a process; nothing if one of them cannot be made.
std::optional<Image> edited_safely(const Image& image, std::span<const libhdf5::Edit> edits);

// Encodes content as bytes, between that process and this one.
std::string packed(const FileContent& content);
std::optional<FileContent> unpacked(std::string_view bytes);

}  // namespace hepcheck::hep001::suite
