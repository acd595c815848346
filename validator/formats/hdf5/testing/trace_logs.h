// The logs of appends that generators/hdf5/trace_cases.py writes, and what the checks report about
// a log.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "validator/formats/hdf5/testing/report_text.h"
#include "validator/formats/hdf5/trace/check.h"

namespace hepcheck::hdf5::trace {

inline std::vector<std::filesystem::path> log_files() {
  namespace fs = std::filesystem;
  std::vector<fs::path> found;
  for (const fs::directory_entry& each :
       fs::directory_iterator(fs::path(HEPCHECK_SOURCE) / "validator/formats/hdf5/trace/logs"))
    if (each.path().extension() == ".log") found.push_back(each.path());
  std::ranges::sort(found);
  return found;
}

inline hepcheck::trace::Log log_of(const std::filesystem::path& path) {
  auto log = hepcheck::trace::read_log_file(path.string());
  if (log) return *std::move(log);
  ADD_FAILURE() << path << ": " << log.error().text;
  return {};
}

inline FileReport checked(const hepcheck::trace::Log& log, const CheckOptions& options = {}) {
  FileReport report;
  check(log, options, report);
  return report;
}

using testing::text_of;

}  // namespace hepcheck::hdf5::trace
