// In place of commands.cpp. The other commands write files, start processes or hold the corpus.
#include "cli/commands.h"

namespace hepcheck::cli {

void add_commands(CLI::App& app, int& status, std::string_view) {
  for (const auto add :
       {add_validate, add_baseline, add_report, add_explain, add_chunks, add_layout, add_show})
    add(app, status);
}

void add_other_commands(CLI::App&, int&, std::string_view) {}

}  // namespace hepcheck::cli
