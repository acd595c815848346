// The targets that words on the command line name: files, groups in them, directories.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/specifications.h"
#include "validator/result.h"

namespace hepcheck::cli {

// One thing to examine.
struct Target {
  std::string path{};
  std::optional<std::string> group{};
  std::optional<Error> error{};  // known to be impossible to examine
};

// PATH, PATH:/group, a directory, or "-". A directory that a format recognises as its subject is
// one thing to examine; of any other one, the files and such directories in it are. A file whose
// name contains ":/" wins over a group.
std::vector<Target> targets_of(const std::string& argument);

// Files of directories that are not examined, counted by the reason: "no format recognises it".
using Skipped = std::map<std::string, std::uint64_t>;

// The same. In a directory, files are chosen by what they contain, because names differ: those that
// a format recognises or whose name ends as its files do; if only certain specifications are
// wanted, files of their formats, and binary files that no format recognises, which may be damaged.
// Of hidden files and directories only the names count.
std::vector<Target> targets_of(const std::string& argument, const Specifications& wanted,
                               Skipped& skipped);

// Whether it is a URL: a scheme, "://", and more. hepcheck does not fetch URLs.
bool is_url(const std::string& argument);
inline constexpr const char* kNoUrls =
    "hepcheck does not fetch URLs; download the file and name it";

}  // namespace hepcheck::cli
