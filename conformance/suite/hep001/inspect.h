// What lies in a file that a program has left.
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
  FileReport report{};                   // `error` if it could not be examined to its end
  std::optional<FileContent> content{};  // its tables, if all of it could be read
  // Columns of which the first rows, as many as asked for, can be read.
  std::set<std::string> readable{};
};

// Validates and reads the file in a process of its own, which is closed in: nobody knows what the
// HDF5 library does with what a program has made. Whatever that is, this returns in time.
Inspection inspect(const std::string& path, const Specification& spec, std::uint64_t first_rows);

// The file with these changes, made in such a process; nothing if one of them cannot be.
std::optional<Image> edited_safely(const Image& image, std::span<const libhdf5::Edit> edits);

// Content as bytes, between that process and this one.
std::string packed(const FileContent& content);
std::optional<FileContent> unpacked(std::string_view bytes);

}  // namespace hepcheck::hep001::suite
