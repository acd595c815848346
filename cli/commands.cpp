#include "cli/commands.h"

#include <algorithm>
#include <iterator>

namespace hepcheck::cli {

namespace {

struct Command {
  std::string_view name;
  void (*add)(CLI::App&, int&);
};

// In the order of --help.
constexpr Command kCommands[] = {
    {"validate", add_validate}, {"facts", add_facts},           {"baseline", add_baseline},
    {"report", add_report},     {"clauses", add_clauses},       {"explain", add_explain},
    {"fixtures", add_fixtures}, {"index", add_index},           {"export", add_export},
    {"import", add_import},     {"chunks", add_chunks},         {"layout", add_layout},
    {"show", add_show},         {"completion", add_completion}, {"reduce", add_reduce},
    {"repair", add_repair},     {"suite", add_suite},           {"trace", add_trace}};

// The only command that is needed; null if all of them are. Completion offers their words.
const Command* only_command(std::string_view first) {
  const Command* const named = std::ranges::find(kCommands, first, &Command::name);
  return named == std::end(kCommands) || named->name == "completion" ? nullptr : named;
}

}  // namespace

void add_commands(CLI::App& app, int& status, std::string_view first) {
  if (const Command* const only = only_command(first)) return only->add(app, status);
  for (const Command& each : kCommands) each.add(app, status);
}

void add_other_commands(CLI::App& app, int& status, std::string_view first) {
  const Command* const only = only_command(first);
  for (const Command& each : kCommands)
    if (only && &each != only) each.add(app, status);
}

}  // namespace hepcheck::cli
