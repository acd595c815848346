// JUnit XML, as CI servers read it: a suite a table, a case a clause. An error-level finding is
// a failure; what did not apply, was not checked or is known is skipped, with the reason; what
// could not be examined is an error.
#include <format>
#include <ostream>
#include <ranges>

#include "reports/escape.h"
#include "reports/formats.h"
#include "reports/tally.h"

namespace hepcheck::reports {

namespace {

// The outcome of a case, named as its element; empty if it passed.
struct Outcome {
  std::string_view element{};
  std::string message{};
  std::string lines{};  // escaped
};

struct Case {
  std::string name{};
  Outcome outcome{};
  std::string output{};  // escaped
};

struct Suite {
  std::string name{};
  std::vector<Case> cases{};

  std::size_t count(std::string_view element) const {
    std::size_t n = 0;
    for (const Case& each : cases) n += each.outcome.element == element;
    return n;
  }
};

std::string lines(const ClauseResult& result) {
  std::string text;
  for (const Finding& finding : result.findings) {
    text += std::format("{}: {}{}: {}; expected {}", escaped_xml(place(finding)),
                        to_string(finding.severity), finding.known ? " (known)" : "",
                        escaped_xml(finding.observed), escaped_xml(finding.expected));
    if (finding.more > 0) text += std::format("; and {} more", finding.more);
    if (!finding.witness.empty()) text += "; witness: " + escaped_xml(finding.witness);
    if (!finding.hint.empty()) text += "; hint: " + escaped_xml(finding.hint);
    text += '\n';
  }
  if (result.suppressed > 0) text += std::format("{} more findings not shown\n", result.suppressed);
  return text;
}

Case clause_case(const ClauseResult& result) {
  Case made{.name = std::string(result.clause->id)};
  switch (result.verdict) {
    case Verdict::kPass: break;
    case Verdict::kNotApplicable:
      made.outcome = {"skipped", result.reason.empty() ? "not applicable" : result.reason};
      break;
    case Verdict::kNotChecked: made.outcome = {"skipped", "not checked: " + result.reason}; break;
    case Verdict::kFail:
      if (result.open_severity() == Severity::kError)
        made.outcome = {"failure", std::string(result.clause->statement), lines(result)};
      else if (result.known())
        made.outcome = {"skipped", "known: listed in the baseline", lines(result)};
      else
        made.output = lines(result);
  }
  return made;
}

Suite table_suite(const FileReport& file, const SubjectReport& table) {
  Suite suite{.name = file.path + ':' + table.path};
  for (const ClauseResult& result : table.clauses) suite.cases.push_back(clause_case(result));
  Case whole{.name = "fully-checked"};
  if (table.verdict == SubjectVerdict::kUnsupported || table.verdict == SubjectVerdict::kUnchecked)
    whole.outcome = {"error", table.reason};
  else if (claim_of(table) == Claim::kAccepted)
    whole.outcome = {"skipped", "accepted: " + Tally(table).accepted.words()};
  suite.cases.push_back(std::move(whole));
  return suite;
}

// What was relaxed counts as skipped: servers show that.
Suite settings_suite(const Report& report) {
  Suite suite{.name = "settings in force"};
  for (const Settings& settings : report.settings) {
    suite.cases.push_back({.name = settings.file});
    for (const std::string& line : settings_lines(settings) | std::views::drop(1))
      suite.cases.push_back({.name = settings.file + ": " + line, .outcome = {"skipped", line}});
  }
  return suite;
}

// Calls visit(suite) for each, of which none is kept.
void for_each_suite(const Report& report, const auto& visit) {
  if (!report.settings.empty()) visit(settings_suite(report));
  for (const FileReport& file : report.files) {
    Suite trouble{.name = file.path};
    if (file.error) trouble.cases.push_back({"readable", {"error", file_trouble(file)}});
    for (const Error& error : file.unreadable)
      trouble.cases.push_back({"readable:" + error.context, {"error", error.cause}});
    if (trouble.cases.empty() && file.subjects.empty())
      trouble.cases.push_back({"judged", {"skipped", std::string(format_of(*report.spec).absent)}});
    if (!trouble.cases.empty()) visit(trouble);
    for (const SubjectReport& table : file.subjects) visit(table_suite(file, table));
  }
}

void write(std::ostream& out, const Case& each, const std::string& suite) {
  out << "  <testcase name=\"" << escaped_xml(each.name) << "\" classname=\"" << suite
      << "\" time=\"0\"";
  const Outcome& outcome = each.outcome;
  if (outcome.element.empty() && each.output.empty()) {
    out << "/>\n";
    return;
  }
  out << '>';
  if (!outcome.element.empty()) {
    out << '<' << outcome.element;
    if (outcome.element != "skipped") out << " type=\"" << outcome.element << '"';
    out << " message=\"" << escaped_xml(outcome.message) << '"';
    if (outcome.lines.empty())
      out << "/>";
    else
      out << '>' << outcome.lines << "</" << outcome.element << '>';
  }
  if (!each.output.empty()) out << "<system-out>" << each.output << "</system-out>";
  out << "</testcase>\n";
}

void write(std::ostream& out, const Suite& suite) {
  const std::string name = escaped_xml(suite.name);
  out << std::format(
      " <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
      "time=\"0\">\n",
      name, suite.cases.size(), suite.count("failure"), suite.count("error"),
      suite.count("skipped"));
  for (const Case& each : suite.cases) write(out, each, name);
  out << " </testsuite>\n";
}

}  // namespace

void write_junit(std::ostream& out, const Report& report) {
  std::size_t tests = 0, failures = 0, errors = 0;
  for_each_suite(report, [&](const Suite& suite) {
    tests += suite.cases.size();
    failures += suite.count("failure");
    errors += suite.count("error");
  });
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      << std::format(
             "<testsuites name=\"hepcheck\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
             "time=\"0\">\n",
             tests, failures, errors);
  for_each_suite(report, [&](const Suite& suite) { write(out, suite); });
  out << "</testsuites>\n";
}

}  // namespace hepcheck::reports
