#include "cli/commands.h"

namespace hepcheck::cli {

void add_commands(CLI::App& app, int& status) {
  for (const auto add :
       {add_validate, add_facts, add_baseline, add_report, add_clauses, add_explain, add_fixtures,
        add_index, add_export, add_import, add_chunks, add_layout, add_show, add_completion,
        add_reduce, add_repair, add_suite, add_trace})
    add(app, status);
}

}  // namespace hepcheck::cli
