// hepcheck export: writes a table as an Arrow file or stream, or its layout as a TileDB array; and
// an RNTuple as an Arrow file or a table.

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <format>
#include <memory>
#include <print>
#include <stdexcept>

#include "cli/commands.h"
#include "cli/exchange.h"
#include "cli/limits.h"
#include "cli/reader.h"
#include "cli/suggest.h"
#include "cli/target.h"
#include "reports/escape.h"
#include "validator/counted.h"
#include "validator/examine_file.h"
#include "validator/formats/arrow/exchange/write_table.h"
#include "validator/formats/hep001/exchange/export_table.h"
#include "validator/formats/hep001/exchange/import_table.h"
#include "validator/formats/hep001/model/revision.h"
#include "validator/formats/rntuple/exchange/read_table.h"
#include "validator/formats/tiledb/exchange/write_array.h"
#include "validator/machine.h"

namespace hepcheck::cli {

namespace {

struct ExportArguments {
  std::string table{}, into{};
  std::string to = "arrow", spec = "auto", depth = "structure", compression = "none";
  std::uint64_t batch_rows = 0, memory_limit = 0;
  std::vector<std::string> skip{};
  std::string reader{kUsualReader};
  bool stream = false, binary = false, quiet = false, force = false, allow_plugins = false;
  bool strict = false, schema_only = false, projected = false;
};

hep001::TablePlace place_of(const ExportArguments& arguments) {
  const std::vector<Target> targets = targets_of(arguments.table);
  std::error_code trouble;
  if (arguments.table == "-" || std::filesystem::is_directory(arguments.table, trouble))
    throw CLI::ValidationError("table", "expected FILE or FILE:/group");
  if (targets.front().error) throw std::runtime_error(targets.front().error->text());
  const Specification* spec = nullptr;
  if (arguments.spec != "auto") {
    spec = &specification_named(arguments.spec);
    if (spec->format != "hep001")
      throw CLI::ValidationError("--spec", "\"" + arguments.spec + "\" has no tables to export");
  }
  return {.file = targets.front().path, .group = targets.front().group, .spec = spec};
}

hep001::ExportOptions options_of(const ExportArguments& arguments) {
  hep001::ExportOptions options;
  options.file.allow_plugins = arguments.allow_plugins;
  options.file.reader = reader_of(arguments.reader);
  options.file.examine.memory_limit = arguments.memory_limit;
  options.file.examine.depth = arguments.depth == "full" ? Depth::kFull : Depth::kStructure;
  options.skip = {arguments.skip.begin(), arguments.skip.end()};
  options.binary = arguments.binary;
  options.partial = arguments.to == "tiledb";
  options.batch_rows = arguments.batch_rows;
  return options;
}

arrow::WriteOptions write_options(const ExportArguments& arguments) {
  using arrow::Compression;
  return {.stream = arguments.stream,
          .compression = arguments.compression == "lz4"    ? Compression::kLz4
                         : arguments.compression == "zstd" ? Compression::kZstd
                                                           : Compression::kNone};
}

// Why what was written is not conformant; empty if it is.
std::string wrong_in(const std::string& array) {
  FileOptions options;
  options.examine.describe_columns = false;
  const FileReport report = examine_file(
      array, std::nullopt, find_specification("tiledb-array-schema-2024-10-25"), options);
  if (report.error) return report.error->text();
  for (const SubjectReport& subject : report.subjects)
    for (const ClauseResult& result : subject.clauses)
      if (result.verdict == Verdict::kFail && result.severity == Severity::kError)
        return std::format("{}: {}", result.clause->id, result.findings.front().observed);
  return {};
}

// A directory that exists only if everything in it was written.
int write_array(const ExportArguments& arguments, const exchange::TableLayout& layout) {
  namespace fs = std::filesystem;
  const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::system_clock::now().time_since_epoch());
  const tiledb::NewArray array = tiledb::array_of(layout, static_cast<std::uint64_t>(now.count()));
  if (!arguments.quiet)
    for (const std::string& loss : array.losses)
      std::println(stderr, "hepcheck: {}: not exported: {}", reports::escaped(arguments.table),
                   reports::escaped(loss));
  std::error_code trouble;
  const fs::path into = arguments.into;
  if (fs::exists(into, trouble) && !fs::is_empty(into, trouble))
    return refused(arguments.into, arguments.into + ": it exists", 3);
  if (!fs::create_directories(into / "__schema/__enumerations", trouble) && trouble)
    return refused(arguments.into, arguments.into + ": " + trouble.message(), 3);
  const auto give_up = [&](const std::string& why, int status) {
    std::error_code ignored;
    fs::remove_all(into, ignored);
    return refused(arguments.into, why, status);
  };
  for (const tiledb::NewMember& member : array.members) {
    auto file = exchange::NewFile::of((into / member.path).string(), {});
    if (!file) return give_up(file.error().text(), 3);
    file->write(member.bytes);
    if (const auto done = file->finish(); !done) return give_up(done.error().text(), 3);
  }
  if (const std::string why = wrong_in(arguments.into); !why.empty())
    return give_up("the array would not be conformant: " + why, 1);
  if (!arguments.quiet)
    std::println("{}: {} and {}", reports::escaped(arguments.into),
                 counted(layout.columns.size(), "attribute", "attributes"),
                 counted(layout.categories.size(), "enumeration", "enumerations"));
  return 0;
}

int export_array(const ExportArguments& arguments, const hep001::TableSource& table) {
  const exchange::TableLayout layout = table.layout();
  for (const std::string& column : layout.refused)
    std::println(stderr, "hepcheck: {}: refused: column {}", reports::escaped(arguments.table),
                 reports::escaped(column));
  if (!layout.refused.empty() && arguments.strict)
    return refused(arguments.table, "a column cannot be exported", 1);
  if (layout.columns.empty())
    return refused(arguments.table, "no column can be exported, and an array needs an attribute",
                   1);
  return write_array(arguments, layout);
}

// --- RNTuples ------------------------------------------------------------------------------------

// FILE, or FILE:NAME. A file whose name contains a colon wins.
std::pair<std::string, std::optional<std::string>> ntuple_of(const std::string& argument) {
  std::error_code trouble;
  const std::size_t colon = argument.rfind(':');
  if (std::filesystem::exists(argument, trouble) || colon == std::string::npos)
    return {argument, std::nullopt};
  return {argument.substr(0, colon), argument.substr(colon + 1)};
}

bool is_ntuple(const std::string& argument) {
  const Result<Descriptor> opened = open_for_reading(ntuple_of(argument).first);
  if (!opened) return false;
  const Format* const format = recognise(Bytes::of_descriptor(opened->get(), argument));
  return format && format->name == "rntuple";
}

// The rows of a table in pieces.
class TableInPieces : public exchange::Source {
 public:
  TableInPieces(exchange::Table table, std::uint64_t rows)
      : table_(std::move(table)), rows_(rows > 0 ? rows : 65'536) {}
  const exchange::Schema& schema() const override { return table_.schema; }
  Result<std::optional<exchange::Batch>> next() override {
    if (at_ >= table_.rows) return std::nullopt;
    exchange::Batch batch{.rows = std::min(rows_, table_.rows - at_)};
    for (std::size_t i = 0; i < table_.columns.size(); ++i)
      batch.columns.push_back(
          exchange::slice(table_.schema.fields[i].type, table_.columns[i], at_, batch.rows));
    at_ += batch.rows;
    return batch;
  }

 private:
  exchange::Table table_;
  std::uint64_t rows_, at_ = 0;
};

// FILE:/group, or FILE for a table that is the whole file.
hep001::TablePlace new_table(const std::string& argument) {
  const std::size_t colon = argument.rfind(":/");
  std::string group = colon == std::string::npos ? "/" : argument.substr(colon + 1);
  while (group.size() > 1 && group.ends_with('/')) group.pop_back();
  return {.file = argument.substr(0, colon),
          .group = std::move(group),
          .spec = find_specification(hep001::all_revisions().back().spec)};
}

int export_ntuple(const ExportArguments& arguments) {
  const auto [path, name] = ntuple_of(arguments.table);
  const Result<Descriptor> opened = open_for_reading(path);
  if (!opened) return refused(path, opened.error().text(), 3);
  const Bytes file = Bytes::of_descriptor(opened->get(), path);
  const std::uint64_t memory =
      arguments.memory_limit > 0 ? arguments.memory_limit : machine_memory() / 4;
  rntuple::ReadOptions options{.skip = {arguments.skip.begin(), arguments.skip.end()},
                               .projected = arguments.projected,
                               .schema_only = arguments.schema_only,
                               .small_booleans = arguments.to == "hep001",
                               .memory = memory / 2};
  options.file.examine.memory_limit = arguments.memory_limit;
  options.file.examine.describe_columns = false;
  options.file.examine.max_findings = 1;
  if (const auto wrong = objection(
          file, {.spec = &default_revision("rntuple"), .subject = name, .options = options.file}))
    return refused(path, wrong->text, wrong->status);
  auto read = rntuple::read_table(file, name, options);
  if (!read) return refused(path, read.error().why, read.error().unknown ? 3 : 1);
  if (!arguments.quiet)
    for (const std::string& loss : read->losses)
      std::println(stderr, "hepcheck: {}: not exported: {}", reports::escaped(path),
                   reports::escaped(loss));
  for (const std::string& field : read->refused)
    std::println(stderr, "hepcheck: {}: refused: {}", reports::escaped(path),
                 reports::escaped(field));
  if (!read->refused.empty() && arguments.strict)
    return refused(path, "a field cannot be exported", 1);
  if (!read->refused.empty() && read->table.columns.empty())
    return refused(path, "no field can be exported", 1);
  const std::uint64_t rows = read->table.rows, columns = read->table.columns.size();
  if (arguments.to == "hep001") {
    const hep001::TablePlace place = new_table(arguments.into);
    const auto stored = hep001::import_table(read->table, place, {});
    if (!stored)
      return refused(stored.error().forbidden ? path : place.file, stored.error().error.text(),
                     stored.error().exit_status());
  } else {
    Result<exchange::NewFile> out =
        exchange::NewFile::of(arguments.into, {.replace = arguments.force, .source = path});
    if (!out) return refused(arguments.into, out.error().text(), 3);
    TableInPieces source(std::move(read->table), arguments.batch_rows);
    const auto written = arrow::write_table(source, *out, write_options(arguments));
    if (!written)
      return refused(out->failed() ? arguments.into : path, written.error().text(),
                     out->failed() ? 3 : 1);
  }
  if (!arguments.quiet && arguments.into != "-")
    std::println("{}: {} of {}", reports::escaped(arguments.into), counted(rows, "row", "rows"),
                 counted(columns, "column", "columns"));
  return 0;
}

int run(const ExportArguments& arguments) {
  for (const std::string_view ending : {".parquet", ".pq", ".csv", ".json"})
    if (arguments.into.ends_with(ending))
      throw CLI::ValidationError(
          "out", std::format("export writes Arrow files and streams, not {}; name the output "
                             "OUT.arrow and convert that, for example with pyarrow",
                             ending));
  if (arguments.into == "-" && !arguments.stream)
    throw CLI::ValidationError("out", "writing to standard output requires --stream");
  leave_nothing_behind(arguments.quiet);
  if (is_ntuple(arguments.table)) {
    if (arguments.to == "tiledb")
      throw CLI::ValidationError("--to", "only a table is exported as a TileDB array");
    return export_ntuple(arguments);
  }
  if (arguments.to == "hep001" || arguments.schema_only || arguments.projected)
    throw CLI::ValidationError("table", "only an RNTuple is exported in this way");
  keep_freed_memory();
  const hep001::TablePlace place = place_of(arguments);
  const auto table = hep001::open_table(place, options_of(arguments));
  if (!table) return refused(place.file, table.error().error.text(), table.error().exit_status());
  if (arguments.to == "tiledb") return export_array(arguments, **table);
  if (!arguments.quiet)
    for (const std::string& loss : (*table)->losses())
      std::println(stderr, "hepcheck: {}: not exported: {}", reports::escaped(place.file),
                   reports::escaped(loss));
  Result<exchange::NewFile> file =
      exchange::NewFile::of(arguments.into, {.replace = arguments.force, .source = place.file});
  if (!file) return refused(arguments.into, file.error().text(), 3);
  const auto written = arrow::write_table(**table, *file, write_options(arguments));
  if (!written)
    return refused(file->failed() ? arguments.into : place.file, written.error().text(),
                   file->failed() ? 3 : 1);
  if (!arguments.quiet && arguments.into != "-")
    std::println("{}: {} of {} in {}", reports::escaped(arguments.into),
                 counted(written->rows, "row", "rows"),
                 counted((*table)->schema().fields.size(), "column", "columns"),
                 counted(written->batches, "batch", "batches"));
  return 0;
}

void add_options(CLI::App& command, ExportArguments& a) {
  command.add_option("table", a.table, "FILE:/group, or FILE if it contains only one table")
      ->required()
      ->type_name("FILE[:/GROUP]");
  command.add_option("out", a.into, "The file to write; - for standard output")
      ->required()
      ->type_name("OUT.arrow");
  command
      .add_option("--to", a.to,
                  "arrow; tiledb: OUT becomes an array directory with the schema of a table and no "
                  "values; hep001: OUT.h5:/group becomes a table with the fields of an RNTuple")
      ->check(one_of({"arrow", "tiledb", "hep001"}))
      ->capture_default_str();
  command.add_flag("--strict", a.strict,
                   "To tiledb, or of an RNTuple: write nothing if a column cannot be exported");
  command.add_flag("--schema-only", a.schema_only, "Of an RNTuple: columns without rows");
  command.add_flag("--projected", a.projected,
                   "Of an RNTuple: also fields that show data of other fields");
  command.add_flag("--stream", a.stream, "Write a stream instead of a file");
  command.add_option("--batch-rows", a.batch_rows, "Rows per record batch [16 MiB of them]")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  command.add_option("--compression", a.compression, "Compression of buffers: none, lz4 or zstd")
      ->check(one_of({"none", "lz4", "zstd"}))
      ->capture_default_str();
  command.add_option("--skip", a.skip, "Omit this column; may be repeated")
      ->type_name("COLUMN")
      ->allow_extra_args(false);
  command.add_flag("--binary", a.binary, "Store a column of strings that are not UTF-8 as bytes");
  command.add_flag("-f,--force", a.force, "Replace OUT.arrow if it exists");
  command
      .add_option("--spec", a.spec,
                  "Revision of the specification; auto: chosen by the features of the table")
      ->capture_default_str();
  command
      .add_option("--depth", a.depth, "How the table is checked first; full: data and indexes too")
      ->check(one_of({"structure", "full"}))
      ->capture_default_str();
  command.add_flag("-q,--quiet", a.quiet, "Print only errors");
  add_reader(command, a.reader);
  command.add_flag("--allow-plugins", a.allow_plugins, "Let the HDF5 library load filter plugins");
  take_size(command.add_option(
      "--memory-limit", a.memory_limit,
      "Memory for column data, such as 512MB or 2GiB [a quarter of the machine's]"));
}

}  // namespace

void add_export(CLI::App& app, int& status) {
  auto a = std::make_shared<ExportArguments>();
  CLI::App* command = app.add_subcommand("export", "Write a HEP001 table as an Arrow file");
  add_options(*command, *a);
  command->footer(
      "The table must be conformant. Missing values become nulls, categoricals "
      "dictionaries;\nunits, ranges and fill values become metadata of the fields. A column whose "
      "type has no\nArrow equivalent is refused by name, unless it is skipped. Search indexes are "
      "not exported.\ndocs/exchange.md describes the mapping.\nExit status: 0 written; 1 refused, "
      "because of the table or of a value in it; 2 usage\nerror; 3 something could not be read, "
      "checked or written.");
  command->callback([a, &status] { status = run(*a); });
}

}  // namespace hepcheck::cli
