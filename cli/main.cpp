// hepcheck: validates columnar data files against their specifications.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <exception>
#include <iostream>
#include <memory>
#include <print>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/specifications.h"
#include "cli/suggest.h"
#include "reports/escape.h"
#include "validator/catalogue/clause.h"

namespace {

// The words that the chosen command accepts: its options and subcommands.
void collect(const CLI::App& app, std::vector<std::string>& words) {
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
  for (const CLI::App* sub : app.get_subcommands({})) words.push_back(sub->get_name());
  for (const CLI::App* chosen : app.get_subcommands()) collect(*chosen, words);
}

// The nearest accepted word to the first one that is not accepted.
std::string suggestion(const CLI::App& app) {
  const std::vector<std::string> unknown = app.remaining(true);
  if (unknown.empty()) return {};
  std::vector<std::string> words;
  collect(app, words);
  const std::string name = unknown.front().substr(0, unknown.front().find('='));
  return hepcheck::cli::did_you_mean(name,
                                     std::vector<std::string_view>(words.begin(), words.end()));
}

// A message that contains parts of the command line, which may contain anything. Some parts are
// escaped already: then the only characters that escaping would change are backslashes.
std::string harmless(const std::string& message) {
  std::string others = message;
  std::erase(others, '\\');
  const std::string escaped = hepcheck::reports::escaped(message);
  return hepcheck::reports::escaped(others) == others ? message : escaped;
}

// Output that is still in a buffer counts as well: a full device may reject only the last part.
int with_output(int status) {
  const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (std::cout.flush() && written) return status;
  if (status != 3) std::println(stderr, "hepcheck: cannot write to standard output");
  return status == 0 ? 3 : status;
}

int run(int argc, char** argv) {
  CLI::App app{
      "Validates HEP001 (H5Col) tables in HDF5 files, HDF5 files themselves, Arrow files and "
      "streams, TileDB array schemas and ROOT RNTuple files, clause by clause.",
      "hepcheck"};
  app.formatter(std::make_shared<hepcheck::cli::WrappedHelp>());
  app.set_version_flag("--version", hepcheck::cli::version_text);
  app.require_subcommand(1);
  app.footer(
      "Exit status: 0 done, conformant or accepted; 1 a violation; 2 usage error; 3 something "
      "could not be\nexamined. hepcheck COMMAND --help has the details. Start with: hepcheck "
      "validate FILE.h5");
  int status = 0;
  const std::string_view first = argc > 1 ? argv[1] : "";
  hepcheck::cli::add_commands(app, status, first);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    hepcheck::cli::add_other_commands(app, status, first);
    std::println(stderr, "hepcheck: {}{}", harmless(error.what()), suggestion(app));
    return hepcheck::cli::kUsageError;
  } catch (const std::exception& error) {
    std::println(stderr, "hepcheck: {}", harmless(error.what()));
    return 3;
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) { return with_output(run(argc, argv)); }
