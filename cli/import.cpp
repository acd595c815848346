// hepcheck import: stores an Arrow file or stream as a table.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <format>
#include <memory>
#include <print>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/exchange.h"
#include "cli/limits.h"
#include "cli/suggest.h"
#include "cli/target.h"
#include "reports/escape.h"
#include "validator/descriptor.h"
#include "validator/examine_file.h"
#include "validator/format.h"
#include "validator/formats/arrow/exchange/read_table.h"
#include "validator/formats/arrow/revision.h"
#include "validator/formats/hep001/exchange/import_table.h"
#include "validator/formats/hep001/model/revision.h"
#include "validator/formats/tiledb/exchange/read_array.h"
#include "validator/machine.h"

namespace hepcheck::cli {

namespace {

struct ImportArguments {
  std::string from{}, table{};
  std::string spec{hep001::all_revisions().back().spec};
  std::uint64_t memory_limit = 0;
  std::vector<std::string> renames{};  // "OLD=NEW"
  bool in_place = false, quiet = false;
};

// FILE:/group, or FILE for a table that is the whole file. The file does not have to exist.
hep001::TablePlace place_of(const ImportArguments& arguments) {
  const Specification& spec = specification_named(arguments.spec);
  if (spec.format != "hep001")
    throw CLI::ValidationError("--spec", "\"" + arguments.spec + "\" has no tables");
  const std::size_t colon = arguments.table.rfind(":/");
  std::string group = colon == std::string::npos ? "/" : arguments.table.substr(colon + 1);
  while (group.size() > 1 && group.ends_with('/')) group.pop_back();
  if (group.contains("//")) throw CLI::ValidationError("table", "the group has no name");
  return {.file = arguments.table.substr(0, colon), .group = std::move(group), .spec = &spec};
}

FileOptions file_options(const ImportArguments& arguments) {
  FileOptions options;
  options.examine.memory_limit = arguments.memory_limit;
  options.examine.describe_columns = options.examine.describe_answers = false;
  options.examine.max_findings = 1;
  return options;
}

hep001::ImportOptions import_options(const ImportArguments& arguments) {
  leave_nothing_behind(arguments.quiet);
  hep001::ImportOptions options{.in_place = arguments.in_place};
  options.file.examine.memory_limit = arguments.memory_limit;
  if (!arguments.quiet)
    options.waiting = [file = arguments.table] {
      std::println(stderr, "hepcheck: {}: waiting for another hepcheck that is changing the file",
                   reports::escaped(file));
    };
  return options;
}

// Standard input as a whole; nothing if it needs more than this memory.
Result<std::vector<std::byte>> read_standard_input(std::uint64_t memory) {
  std::vector<std::byte> bytes;
  constexpr std::size_t kPart = std::size_t{1} << 20;
  for (;;) {
    const std::size_t size = bytes.size();
    if (size > memory) return failure("-", "the input takes more memory than the limit");
    bytes.resize(size + kPart);
    const ssize_t got = ::read(STDIN_FILENO, bytes.data() + size, kPart);
    if (got < 0 && errno == EINTR) {
      bytes.resize(size);
      continue;
    }
    if (got < 0) return failure("-", std::strerror(errno));
    bytes.resize(size + static_cast<std::size_t>(got));
    if (got == 0) return bytes;
  }
}

// Each renames the first field that has the old name. Returns an old name that no field has.
std::optional<std::string> rename_fields(exchange::Schema& schema,
                                         const std::vector<std::string>& renames) {
  for (const std::string& each : renames) {
    const std::size_t sign = each.rfind('=');
    const std::string old = each.substr(0, sign);
    const auto field = std::ranges::find(schema.fields, old, &exchange::Field::name);
    if (field == schema.fields.end()) return old;
    field->name = each.substr(sign + 1);
  }
  return std::nullopt;
}

std::string not_a_rename(const std::string& text) {
  return text.contains('=') ? "" : "expected OLD=NEW";
}

// What was read of the input, and what of it a table cannot store.
struct ReadInput {
  exchange::Table table{};
  std::vector<std::string> losses{};
};

int store(ReadInput read, const hep001::TablePlace& place, const ImportArguments& arguments) {
  if (const auto missing = rename_fields(read.table.schema, arguments.renames))
    return refused(arguments.from, std::format("--rename: there is no field \"{}\"", *missing), 2);
  const auto imported = hep001::import_table(read.table, place, import_options(arguments));
  if (!imported)
    return refused(imported.error().forbidden ? arguments.from : place.file,
                   imported.error().error.text(), imported.error().exit_status());
  if (arguments.quiet) return 0;
  for (const auto* losses : {&std::as_const(read.losses), &imported->losses})
    for (const std::string& loss : *losses)
      std::println(stderr, "hepcheck: {}: not imported: {}", reports::escaped(arguments.from),
                   reports::escaped(loss));
  std::println("{}:{}: {} row{} of {} column{}", reports::escaped(place.file),
               reports::escaped(*place.group), imported->rows, imported->rows == 1 ? "" : "s",
               read.table.columns.size(), read.table.columns.size() == 1 ? "" : "s");
  return 0;
}

// The schema of an array becomes a table without values.
int import_array(const Input& input, const hep001::TablePlace& place,
                 const ImportArguments& arguments) {
  const FileOptions options = file_options(arguments);
  if (const auto wrong = objection(
          input,
          {.spec = find_specification("tiledb-array-schema-2024-10-25"), .options = options}))
    return refused(arguments.from, wrong->text, wrong->status);
  auto read = tiledb::read_array(input, options);
  if (!read) return refused(arguments.from, arguments.from + ": " + read.error(), 1);
  return store({std::move(read->table), std::move(read->losses)}, place, arguments);
}

int run(const ImportArguments& arguments) {
  for (const std::string& name : {arguments.from, arguments.table})
    if (is_url(name)) return refused(name, name + ": " + kNoUrls, 3);
  const hep001::TablePlace place = place_of(arguments);
  if (const Format* const format = recognise_directory(arguments.from);
      format && format->name == "tiledb") {
    const Result<OpenedInput> directory = open_input(arguments.from, Limits{});
    if (!directory) return refused(arguments.from, directory.error().text(), 3);
    return import_array(directory->input, place, arguments);
  }
  const std::uint64_t memory =
      arguments.memory_limit > 0 ? arguments.memory_limit : machine_memory() / 4;
  const bool piped = arguments.from == "-";
  const Result<Descriptor> opened = piped ? Descriptor() : open_for_reading(arguments.from);
  if (!opened) return refused(arguments.from, opened.error().text(), 3);
  const Result<std::vector<std::byte>> image =
      piped ? read_standard_input(memory / 2) : std::vector<std::byte>();
  if (!image) return refused(arguments.from, image.error().text(), 3);
  const Bytes input = piped ? Bytes::of_image(*image, arguments.from)
                            : Bytes::of_descriptor(opened->get(), arguments.from);
  const Format* const other = recognise(input);
  if (other && other->name == "tiledb") return import_array(input, place, arguments);
  if (other && other->name != "arrow")
    return refused(arguments.from, std::format("this is {}; import reads Arrow", other->title), 3);
  const FileOptions options = file_options(arguments);
  if (const auto wrong = objection(
          input,
          {.spec = arrow::choose_revision(input, {.options = options}).spec, .options = options}))
    return refused(arguments.from, wrong->text, wrong->status);
  keep_freed_memory();
  auto read = arrow::read_table(input, options, memory / 2 - image->size());
  if (!read) return refused(arguments.from, read.error().text(), 1);
  return store({std::move(read->table), std::move(read->losses)}, place, arguments);
}

}  // namespace

void add_import(CLI::App& app, int& status) {
  auto a = std::make_shared<ImportArguments>();
  CLI::App* command =
      app.add_subcommand("import", "Store an Arrow file or stream as a HEP001 table");
  command->add_option("in", a->from, "Arrow file or stream; - for standard input")
      ->required()
      ->type_name("IN.arrow");
  command
      ->add_option("table", a->table,
                   "FILE:/group, which must not exist; or FILE, a new file that is the table")
      ->required()
      ->type_name("FILE[:/GROUP]");
  command->add_option("--spec", a->spec, "Revision of the specification for the table")
      ->capture_default_str();
  command
      ->add_option("--rename", a->renames,
                   "Another name for a column, such as a/b=a_b; may be repeated")
      ->check(CLI::Validator(not_a_rename, ""))
      ->type_name("OLD=NEW")
      ->allow_extra_args(false);
  command->add_flag("--in-place", a->in_place,
                    "Change the file directly instead of a copy; rolls back failed writes, but "
                    "does not survive a crash");
  command->add_flag("-q,--quiet", a->quiet, "Print only errors");
  take_size(command->add_option(
      "--memory-limit", a->memory_limit,
      "Memory for the table, such as 512MB or 2GiB [a quarter of the machine's]"));
  command->footer(
      "The input must be conformant, and so is the table: nulls become a fill value that no "
      "value\nequals, dictionaries become categoricals, lists become list columns. A field whose "
      "type or\nname a table cannot represent is refused by name. docs/exchange.md describes the "
      "mapping.\nThe file is written under a temporary name and renamed when it is complete and on "
      "disk.\nExit status: 0 written; 1 refused, because of the contents of the input; 2 usage "
      "error;\n3 something could not be read, checked or written.");
  command->callback([a, &status] { status = run(*a); });
}

}  // namespace hepcheck::cli
