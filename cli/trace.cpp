// hepcheck trace: examines the writes of a program to HDF5 files.
#include "cli/trace.h"

#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace hepcheck::cli {

std::string log_trouble(const trace::LogTrouble& trouble) {
  return (trouble.broken ? "the log is malformed: " : "the log is not examined: ") + trouble.text;
}

void add_trace_output(CLI::App& command, OutputOptions& output) {
  command.add_option("--format", output.formats, format_help())->type_name("FORMAT[=FILE]");
  command
      .add_option("-o,--output", output.output,
                  "Write the report to this file, in the format of its suffix")
      ->type_name("FILE");
  command.add_flag("-q,--quiet", output.quiet, "Print nothing; set the exit status only");
  command.add_flag("-v,--verbose", output.verbose,
                   "Also list clauses that hold or were not checked");
}

void add_trace(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "trace", "Examine the writes of a program to HDF5 files, and the states a crash would leave");
  command->require_subcommand(1);
  add_trace_record(*command, status);
  add_trace_check(*command, status);
  add_trace_replay(*command, status);
  add_trace_modes(*command, status);
}

}  // namespace hepcheck::cli
