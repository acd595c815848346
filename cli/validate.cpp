// hepcheck validate: examines files and reports findings.
#include "cli/validate.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <format>
#include <memory>
#include <print>
#include <set>

#include "cli/baseline.h"
#include "cli/commands.h"
#include "cli/examine_many.h"
#include "cli/limits.h"
#include "cli/settings.h"
#include "cli/stamp.h"
#include "cli/stored.h"
#include "cli/suggest.h"
#include "cli/target.h"
#include "cli/terminal_progress.h"
#include "cli/ticker.h"
#include "reports/escape.h"
#include "reports/formats.h"
#include "reports/tally.h"
#include "validator/catalogue/risk.h"
#include "validator/format.h"
#include "validator/machine.h"
#include "validator/read_whole.h"

namespace hepcheck::cli {

namespace {

std::vector<Target> shard_of(std::vector<Target> targets, const std::string& shard) {
  if (shard.empty()) return targets;
  const Share share = share_of(shard, "--shard");
  std::vector<Target> mine;
  for (std::size_t i = share.number; i < targets.size(); i += share.count)
    mine.push_back(std::move(targets[i]));
  return mine;
}

// The contents of the files of --facts, which are those of the only target.
std::vector<std::string> facts_for(const ExaminingArguments& arguments,
                                   const std::vector<Target>& targets) {
  std::vector<std::string> facts;
  if (arguments.facts.empty()) return facts;
  if (targets.size() != 1 || targets.front().path == "-")
    throw CLI::ValidationError("--facts", "facts are those of one file");
  refuse_comparison(arguments);
  for (const std::string& path : arguments.facts) {
    auto text = read_whole(path);
    if (!text) throw CLI::ValidationError("--facts", reports::escaped(path) + " cannot be read");
    facts.push_back(*std::move(text));
  }
  return facts;
}

// Words of --only and --skip that name no clause of the revisions by which subjects were judged,
// such as a section of another revision. Without this, --skip would do nothing, silently.
void report_unused(const std::vector<std::string>& words, const char* option,
                   const Report& report) {
  const std::vector<const Specification*> used = reports::specifications_of(report);
  for (const std::string& word : words) {
    if (std::ranges::any_of(
            used, [&](const Specification* each) { return !clauses_named(*each, word).empty(); }))
      continue;
    std::set<std::string_view> now;  // the sections of these clauses in the revisions that are used
    for (const Specification& other : all_specifications())
      for (const Clause* clause : clauses_named(other, word))
        for (const Specification* each : used)
          if (const Clause* here = each->find(clause->id)) now.insert(here->section);
    std::string sections;
    for (const std::string_view each : now)
      sections += (sections.empty() ? "" : ", ") + std::string(each);
    std::println(stderr, "hepcheck: {} {}: no clause of {}{}", option, reports::escaped(word),
                 used.front()->id, sections.empty() ? "" : "; there it is " + sections);
  }
}

// "skipped 3 files: 2 text, or empty; 1 recognised by no format"
void report_skipped(const Skipped& skipped) {
  std::uint64_t all = 0;
  std::string reasons;
  for (const auto& [why, count] : skipped) {
    all += count;
    reasons += std::format("{}{} {}", reasons.empty() ? "" : "; ", count, why);
  }
  if (all > 0)
    std::println(stderr, "hepcheck: skipped {}: {}", reports::counted(all, "file"), reasons);
}

}  // namespace

FileOptions options_of(const ExaminingArguments& arguments,
                       std::span<const Specification* const> wanted) {
  FileOptions options;
  options.allow_no_subjects = arguments.allow_no_tables;
  options.allow_plugins = arguments.allow_plugins;
  options.reader = reader_of(arguments.reader);
  options.examine.depth = arguments.depth == "full" ? Depth::kFull : Depth::kStructure;
  options.examine.only = clause_set(arguments.only, wanted, "--only");
  options.examine.skip = clause_set(arguments.skip, wanted, "--skip");
  options.examine.skip_reasons = arguments.skip_reasons;
  options.examine.severities = arguments.levels;
  if (arguments.policy == "untrusted")
    for (const Specification& spec : all_specifications())
      for (const Clause& clause : spec.clauses)
        if (is_refused_if_untrusted(clause))
          options.examine.severities.emplace(clause.id, Severity::kError);
  options.examine.max_findings = arguments.max_findings;
  options.examine.strict = arguments.strict;
  options.examine.fail_on_should = arguments.fail_on == "should";
  options.examine.allow_unchecked = arguments.allow_unchecked;
  options.examine.jobs = arguments.jobs;
  options.examine.memory_limit = arguments.memory_limit;
  return options;
}

Share share_of(const std::string& word, const char* option) {
  Share share{.number = 0, .count = 0};  // not a valid one
  const char* const end = word.data() + word.size();
  const auto first = std::from_chars(word.data(), end, share.number);
  const bool slash = first.ec == std::errc() && first.ptr != end && *first.ptr == '/';
  if (!slash || std::from_chars(first.ptr + 1, end, share.count).ptr != end || share.number < 1 ||
      share.number > share.count)
    throw CLI::ValidationError(option, "\"" + word + "\" is not K/N with 1 <= K <= N");
  --share.number;
  return share;
}

void refuse_comparison(const ExaminingArguments& arguments) {
  if (reader_of(arguments.reader) == Reader::kBoth)
    throw CLI::ValidationError("--reader", "facts are what one reader read");
}

RunBounds bounds_of(const AllLimits& limits, FileOptions& options) {
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

std::set<std::string, std::less<>> clause_set(const std::vector<std::string>& words,
                                              std::span<const Specification* const> wanted,
                                              const char* option) {
  const Specifications known = known_of(wanted);
  for (const std::string& word : words) check_names(known, word, option);
  return {words.begin(), words.end()};
}

ExaminedRun examine_all(ExaminingArguments& arguments, const CLI::App& command) {
  if (arguments.swmr) {
    if (command.get_option("--spec")->count() == 0) arguments.specs.clear();
    arguments.specs.emplace_back("hdf5-swmr-2013-10-10");
  }
  Specifications specs = specifications_named(arguments.specs);
  std::vector<Settings> settings = adopt_settings(command, specs, arguments);
  if (arguments.paths.empty()) throw CLI::RequiredError("path");
  // Checked now instead of after an hour of work.
  const std::vector<Destination> wanted = checked_destinations(arguments.output);

  std::vector<Target> targets;
  Skipped skipped;
  for (const std::string& argument : arguments.paths)
    std::ranges::move(targets_of(argument, specs, skipped), std::back_inserter(targets));
  if (!arguments.output.quiet) report_skipped(skipped);
  ExaminedRun made{.specs = std::move(specs),
                   .options = {},
                   .report = {.hepcheck = HEPCHECK_VERSION,
                              .settings = std::move(settings),
                              .date = date_of_run(),
                              .stamped = arguments.stamp}};
  made.options = options_of(arguments, made.specs);
  made.report.spec = &first_of(made.specs);
  const auto shown = [&](bool reports::Form::* what) {
    return std::ranges::any_of(
        wanted, [&](const Destination& each) { return reports::find_form(each.format)->*what; });
  };
  made.options.examine.describe_columns = shown(&reports::Form::shows_columns);
  // Only for the text report.
  made.options.examine.describe_answers =
      made.options.examine.describe_columns || !arguments.output.quiet ||
      std::ranges::contains(wanted, "text", &Destination::format);
  std::optional<TerminalProgress> progress;
  if (!arguments.output.quiet && isatty(STDERR_FILENO))
    made.options.examine.progress = &progress.emplace();
  // For what counts no bytes: standard input, containers, folders before the first file.
  const Ticker ticker("examining", arguments.output.quiet);
  const RunBounds bounds = bounds_of(limits_of(arguments.limits), made.options);
  const std::size_t all = targets.size();
  targets = shard_of(std::move(targets), arguments.shard);
  // A page of many files shows less of each.
  constexpr std::uint64_t kLinesOfPage = 10'000;
  if (shown(&reports::Form::shows_maps) && !targets.empty())
    made.options.examine.map_lines = kLinesOfPage / targets.size();
  made.options.facts = facts_for(arguments, targets);
  if (targets.empty())
    std::println(stderr, "hepcheck: shard {} contains none of the {}", arguments.shard,
                 reports::counted(all, "file"));
  std::optional<Stamper> stamper;
  if (arguments.stamp) {
    made.report.options = options_given(command);
    stamper.emplace(targets, made.options.limits);
  }
  made.report.files = examine_many(targets, made.specs, made.options, bounds,
                                   !arguments.no_isolation && isolate::has_processes(),
                                   progress ? &*progress : nullptr);
  if (!arguments.output.quiet) {
    report_unused(arguments.only, "--only", made.report);
    report_unused(arguments.skip, "--skip", made.report);
  }
  if (stamper) stamper->stamp(made.report.files);
  for (const Target& target : targets)
    if (!target.group) made.whole.insert(target.path);
  return made;
}

void add_examining(CLI::App* command, const std::shared_ptr<ExaminingArguments>& a) {
  command
      ->add_option("path", a->paths,
                   "FILE, FILE:/group (treated as a table), a directory, a pattern such as "
                   "'data/**/*.h5', or - for a file or an Arrow stream on standard input")
      ->type_name("PATH");
  command
      ->add_option("--config", a->config,
                   "Settings file [hepcheck.toml in the working directory, if it is the top of a "
                   "work tree of yours]")
      ->type_name("FILE");
  command->add_flag("--no-config", a->no_config, "Use no settings file")
      ->excludes(command->get_option("--config"));
  command->add_option("--baseline", a->baseline, "Known findings: shown, but they do not fail")
      ->type_name("FILE");
  command
      ->add_option("--fail-on,--level", a->fail_on,
                   "What counts as failure: must, should (also must), or never")
      ->check(one_of({"must", "should", "never"}))
      ->capture_default_str();
  command->add_flag("--strict", a->strict, "Treat warnings of MUST clauses as errors");
  command
      ->add_option(
          "--policy", a->policy,
          "untrusted: a file that leads out of itself, needs code, hides bytes or grows out "
          "of proportion is a failure")
      ->check(one_of({"none", "untrusted"}))
      ->capture_default_str();
  command
      ->add_option(
          "--only", a->only,
          "Check only these clauses: ids, patterns such as 'bloom-*', sections such as 11.4")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("CLAUSES,...");
  command->add_option("--skip", a->skip, "Skip these clauses, named in the same way")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("CLAUSES,...");
  command
      ->add_option("--depth", a->depth, "structure: do not read values; full: read each value once")
      ->check(one_of({"structure", "full"}))
      ->capture_default_str();
  command
      ->add_option("--max-findings", a->max_findings,
                   "Maximum number of findings reported per clause and subject")
      ->capture_default_str();
  take_size(command->add_option("--memory-limit", a->memory_limit,
                                "Memory to use, such as 512MB or 2GiB; larger columns are checked "
                                "out of core [a quarter of the machine's]"));
  command
      ->add_option("--limit", a->limits, "Set a limit, such as time=60 or memory=2GiB; see below")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME=N,...");
  command
      ->add_option("--jobs", a->jobs,
                   "Files examined concurrently, and threads for the data of one file [all cores]")
      ->check(CLI::Range(1u, 1024u))
      ->type_name("N");
  command
      ->add_option("--spec", a->specs,
                   "Judge by this specification, regardless of the file; auto: by the format that "
                   "recognises it; may be repeated [auto]")
      ->allow_extra_args(false)
      ->type_name("SPEC");
  command->add_flag("--swmr", a->swmr,
                    "Which datasets can be appended to while others read: --spec "
                    "hdf5-swmr-2013-10-10");
  add_reader(*command, a->reader);
  command->add_flag("--allow-no-tables", a->allow_no_tables,
                    "A file without a table is not an error, and its container is not examined");
  command->add_flag("--allow-unchecked", a->allow_unchecked,
                    "Allow status 0 although a mandatory clause could not be checked");
  command->add_flag("--allow-plugins", a->allow_plugins,
                    "Read tables with libhdf5, and load the filter plugins on its path");
  command->add_flag("--no-isolation", a->no_isolation,
                    "Examine files in this process, without a sandbox: for debuggers");
  command->footer(limits_help());
}

namespace {

// Without a text report, it would not be known that files chose an older revision, which has other
// clauses.
void report_older_revisions(const Report& report) {
  std::uint64_t count = 0;
  const FileReport* first = nullptr;
  const SubjectReport* example = nullptr;
  for (const FileReport& file : report.files)
    for (const SubjectReport& subject : file.subjects)
      if (subject.choice.by == ChosenBy::kSign && subject.spec &&
          subject.spec != &default_revision(subject.spec->format) && ++count == 1) {
        first = &file;
        example = &subject;
      }
  if (count == 0) return;
  std::println(stderr, "hepcheck: {}:{}: judged by {} because of {}{}; --spec pins the revision",
               reports::escaped(first->path), reports::escaped(example->path), example->spec->id,
               reports::escaped(example->choice.sign),
               count > 1 ? std::format(", and {} more", count - 1) : "");
}

int validate(ExaminingArguments arguments, const CLI::App& command) {
  ExaminedRun made = examine_all(arguments, command);
  if (arguments.output.quiet) report_older_revisions(made.report);
  compare_with_baseline(arguments, made);
  if (!arguments.against.empty())
    compare_with_stored(
        arguments.against, [&](const std::string& path) { return made.whole.contains(path); },
        made.report);
  if (!write_all(made.report, arguments.output)) return 3;
  return exit_status(made.report, arguments.fail_on != "never");
}

}  // namespace

void add_validate(CLI::App& app, int& status) {
  auto* command = app.add_subcommand("validate", "Validate files clause by clause");
  auto a = std::make_shared<ExaminingArguments>();
  add_examining(command, a);
  command
      ->add_option("--shard", a->shard,
                   "Examine only every Nth file, from the Kth: for CI matrices")
      ->type_name("K/N");
  command
      ->add_option("--facts", a->facts,
                   "Judge by what hepcheck facts read of the columns; repeated for each share")
      ->allow_extra_args(false)
      ->type_name("FILE");
  command->add_option("--against", a->against, against_help())->type_name("OLD.json");
  command->add_flag(
      "--stamp", a->stamp,
      "Record the time, the options, and the size and SHA-256 of each file in the report");
  command->footer(
      "Exit status: 0 conformant, or accepted; 1 a violation at the chosen level; 2 usage "
      "error;\n3 something could not be examined, contains no table, declares another major "
      "revision, or a\nmandatory clause could not be checked. Status 1 takes precedence over "
      "3.\n\n" +
      limits_help() + '\n' + forms_help());
  command->add_option("--format", a->output.formats, format_help())
      ->allow_extra_args(false)
      ->type_name("FORMAT");
  command
      ->add_option("-o,--output", a->output.output,
                   "Write the report to this file, in the format of its suffix")
      ->type_name("FILE");
  command->add_flag("-q,--quiet", a->output.quiet,
                    "Print no text report and no progress; set the exit status only");
  add_text_options(*command, a->output);
  command->add_flag("-v,--verbose", a->output.verbose, "Also list clauses that are not violated");
  command->add_flag("--risks", a->output.risks,
                    "In the text report, list the risk profile of each subject");
  command->callback([a, command, &status] { status = validate(*a, *command); });
}

}  // namespace hepcheck::cli
