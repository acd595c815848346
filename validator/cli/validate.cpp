// hepcheck validate: files in, findings out.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <print>

#include "reports/json.h"
#include "reports/text.h"
#include "validator/cli/commands.h"
#include "validator/cli/examiner.h"
#include "validator/cli/limits.h"
#include "validator/cli/progress.h"
#include "validator/cli/suggest.h"
#include "validator/cli/target.h"
#include "validator/examine_file.h"

namespace hepcheck::cli {

namespace {

struct Arguments {
  std::vector<std::string> paths{};
  std::string format = "text";
  std::string level = "must";
  std::string depth = "full";
  std::string spec{default_specification().id};
  std::string output{};
  std::vector<std::string> only{}, skip{}, limits{};
  std::uint64_t max_findings = 100;
  std::uint64_t memory_limit = 0;
  unsigned jobs = 0;
  bool strict = false, quiet = false, verbose = false;
  bool allow_no_tables = false, allow_unchecked = false, allow_plugins = false;
  bool no_isolation = false;
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

FileReport examine_target(const Target& target, Examiner& examiner) {
  if (target.error) return {.path = target.path, .error = target.error};
  return examiner.examine(target.path, target.group);
}

bool colour_wanted() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return isatty(STDOUT_FILENO) && !(no_color && *no_color) &&
         !(term && std::string_view(term) == "dumb");
}

void write_report(std::ostream& out, const Report& report, const Arguments& arguments,
                  bool terminal) {
  if (arguments.format == "json")
    reports::write_json(out, report);
  else if (!arguments.quiet)
    reports::write_text(out, report,
                        {.colour = terminal && colour_wanted(), .terminal = terminal,
                         .verbose = arguments.verbose});
}

int run(const Arguments& arguments) {
  const Specification* spec = find_specification(arguments.spec);
  if (!spec) throw CLI::ValidationError("--spec", "no specification \"" + arguments.spec + "\"");
  FileOptions options;
  options.allow_no_tables = arguments.allow_no_tables;
  options.allow_plugins = arguments.allow_plugins;
  options.examine.depth = arguments.depth == "full" ? Depth::kFull : Depth::kStructure;
  options.examine.only = clause_set(arguments.only, *spec, "--only");
  options.examine.skip = clause_set(arguments.skip, *spec, "--skip");
  options.examine.max_findings = arguments.max_findings;
  options.examine.strict = arguments.strict;
  options.examine.fail_on_should = arguments.level == "should";
  options.examine.allow_unchecked = arguments.allow_unchecked;
  options.examine.jobs = arguments.jobs;
  options.examine.memory_limit = arguments.memory_limit;

  const AllLimits limits = limits_of(arguments.limits);
  options.limits = limits.reading;
  // Column data may take half of what the worker may have.
  isolate::Bounds bounds = isolate::settled(limits.worker);
  if (options.examine.memory_limit == 0) options.examine.memory_limit = bounds.memory / 2;
  if (limits.worker.memory == 0)
    bounds.memory = std::max(bounds.memory, 2 * options.examine.memory_limit);

  std::optional<TerminalProgress> progress;
  if (!arguments.quiet && isatty(STDERR_FILENO)) options.examine.progress = &progress.emplace();

  Examiner examiner(*spec, options, !arguments.no_isolation, bounds);
  Report report{.hepcheck = HEPCHECK_VERSION, .spec = spec};
  for (const std::string& argument : arguments.paths)
    for (const Target& target : targets_of(argument))
      report.files.push_back(examine_target(target, examiner));
  progress.reset();

  if (arguments.output.empty()) {
    write_report(std::cout, report, arguments, isatty(STDOUT_FILENO) != 0);
  } else {
    std::ofstream out(arguments.output, std::ios::binary);
    write_report(out, report, arguments, false);
    if (!out.flush()) {
      std::println(stderr, "hepcheck: {}: cannot be written", arguments.output);
      return 3;
    }
  }
  return exit_status(report);
}

}  // namespace

void add_validate(CLI::App& app, int& status) {
  auto* command = app.add_subcommand("validate", "Check the tables in files");
  auto a = std::make_shared<Arguments>();
  command->add_option("path", a->paths,
                      "FILE, FILE:/group (asserted to be a table), a directory, or - for a file "
                      "on standard input")
      ->required()
      ->type_name("PATH");
  command->add_option("--format", a->format, "Form of the report")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->add_option("-o,--output", a->output, "Write the report to this file")->type_name("FILE");
  command->add_option("--level", a->level, "What counts as failure: must, or also should")
      ->check(CLI::IsMember({"must", "should"}))
      ->capture_default_str();
  command->add_flag("--strict", a->strict, "Warnings of MUST clauses count as errors");
  command->add_option("--only", a->only, "Check only these clauses")
      ->delimiter(',')
      ->type_name("ID,...");
  command->add_option("--skip", a->skip, "Leave these clauses out")
      ->delimiter(',')
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
  command->add_option("--limit", a->limits, "Set a limit, as time=60 or memory=2GiB; see below")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME=N,...");
  command->add_option("--jobs", a->jobs, "Threads for reading and checking data [all cores]")
      ->check(CLI::Range(1u, 1024u))
      ->type_name("N");
  command->add_option("--spec", a->spec, "Revision of the specification")->capture_default_str();
  command->add_flag("--allow-no-tables", a->allow_no_tables, "A file without a table is no error");
  command->add_flag("--allow-unchecked", a->allow_unchecked,
                    "A mandatory clause that could not be checked does not bar status 0");
  command->add_flag("--allow-plugins", a->allow_plugins,
                    "Load the filter plugins on the HDF5 library's path");
  command->add_flag("--no-isolation", a->no_isolation,
                    "Examine files in this process, without a sandbox: for debuggers");
  command->add_flag("-q,--quiet", a->quiet, "Print no text report and no progress, only set the exit status");
  command->add_flag("-v,--verbose", a->verbose, "Also list clauses that were not broken");
  command->footer(
      "Exit status: 0 conformant; 1 a violation at the chosen level; 2 usage error; 3 something\n"
      "could not be examined, holds no table, claims another major revision, or a mandatory\n"
      "clause could not be checked. A violation outweighs the rest.\n\n" +
      limits_help());
  command->callback([a, &status] { status = run(*a); });
}

}  // namespace hepcheck::cli
