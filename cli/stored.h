// Stored JSON reports, and what a report is held against.
#pragma once

#include <functional>
#include <string>

#include "validator/report.h"

namespace hepcheck::cli {

// From a file, or "-" for standard input.
Result<Report> stored_report(const std::string& path);

// Says in `report` what is new, gone and still there since the stored one; a usage error if that
// cannot be read. `whole` tells whether every subject of a file was asked for.
void compare_with_stored(const std::string& path,
                         const std::function<bool(const std::string& path)>& whole, Report& report);

inline const char* against_help() {
  return "Say what is new, gone and still there since this JSON report";
}

}  // namespace hepcheck::cli
