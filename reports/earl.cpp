// W3C Evaluation and Report Language 1.0 as JSON-LD: one assertion for each table and clause. The
// context is part of the document, so that reading it requires no network access.
#include <format>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>

#include "reports/escape.h"
#include "reports/formats.h"
#include "reports/json_stream.h"
#include "reports/tally.h"

namespace hepcheck::reports {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kAssertor = "_:hepcheck";
// The results that most clauses of a file share, written once.
constexpr const char* kInapplicable = "_:inapplicable";
constexpr const char* kPassed = "_:passed";

Json context() {
  const auto link = [](const char* term) -> Json { return {{"@id", term}, {"@type", "@id"}}; };
  return {{"earl", "http://www.w3.org/ns/earl#"},
          {"dct", "http://purl.org/dc/terms/"},
          {"doap", "http://usefulinc.com/ns/doap#"},
          {"assertedBy", link("earl:assertedBy")},
          {"subject", link("earl:subject")},
          {"test", link("earl:test")},
          {"mode", link("earl:mode")},
          {"outcome", link("earl:outcome")},
          {"isPartOf", link("dct:isPartOf")},
          {"result", link("earl:result")},
          {"info", "earl:info"},
          {"title", "dct:title"},
          {"description", "dct:description"},
          {"date", "dct:date"},
          {"extent", "dct:extent"},
          {"identifier", "dct:identifier"},
          {"revision", "doap:revision"},
          {"name", "doap:name"}};
}

// A violated clause has failed, even if it is a recommendation; a warning means that the
// specification leaves open whether the clause is violated.
const char* outcome(const ClauseResult& result) {
  switch (result.verdict) {
    case Verdict::kPass: return "earl:passed";
    case Verdict::kFail:
      return result.severity == Severity::kWarning || is_risk(result) ? "earl:cantTell"
                                                                      : "earl:failed";
    case Verdict::kNotApplicable: return "earl:inapplicable";
    case Verdict::kNotChecked: return "earl:untested";
  }
  return "earl:untested";
}

std::string criterion(const Clause& clause, const Specification& spec) {
  return std::format("urn:hepcheck:clause:{}:{}", spec.id, clause.id);
}

std::string description(const ClauseResult& result) {
  std::string text = result.reason;
  for (const Finding& finding : result.findings) {
    text += std::format("{}{}: {}; expected {}", text.empty() ? "" : " | ", place(finding),
                        finding.observed, finding.expected);
    if (finding.more > 0) text += std::format(" (and {} more)", finding.more);
  }
  if (result.suppressed > 0) text += " | " + counted(result.suppressed, "more finding");
  return text;
}

Json result_json(const ClauseResult& result) {
  Json json{{"@type", "earl:TestResult"}, {"outcome", outcome(result)}};
  if (const std::string text = description(result); !text.empty())
    json["description"] = escaped(text);
  if (result.known()) json["info"] = "known: listed in the baseline";
  if (is_risk(result)) json["info"] = "risk profile: not a defect";
  return json;
}

std::string said_of(const SubjectReport& table) {
  std::string text = escaped(word(table));
  if (claim_of(table) == Claim::kAccepted) text += ": " + Tally(table).accepted.words();
  return text;
}

// A path in a file. A report that was written elsewhere may contain a path that is not absolute.
std::string fragment(std::string_view path) {
  const std::string uri = as_uri(path);
  return uri.substr(path.starts_with('/') ? std::string_view("file://").size() : 0);
}

void write_table(JsonStream& to, const std::string& file_uri, const SubjectReport& table) {
  const std::string uri = file_uri + '#' + fragment(table.path);
  to.value({{"@id", uri},
            {"@type", "earl:TestSubject"},
            {"title", escaped(table.path)},
            {"description", said_of(table)},
            {"isPartOf", file_uri}});
  for (const ClauseResult& result : table.clauses) {
    Json assertion{{"@type", "earl:Assertion"},
                   {"assertedBy", kAssertor},
                   {"subject", uri},
                   {"test", criterion(*result.clause, *table.spec)},
                   {"mode", "earl:automatic"}};
    if (result.verdict == Verdict::kPass && result.reason.empty())
      assertion["result"] = kPassed;
    else if (result.verdict == Verdict::kNotApplicable && result.reason.empty())
      assertion["result"] = kInapplicable;
    else
      assertion["result"] = result_json(result);
    // Most clauses have no finding and are written on one line.
    if (result.findings.empty())
      to.element(assertion.dump());
    else
      to.value(assertion);
  }
}

void write_file(JsonStream& to, const FileReport& file, std::string_view absent) {
  const std::string uri = as_uri(file.path);
  Json subject{{"@id", uri}, {"@type", "earl:TestSubject"}, {"title", escaped(file.path)}};
  if (file.error) subject["description"] = "cannot be examined: " + escaped(file_trouble(file));
  if (!file.error && file.unreadable.empty() && file.subjects.empty())
    subject["description"] = std::format("not judged: {}", absent);
  if (file.stamp) {
    subject["extent"] = counted(file.stamp->bytes, "byte");
    subject["identifier"] = "sha256:" + escaped(file.stamp->sha256);
  }
  to.value(subject);
  for (const SubjectReport& table : file.subjects) write_table(to, uri, table);
}

}  // namespace

void write_earl(std::ostream& out, const Report& report) {
  JsonStream to(out, JsonStream::Form::kIndented);
  to.begin_object();
  to.member("@context", context());
  to.key("@graph");
  to.begin_array();
  Json assertor{{"@id", kAssertor},
                {"@type", {"earl:Assertor", "earl:Software"}},
                {"name", "hepcheck"},
                {"title", "hepcheck"},
                {"revision", escaped(report.hepcheck)}};
  std::string settings;
  for (const Settings& each : report.settings)
    for (const std::string& line : settings_lines(each))
      settings += std::format("{}{}: {}", settings.empty() ? "" : " | ", each.file, line);
  if (report.stamped) {
    assertor["date"] = escaped(report.date);
    settings += (settings.empty() ? "" : " | ") + stamp_line(report);
  }
  if (!settings.empty()) assertor["description"] = escaped(settings);
  to.value(assertor);
  for (const auto& [id, outcome] :
       {std::pair(kPassed, "earl:passed"), {kInapplicable, "earl:inapplicable"}})
    to.value({{"@id", id}, {"@type", "earl:TestResult"}, {"outcome", outcome}});
  // Programs are judged by other clauses than files.
  std::set<const Clause*> judged;
  for (const FileReport& file : report.files)
    for (const SubjectReport& table : file.subjects)
      for (const ClauseResult& result : table.clauses) judged.insert(result.clause);
  for (const Specification* spec : specifications_of(report))
    for (const Clause& clause : spec->clauses)
      if (clause.subject == Subject::kFile || judged.contains(&clause))
        to.value({{"@id", criterion(clause, *spec)},
                  {"@type", "earl:TestRequirement"},
                  {"title", clause.id},
                  {"description", clause.statement},
                  {"isPartOf", spec->url}});
  for (const FileReport& file : report.files) write_file(to, file, format_of(*report.spec).absent);
  to.end();
  to.end();
  out << '\n';
}

}  // namespace hepcheck::reports
