// Settings files: selects one and applies it. hepcheck uses the file named by --config, or the
// hepcheck.toml of the working directory if it belongs to the user.
#pragma once

#include <vector>

#include "cli/validate.h"
#include "validator/report.h"

namespace hepcheck::cli {

// Completes `arguments` with the settings that the command line leaves open, and reports that on
// standard error; also names a hepcheck.toml that is not used. Returns the entry for the report if
// settings were applied.
std::vector<Settings> adopt_settings(const CLI::App& command,
                                     std::span<const Specification* const> specs,
                                     ExaminingArguments& arguments);

}  // namespace hepcheck::cli
