// hepcheck validate and baseline: files in, findings out.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <format>
#include <fstream>
#include <iostream>
#include <memory>
#include <print>

#include "reports/baseline.h"
#include "reports/escape.h"
#include "reports/formats.h"
#include "reports/tally.h"
#include "validator/cli/commands.h"
#include "validator/cli/config.h"
#include "validator/cli/examine_many.h"
#include "validator/cli/limits.h"
#include "validator/cli/output.h"
#include "validator/cli/progress.h"
#include "validator/cli/suggest.h"
#include "validator/cli/target.h"
#include "validator/examine_file.h"
#include "validator/format.h"
#include "validator/machine.h"
#include "validator/read_whole.h"

namespace hepcheck::cli {

namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::vector<std::string> paths{};
  std::string config{};
  std::string fail_on = "must";
  std::string baseline{};
  std::string shard{};
  std::string depth = "full";
  std::string spec = "auto";
  OutputOptions output{};
  std::vector<std::string> only{}, skip{}, limits{};
  std::uint64_t max_findings = 100;
  std::uint64_t memory_limit = 0;
  unsigned jobs = 0;
  bool strict = false, no_config = false;
  bool allow_no_tables = false, allow_unchecked = false, allow_plugins = false;
  bool no_isolation = false;
  // Only in the configuration file:
  std::map<std::string, std::string, std::less<>> skip_reasons{};
  std::map<std::string, Severity, std::less<>> levels{};
};

std::set<std::string, std::less<>> clause_set(const std::vector<std::string>& ids,
                                              const Specification& spec, const char* option) {
  for (const std::string& id : ids) clause_named(spec, id, option);
  return {ids.begin(), ids.end()};
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
  fill("--baseline", arguments.baseline, config.baseline);
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
      std::println(stderr, "hepcheck: the skip of {} ended on {}; it is checked again", skip.clause,
                   *skip.until);
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

// What the run may use. Column data may take half of the memory of the workers.
RunBounds bounds_of(const Arguments& arguments, FileOptions& options) {
  const AllLimits limits = limits_of(arguments.limits);
  options.limits = limits.reading;
  isolate::Bounds bounds = isolate::settled(limits.worker);
  constexpr std::uint64_t kLeastReports = std::uint64_t{256} << 20;
  std::uint64_t& memory = options.examine.memory_limit;
  if (memory == 0) memory = bounds.memory / 2;
  if (limits.worker.memory == 0) bounds.memory = std::max(bounds.memory, 2 * memory);
  return {.workers = bounds,
          .reports =
              limits.reports > 0 ? limits.reports : std::max(kLeastReports, machine_memory() / 4)};
}

struct Examination {
  FileOptions options{};
  Report report{};
  std::set<std::string> whole{};  // files of which every table was asked for
};

// Completes `arguments` from the configuration, then examines everything they name.
Examination examine_all(Arguments& arguments, const CLI::App& command) {
  // What clause ids are ids of; each file is judged by what recognises it, unless one is named.
  const bool automatic = arguments.spec == "auto";
  const Specification& spec =
      automatic ? default_specification() : specification_named(arguments.spec);
  if (const auto config = config_for(arguments)) adopt(*config, command, spec, arguments);
  if (arguments.paths.empty()) throw CLI::RequiredError("path");
  // Rather now than after an hour of work.
  const std::vector<Destination> wanted = destinations(arguments.output.formats);

  std::vector<Target> targets;
  for (const std::string& argument : arguments.paths)
    std::ranges::move(targets_of(argument), std::back_inserter(targets));
  Examination made{.options = options_of(arguments, spec),
                   .report = {.hepcheck = HEPCHECK_VERSION, .spec = &spec}};
  made.options.examine.describe_columns = std::ranges::any_of(wanted, [](const Destination& each) {
    return reports::find_form(each.format)->shows_columns;
  });
  std::optional<TerminalProgress> progress;
  if (!arguments.output.quiet && isatty(STDERR_FILENO))
    made.options.examine.progress = &progress.emplace();
  const RunBounds bounds = bounds_of(arguments, made.options);
  targets = shard_of(std::move(targets), arguments.shard);
  made.report.files = examine_many(targets, automatic ? nullptr : &spec, made.options, bounds,
                                   !arguments.no_isolation, progress ? &*progress : nullptr);
  for (const Target& target : targets)
    if (!target.group) made.whole.insert(target.path);
  return made;
}

// --- Baselines --------------------------------------------------------------------------------

// Paths below the folder of the baseline are stored relative to it.
reports::Rename renamer(const std::string& baseline) {
  const fs::path folder = fs::weakly_canonical(fs::absolute(baseline)).parent_path();
  return [folder](const std::string& path) -> std::string {
    if (path == "-") return path;
    const fs::path whole = fs::weakly_canonical(fs::absolute(path));
    const std::string near = whole.lexically_relative(folder).generic_string();
    return near.empty() || near.starts_with("..") ? whole.generic_string() : near;
  };
}

reports::Baseline baseline_from(const std::string& path, const Specification& spec) {
  const std::optional<std::string> text = read_whole(path);
  const auto baseline = text ? reports::read_baseline(*text, path)
                             : Result<reports::Baseline>(failure(path, "cannot be read"));
  if (!baseline)
    throw CLI::ValidationError("--baseline", reports::escaped(baseline.error().text()));
  if (baseline->spec != spec.id)
    throw CLI::ValidationError("--baseline", "made for " + reports::escaped(baseline->spec) +
                                                 ", not for " + std::string(spec.id));
  return *baseline;
}

void compare(const reports::Baseline& baseline, const std::string& path, Examination& made) {
  reports::apply(
      baseline, renamer(path), [&](const std::string& file) { return made.whole.contains(file); },
      made.options.examine, made.report);
}

int validate(Arguments arguments, const CLI::App& command) {
  Examination made = examine_all(arguments, command);
  if (!arguments.baseline.empty())
    compare(baseline_from(arguments.baseline, *made.report.spec), arguments.baseline, made);
  if (!write_all(made.report, arguments.output)) return 3;
  return exit_status(made.report, arguments.fail_on != "never");
}

int store(const std::string& path, const reports::Baseline& baseline) {
  // Beside it and then in its place, so that a baseline is never lost half-way.
  const std::string fresh = path + ".new";
  std::ofstream out(fresh, std::ios::binary);
  reports::write_baseline(out, baseline);
  std::error_code trouble;
  if (out.flush()) fs::rename(fresh, path, trouble);
  if (out && !trouble) return 0;
  std::println(stderr, "hepcheck: {}: cannot be written", reports::escaped(path));
  return 3;
}

// Files that could not be examined have no findings to remember.
int after_trouble(const Report& report, int status) {
  for (const FileReport& file : report.files) {
    if (!file.error && file.unreadable.empty()) continue;
    std::println(stderr, "hepcheck: {}: cannot be examined whole", reports::escaped(file.path));
    status = 3;
  }
  return status;
}

int create_baseline(Arguments arguments, const CLI::App& command) {
  const Examination made = examine_all(arguments, command);
  if (arguments.baseline.empty()) throw CLI::RequiredError("--baseline");
  std::error_code trouble;
  if (fs::exists(arguments.baseline, trouble))
    throw CLI::ValidationError(
        "--baseline", reports::escaped(arguments.baseline) + " exists; hepcheck baseline update");
  const auto baseline = reports::baseline_of(made.report, renamer(arguments.baseline));
  const int status = store(arguments.baseline, baseline);
  if (status == 0)
    std::println("{}: {} findings", reports::escaped(arguments.baseline), baseline.known.size());
  return after_trouble(made.report, status);
}

// Takes out what is gone; new findings come in only if asked for.
int update_baseline(Arguments arguments, const CLI::App& command, bool add) {
  Examination made = examine_all(arguments, command);
  if (arguments.baseline.empty()) throw CLI::RequiredError("--baseline");
  const reports::Baseline baseline = baseline_from(arguments.baseline, *made.report.spec);
  const reports::Baseline found = reports::baseline_of(made.report, renamer(arguments.baseline));
  compare(baseline, arguments.baseline, made);
  const auto changed = reports::updated(baseline, found, made.report.gone, add);
  for (const KnownFinding& gone : made.report.gone)
    std::println("gone: {}", reports::describe(gone));
  const int status = store(arguments.baseline, changed);
  if (status == 0)
    std::println("{}: {} findings, {} before", reports::escaped(arguments.baseline),
                 changed.known.size(), baseline.known.size());
  return after_trouble(made.report, status);
}

// --- The command line -------------------------------------------------------------------------

// What to examine and how, for every command that examines files.
void add_examining(CLI::App* command, const std::shared_ptr<Arguments>& a) {
  command
      ->add_option("path", a->paths,
                   "FILE, FILE:/group (asserted to be a table), a directory, a pattern such as "
                   "'data/**/*.h5', or - for a file on standard input")
      ->type_name("PATH");
  command
      ->add_option("--config", a->config,
                   "Settings [hepcheck.toml in the working directory, if there is one]")
      ->type_name("FILE");
  command->add_flag("--no-config", a->no_config, "Use no hepcheck.toml");
  command
      ->add_option("--baseline", a->baseline,
                   "Findings that are known: shown, but they do not fail")
      ->type_name("FILE");
  command
      ->add_option("--fail-on,--level", a->fail_on,
                   "What counts as failure: must, also should, or never")
      ->check(one_of({"must", "should", "never"}))
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
      ->check(one_of({"structure", "full"}))
      ->capture_default_str();
  command->add_option("--max-findings", a->max_findings, "Findings kept a clause and table")
      ->capture_default_str();
  command
      ->add_option("--memory-limit", a->memory_limit,
                   "Memory to use, as 512MB or 2GiB; larger columns are checked out of core "
                   "[a quarter of the machine's]")
      ->transform(CLI::AsSizeValue(false))
      ->type_name("SIZE");
  command->add_option("--limit", a->limits, "Set a limit, as time=60 or memory=2GiB; see below")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME=N,...");
  command
      ->add_option("--jobs", a->jobs,
                   "Files at a time, and threads for the data of one file [all cores]")
      ->check(CLI::Range(1u, 1024u))
      ->type_name("N");
  command
      ->add_option("--spec", a->spec,
                   "Judge by this specification, whatever the file is; auto: by what recognises it")
      ->capture_default_str();
  command->add_flag("--allow-no-tables", a->allow_no_tables, "A file without a table is no error");
  command->add_flag("--allow-unchecked", a->allow_unchecked,
                    "A mandatory clause that could not be checked does not bar status 0");
  command->add_flag("--allow-plugins", a->allow_plugins,
                    "Load the filter plugins on the HDF5 library's path");
  command->add_flag("--no-isolation", a->no_isolation,
                    "Examine files in this process, without a sandbox: for debuggers");
  command->footer(
      "Exit status: 0 conformant; 1 a violation at the chosen level; 2 usage error; 3 something\n"
      "could not be examined, holds no table, claims another major revision, or a mandatory\n"
      "clause could not be checked. A violation outweighs the rest.\n\n" +
      limits_help());
}

}  // namespace

void add_validate(CLI::App& app, int& status) {
  auto* command = app.add_subcommand("validate", "Check the tables in files");
  auto a = std::make_shared<Arguments>();
  add_examining(command, a);
  command
      ->add_option("--shard", a->shard,
                   "Examine only every Nth file, from the Kth: for CI matrices")
      ->type_name("K/N");
  command->footer(command->get_footer() + '\n' + forms_help());
  command->add_option("--format", a->output.formats, format_help())
      ->allow_extra_args(false)
      ->type_name("FORMAT");
  command->add_option("-o,--output", a->output.output, "Write the report to this file")
      ->type_name("FILE");
  command->add_flag("-q,--quiet", a->output.quiet,
                    "Print no text report and no progress, only set the exit status");
  command->add_flag("-v,--verbose", a->output.verbose, "Also list clauses that were not broken");
  command->callback([a, command, &status] { status = validate(*a, *command); });
}

void add_baseline(CLI::App& app, int& status) {
  auto* command = app.add_subcommand("baseline", "Known findings, so that only new ones fail");
  command->require_subcommand(1);

  auto* create = command->add_subcommand("create", "Remember every finding of these files");
  auto created = std::make_shared<Arguments>();
  add_examining(create, created);
  create->callback([created, create, &status] { status = create_baseline(*created, *create); });

  auto* update = command->add_subcommand("update", "Forget the findings that are gone");
  auto changed = std::make_shared<Arguments>();
  add_examining(update, changed);
  auto add = std::make_shared<bool>(false);
  update->add_flag("--add", *add, "Remember new findings too");
  update->callback([=, &status] { status = update_baseline(*changed, *update, *add); });
}

}  // namespace hepcheck::cli
