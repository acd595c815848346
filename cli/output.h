// Output of reports: --format and --output of every command that writes one.
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>
#include <vector>

#include "reports/text.h"
#include "validator/report.h"

namespace hepcheck::cli {

// "junit" or "junit=FILE". An unknown format is a usage error, and so are two for standard output.
struct Destination {
  std::string format{};
  std::string file{};  // empty: standard output
};
std::vector<Destination> destinations(const std::vector<std::string>& words);

struct OutputOptions {
  std::vector<std::string> formats{};
  std::string output{};  // a file instead of standard output; its suffix selects the format
  bool quiet = false, verbose = false, risks = false;
  bool summary = false;        // text: only the totals
  std::string color = "auto";  // text on standard output: auto, always or never
  // The formats come from a settings file in this directory (perhaps "", the working directory):
  // output files are inside it, and an existing file that is not a report of the same format is not
  // replaced.
  std::optional<std::string> settings_folder{};
};

// Adds --color and --summary.
void add_text_options(CLI::App& command, OutputOptions& output);

// The format of the suffix of a file name, such as .html; empty if there is none.
std::string_view form_by_suffix(std::string_view file);

// Throws a usage error for words that name files which cannot be written. Writes nothing.
std::vector<Destination> checked_destinations(const OutputOptions& options);

// Writes the report in every requested format, and as text if none is for standard output. False,
// with a message on standard error, if one cannot be written.
bool write_all(const Report& report, const OutputOptions& options);

// "text, json, ... (as FORMAT or FORMAT=FILE)", for --help.
std::string format_help();
// The report formats with their descriptions, one line each.
std::string forms_help();

}  // namespace hepcheck::cli
