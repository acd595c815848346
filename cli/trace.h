// The subcommands of hepcheck trace.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "cli/output.h"
#include "validator/trace/log.h"

namespace hepcheck::cli {

void add_trace_record(CLI::App& trace, int& status);
void add_trace_check(CLI::App& trace, int& status);
void add_trace_replay(CLI::App& trace, int& status);
void add_trace_modes(CLI::App& trace, int& status);

std::string log_trouble(const trace::LogTrouble& trouble);  // "the log is broken: ..."
void add_trace_output(CLI::App& command, OutputOptions& output);

inline constexpr int kNotExamined = 3;

}  // namespace hepcheck::cli
