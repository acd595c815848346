// The reports of the files of a run, within the memory limit of the run.
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

// Results that subjects of different files share are stored once, as within one file. A file whose
// report does not fit is reported as one that could not be examined.
class ReportStore {
 public:
  // A report for each target; at most `most_subjects` per file, and `most_bytes` in total.
  ReportStore(const std::vector<Target>& targets, std::uint64_t most_subjects,
              std::uint64_t most_bytes);

  // A message about a file from an untrusted sender (report_stream.h).
  void take(std::size_t file, std::string_view message);
  // The end of the messages: returns what has arrived.
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
  std::vector<ClauseResults> common_{};  // shared results of subjects, most recently used first
  std::set<const void*> bases_{};        // shared results that are counted already
  std::uint64_t held_ = 0, coming_bytes_ = 0;
};

}  // namespace hepcheck::cli
