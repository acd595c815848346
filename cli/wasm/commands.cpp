// In place of commands.cpp. The other commands write files, start processes or hold the corpus.
#include "cli/commands.h"

namespace hepcheck::cli {

void add_commands(CLI::App& app, int& status) {
  for (const auto add :
       {add_validate, add_baseline, add_report, add_explain, add_chunks, add_layout, add_show})
    add(app, status);
}

}  // namespace hepcheck::cli
