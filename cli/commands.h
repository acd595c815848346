// The subcommands of hepcheck. Each adds itself to the command line and, if chosen, sets the exit
// status of the process.
#pragma once

#include <CLI/App.hpp>
#include <string_view>

namespace hepcheck::cli {

// Exit statuses that are not verdicts (for verdicts: exit_status in report.h).
inline constexpr int kUsageError = 2;

// All subcommands, or only that which the first word of the command line names: the options of all
// of them take longer than examining a small file.
void add_commands(CLI::App& app, int& status, std::string_view first);
// Those that were left out, whose names a message may suggest.
void add_other_commands(CLI::App& app, int& status, std::string_view first);

void add_validate(CLI::App& app, int& status);
void add_clauses(CLI::App& app, int& status);
void add_baseline(CLI::App& app, int& status);
void add_report(CLI::App& app, int& status);
void add_explain(CLI::App& app, int& status);
void add_fixtures(CLI::App& app, int& status);
void add_index(CLI::App& app, int& status);
void add_facts(CLI::App& app, int& status);
void add_export(CLI::App& app, int& status);
void add_import(CLI::App& app, int& status);
void add_chunks(CLI::App& app, int& status);
void add_layout(CLI::App& app, int& status);
void add_show(CLI::App& app, int& status);
void add_completion(CLI::App& app, int& status);
void add_reduce(CLI::App& app, int& status);
void add_repair(CLI::App& app, int& status);
void add_suite(CLI::App& app, int& status);
void add_trace(CLI::App& app, int& status);

}  // namespace hepcheck::cli
