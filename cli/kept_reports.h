// The reports of the files of a run, in no more memory than the run may take for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/target.h"
#include "validator/isolate/report_stream.h"
#include "validator/report.h"

namespace hepcheck::cli {

// What subjects of different files have in common is held once, as that of those of one file is.
// A file whose report does not fit any more is reported as one that could not be examined.
class KeptReports {
 public:
  // A report for each target; `most_subjects` of a file, `most_bytes` for all of them.
  KeptReports(const std::vector<Target>& targets, std::uint64_t most_subjects,
              std::uint64_t most_bytes);

  // A message about a file, from a sender that may lie (report_stream.h).
  void take(std::size_t file, std::string_view message);
  // No more will come about it: what has come.
  FileReport finish(std::size_t file);

  void keep(std::size_t file, FileReport report);
  std::vector<FileReport> all() && { return std::move(reports_); }

 private:
  struct Coming {
    isolate::ReportReader reader{};
    std::uint64_t bytes = 0;
    bool too_much = false;
  };

  FileReport too_much(std::size_t file) const;
  void share(SubjectReport& subject);
  std::uint64_t size_of(const FileReport& report, std::set<const void*>& bases) const;

  const std::vector<Target>& targets_;
  const Coming fresh_;
  std::uint64_t most_bytes_;
  std::vector<Coming> coming_;
  std::vector<FileReport> reports_;
  std::vector<ClauseResults> common_{};  // what subjects have in common, the last that fitted first
  std::set<const void*> bases_{};        // what they share, and has been counted
  std::uint64_t held_ = 0, coming_bytes_ = 0;
};

}  // namespace hepcheck::cli
