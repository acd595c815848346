// hepcheck: does a file hold what HEP001 says it holds?
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <exception>
#include <print>

#include "validator/catalogue/clause.h"
#include "validator/cli/commands.h"
#include "validator/cli/suggest.h"

namespace {

// The nearest word that would have been understood in place of the first one that was not.
std::string suggestion(const CLI::App& app) {
  std::vector<std::string> unknown = app.remaining(true);
  if (unknown.empty()) return {};
  const std::string name = unknown.front().substr(0, unknown.front().find('='));
  std::vector<std::string> owned;
  const auto collect = [&](const CLI::App* from) {
    for (const CLI::Option* option : from->get_options())
      for (const std::string& known : option->get_lnames()) owned.push_back("--" + known);
  };
  collect(&app);
  for (const CLI::App* sub : app.get_subcommands({})) {
    owned.push_back(sub->get_name());
    collect(sub);
  }
  const std::vector<std::string_view> names(owned.begin(), owned.end());
  const auto near = hepcheck::cli::nearest(name, names);
  return near ? "; did you mean " + *near + "?" : "";
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Checks HEP001 (H5Col) tables in HDF5 files, clause by clause.", "hepcheck"};
  app.set_version_flag("--version", "hepcheck " HEPCHECK_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit status: 0 conformant, 1 a violation, 2 usage error, 3 something could not be "
      "examined.\nStart with: hepcheck validate FILE.h5");
  int status = 0;
  hepcheck::cli::add_validate(app, status);
  hepcheck::cli::add_report(app, status);
  hepcheck::cli::add_clauses(app, status);
  hepcheck::cli::add_fixtures(app, status);
  hepcheck::cli::add_index(app, status);
  hepcheck::cli::add_suite(app, status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    std::println(stderr, "hepcheck: {}{}", error.what(), suggestion(app));
    return hepcheck::cli::kUsageError;
  } catch (const std::exception& error) {
    std::println(stderr, "hepcheck: {}", error.what());
    return 3;
  }
  return status;
}
