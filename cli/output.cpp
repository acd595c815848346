#include "cli/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <CLI/Error.hpp>
#include <algorithm>
#include <cstdlib>
#include <format>
#include <fstream>
#include <iostream>
#include <print>
#include <sstream>

#include "cli/confined_file.h"
#include "cli/help.h"
#include "cli/suggest.h"
#include "reports/escape.h"
#include "reports/formats.h"
#include "reports/former.h"
#include "reports/wrap.h"

namespace hepcheck::cli {

namespace {

// https://bixense.com/clicolors and https://no-color.org
bool colour_wanted(const std::string& color, bool terminal) {
  if (color != "auto") return color == "always";
  const char* const forced = std::getenv("CLICOLOR_FORCE");
  if (forced && *forced && std::string_view(forced) != "0") return true;
  if (!terminal) return false;
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return !(no_color && *no_color) && !(term && std::string_view(term) == "dumb");
}

void write_one(std::ostream& out, const Report& report, const std::string& format,
               const OutputOptions& options, bool terminal) {
  if (format != "text")
    reports::find_form(format)->write(out, report);
  else {
    const bool here = &out == &std::cout;
    const reports::TextStyle style{.colour = here && colour_wanted(options.color, terminal),
                                   .terminal = terminal,
                                   .verbose = options.verbose,
                                   .summary = options.summary};
    const std::size_t width = here && terminal ? terminal_width() : 0;
    if (width == 0) return reports::write_text(out, report, style);
    std::ostringstream whole;
    reports::write_text(whole, report, style);
    out << reports::wrapped(whole.view(), width);
  }
}

bool write_file(const std::string& file, const Report& report, const std::string& format,
                const OutputOptions& options) {
  std::ofstream out(file, std::ios::binary);
  write_one(out, report, format, options, false);
  if (out.flush()) return true;
  std::println(stderr, "hepcheck: {}: cannot be written", reports::escaped(file));
  return false;
}

// Opens a file that the settings name; an empty descriptor if it does not exist and `flags` do not
// create it. Existing contents must be a report of the same format, or empty.
Result<Descriptor> open_former(const Destination& one, const std::string& folder, int flags) {
  const ConfinedFile confined{folder, one.file};
  Result<Descriptor> file = open_confined(confined, flags);
  if (!file || !*file) return file;
  std::string bytes(reports::kTellingBytes, '\0');
  const ssize_t got = pread(file->get(), bytes.data(), bytes.size(), 0);
  if (got < 0) return failure(confined.whole(), "it cannot be read");
  bytes.resize(static_cast<std::size_t>(got));
  if (!bytes.empty() && !reports::begins_as(one.format, bytes))
    return failure(confined.whole(), "it is not a " + one.format +
                                         " report of hepcheck, and settings replace nothing else");
  return file;
}

bool write_below(const Destination& one, const Report& report, const OutputOptions& options) {
  Result<Descriptor> file = open_former(one, *options.settings_folder, O_RDWR | O_CREAT);
  if (file && ftruncate(file->get(), 0) == 0 &&
      write_through(std::move(*file),
                    [&](std::ostream& out) { write_one(out, report, one.format, options, false); }))
    return true;
  std::println(stderr, "hepcheck: {}: cannot be written{}", reports::escaped(one.file),
               file ? "" : ": " + file.error().cause);
  return false;
}

}  // namespace

std::vector<Destination> destinations(const std::vector<std::string>& words) {
  std::vector<std::string_view> names;
  for (const reports::Form& format : reports::all_forms()) names.push_back(format.name);
  std::vector<Destination> made;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    Destination one{.format = word.substr(0, equals),
                    .file = equals == word.npos ? "" : word.substr(equals + 1)};
    if (!std::ranges::contains(names, one.format))
      throw CLI::ValidationError(
          "--format", "no format \"" + one.format + "\"" + did_you_mean(one.format, names));
    if (equals != word.npos && one.file.empty())
      throw CLI::ValidationError("--format", "no file after \"" + word + "\"");
    made.push_back(std::move(one));
  }
  if (std::ranges::count(made, "", &Destination::file) > 1)
    throw CLI::ValidationError(
        "--format", "only one format can be written to standard output; others need FORMAT=FILE");
  return made;
}

std::string_view form_by_suffix(std::string_view file) {
  constexpr std::pair<std::string_view, std::string_view> kForms[] = {
      {".txt", "text"},    {".json", "json"},   {".ndjson", "ndjson"}, {".jsonl", "ndjson"},
      {".sarif", "sarif"}, {".xml", "junit"},   {".md", "markdown"},   {".html", "html"},
      {".htm", "html"},    {".jsonld", "earl"}, {".svg", "badge-svg"}};
  for (const auto& [suffix, form] : kForms)
    if (file.ends_with(suffix)) return form;
  return {};
}

namespace {

// The requested formats, and if none is for standard output or its replacement: text, or the format
// of the suffix of that file.
std::vector<Destination> all_destinations(const OutputOptions& options) {
  std::vector<Destination> made = destinations(options.formats);
  if (std::ranges::any_of(made, [](const Destination& one) { return one.file.empty(); }))
    return made;
  const std::string_view told = form_by_suffix(options.output);
  made.push_back({.format = told.empty() ? "text" : std::string(told), .file = ""});
  return made;
}

}  // namespace

std::vector<Destination> checked_destinations(const OutputOptions& options) {
  std::vector<Destination> made = all_destinations(options);
  if (!options.settings_folder) return made;
  for (const Destination& one : made) {
    if (one.file.empty()) continue;
    if (const auto file = open_former(one, *options.settings_folder, O_RDONLY); !file)
      throw CLI::ValidationError("formats of the settings", reports::escaped(file.error().text()));
  }
  return made;
}

bool write_all(const Report& report, const OutputOptions& options) {
  bool written = true;
  for (const Destination& one : all_destinations(options)) {
    const std::string& file = one.file.empty() ? options.output : one.file;
    if (options.settings_folder && !one.file.empty()) {
      written &= write_below(one, report, options);
    } else if (file.empty()) {
      if (one.format == "text" && options.quiet) continue;
      write_one(std::cout, report, one.format, options, isatty(STDOUT_FILENO) != 0);
      if (std::cout.flush()) continue;
      std::println(stderr, "hepcheck: cannot write to standard output");
      written = false;
    } else {
      written &= write_file(file, report, one.format, options);
    }
  }
  return written;
}

void add_text_options(CLI::App& command, OutputOptions& output) {
  command.add_flag("--summary", output.summary, "In the text report, print only the totals");
  command
      .add_option(
          "--color", output.color,
          "Colours in the text report: auto (on a terminal, unless NO_COLOR is set), always "
          "or never")
      ->check(one_of({"auto", "always", "never"}))
      ->capture_default_str();
}

std::string format_help() {
  std::string text = "Report format, as FORMAT or FORMAT=FILE; may be repeated:";
  for (const reports::Form& format : reports::all_forms())
    text += std::string(text.ends_with(':') ? " " : ", ") + std::string(format.name);
  return text + " [text]";
}

std::string forms_help() {
  std::string text = "Report formats:\n";
  for (const reports::Form& form : reports::all_forms())
    text += std::format("  {:<13}  {}\n", form.name, form.about);
  return text;
}

}  // namespace hepcheck::cli
