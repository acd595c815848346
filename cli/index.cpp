// hepcheck index: builds, verifies and drops search indexes.
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>
#include <print>
#include <stdexcept>

#include "cli/commands.h"
#include "cli/exchange.h"
#include "cli/limits.h"
#include "cli/reader.h"
#include "cli/suggest.h"
#include "cli/target.h"
#include "cli/ticker.h"
#include "reports/escape.h"
#include "reports/text.h"
#include "validator/formats/hep001/derive/build_index.h"
#include "validator/formats/hep001/index_file.h"
#include "validator/rewrite.h"

namespace hepcheck::cli {

namespace {

using namespace hep001;

struct IndexArguments {
  std::string table{}, column{}, kind{};
  std::string spec{all_revisions().back().spec};
  std::string depth = "full";
  double bits_per_value = 10, false_positive_rate = 0;
  std::uint32_t hashes = 0;  // 0: a value suitable for the number of bits
  std::uint32_t seed = 0;
  std::uint64_t max_values = 256;
  std::uint64_t memory_limit = 0;
  std::string reader{kUsualReader};
  bool replace = false, in_place = false, quiet = false;
  bool allow_unchecked = false, allow_plugins = false, stale = false;
};

const Specification& newest() { return *find_specification(all_revisions().back().spec); }

// Null: chosen by the features of the table.
const Specification* spec_of(const IndexArguments& arguments) {
  if (arguments.spec == "auto") return nullptr;
  const Specification& spec = specification_named(arguments.spec);
  if (spec.format != "hep001")
    throw CLI::ValidationError("--spec", "\"" + arguments.spec + "\" has no search indexes");
  return &spec;
}

std::string upper_case(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

IndexKind kind_of(const std::string& name) {
  return name == "CHUNK_MINMAX"  ? IndexKind::kChunkMinmax
         : name == "SORTED_ROWS" ? IndexKind::kSortedRows
         : name == "BITMAP"      ? IndexKind::kBitmap
                                 : IndexKind::kChunkBloom;
}

IndexPlace place_of(const IndexArguments& arguments) {
  const std::vector<Target> targets = targets_of(arguments.table);
  std::error_code trouble;
  if (arguments.table == "-" || std::filesystem::is_directory(arguments.table, trouble))
    throw CLI::ValidationError("table", "expected FILE or FILE:/group");
  if (targets.front().error) throw std::runtime_error(targets.front().error->text());
  return {.file = targets.front().path,
          .group = targets.front().group,
          .column = arguments.column,
          .kind = kind_of(arguments.kind),
          .spec = spec_of(arguments)};
}

std::string shown(const std::string& file, std::string text) {
  // Errors about the file itself contain its path already.
  if (text.starts_with(file + ": ")) text = text.substr(file.size() + 2);
  const char* join = text.starts_with('/') ? ":" : ": ";
  return reports::escaped(file) + join + reports::escaped(text);
}

int conclude(const IndexPlace& place, const IndexOutcome& outcome, bool quiet) {
  if (!outcome) {
    std::println(stderr, "hepcheck: {}", shown(place.file, outcome.error().error.text()));
    return outcome.error().exit_status();
  }
  if (!quiet) std::println("{}", shown(place.file, *outcome));
  return 0;
}

FileOptions file_options(const IndexArguments& arguments) {
  survive_assertions();
  static const Ticker ticker("working", arguments.quiet);
  FileOptions options;
  options.allow_plugins = arguments.allow_plugins;
  options.reader = reader_of(arguments.reader);
  options.examine.memory_limit = arguments.memory_limit;
  options.examine.depth = arguments.depth == "full" ? Depth::kFull : Depth::kStructure;
  // If the data was not requested, it does not matter that it was not examined.
  options.examine.allow_unchecked =
      arguments.allow_unchecked || options.examine.depth == Depth::kStructure;
  return options;
}

// Prepares writing to the file: handles the signals that could interrupt it.
WriteOptions write_options(const IndexArguments& arguments, const IndexPlace& place) {
  for (const int number : {SIGHUP, SIGINT, SIGTERM})
    if (signal(number, Rewrite::on_signal) == SIG_IGN) signal(number, SIG_IGN);  // nohup
  signal(SIGXFSZ, SIG_IGN);  // exceeding a limit on file sizes is a failed write
  WriteOptions options{.in_place = arguments.in_place};
  if (!arguments.quiet)
    options.waiting = [file = place.file] {
      std::println(stderr, "hepcheck: {}: waiting for another hepcheck that is changing the file",
                   reports::escaped(file));
    };
  return options;
}

int build(const IndexArguments& arguments) {
  IndexOptions options;
  options.file = file_options(arguments);
  options.replace = arguments.replace;
  options.max_values = arguments.max_values;
  options.bits_per_value = arguments.false_positive_rate > 0
                               ? bloom_bits_per_value(arguments.false_positive_rate)
                               : arguments.bits_per_value;
  if (arguments.hashes > 0) options.hashes = arguments.hashes;
  options.seed = arguments.seed;
  options.builder = "hepcheck " HEPCHECK_VERSION;
  const IndexPlace place = place_of(arguments);
  options.write = write_options(arguments, place);
  return conclude(place, build_index(place, options), arguments.quiet);
}

int drop(const IndexArguments& arguments) {
  const IndexPlace place = place_of(arguments);
  const WriteOptions write = write_options(arguments, place);
  return conclude(place, drop_index(place, file_options(arguments), write), arguments.quiet);
}

int verify(const IndexArguments& arguments) {
  const IndexPlace place = place_of(arguments);
  Report report{.hepcheck = HEPCHECK_VERSION, .spec = &newest()};
  report.files.push_back(
      verify_index(place, {.file = file_options(arguments), .stale = arguments.stale}));
  if (!arguments.quiet)
    reports::write_text(std::cout, report, {.terminal = isatty(STDOUT_FILENO) != 0});
  if (std::cout.flush()) return exit_status(report);
  std::println(stderr, "hepcheck: the report cannot be written");
  return 3;
}

CLI::App* add_command(CLI::App& parent, const char* name, const char* what,
                      const std::shared_ptr<IndexArguments>& a) {
  CLI::App* command = parent.add_subcommand(name, what);
  command->add_option("table", a->table, "FILE:/group, or FILE if it contains only one table")
      ->required()
      ->type_name("FILE[:/GROUP]");
  command->add_option("column", a->column, "Name of the column")->required()->type_name("COLUMN");
  command
      ->add_option("kind", a->kind,
                   "Family of the index: CHUNK_MINMAX, SORTED_ROWS, BITMAP or CHUNK_BLOOM")
      ->required()
      ->type_name("KIND")
      ->transform(upper_case)
      ->check(one_of({"CHUNK_MINMAX", "SORTED_ROWS", "BITMAP", "CHUNK_BLOOM"}));
  command
      ->add_option("--spec", a->spec,
                   "Revision of the specification; auto: chosen by the features of the table")
      ->capture_default_str();
  command->add_flag("-q,--quiet", a->quiet, "Print only errors");
  command->add_flag("--allow-plugins", a->allow_plugins,
                    "Let the HDF5 library load filter plugins");
  return command;
}

void add_memory_limit(CLI::App& command, IndexArguments& a) {
  take_size(command.add_option(
      "--memory-limit", a.memory_limit,
      "Memory for column data, such as 512MB or 2GiB [a quarter of the machine's]"));
}

void add_in_place(CLI::App& command, IndexArguments& a) {
  command.add_flag("--in-place", a.in_place,
                   "Change the file directly instead of a copy; rolls back failed writes, but does "
                   "not survive a crash");
}

constexpr const char* kSafety =
    "The changes are made to a copy in the same directory, which then replaces the file: if "
    "the\nprocess is killed or the disk is full, the file is unchanged.\n";

void add_build(CLI::App& parent, int& status) {
  auto a = std::make_shared<IndexArguments>();
  CLI::App* command =
      add_command(parent, "build", "Build an index over a column and store it in the file", a);
  command->add_flag("--replace", a->replace, "Replace an existing index of this kind");
  auto* bits = command
                   ->add_option("--bits-per-value", a->bits_per_value,
                                "CHUNK_BLOOM: bits per value; filters grow to a power of two")
                   ->check(number_within(0.1, 1000))
                   ->capture_default_str();
  command
      ->add_option("--false-positive-rate", a->false_positive_rate,
                   "CHUNK_BLOOM: the rate of false positives, such as 0.01, that determines the "
                   "number of bits")
      ->check(number_within(1e-9, 0.999))
      ->excludes(bits)
      ->type_name("RATE");
  command->add_option("--hashes", a->hashes, "CHUNK_BLOOM: k [suitable for the number of bits]")
      ->check(CLI::Range(1, 65535))
      ->type_name("K");
  command->add_option("--seed", a->seed, "CHUNK_BLOOM: seed of the hash")->capture_default_str();
  command
      ->add_option("--max-values", a->max_values,
                   "BITMAP: refuse a column with more distinct values")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      ->add_option("--depth", a->depth,
                   "How the table is checked first; full: data and other indexes too")
      ->check(one_of({"structure", "full"}))
      ->capture_default_str();
  command->add_flag("--allow-unchecked", a->allow_unchecked,
                    "Accept a table with mandatory clauses that could not be checked");
  add_in_place(*command, *a);
  add_memory_limit(*command, *a);
  command->footer(
      "The table must be conformant, except for an index that is replaced. In revisions that "
      "have\nvalidity tokens, the table gets a GENERATION if it has none, and the index gets the "
      "tokens\nof the table after its contents; the tokens of a replaced index are invalidated "
      "first.\n" +
      std::string(kSafety) +
      "Exit status: 0 built; 1 refused, because the datatype does not admit such an index, or "
      "the\ntable is not conformant; 2 usage error, or the column has such an index already; 3 "
      "something\ncould not be read, checked or written.");
  command->callback([a, &status] { status = build(*a); });
}

void add_verify(CLI::App& parent, int& status) {
  auto a = std::make_shared<IndexArguments>();
  a->spec = "auto";
  CLI::App* command =
      add_command(parent, "verify", "Check an index by the clauses about it only", a);
  command->add_flag("--stale", a->stale,
                    "Check the contents of an index with mismatching validity tokens too");
  add_reader(*command, a->reader);
  add_memory_limit(*command, *a);
  command->footer(
      "Prints whether the index passes the validity check, is stale or disabled. Contents "
      "that\nreaders do not use are checked only with --stale.\nExit status: 0 the index satisfies "
      "every clause; 1 a violation; 2 usage error; 3 the index\ndoes not exist, or could not be "
      "checked.");
  command->callback([a, &status] { status = verify(*a); });
}

void add_drop(CLI::App& parent, int& status) {
  auto a = std::make_shared<IndexArguments>();
  CLI::App* command =
      add_command(parent, "drop", "Delete an index, after removing it from SEARCH_INDEX_LIST", a);
  add_in_place(*command, *a);
  command->footer(std::string(kSafety) +
                  "Exit status: 0 dropped; 2 usage error, or the index does not exist; 3 the file "
                  "could not be\n"
                  "read or written.");
  command->callback([a, &status] { status = drop(*a); });
}

}  // namespace

void add_index(CLI::App& app, int& status) {
  CLI::App* index = app.add_subcommand("index", "Build, verify or drop a search index");
  index->require_subcommand(1);
  add_build(*index, status);
  add_verify(*index, status);
  add_drop(*index, status);
}

}  // namespace hepcheck::cli
