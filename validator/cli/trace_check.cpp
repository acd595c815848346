// hepcheck trace check: a log against the clauses about those who write.
#include <CLI/CLI.hpp>
#include <memory>

#include "validator/cli/trace.h"
#include "validator/formats/hdf5/trace/check.h"

namespace hepcheck::cli {

namespace {

struct Arguments {
  std::string log{};
  hdf5::trace::CheckOptions options{};
  OutputOptions output{};
};

int run(const Arguments& arguments) {
  checked_destinations(arguments.output);
  const std::optional<trace::Log> log = log_for(arguments.log);
  if (!log) return kNotExamined;
  Report report{.hepcheck = HEPCHECK_VERSION, .spec = &default_revision("hdf5")};
  report.files.push_back({.path = arguments.log});
  hdf5::trace::check(*log, arguments.options, report.files.back());
  if (report.files.back().subjects.empty() && report.files.back().unreadable.empty())
    report.files.back().error = Error{arguments.log, "no HDF5 file was written"};
  if (!write_all(report, arguments.output)) return kNotExamined;
  return exit_status(report);
}

}  // namespace

void add_trace_check(CLI::App& trace, int& status) {
  CLI::App* command = trace.add_subcommand(
      "check", "The order of the writes, and what is done while others may read");
  auto a = std::make_shared<Arguments>();
  command->add_option("log", a->log, "A log that hepcheck trace record made")
      ->required()
      ->type_name("LOG");
  command->add_flag("--swmr", a->options.as_swmr,
                    "Judge all of it as SWMR writing, whatever the marks in the file say");
  command
      ->add_option("--max-findings", a->options.max_findings, "Findings of a clause that are shown")
      ->capture_default_str();
  add_trace_output(*command, a->output);
  command->footer(
      "Every clause about those who write is there, with what was found or why it was not\n"
      "checked (--verbose shows all).\n"
      "Exit status: 0 no violation; 1 a violation; 2 usage error; 3 the log is broken, or a file\n"
      "in it could not be examined.");
  command->callback([a, &status] { status = run(*a); });
}

}  // namespace hepcheck::cli
