// What to examine, and how.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "validator/catalogue/clause.h"
#include "validator/limits.h"

namespace hepcheck {

class Progress;
struct SubjectReport;

enum class Depth : std::uint8_t {
  kStructure,  // what describes the data alone: O(objects); data clauses come out as not checked
  kFull,       // and the data itself
};

struct ExamineOptions {
  Depth depth = Depth::kFull;
  // Clauses to run (empty: all) and to leave out, in words (catalogue/selection.h); what is left
  // out is reported as not checked, by the user's wish.
  std::set<std::string, std::less<>> only{}, skip{};
  // Why clauses of a word of `skip` are left out, for the report.
  std::map<std::string, std::string, std::less<>> skip_reasons{};
  // Severities to use for all findings of a clause, instead of the rule's own.
  std::map<std::string, Severity, std::less<>> severities{};
  std::uint64_t max_findings = 100;  // a clause and subject; further ones are counted
  bool strict = false;               // warnings of MUST and MUST NOT clauses become errors
  bool fail_on_should = false;       // SHOULD and SHOULD NOT findings make a subject fail
  bool allow_unchecked = false;
  bool describe_columns = true;    // the parts of a subject, for reports that show them
  bool describe_answers = true;    // and what the format asks of each, for those that show that
  std::uint64_t memory_limit = 0;  // bytes for data; 0: a quarter of the machine's
  unsigned jobs = 0;               // threads for data; 0: as many as there are cores
  Progress* progress = nullptr;    // told how far the reading of data has come (progress.h)
};

struct FileOptions {
  ExamineOptions examine{};
  Limits limits{};
  bool allow_no_subjects = false;  // a file in which there is nothing to judge is no error
  bool allow_plugins = false;      // let the HDF5 library load filter plugins
  // Called with each subject's report as soon as it is made.
  std::function<void(const SubjectReport&)> on_subject{};
};

}  // namespace hepcheck
