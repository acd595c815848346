// hepcheck facts: reads a share of the columns of a file for another process that judges.
#include <fcntl.h>

#include <CLI/CLI.hpp>
#include <format>
#include <memory>
#include <ostream>
#include <print>
#include <string>
#include <string_view>
#include <utility>

#include "cli/commands.h"
#include "cli/confined_file.h"
#include "cli/container.h"
#include "cli/settings.h"
#include "cli/validate.h"
#include "reports/escape.h"
#include "validator/descriptor.h"
#include "validator/examine_file.h"
#include "validator/shorten.h"

namespace hepcheck::cli {

namespace {

struct FactsArguments {
  ExaminingArguments examining{};
  std::string share{}, output{};
};

// What the worker sends before the facts, and before the reason why there are none.
constexpr char kFacts = 'f', kNone = 'n';

// The facts as they are in a file, or the reason why there are none.
Result<std::string> collect(ExaminingArguments& a, const Specification* spec, FileOptions options) {
  const RunBounds bounds = bounds_of(limits_of(a.limits), options);
  ContainerArguments input{.path = a.paths.front(), .limits = a.limits};
  input.limits.push_back(std::format("memory={}", bounds.workers.memory));
  // Inherited by the worker, which can open no file.
  prepare(options);
  std::string answer;
  const auto read = [&](const Bytes& file, const std::optional<std::string>& group, const Limits&,
                        const ContainerWork::Tell& tell) {
    options.on_facts = [&](std::string_view facts) { tell(kFacts + std::string(facts)); };
    const FileReport report =
        examine_within_memory(file, {.spec = spec, .subject = group, .options = options});
    if (report.error) tell(kNone + report.error->text());
  };
  const auto trouble = run_on_container(
      input, {.read = read, .receive = [&](std::string_view message) { answer = message; }});
  if (trouble) return failure(*trouble);
  if (answer.starts_with(kFacts)) return answer.substr(1);
  if (!answer.starts_with(kNone))
    return failure(input.path, "its format has no parts that can be read separately");
  std::string why = answer.substr(1);
  shorten(why);
  return failure(std::move(why));
}

int write_facts(FactsArguments arguments, const CLI::App& command) {
  ExaminingArguments& a = arguments.examining;
  const Specifications specs = specifications_named(a.specs);
  adopt_settings(command, specs, a);
  if (a.paths.size() != 1 || a.paths.front() == "-")
    throw CLI::ValidationError("path", "facts are those of one file");
  if (specs.size() != 1)
    throw CLI::ValidationError("--spec", "facts are those of one specification");
  if (a.no_isolation) throw CLI::ValidationError("--no-isolation", "facts need a worker process");
  refuse_comparison(a);
  FileOptions options = options_of(a, specs);
  options.share = share_of(arguments.share, "--share");
  const Result<std::string> facts = collect(a, specs.front(), std::move(options));
  if (!facts) {
    std::println(stderr, "hepcheck: {}", reports::escaped(facts.error().text()));
    return 3;
  }
  if (Descriptor file{
          open(arguments.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)})
    if (write_through(std::move(file), [&](std::ostream& out) { out << *facts; })) return 0;
  std::println(stderr, "hepcheck: {}: cannot be written", reports::escaped(arguments.output));
  return 3;
}

}  // namespace

void add_facts(CLI::App& app, int& status) {
  auto* command = app.add_subcommand(
      "facts", "Read a share of the columns of a large table, for validate --facts");
  auto a = std::make_shared<FactsArguments>();
  add_examining(command, std::shared_ptr<ExaminingArguments>(a, &a->examining));
  command->add_option("--share", a->share, "Read only every Nth column, from the Kth")
      ->required()
      ->type_name("K/N");
  command->add_option("-o,--output", a->output, "The file to write")->required()->type_name("FILE");
  command->footer(
      "N processes, perhaps on N machines, read a share each, and one more judges:\n\n"
      "  hepcheck facts --share 1/2 -o 1.facts large.h5\n"
      "  hepcheck facts --share 2/2 -o 2.facts large.h5\n"
      "  hepcheck validate --facts 1.facts --facts 2.facts large.h5\n\n"
      "The report is that of hepcheck validate alone. All of them take the same options. The file "
      "must\nhave the same size and modification time everywhere. hepcheck believes facts: use "
      "those "
      "that you\nhad made.\n\n"
      "Exit status: 0 written; 2 usage error; 3 the file has no such columns, cannot be read, or "
      "the facts\ncannot be written.\n\n" +
      limits_help());
  command->callback([a, command, &status] { status = write_facts(*a, *command); });
}

}  // namespace hepcheck::cli
