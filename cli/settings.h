// Settings files: which one counts, and what it does to a run. The one that --config names, or the
// working directory's hepcheck.toml if that is the user's own and not a stranger's.
#pragma once

#include <vector>

#include "cli/validate.h"
#include "validator/report.h"

namespace hepcheck::cli {

// Completes `arguments` with what the file says and the command line leaves open, and says so on
// standard error, where a hepcheck.toml that does not count is named too. Gives what the report has
// to say of it: one, if there are settings.
std::vector<Settings> adopt_settings(const CLI::App& command,
                                     std::span<const Specification* const> specs,
                                     ExaminingArguments& arguments);

}  // namespace hepcheck::cli
