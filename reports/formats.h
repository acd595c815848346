// Every report format, by its name on the command line.
#pragma once

#include <iosfwd>
#include <span>
#include <string_view>

#include "validator/report.h"

namespace hepcheck::reports {

struct Form {
  std::string_view name;
  std::string_view about;  // a short description for --help
  void (*write)(std::ostream& out, const Report& report);
  bool shows_columns = false;  // the parts of subjects
  bool shows_maps = false;     // the bytes of files, field by field
};

std::span<const Form> all_forms();  // "text" first: one line per finding, no colour
const Form* find_form(std::string_view name);

// Writers without a header of their own.
void write_sarif(std::ostream& out, const Report& report);  // SARIF 2.1.0
void write_junit(std::ostream& out,
                 const Report& report);  // one suite per file, one case per table
void write_junit_clauses(std::ostream& out,
                         const Report& report);  // one suite per table, one case per clause
void write_github(std::ostream& out, const Report& report);    // workflow commands for the log
void write_gitlab(std::ostream& out, const Report& report);    // Code Quality
void write_markdown(std::ostream& out, const Report& report);  // GitHub flavoured
void write_html(std::ostream& out, const Report& report);      // one self-contained page
void write_earl(std::ostream& out, const Report& report);      // W3C EARL 1.0 as JSON-LD
void write_badge(std::ostream& out, const Report& report);     // a shields.io endpoint
void write_badge_svg(std::ostream& out, const Report& report);

}  // namespace hepcheck::reports
