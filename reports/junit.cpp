// JUnit XML for CI servers. A case is a subject, in one suite per file, or a clause, in one suite
// per subject. Violations are failures; content that could not be examined is an error.
#include <algorithm>
#include <format>
#include <optional>
#include <ostream>
#include <ranges>
#include <vector>

#include "reports/escape.h"
#include "reports/formats.h"
#include "reports/tally.h"
#include "validator/format.h"

namespace hepcheck::reports {

namespace {

// The outcome of a case, named like its element; empty if it passed.
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
  std::string file{};
  std::optional<FileStamp> stamp{};
  std::vector<Case> cases{};

  std::size_t count(std::string_view element) const {
    std::size_t n = 0;
    for (const Case& each : cases) n += each.outcome.element == element;
    return n;
  }
};

// `hint` is the label of the suggested action.
std::string line(const Finding& finding, std::string_view hint) {
  std::string text =
      std::format("{}: {}{}: {}", escaped_xml(place(finding)), to_string(finding.severity),
                  finding.known ? " (known)" : "", escaped_xml(failing(finding)));
  if (finding.more > 0) text += std::format("; and {} more", finding.more);
  if (!finding.witness.empty()) text += "; witness: " + escaped_xml(finding.witness);
  if (!finding.hint.empty()) text += std::format("; {}: {}", hint, escaped_xml(finding.hint));
  return text + '\n';
}

std::string demand_line(const Clause& clause) {
  return std::format("{} ({}, section {})\n", escaped_xml(demand(clause)), to_string(clause.level),
                     clause.section);
}

std::string lines(const ClauseResult& result, std::string_view hint) {
  std::string text;
  for (const Finding& finding : result.findings) text += line(finding, hint);
  if (result.suppressed > 0) text += counted(result.suppressed, "more finding") + " not shown\n";
  return text + demand_line(*result.clause);
}

// "found int64; expected uint64", for the first place that counts.
std::string message(const ClauseResult& result) {
  const auto open = std::ranges::find_if(result.findings, [](const Finding& each) {
    return !each.known && each.severity == Severity::kError;
  });
  if (open == result.findings.end()) return counted(result.suppressed, "finding") + " not shown";
  return failing(*open) + std::format(" ({})", place(*open));
}

// --- A case a clause ----------------------------------------------------------------------------

Case clause_case(const ClauseResult& result, std::string_view hint) {
  Case made{.name = std::string(result.clause->id)};
  switch (result.verdict) {
    case Verdict::kPass: break;
    case Verdict::kNotApplicable:
      made.outcome = {"skipped", result.reason.empty() ? "not applicable" : result.reason};
      break;
    case Verdict::kNotChecked: made.outcome = {"skipped", "not checked: " + result.reason}; break;
    case Verdict::kFail:
      if (result.open_severity() == Severity::kError)
        made.outcome = {"failure", message(result), lines(result, hint)};
      else if (result.known())
        made.outcome = {"skipped", "known: listed in the baseline", lines(result, hint)};
      else
        made.output = lines(result, hint);
  }
  return made;
}

bool undecided(const SubjectReport& subject) {
  return subject.verdict == SubjectVerdict::kUnsupported ||
         subject.verdict == SubjectVerdict::kUnchecked;
}

Suite clauses_suite(const FileReport& file, const SubjectReport& subject) {
  Suite suite{.name = subject_name(file, subject), .file = file.path, .stamp = file.stamp};
  for (const ClauseResult& result : subject.clauses)
    if (!is_risk(result)) suite.cases.push_back(clause_case(result, hint_word(subject)));
  Case whole{.name = "fully-checked"};
  if (undecided(subject))
    whole.outcome = {"error", subject.reason};
  else if (claim_of(subject) == Claim::kAccepted)
    whole.outcome = {"skipped", "accepted: " + Tally(subject).accepted.words()};
  suite.cases.push_back(std::move(whole));
  return suite;
}

// The part of the risk profile that no policy raises.
Suite risks_suite(const FileReport& file, const SubjectReport& subject) {
  Suite suite{.name = subject_name(file, subject) + " (risk profile)", .file = file.path};
  for (const ClauseResult* result : risks_of(subject))
    suite.cases.push_back(clause_case(*result, hint_word(subject)));
  return suite;
}

// --- A case a subject ---------------------------------------------------------------------------

// Services limit the size of a report: 30 MB on GitLab.
constexpr std::size_t kMostCaseBytes = 6000, kMostPlacesOfAClause = 3, kMostUncheckedOfAReason = 30;

std::string capped(std::string text) {
  if (text.size() <= kMostCaseBytes) return text;
  text.erase(text.rfind('\n', kMostCaseBytes) + 1);
  return text + "more in the other report formats\n";
}

// The clauses of a subject that are open at this severity or, if it is none, known.
std::vector<const ClauseResult*> failed(const SubjectReport& subject, Severity least,
                                        Severity most) {
  std::vector<const ClauseResult*> made;
  for (const ClauseResult& result : subject.clauses)
    if (result.verdict == Verdict::kFail && result.open_severity() >= least &&
        result.open_severity() <= most && !is_risk(result))
      made.push_back(&result);
  return made;
}

std::string lines(const std::vector<const ClauseResult*>& results, std::string_view hint) {
  std::string text;
  for (const ClauseResult* result : results) {
    text += std::format("{}\n", result->clause->id);
    std::size_t places = 0;
    for (const Finding& finding : result->findings | std::views::take(kMostPlacesOfAClause)) {
      ++places;
      text += "  " + line(finding, hint);
    }
    if (const std::uint64_t all = result->findings.size() + result->suppressed; all > places)
      text += std::format("  and {}\n", counted(all - places, "more place"));
    text += "  " + demand_line(*result->clause);
  }
  return text;
}

std::string unchecked_lines(const SubjectReport& subject) {
  std::string text;
  for (const Unchecked& each : not_checked(subject)) {
    text += std::format("not checked: {}: ", escaped_xml(each.reason));
    const std::size_t named = std::min(each.clauses.size(), kMostUncheckedOfAReason);
    for (std::size_t i = 0; i < named; ++i)
      text += std::format("{}{}", i == 0 ? "" : ", ", each.clauses[i]->id);
    if (named < each.clauses.size())
      text += std::format(" and {} more", each.clauses.size() - named);
    text += '\n';
  }
  return text;
}

Case subject_case(const FileReport& file, const SubjectReport& subject) {
  const auto same = std::ranges::count(file.subjects, subject.path, &SubjectReport::path);
  const std::string& name = short_name(file, subject);
  Case made{.name = same == 1 ? name : std::format("{} ({})", name, subject.spec->id)};
  const std::string_view hint = hint_word(subject);
  const auto broken = failed(subject, Severity::kError, Severity::kError);
  if (!broken.empty()) {
    std::string text = std::format("{}: {}", broken.front()->clause->id, message(*broken.front()));
    if (broken.size() > 1)
      text += std::format("; and {}", counted(broken.size() - 1, "more broken clause"));
    made.outcome = {"failure", std::move(text), capped(lines(broken, hint))};
  } else if (subject.verdict == SubjectVerdict::kFail) {
    // --fail-on should
    const auto open = failed(subject, Severity::kInfo, Severity::kWarning);
    made.outcome = {"failure",
                    std::format("{} not followed", counted(open.size(), "recommendation")),
                    capped(lines(open, hint))};
  } else if (undecided(subject)) {
    made.outcome = {"error", subject.reason};
  } else if (claim_of(subject) == Claim::kAccepted) {
    made.outcome = {"skipped", "accepted: " + Tally(subject).accepted.words()};
  }
  for (const std::string& note : subject.notes) made.output += escaped_xml(note) + '\n';
  if (broken.empty() == (subject.verdict != SubjectVerdict::kFail))
    made.output += lines(failed(subject, Severity::kInfo, Severity::kWarning), hint);
  made.output += lines(failed(subject, Severity::kNone, Severity::kNone), hint);
  if (const auto risks = risks_of(subject); !risks.empty())
    made.output += "risk profile:\n" + lines(risks, hint);
  made.output = capped(made.output + unchecked_lines(subject));
  return made;
}

// --- Suites -------------------------------------------------------------------------------------

// A case for whether the file can be read and has a subject; none if it has.
std::vector<Case> trouble(const FileReport& file, std::string_view absent) {
  std::vector<Case> made;
  std::string lines;
  for (const Error& error : file.unreadable)
    lines += std::format("{}: {}\n", escaped_xml(error.context), escaped_xml(error.cause));
  if (file.error)
    made.push_back({"readable", {"error", file_trouble(file), capped(lines)}});
  else if (!file.unreadable.empty())
    made.push_back(
        {"readable",
         {"error", std::format("{} cannot be examined", counted(file.unreadable.size(), "object")),
          capped(lines)}});
  else if (file.subjects.empty())
    made.push_back({"judged", {"skipped", std::string(absent)}});
  return made;
}

// Relaxed checks count as skipped, because servers display skipped cases.
Suite settings_suite(const Report& report) {
  Suite suite{.name = "settings in force"};
  for (const Settings& settings : report.settings) {
    suite.cases.push_back({.name = settings.file});
    for (const std::string& line : settings_lines(settings) | std::views::drop(1))
      suite.cases.push_back({.name = settings.file + ": " + line, .outcome = {"skipped", line}});
  }
  return suite;
}

// Calls visit(suite) for each suite; no suite is kept.
void for_each_suite(const Report& report, bool by_clause, const auto& visit) {
  if (!report.settings.empty()) visit(settings_suite(report));
  for (const FileReport& file : report.files) {
    Suite suite{.name = file.path,
                .file = file.path,
                .stamp = file.stamp,
                .cases = trouble(file, format_of(*report.spec).absent)};
    if (!by_clause)
      for (const SubjectReport& subject : file.subjects)
        suite.cases.push_back(subject_case(file, subject));
    if (!suite.cases.empty()) visit(suite);
    if (by_clause)
      for (const SubjectReport& subject : file.subjects) {
        visit(clauses_suite(file, subject));
        if (const Suite risks = risks_suite(file, subject); !risks.cases.empty()) visit(risks);
      }
  }
}

class Writer {
 public:
  // In UTC, without the zone: the form that servers expect.
  Writer(std::ostream& out, const Report& report) : out_(out) {
    if (!report.date.empty())
      timestamp_ = std::format(" timestamp=\"{}\"", escaped_xml(report.date.substr(0, 19)));
  }

  void write(const Report& report, bool by_clause) {
    std::size_t tests = 0, failures = 0, errors = 0;
    for_each_suite(report, by_clause, [&](const Suite& suite) {
      tests += suite.cases.size();
      failures += suite.count("failure");
      errors += suite.count("error");
    });
    out_ << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
         << std::format(
                "<testsuites name=\"hepcheck{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\"{}>\n",
                by_clause ? " clauses" : "", tests, failures, errors, timestamp_);
    for_each_suite(report, by_clause, [&](const Suite& suite) { write(suite); });
    out_ << "</testsuites>\n";
  }

 private:
  void write(const Suite& suite) {
    const std::string name = escaped_xml(suite.name);
    const std::string file =
        suite.file.empty() ? "" : std::format(" file=\"{}\"", escaped_xml(suite.file));
    out_ << std::format(
        " <testsuite name=\"{}\"{} tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"{}>\n",
        name, file, suite.cases.size(), suite.count("failure"), suite.count("error"),
        suite.count("skipped"), timestamp_);
    if (suite.stamp)
      out_ << std::format(
          "  <properties><property name=\"bytes\" value=\"{}\"/><property name=\"sha256\" "
          "value=\"{}\"/></properties>\n",
          suite.stamp->bytes, escaped_xml(suite.stamp->sha256));
    for (const Case& each : suite.cases) write(each, name, file);
    out_ << " </testsuite>\n";
  }

  void write(const Case& each, const std::string& suite, const std::string& file) {
    out_ << "  <testcase name=\"" << escaped_xml(each.name) << "\" classname=\"" << suite << '"'
         << file;
    const Outcome& outcome = each.outcome;
    if (outcome.element.empty() && each.output.empty()) {
      out_ << "/>\n";
      return;
    }
    out_ << '>';
    if (!outcome.element.empty()) {
      out_ << '<' << outcome.element;
      if (outcome.element != "skipped") out_ << " type=\"" << outcome.element << '"';
      out_ << " message=\"" << escaped_xml(outcome.message) << '"';
      if (outcome.lines.empty())
        out_ << "/>";
      else
        out_ << '>' << outcome.lines << "</" << outcome.element << '>';
    }
    if (!each.output.empty()) out_ << "<system-out>" << each.output << "</system-out>";
    out_ << "</testcase>\n";
  }

  std::ostream& out_;
  std::string timestamp_{};
};

}  // namespace

void write_junit(std::ostream& out, const Report& report) {
  Writer(out, report).write(report, false);
}

void write_junit_clauses(std::ostream& out, const Report& report) {
  Writer(out, report).write(report, true);
}

}  // namespace hepcheck::reports
