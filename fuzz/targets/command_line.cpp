// The command line's parser on any arguments, one per line. Nothing is run: when the arguments are
// accepted, an exception bypasses the callbacks of the subcommands. Oracle: arguments are accepted
// or rejected with a message; "did you mean" names existing words.
#include <CLI/CLI.hpp>
#include <sstream>

#include "cli/commands.h"
#include "cli/suggest.h"
#include "fuzz/targets/target.h"

using namespace hepcheck;
using namespace hepcheck::fuzz;

FUZZ_TARGET(command_line) {
  std::vector<std::string> arguments;
  std::istringstream lines{std::string(text(data, size))};
  for (std::string line; std::getline(lines, line) && arguments.size() < 40;)
    arguments.push_back(line);

  int status = 0;
  CLI::App app{"fuzz", "hepcheck"};
  app.require_subcommand(1);
  cli::add_commands(app, status, {});
  app.parse_complete_callback([] { throw CLI::Success(); });
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    app.parse(std::move(reversed));
  } catch (const CLI::ParseError& error) {
    require(error.get_exit_code() == 0 || !std::string(error.what()).empty(), "refused in silence");
  }
  require(status == 0, "a command was run");

  constexpr std::string_view kKnown[] = {"validate", "--format", "--level", "clauses"};
  for (const std::string& argument : arguments)
    if (const auto near = cli::nearest(argument, kKnown))
      require(std::ranges::find(kKnown, *near) != std::end(kKnown), "suggests what is not there");
  return 0;
}
