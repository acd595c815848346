// hepcheck fixtures: the corpus, for users who have only the binary.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <print>
#include <ranges>
#include <span>
#include <tuple>

#include "cli/commands.h"
#include "cli/suggest.h"
#include "conformance/corpus.h"
#include "conformance/corpus_pack.h"
#include "validator/format.h"

namespace hepcheck::cli {

namespace {

using conformance::Expectation;
using conformance::Fixture;
using conformance::Ids;

std::string joined(const Ids& ids) {
  std::string text;
  for (const std::string& id : ids) text += (text.empty() ? "" : ", ") + id;
  return text.empty() ? "-" : text;
}

// The corpus contains a file once for each revision; here the entries are merged.
using ByRevision = std::span<const Fixture>;

bool of_one_file(const Fixture& a, const Fixture& b) {
  return a.format == b.format && a.file == b.file;
}

template <class Visit>
void for_each_file(const Visit& visit) {
  for (const auto& file : conformance::corpus() | std::views::chunk_by(of_one_file))
    visit(ByRevision(file.begin(), file.end()));
}

void list() {
  for_each_file(
      [](ByRevision file) { std::println("{:<72} {}", file.front().file, file.front().shows); });
}

// The statement of one revision, or of several that agree, about a file.
void show_expectation(const Fixture& fixture, const std::string& specs) {
  std::println("  by       {}\n  clause   {}", specs,
               fixture.reported_as.empty()
                   ? fixture.clause
                   : fixture.clause + ", reported as " + fixture.reported_as);
  if (!fixture.keeps.empty()) std::println("  keeps    {}", joined(fixture.keeps));
  for (const Expectation& table : fixture.tables)
    std::println("  {}{}\n    fails    {}\n    warns    {}\n    informs  {}", table.group,
                 fixture.asserted ? " (must be named)" : "", joined(table.fails),
                 joined(table.warns), joined(table.informs));
  if (!fixture.outcome.empty()) std::println("  outcome  {}", fixture.outcome);
  if (!fixture.ambiguity.empty())
    std::println("  depends on the ambiguity {} (hepcheck clauses ambiguities)", fixture.ambiguity);
}

bool of_one_mind(const Fixture& a, const Fixture& b) {
  const auto says = [](const Fixture& f) {
    return std::tie(f.clause, f.reported_as, f.ambiguity, f.outcome, f.asserted, f.keeps, f.tables);
  };
  return says(a) == says(b);
}

void show(ByRevision file) {
  std::println("{}\n  shows    {}", file.front().file, file.front().shows);
  for (const auto& same : file | std::views::chunk_by(of_one_mind)) {
    std::string specs;
    for (const Fixture& fixture : same) specs += (specs.empty() ? "" : ", ") + fixture.spec;
    show_expectation(same.front(), specs);
  }
  std::println("  sha256   {}", file.front().sha256);
}

// Selected by file, or every fixture of a clause.
void show_id(const std::string& id) {
  std::size_t shown = 0;
  for_each_file([&](ByRevision file) {
    if (file.front().file != id &&
        std::ranges::none_of(file, [&](const Fixture& each) { return each.is_about(id); }))
      return;
    if (shown++) std::println("");
    show(file);
  });
  if (shown) return;
  std::vector<std::string_view> names;
  for (const Fixture& fixture : conformance::corpus()) {
    names.push_back(fixture.file);
    names.push_back(fixture.clause);
  }
  throw CLI::ValidationError("fixture",
                             "no fixture or clause \"" + id + "\"" + did_you_mean(id, names));
}

// Files by their names in the output directory.
using Files = std::map<std::string, std::string, std::less<>>;

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The whole corpus of a format.
Files files_of(const std::string& format) {
  Files files;
  for (const conformance::PackedFile& file : conformance::packed_files())
    if (file.name.starts_with(format + '/'))
      files.emplace(file.name.substr(format.size() + 1), text_of(file.bytes));
  return files;
}

// The part that belongs to one revision.
Files files_by(const Specification& spec) {
  Files files{{"manifest.json", conformance::manifest_by(spec)}};
  for (const Fixture& fixture : conformance::corpus_of(spec))
    files.emplace(fixture.file, text_of(fixture.image));
  return files;
}

int export_to(const std::string& directory, const Files& files) {
  namespace fs = std::filesystem;
  std::error_code trouble;
  for (const auto& [name, bytes] : files) {
    const fs::path path = fs::path(directory) / name;
    fs::create_directories(path.parent_path(), trouble);
    std::ofstream out(path, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!out.flush()) {
      std::println(stderr, "hepcheck: {}: cannot be written", path.string());
      return 3;
    }
  }
  std::println("{} files in {}", files.size(), directory);
  return 0;
}

}  // namespace

void add_fixtures(CLI::App& app, int& status) {
  auto* command =
      app.add_subcommand("fixtures", "List and export the corpus of valid and broken files");
  command->require_subcommand(1);
  command->add_subcommand("list", "List every fixture, one per line")->callback([&status] {
    list();
    status = 0;
  });
  auto id = std::make_shared<std::string>();
  auto* show_command =
      command->add_subcommand("show", "Show a fixture, or all fixtures of a clause");
  show_command->add_option("id", *id, "Clause id or file")->required()->type_name("ID");
  show_command->callback([id, &status] {
    show_id(*id);
    status = 0;
  });
  auto directory = std::make_shared<std::string>();
  auto* export_command = command->add_subcommand("export", "Write the whole corpus to a directory");
  export_command->add_option("directory", *directory, "Where to")->required()->type_name("DIR");
  std::vector<std::string> formats;
  for (const Format* each : all_formats()) formats.emplace_back(each->name);
  auto format = std::make_shared<std::string>(formats.front());
  auto* of = export_command->add_option("--of", *format, "Only the files of this format")
                 ->check(one_of(formats))
                 ->capture_default_str();
  auto spec = std::make_shared<std::string>();
  export_command
      ->add_option("--spec", *spec,
                   "Only the files of this revision, with a manifest of its expectations")
      ->type_name("SPEC")
      ->excludes(of);
  export_command->callback([directory, format, spec, &status] {
    status = export_to(*directory,
                       spec->empty() ? files_of(*format) : files_by(specification_named(*spec)));
  });
}

}  // namespace hepcheck::cli
