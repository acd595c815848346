// What to examine, and how.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "validator/catalogue/clause.h"
#include "validator/limits.h"

namespace hepcheck {

class Progress;
struct SubjectReport;

enum class Depth : std::uint8_t {
  kStructure,  // only what describes the data: O(objects); clauses about data are not checked
  kFull,       // also the data
};

// Who reads tables from files for which there are two readers.
enum class Reader : std::uint8_t {
  kOwn,      // this program, from raw bytes
  kLibrary,  // the library of the container format
  kBoth,     // both, and every disagreement is reported
};

struct ExamineOptions {
  Depth depth = Depth::kFull;
  // Clauses to run (empty: all) and to skip, as words (catalogue/selection.h); skipped clauses are
  // reported as not checked, by request of the user.
  std::set<std::string, std::less<>> only{}, skip{};
  // The reasons for words in `skip`, for the report.
  std::map<std::string, std::string, std::less<>> skip_reasons{};
  // Severities to use for all findings of a clause, instead of the rule's own.
  std::map<std::string, Severity, std::less<>> severities{};
  std::uint64_t max_findings = 100;  // per clause and subject; further findings are counted
  bool strict = false;               // warnings of MUST and MUST NOT clauses become errors
  bool fail_on_should = false;       // violations of SHOULD and SHOULD NOT make a subject fail
  bool allow_unchecked = false;
  bool describe_columns = true;  // the parts of a subject, for reports that show them
  bool describe_answers = true;  // and the answer to the question that the format asks about each
  // Ranges and fields of the map of a subject's bytes together; 0: no report shows it.
  std::uint64_t map_lines = 0;
  std::uint64_t memory_limit = 0;  // bytes for data; 0: a quarter of the memory of the machine
  unsigned jobs = 0;               // threads for data; 0: the number of cores
  Progress* progress = nullptr;    // receives the progress of reading data (progress.h)
};

// Every `count`th part of the subjects of a file, from the `number`th.
struct Share {
  std::uint64_t number = 0, count = 1;
  bool has(std::uint64_t part) const { return part % count == number; }

  friend bool operator==(const Share&, const Share&) = default;
};

struct FileOptions {
  ExamineOptions examine{};
  Limits limits{};
  bool allow_no_subjects = false;  // a file without a subject is not an error
  bool allow_plugins = false;      // let the HDF5 library load filter plugins
  Reader reader = Reader::kOwn;
  // The work on the data of one file can be divided, if its format can: each process reads the
  // parts of a share, passes what it learned to `on_facts`, and judges nothing. Then one process
  // judges with `facts`, which are those of all shares, instead of reading the data.
  Share share{};
  std::function<void(std::string_view)> on_facts{};
  std::vector<std::string> facts{};
  // Called with the report of each subject as soon as it is complete.
  std::function<void(const SubjectReport&)> on_subject{};
};

}  // namespace hepcheck
