// hepcheck trace check: checks a log against the clauses about writers.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/trace.h"
#include "validator/descriptor.h"
#include "validator/formats/hdf5/specifications.h"
#include "validator/formats/hdf5/trace/check.h"
#include "validator/isolate/report_stream.h"
#include "validator/isolate/worker.h"

namespace hepcheck::cli {

namespace {

struct TraceCheckArguments {
  std::string log{};
  hdf5::trace::CheckOptions options{};
  std::uint64_t seconds = 600;
  OutputOptions output{};
};

FileReport report_on(const TraceCheckArguments& arguments, const Bytes& file) {
  FileReport report{.path = arguments.log};
  const auto log = trace::read_log(file);
  if (!log) {
    report.error = Error{arguments.log, log_trouble(log.error())};
    return report;
  }
  hdf5::trace::check(*log, arguments.options, report);
  if (report.subjects.empty() && report.unreadable.empty())
    report.error = Error{arguments.log, "no HDF5 file was written"};
  return report;
}

// A log is untrusted, and so are the file states built from it.
FileReport checked(const TraceCheckArguments& arguments) {
  const Result<Descriptor> file = open_for_reading(arguments.log);
  if (!file) return {.path = arguments.log, .error = file.error()};
  const Bytes bytes = Bytes::of_descriptor(file->get(), arguments.log);
  isolate::ReportReader reader;
  const isolate::Outcome outcome = isolate::run_in_worker(
      file->get(),
      [&](const isolate::Send& send, WorkerPosition&) {
        isolate::ReportSender(send).whole(report_on(arguments, bytes));
      },
      [&](std::string_view message) { reader.take(message); }, {.seconds = arguments.seconds});
  if (outcome.error) return {.path = arguments.log, .error = outcome.error};
  FileReport report = std::move(reader).report(arguments.log);
  if (outcome.stop) {
    report.stop = outcome.stop;
    report.error = Error{arguments.log, outcome.stop->text()};
  }
  return report;
}

int run(const TraceCheckArguments& arguments) {
  checked_destinations(arguments.output);
  Report report{.hepcheck = HEPCHECK_VERSION, .spec = &hdf5::swmr_design()};
  report.files.push_back(checked(arguments));
  if (!write_all(report, arguments.output)) return kNotExamined;
  return exit_status(report);
}

}  // namespace

void add_trace_check(CLI::App& trace, int& status) {
  CLI::App* command = trace.add_subcommand(
      "check",
      "Check the order of the writes, and operations that are not allowed during concurrent reads");
  auto a = std::make_shared<TraceCheckArguments>();
  command->add_option("log", a->log, "A log written by hepcheck trace record")
      ->required()
      ->type_name("LOG");
  command->add_flag("--swmr", a->options.as_swmr,
                    "Judge everything as SWMR writing, regardless of the marks in the file");
  command
      ->add_option("--max-findings", a->options.max_findings,
                   "Maximum number of findings shown per clause")
      ->capture_default_str();
  command->add_option("--timeout", a->seconds, "Limit of wall time in seconds for the whole log")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  add_trace_output(*command, a->output);
  command->footer(
      "The report contains every clause about writers, with the findings or the reason why it "
      "was\nnot checked (--verbose shows all).\nExit status: 0 no violation; 1 a violation; 2 "
      "usage error; 3 the log is malformed, or a file\nin it could not be examined.");
  command->callback([a, &status] { status = run(*a); });
}

}  // namespace hepcheck::cli
