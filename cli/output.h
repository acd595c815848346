// Where reports go: --format and --output of every command that writes one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/text.h"
#include "validator/report.h"

namespace hepcheck::cli {

// "junit" or "junit=FILE". A word that is no format is a usage error; so are two for the
// standard output.
struct Destination {
  std::string format{};
  std::string file{};  // empty: the standard output
};
std::vector<Destination> destinations(const std::vector<std::string>& words);

struct OutputOptions {
  std::vector<std::string> formats{};
  std::string output{};  // a file in place of the standard output; its suffix tells the form
  bool quiet = false, verbose = false;
  // The formats are those of a settings file in this folder (perhaps "", the working directory):
  // files lie below it, and what is there and is no report of that form is left alone.
  std::optional<std::string> settings_folder{};
};

// The form that a name of a file ends in, as .html; empty if it tells of none.
std::string_view form_by_suffix(std::string_view file);

// Complains, as of a usage error, about words that name what cannot be written. Writes nothing.
std::vector<Destination> checked_destinations(const OutputOptions& options);

// Writes the report in every form that was asked for, and as text if none is for the standard
// output. False, with a message on standard error, if one cannot be written.
bool write_all(const Report& report, const OutputOptions& options);

// "text, json, ... (as FORMAT or FORMAT=FILE)", for --help.
std::string format_help();
// The forms of reports with what they are, a line each.
std::string forms_help();

}  // namespace hepcheck::cli
