// hepcheck export: writes a table as an Arrow file or stream.
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <format>
#include <memory>
#include <print>
#include <stdexcept>

#include "cli/commands.h"
#include "cli/exchange.h"
#include "cli/limits.h"
#include "cli/suggest.h"
#include "cli/target.h"
#include "reports/escape.h"
#include "validator/counted.h"
#include "validator/formats/arrow/exchange/write_table.h"
#include "validator/formats/hep001/exchange/export_table.h"
#include "validator/formats/hep001/model/revision.h"

namespace hepcheck::cli {

namespace {

struct ExportArguments {
  std::string table{}, into{};
  std::string spec = "auto", depth = "structure", compression = "none";
  std::uint64_t batch_rows = 0, memory_limit = 0;
  std::vector<std::string> skip{};
  bool stream = false, binary = false, quiet = false, force = false, allow_plugins = false;
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
  options.file.examine.memory_limit = arguments.memory_limit;
  options.file.examine.depth = arguments.depth == "full" ? Depth::kFull : Depth::kStructure;
  options.skip = {arguments.skip.begin(), arguments.skip.end()};
  options.binary = arguments.binary;
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
  // Batches have equal sizes, so memory is reused.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  const hep001::TablePlace place = place_of(arguments);
  const auto table = hep001::open_table(place, options_of(arguments));
  if (!table) return refused(place.file, table.error().error.text(), table.error().exit_status());
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
