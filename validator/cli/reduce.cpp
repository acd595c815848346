// hepcheck reduce: the smallest table that still breaks a clause.
#include "validator/formats/hep001/reduce.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <print>

#include "reports/escape.h"
#include "validator/cli/commands.h"
#include "validator/cli/suggest.h"
#include "validator/read_whole.h"

namespace hepcheck::cli {

namespace {

using namespace hep001;

struct Arguments {
  std::string table{}, keep{}, output{};
  std::string spec{default_revision("hep001").id};
};

int run(const Arguments& arguments) {
  const Specification& spec = specification_named(arguments.spec);
  clause_named(spec, arguments.keep, "--keep");
  const std::size_t colon = arguments.table.rfind(":/");
  if (colon == std::string::npos)
    throw CLI::ValidationError(
        "table", "\"" + reports::escaped(arguments.table) + "\" names no group, as in FILE:/group");
  const std::string path = arguments.table.substr(0, colon),
                    group = arguments.table.substr(colon + 1);
  std::error_code trouble;
  if (std::filesystem::equivalent(path, arguments.output, trouble))
    throw CLI::ValidationError("--output", "is the file to start from, which is never changed");

  const auto failed = [](const std::string& what) {
    std::println(stderr, "hepcheck: {}", reports::escaped(what));
    return 3;
  };
  const std::optional<std::string> image = read_whole(path);
  if (!image) return failed(path + ": cannot be read");
  const Result<Reduced> reduced =
      reduce(std::as_bytes(std::span(*image)), group, arguments.keep, spec, {});
  if (!reduced) return failed(path + ": " + reduced.error().text());

  std::ofstream out(arguments.output, std::ios::binary);
  out.write(reinterpret_cast<const char*>(reduced->image.data()),
            static_cast<std::streamsize>(reduced->image.size()));
  if (!out.flush()) return failed(arguments.output + ": cannot be written");
  std::println("{}: {} bytes, was {}; {} of {} changes kept, still breaks {}",
               reports::escaped(arguments.output), reduced->image.size(), image->size(),
               reduced->steps, reduced->tries, arguments.keep);
  return 0;
}

}  // namespace

void add_reduce(CLI::App& app, int& status) {
  auto* command = app.add_subcommand("reduce", "The smallest table that still breaks a clause");
  auto a = std::make_shared<Arguments>();
  command
      ->add_option("table", a->table, "The table to start from, as FILE:/group; it is not changed")
      ->required()
      ->type_name("FILE:/group");
  command->add_option("--keep", a->keep, "The clause that must stay broken")
      ->required()
      ->type_name("ID");
  command->add_option("-o,--output", a->output, "Write the smaller file here")
      ->required()
      ->type_name("FILE");
  command->add_option("--spec", a->spec, "Revision of the specification")->capture_default_str();
  command->footer(
      "Drops attributes, links, indexes, columns, categories and rows, and everything beside the\n"
      "table, while the clause stays broken and no other error or warning comes up.\n"
      "Exit status: 0 written; 2 usage error; 3 the table cannot be examined or does not break "
      "the clause.");
  command->callback([a, &status] { status = run(*a); });
}

}  // namespace hepcheck::cli
