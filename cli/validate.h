// What hepcheck validate and hepcheck baseline have in common: files in, findings out.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "cli/below.h"
#include "cli/examine_many.h"
#include "cli/limits.h"
#include "cli/output.h"
#include "cli/specifications.h"
#include "validator/examine_file.h"
#include "validator/report.h"

namespace CLI {
class App;
}

namespace hepcheck::cli {

// The command line, completed from the settings file that counts.
struct ExaminingArguments {
  std::vector<std::string> paths{};
  std::string config{};
  std::string fail_on = "must";
  std::string baseline{};
  std::optional<Below> baseline_below{};  // if a settings file named it
  std::string shard{};
  std::string against{};
  std::string depth = "full";
  std::vector<std::string> specs{kAutomatic};
  OutputOptions output{};
  std::vector<std::string> only{}, skip{}, limits{};
  std::uint64_t max_findings = 100;
  std::uint64_t memory_limit = 0;
  unsigned jobs = 0;
  bool strict = false, no_config = false, stamp = false;
  bool allow_no_tables = false, allow_unchecked = false, allow_plugins = false;
  bool no_isolation = false;
  // Only in a settings file:
  std::map<std::string, std::string, std::less<>> skip_reasons{};
  std::map<std::string, Severity, std::less<>> levels{};
};

struct Examination {
  Specifications specs{};
  FileOptions options{};
  Report report{};
  std::set<std::string> whole{};  // files of which every table was asked for
};

// What a file is examined with, but for its limits.
FileOptions options_of(const ExaminingArguments& arguments,
                       std::span<const Specification* const> wanted);

// What the run may use, and in `options` what a file may. Column data may take half of the memory
// of the workers.
RunBounds bounds_of(const AllLimits& limits, FileOptions& options);

// The options that say what to examine and how.
void add_examining(CLI::App* command, const std::shared_ptr<ExaminingArguments>& arguments);

// Completes `arguments`, then examines everything they name.
Examination examine_all(ExaminingArguments& arguments, const CLI::App& command);

// The words, each of which names clauses of what is wanted; a usage error of `option` otherwise.
std::set<std::string, std::less<>> clause_set(const std::vector<std::string>& words,
                                              std::span<const Specification* const> wanted,
                                              const char* option);

}  // namespace hepcheck::cli
