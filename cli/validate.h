// The common part of hepcheck validate and hepcheck baseline: examines files and produces a report.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "cli/confined_file.h"
#include "cli/examine_many.h"
#include "cli/limits.h"
#include "cli/output.h"
#include "cli/reader.h"
#include "cli/specifications.h"
#include "validator/examine_file.h"
#include "validator/report.h"

namespace CLI {
class App;
}

namespace hepcheck::cli {

// The command line, completed by the settings file.
struct ExaminingArguments {
  std::vector<std::string> paths{};
  std::string config{};
  std::string fail_on = "must";
  std::string baseline{};
  std::optional<ConfinedFile> confined_baseline{};  // if a settings file selected it
  std::string shard{};
  std::vector<std::string> facts{};  // files
  std::string against{};
  std::string depth = "full";
  std::vector<std::string> specs{kAutomatic};
  OutputOptions output{};
  std::vector<std::string> only{}, skip{}, limits{};
  std::uint64_t max_findings = 100;
  std::uint64_t memory_limit = 0;
  unsigned jobs = 0;
  std::string policy = "none";
  std::string reader{kUsualReader};
  bool strict = false, no_config = false, stamp = false;
  bool swmr = false;
  bool allow_no_tables = false, allow_unchecked = false, allow_plugins = false;
  bool no_isolation = false;
  // Only in a settings file:
  std::map<std::string, std::string, std::less<>> skip_reasons{};
  std::map<std::string, Severity, std::less<>> levels{};
};

struct ExaminedRun {
  Specifications specs{};
  FileOptions options{};
  Report report{};
  std::set<std::string> whole{};  // files of which every table was requested
};

// The options for the examination of a file, without limits.
FileOptions options_of(const ExaminingArguments& arguments,
                       std::span<const Specification* const> wanted);

// "2/5", the value of `option`: the second of five.
Share share_of(const std::string& word, const char* option);

// Facts are what one reader read; a usage error if both are to be compared.
void refuse_comparison(const ExaminingArguments& arguments);

// The resources of the run, and in `options` those of a file. Column data may use half of the
// memory of the workers.
RunBounds bounds_of(const AllLimits& limits, FileOptions& options);

// The options that select what to examine and how.
void add_examining(CLI::App* command, const std::shared_ptr<ExaminingArguments>& arguments);

// Completes `arguments`, then examines all of their files.
ExaminedRun examine_all(ExaminingArguments& arguments, const CLI::App& command);

// The words, each of which names clauses of the requested specifications; otherwise a usage error
// of `option`.
std::set<std::string, std::less<>> clause_set(const std::vector<std::string>& words,
                                              std::span<const Specification* const> wanted,
                                              const char* option);

}  // namespace hepcheck::cli
