// hepcheck validate: files in, findings out.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <format>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <print>

#include "reports/escape.h"
#include "validator/cli/commands.h"
#include "validator/cli/config.h"
#include "validator/cli/output.h"
#include "validator/cli/progress.h"
#include "validator/cli/suggest.h"
#include "validator/cli/target.h"
#include "validator/examine_file.h"

namespace hepcheck::cli {

namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::vector<std::string> paths{};
  std::string config{};
  std::string fail_on = "must";
  std::string shard{};
  std::string depth = "full";
  std::string spec{default_specification().id};
  OutputOptions output{};
  std::vector<std::string> only{}, skip{};
  std::uint64_t max_findings = 100;
  std::uint64_t memory_limit = 0;
  unsigned jobs = 0;
  bool strict = false, no_config = false;
  bool allow_no_tables = false, allow_unchecked = false, allow_plugins = false;
  // Only in the configuration file:
  std::map<std::string, std::string, std::less<>> skip_reasons{};
  std::map<std::string, Severity, std::less<>> levels{};
};

std::set<std::string, std::less<>> clause_set(const std::vector<std::string>& ids,
                                              const Specification& spec, const char* option) {
  std::vector<std::string_view> known;
  for (const Clause& clause : spec.clauses) known.push_back(clause.id);
  for (const std::string& id : ids) {
    if (std::ranges::contains(known, id)) continue;
    const auto near = nearest(id, known);
    throw CLI::ValidationError(option, "no clause \"" + id + "\"" +
                                           (near ? "; did you mean " + *near + "?" : ""));
  }
  return {ids.begin(), ids.end()};
}

FileReport examine_target(const Target& target, const Specification& spec,
                          const FileOptions& options) {
  if (target.error) return {.path = target.path, .error = target.error};
  if (target.path != "-") return examine_file(target.path, target.group, spec, options);
  const std::string image{std::istreambuf_iterator<char>(std::cin), {}};
  return examine_image(std::as_bytes(std::span(image)), "-", target.group, spec, options);
}

// --- hepcheck.toml ----------------------------------------------------------------------------

// The file that --config names, or the one in the working directory.
std::optional<Config> config_for(const Arguments& arguments) {
  constexpr const char* kUsual = "hepcheck.toml";
  std::error_code trouble;
  if (arguments.no_config || (arguments.config.empty() && !fs::exists(kUsual, trouble)))
    return std::nullopt;
  Result<Config> config = read_config(arguments.config.empty() ? kUsual : arguments.config);
  if (!config) throw CLI::ValidationError("--config", reports::escaped(config.error().text()));
  return *config;
}

// Takes over what the command line leaves open; --skip adds to what the file skips.
void adopt(const Config& config, const CLI::App& command, const Specification& spec,
           Arguments& arguments) {
  const auto open = [&](const char* option) { return command.get_option(option)->count() == 0; };
  const auto fill = [&](const char* option, auto& value, const auto& configured) {
    if (configured && open(option)) value = *configured;
  };
  fill("--fail-on", arguments.fail_on, config.fail_on);
  fill("--depth", arguments.depth, config.depth);
  fill("--strict", arguments.strict, config.strict);
  fill("--allow-unchecked", arguments.allow_unchecked, config.allow_unchecked);
  fill("--allow-no-tables", arguments.allow_no_tables, config.allow_no_tables);
  fill("--max-findings", arguments.max_findings, config.max_findings);
  if (arguments.paths.empty()) arguments.paths = config.paths;
  if (arguments.output.formats.empty()) arguments.output.formats = config.formats;
  arguments.levels = config.levels;
  std::vector<std::string> configured;
  for (const auto& [id, severity] : config.levels) configured.push_back(id);
  clause_set(configured, spec, "levels");

  const std::chrono::year_month_day today(
      std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  for (const Skip& skip : config.skips) {
    clause_set({skip.clause}, spec, "skip");
    if (skip.until && *skip.until < today) {
      std::println(stderr, "hepcheck: the skip of {} ended on {}; it is checked again",
                   skip.clause, *skip.until);
      continue;
    }
    arguments.skip.push_back(skip.clause);
    arguments.skip_reasons[skip.clause] =
        skip.until ? std::format("{} (until {})", skip.reason, *skip.until) : skip.reason;
  }
}

// --- Examining --------------------------------------------------------------------------------

// "2/5": every fifth target, from the second.
std::vector<Target> shard_of(std::vector<Target> targets, const std::string& shard) {
  if (shard.empty()) return targets;
  std::size_t k = 0, n = 0;
  const char* const end = shard.data() + shard.size();
  const auto first = std::from_chars(shard.data(), end, k);
  const bool slash = first.ec == std::errc() && first.ptr != end && *first.ptr == '/';
  if (!slash || std::from_chars(first.ptr + 1, end, n).ptr != end || k < 1 || k > n)
    throw CLI::ValidationError("--shard", "\"" + shard + "\" is not K/N with 1 <= K <= N");
  std::vector<Target> mine;
  for (std::size_t i = k - 1; i < targets.size(); i += n) mine.push_back(std::move(targets[i]));
  return mine;
}

FileOptions options_of(const Arguments& arguments, const Specification& spec) {
  FileOptions options;
  options.allow_no_tables = arguments.allow_no_tables;
  options.allow_plugins = arguments.allow_plugins;
  options.examine.depth = arguments.depth == "full" ? Depth::kFull : Depth::kStructure;
  options.examine.only = clause_set(arguments.only, spec, "--only");
  options.examine.skip = clause_set(arguments.skip, spec, "--skip");
  options.examine.skip_reasons = arguments.skip_reasons;
  options.examine.severities = arguments.levels;
  options.examine.max_findings = arguments.max_findings;
  options.examine.strict = arguments.strict;
  options.examine.fail_on_should = arguments.fail_on == "should";
  options.examine.allow_unchecked = arguments.allow_unchecked;
  options.examine.jobs = arguments.jobs;
  options.examine.memory_limit = arguments.memory_limit;
  return options;
}

// Completes `arguments` from the configuration, then examines everything they name.
Report examine_all(Arguments& arguments, const CLI::App& command) {
  const Specification* spec = find_specification(arguments.spec);
  if (!spec) throw CLI::ValidationError("--spec", "no specification \"" + arguments.spec + "\"");
  if (const auto config = config_for(arguments)) adopt(*config, command, *spec, arguments);
  if (arguments.paths.empty()) throw CLI::RequiredError("path");
  destinations(arguments.output.formats);  // rather now than after an hour of work

  std::vector<Target> targets;
  for (const std::string& argument : arguments.paths)
    std::ranges::move(targets_of(argument), std::back_inserter(targets));
  FileOptions options = options_of(arguments, *spec);
  std::optional<TerminalProgress> progress;
  if (!arguments.output.quiet && isatty(STDERR_FILENO))
    options.examine.progress = &progress.emplace();

  Report report{.hepcheck = HEPCHECK_VERSION, .spec = spec};
  for (const Target& target : shard_of(std::move(targets), arguments.shard))
    report.files.push_back(examine_target(target, *spec, options));
  return report;
}

int validate(Arguments arguments, const CLI::App& command) {
  const Report report = examine_all(arguments, command);
  if (!write_all(report, arguments.output)) return 3;
  return exit_status(report, arguments.fail_on != "never");
}

// --- The command line -------------------------------------------------------------------------

// What to examine and how, for every command that examines files.
void add_examining(CLI::App* command, const std::shared_ptr<Arguments>& a) {
  command->add_option("path", a->paths,
                      "FILE, FILE:/group (asserted to be a table), a directory, a pattern such as "
                      "'data/**/*.h5', or - for a file on standard input")
      ->type_name("PATH");
  command->add_option("--config", a->config,
                      "Settings [hepcheck.toml in the working directory, if there is one]")
      ->type_name("FILE");
  command->add_flag("--no-config", a->no_config, "Use no hepcheck.toml");
  command->add_option("--fail-on,--level", a->fail_on,
                      "What counts as failure: must, also should, or never")
      ->check(CLI::IsMember({"must", "should", "never"}))
      ->capture_default_str();
  command->add_flag("--strict", a->strict, "Warnings of MUST clauses count as errors");
  command->add_option("--only", a->only, "Check only these clauses")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("ID,...");
  command->add_option("--skip", a->skip, "Leave these clauses out")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("ID,...");
  command->add_option("--depth", a->depth, "structure: do not read values; full: read each once")
      ->check(CLI::IsMember({"structure", "full"}))
      ->capture_default_str();
  command->add_option("--max-findings", a->max_findings, "Findings kept a clause and table")
      ->capture_default_str();
  command->add_option("--memory-limit", a->memory_limit,
                      "Memory to use, as 512MB or 2GiB; larger columns are checked out of core "
                      "[a quarter of the machine's]")
      ->transform(CLI::AsSizeValue(false))
      ->type_name("SIZE");
  command->add_option("--jobs", a->jobs, "Threads for reading and checking data [all cores]")
      ->check(CLI::Range(1u, 1024u))
      ->type_name("N");
  command->add_option("--spec", a->spec, "Revision of the specification")->capture_default_str();
  command->add_flag("--allow-no-tables", a->allow_no_tables, "A file without a table is no error");
  command->add_flag("--allow-unchecked", a->allow_unchecked,
                    "A mandatory clause that could not be checked does not bar status 0");
  command->add_flag("--allow-plugins", a->allow_plugins,
                    "Let the HDF5 library load filter plugins");
}

}  // namespace

void add_validate(CLI::App& app, int& status) {
  auto* command = app.add_subcommand("validate", "Check the tables in files");
  auto a = std::make_shared<Arguments>();
  add_examining(command, a);
  command->add_option("--shard", a->shard,
                      "Examine only every Nth file, from the Kth: for CI matrices")
      ->type_name("K/N");
  command->add_option("--format", a->output.formats, format_help())
      ->allow_extra_args(false)
      ->type_name("FORMAT");
  command->add_option("-o,--output", a->output.output, "Write the report to this file")
      ->type_name("FILE");
  command->add_flag("-q,--quiet", a->output.quiet,
                    "Print no text report and no progress, only set the exit status");
  command->add_flag("-v,--verbose", a->output.verbose, "Also list clauses that were not broken");
  command->footer(
      "Exit status: 0 conformant; 1 a violation at the chosen level; 2 usage error; 3 something\n"
      "could not be examined, holds no table, claims another major revision, or a mandatory\n"
      "clause could not be checked. A violation outweighs the rest.");
  command->callback([a, command, &status] { status = validate(*a, *command); });
}

}  // namespace hepcheck::cli
