#include "validator/cli/output.h"

#include <unistd.h>

#include <CLI/Error.hpp>
#include <algorithm>
#include <cstdlib>
#include <format>
#include <fstream>
#include <iostream>
#include <print>

#include "reports/escape.h"
#include "reports/formats.h"
#include "validator/cli/suggest.h"

namespace hepcheck::cli {

namespace {

bool colour_wanted() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return isatty(STDOUT_FILENO) && !(no_color && *no_color) &&
         !(term && std::string_view(term) == "dumb");
}

void write_one(std::ostream& out, const Report& report, const std::string& format,
               const OutputOptions& options, bool terminal) {
  if (format != "text")
    reports::find_form(format)->write(out, report);
  else if (!options.quiet)
    reports::write_text(
        out, report,
        {.colour = terminal && colour_wanted(), .terminal = terminal, .verbose = options.verbose});
}

bool write_file(const std::string& file, const Report& report, const std::string& format,
                const OutputOptions& options) {
  std::ofstream out(file, std::ios::binary);
  write_one(out, report, format, options, false);
  if (out.flush()) return true;
  std::println(stderr, "hepcheck: {}: cannot be written", reports::escaped(file));
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
    throw CLI::ValidationError("--format",
                               "only one format can go to the standard output; "
                               "others take FORMAT=FILE");
  return made;
}

bool write_all(const Report& report, const OutputOptions& options) {
  std::vector<Destination> wanted = destinations(options.formats);
  if (std::ranges::none_of(wanted, [](const Destination& one) { return one.file.empty(); }))
    wanted.push_back({.format = "text", .file = ""});
  bool written = true;
  for (const Destination& one : wanted) {
    const std::string& file = one.file.empty() ? options.output : one.file;
    if (file.empty()) {
      write_one(std::cout, report, one.format, options, isatty(STDOUT_FILENO) != 0);
      written &= static_cast<bool>(std::cout.flush());
    } else {
      written &= write_file(file, report, one.format, options);
    }
  }
  return written;
}

std::string format_help() {
  std::string text = "Form of the report, several times if wanted, each as FORMAT or FORMAT=FILE:";
  for (const reports::Form& format : reports::all_forms())
    text += std::string(text.ends_with(':') ? " " : ", ") + std::string(format.name);
  return text + " [text]";
}

std::string forms_help() {
  std::string text = "Forms of the report:\n";
  for (const reports::Form& form : reports::all_forms())
    text += std::format("  {:<11} {}\n", form.name, form.about);
  return text;
}

}  // namespace hepcheck::cli
