// Every form of a report, by its name on the command line.
#pragma once

#include <iosfwd>
#include <span>
#include <string_view>

#include "validator/report.h"

namespace hepcheck::reports {

struct Form {
  std::string_view name;
  std::string_view about;  // what it is, for --help
  void (*write)(std::ostream& out, const Report& report);
  bool shows_columns = false;  // the parts of subjects
};

std::span<const Form> all_forms();  // "text" first: one line a finding, no colour
const Form* find_form(std::string_view name);

// The writers that have no header of their own.
void write_sarif(std::ostream& out, const Report& report);  // SARIF 2.1.0
void write_junit(std::ostream& out, const Report& report);  // a suite a file, a case a table
void write_junit_clauses(std::ostream& out,
                         const Report& report);                // a suite a table, a case a clause
void write_github(std::ostream& out, const Report& report);    // commands of a workflow's log
void write_gitlab(std::ostream& out, const Report& report);    // Code Quality
void write_markdown(std::ostream& out, const Report& report);  // GitHub flavoured
void write_html(std::ostream& out, const Report& report);      // one self-contained page
void write_earl(std::ostream& out, const Report& report);      // W3C EARL 1.0 as JSON-LD
void write_badge(std::ostream& out, const Report& report);     // a shields.io endpoint
void write_badge_svg(std::ostream& out, const Report& report);

}  // namespace hepcheck::reports
