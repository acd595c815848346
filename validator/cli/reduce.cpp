// hepcheck reduce: the smallest table that still breaks a clause.
#include "validator/formats/hep001/reduce.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <print>
#include <string_view>
#include <utility>

#include "reports/escape.h"
#include "validator/cli/commands.h"
#include "validator/cli/limits.h"
#include "validator/cli/suggest.h"
#include "validator/descriptor.h"
#include "validator/formats/hep001/model/revision.h"
#include "validator/isolate/worker.h"
#include "validator/shorten.h"

namespace hepcheck::cli {

namespace {

using namespace hep001;

struct Arguments {
  std::string table{}, keep{}, output{};
  std::string spec = "auto";
  std::vector<std::string> limits{};
  bool allow_plugins = false, no_isolation = false;
};

// The table that is to be reduced.
struct Start {
  std::string path{}, group{};
  Bytes bytes{};
};

Result<Reduced> reduce_here(const Start& start, const Arguments& arguments,
                            const Specification* spec, const FileOptions& options) {
  std::vector<std::byte> image(start.bytes.size());
  if (!start.bytes.read(0, image)) return failure("it cannot be read");
  return reduce(image, start.group, arguments.keep, spec, options);
}

// --- In a worker --------------------------------------------------------------------------------

// The first byte of its answer; after kReduced follow two numbers and the image.
constexpr char kReduced = 'r', kFailed = 'f';

std::string answer(const Result<Reduced>& reduced) {
  if (!reduced) return kFailed + reduced.error().text();
  const std::uint64_t numbers[] = {reduced->steps, reduced->tries};
  std::string bytes(1, kReduced);
  bytes.append(reinterpret_cast<const char*>(numbers), sizeof numbers);
  return bytes.append(reinterpret_cast<const char*>(reduced->image.data()), reduced->image.size());
}

// The worker may lie: what it made is then another file than one that still breaks the clause.
Result<Reduced> reduced_from(std::string_view answer) {
  std::uint64_t numbers[2] = {};
  if (answer.starts_with(kFailed)) {
    std::string why(answer.substr(1));
    shorten(why);
    return failure(std::move(why));
  }
  if (!answer.starts_with(kReduced) || answer.size() < 1 + sizeof numbers)
    return failure("the worker process sent an answer that cannot be read");
  std::memcpy(numbers, answer.data() + 1, sizeof numbers);
  const auto image = std::as_bytes(std::span(answer.substr(1 + sizeof numbers)));
  return Reduced{.image = {image.begin(), image.end()}, .steps = numbers[0], .tries = numbers[1]};
}

Result<Reduced> reduce_isolated(const Start& start, const Arguments& arguments,
                                const Specification* spec, const FileOptions& options,
                                isolate::Bounds bounds) {
  // A smaller table may lie in a larger file, until it is written anew.
  bounds.answer = std::max(bounds.answer, 2 * start.bytes.size());
  std::string answered;
  const isolate::Outcome outcome = isolate::run_in_worker(
      start.bytes.descriptor(),
      [&](const isolate::Send& send, Place&) {
        send(answer(reduce_here(start, arguments, spec, options)));
      },
      [&](std::string_view message) { answered = message; }, bounds);
  if (!outcome.refused.empty())
    std::println(stderr, "hepcheck: this system refuses part of the isolation: {}",
                 reports::escaped(outcome.refused));
  if (outcome.error) return std::unexpected(*outcome.error);
  if (outcome.stop) return failure(outcome.stop->text());
  return reduced_from(answered);
}

// Null: by the signs of the table. The clause must be one of the revision, or of any.
const Specification* spec_of(const Arguments& arguments) {
  if (arguments.spec != "auto") {
    const Specification& spec = specification_named(arguments.spec);
    if (spec.format != "hep001")
      throw CLI::ValidationError("--spec", "\"" + arguments.spec + "\" is not of tables");
    clause_named(spec, arguments.keep, "--keep");
    return &spec;
  }
  const std::span<const Revision> revisions = all_revisions();
  const auto known = [&](const Revision& revision) {
    return find_specification(revision.spec)->find(arguments.keep) != nullptr;
  };
  if (std::ranges::none_of(revisions, known))
    clause_named(*find_specification(revisions.back().spec), arguments.keep, "--keep");
  return nullptr;
}

int run(const Arguments& arguments) {
  const Specification* spec = spec_of(arguments);
  const std::size_t colon = arguments.table.rfind(":/");
  if (colon == std::string::npos)
    throw CLI::ValidationError(
        "table", "\"" + reports::escaped(arguments.table) + "\" names no group, as in FILE:/group");
  const AllLimits limits = limits_of(arguments.limits);
  FileOptions options{.limits = limits.reading, .allow_plugins = arguments.allow_plugins};
  const isolate::Bounds bounds = isolate::settled(limits.worker);
  Start start{.path = arguments.table.substr(0, colon), .group = arguments.table.substr(colon + 1)};
  std::error_code trouble;
  if (std::filesystem::equivalent(start.path, arguments.output, trouble))
    throw CLI::ValidationError("--output", "is the file to start from, which is never changed");

  const auto failed = [](const std::string& what) {
    std::println(stderr, "hepcheck: {}", reports::escaped(what));
    return 3;
  };
  const Result<Descriptor> file = open_for_reading(start.path);
  if (!file) return failed(file.error().text());
  start.bytes = Bytes::of_descriptor(file->get(), start.path);
  if (start.bytes.size() > bounds.memory)
    return failed(start.path + ": is larger than the limit of memory");
  prepare(options);
  const Result<Reduced> reduced = arguments.no_isolation
                                      ? reduce_here(start, arguments, spec, options)
                                      : reduce_isolated(start, arguments, spec, options, bounds);
  if (!reduced) return failed(start.path + ": " + reduced.error().text());

  std::ofstream out(arguments.output, std::ios::binary);
  out.write(reinterpret_cast<const char*>(reduced->image.data()),
            static_cast<std::streamsize>(reduced->image.size()));
  if (!out.flush()) return failed(arguments.output + ": cannot be written");
  std::println("{}: {} bytes, was {}; {} of {} changes kept, still breaks {}",
               reports::escaped(arguments.output), reduced->image.size(), start.bytes.size(),
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
  command
      ->add_option("--spec", a->spec,
                   "Revision of the specification; auto: the one that the table bears signs of")
      ->capture_default_str();
  command
      ->add_option("--limit", a->limits, "Set a limit, as time=3600; see hepcheck validate --help")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME=N,...");
  command->add_flag("--allow-plugins", a->allow_plugins,
                    "Load the filter plugins on the HDF5 library's path");
  command->add_flag("--no-isolation", a->no_isolation,
                    "Work on the file in this process, without a sandbox: for debuggers");
  command->footer(
      "Drops attributes, links, indexes, columns, categories and rows, what lists hold beyond\n"
      "their bounds, and everything beside the table, while the clause stays broken and no other\n"
      "error or warning comes up. Indexes whose validity tokens agree keep tokens that do.\n"
      "Exit status: 0 written; 2 usage error; 3 the table cannot be examined or does not break "
      "the clause.");
  command->callback([a, &status] { status = run(*a); });
}

}  // namespace hepcheck::cli
