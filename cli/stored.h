// Stored JSON reports, for merging and comparison.
#pragma once

#include <functional>
#include <string>

#include "validator/report.h"

namespace hepcheck::cli {

// From a file, or "-" for standard input.
Result<Report> stored_report(const std::string& path);

// Records in `report` which findings are new, gone and unchanged since the stored one; a usage
// error if that cannot be read. `whole` states whether every subject of a file was requested.
void compare_with_stored(const std::string& path,
                         const std::function<bool(const std::string& path)>& whole, Report& report);

inline const char* against_help() {
  return "Report what is new, gone and unchanged since this JSON report";
}

}  // namespace hepcheck::cli
