// hepcheck report: merges and renders stored JSON reports.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <print>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/stored.h"
#include "cli/suggest.h"
#include "reports/escape.h"
#include "reports/merge.h"
#include "reports/tally.h"

namespace hepcheck::cli {

namespace {

struct ReportArguments {
  std::vector<std::string> reports{};
  std::string fail_on = "never", against{};
  OutputOptions output{};
};

// Reports of shards, in the order of their files' paths.
Result<Report> joined(const std::vector<std::string>& paths) {
  Report whole;
  for (const std::string& path : paths) {
    Result<Report> part = stored_report(path);
    if (!part) return part;
    if (const auto reason = reports::merge(whole, *std::move(part))) return failure(path, *reason);
  }
  std::ranges::stable_sort(whole.files, {}, &FileReport::path);
  return whole;
}

int write(const ReportArguments& arguments, bool sort) {
  Result<Report> report =
      sort ? joined(arguments.reports) : stored_report(arguments.reports.front());
  if (!report) {
    std::println(stderr, "hepcheck: {}", reports::escaped(report.error().text()));
    return 3;
  }
  if (arguments.fail_on == "should")
    for (FileReport& file : report->files)
      for (SubjectReport& table : file.subjects)
        for (const ClauseResult& result : table.clauses)
          if (result.open_severity() != Severity::kNone && !reports::is_risk(result))
            table.verdict = SubjectVerdict::kFail;
  if (!arguments.against.empty())
    compare_with_stored(arguments.against, [](const std::string&) { return true; }, *report);
  if (!write_all(*report, arguments.output)) return 3;
  return arguments.fail_on == "never" ? 0 : exit_status(*report);
}

void add_options(CLI::App* command, const std::shared_ptr<ReportArguments>& a) {
  command->add_option("--format", a->output.formats, format_help())
      ->allow_extra_args(false)
      ->type_name("FORMAT");
  command
      ->add_option("-o,--output", a->output.output,
                   "Write to this file, in the format of its suffix")
      ->type_name("FILE");
  command->add_flag("-q,--quiet", a->output.quiet,
                    "Print no text report; write the other formats and set the exit status");
  add_text_options(*command, a->output);
  command->add_flag("-v,--verbose", a->output.verbose, "Also list clauses that are not violated");
  command->add_option("--against", a->against, against_help())->type_name("OLD.json");
  command
      ->add_option(
          "--fail-on", a->fail_on,
          "Set the exit status as validate does: never, must, or should (every open finding)")
      ->check(one_of({"must", "should", "never"}))
      ->capture_default_str();
}

}  // namespace

void add_report(CLI::App& app, int& status) {
  auto* command =
      app.add_subcommand("report", "Merge stored JSON reports, or render them in other formats");
  command->require_subcommand(1);

  auto* merge = command->add_subcommand("merge", "Merge several reports, sorted by file");
  auto merged = std::make_shared<ReportArguments>();
  merge->add_option("report", merged->reports, "JSON reports, such as those of shards")
      ->required()
      ->type_name("REPORT");
  add_options(merge, merged);
  merge->callback([merged, &status] {
    if (merged->output.formats.empty() && form_by_suffix(merged->output.output).empty())
      merged->output.formats = {"json"};
    status = write(*merged, true);
  });

  auto* render = command->add_subcommand("render", "Render one report in another format");
  auto rendered = std::make_shared<ReportArguments>();
  rendered->reports.resize(1);
  render->add_option("report", rendered->reports.front(), "JSON report, or - for standard input")
      ->required()
      ->type_name("REPORT");
  add_options(render, rendered);
  render->callback([rendered, &status] { status = write(*rendered, false); });
}

}  // namespace hepcheck::cli
