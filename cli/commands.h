// The subcommands of hepcheck. Each adds itself to the command line and, when chosen, sets
// the process's exit status.
#pragma once

#include <CLI/App.hpp>

namespace hepcheck::cli {

// Exit statuses that are not verdicts (those: exit_status in examine_file.h).
inline constexpr int kUsageError = 2;

// All of them, in the order in which --help lists them.
void add_commands(CLI::App& app, int& status);

void add_validate(CLI::App& app, int& status);
void add_clauses(CLI::App& app, int& status);
void add_baseline(CLI::App& app, int& status);
void add_report(CLI::App& app, int& status);
void add_explain(CLI::App& app, int& status);
void add_fixtures(CLI::App& app, int& status);
void add_index(CLI::App& app, int& status);
void add_export(CLI::App& app, int& status);
void add_import(CLI::App& app, int& status);
void add_chunks(CLI::App& app, int& status);
void add_layout(CLI::App& app, int& status);
void add_completion(CLI::App& app, int& status);
void add_reduce(CLI::App& app, int& status);
void add_suite(CLI::App& app, int& status);
void add_trace(CLI::App& app, int& status);

}  // namespace hepcheck::cli
