// Violations and clauses that were not checked, and nothing else, as one JSON document.
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>

#include "reports/escape.h"
#include "reports/json.h"
#include "reports/json_stream.h"
#include "reports/tally.h"

namespace hepcheck::reports {

namespace {

using Json = nlohmann::ordered_json;

Json findings_of(const SubjectReport& subject) {
  Json all = Json::array();
  for (const ClauseResult& result : subject.clauses) {
    for (const Finding& finding : result.findings) {
      Json json{{"clause", result.clause->id}};
      json.update(to_json(finding));
      all.push_back(std::move(json));
    }
    if (result.suppressed > 0)
      all.push_back({{"clause", result.clause->id}, {"suppressed", result.suppressed}});
  }
  return all;
}

Json unchecked_of(const SubjectReport& subject) {
  Json all = Json::array();
  for (const Unchecked& each : not_checked(subject)) {
    Json ids = Json::array();
    for (const Clause* clause : each.clauses) ids.push_back(clause->id);
    all.push_back({{"clauses", std::move(ids)}, {"reason", escaped(each.reason)}});
  }
  return all;
}

Json subject_json(const SubjectReport& subject, const Specification* said) {
  Json json{{"path", escaped(subject.path)}};
  if (subject.kind != kUsualKind) json["kind"] = escaped(subject.kind);
  if (subject.spec != said) json["spec"] = subject.spec->id;
  json["verdict"] = to_string(subject.verdict);
  json.update(claim_json(claim_of(subject), Tally(subject).accepted));
  if (!subject.scope.empty()) {
    json["scope"] = Json::array();
    for (const std::string& each : subject.scope) json["scope"].push_back(escaped(each));
  }
  if (!subject.reason.empty()) json["reason"] = escaped(subject.reason);
  if (Json found = findings_of(subject); !found.empty()) json["findings"] = std::move(found);
  if (Json open = unchecked_of(subject); !open.empty()) json["not_checked"] = std::move(open);
  return json;
}

void write_file(JsonStream& to, const FileReport& file, const Specification* said) {
  to.begin_object();
  Json head{{"path", escaped(file.path)}};
  add_stamp(file, head);
  to.members(head);
  if (file.error) to.member("error", escaped(file.error->text()));
  if (!file.unreadable.empty())
    write_array(to, "unreadable", file.unreadable, [&](const Error& error) {
      to.value({{"object", escaped(error.context)}, {"reason", escaped(error.cause)}});
    });
  write_array(to, "tables", file.subjects,
              [&](const SubjectReport& each) { to.value(subject_json(each, said)); });
  to.end();
}

// The requirements of the clauses that are violated or were not checked, each once.
void write_demands(JsonStream& to, const Report& report) {
  std::set<const Clause*> named;
  for (const FileReport& file : report.files)
    for (const SubjectReport& subject : file.subjects)
      for (const ClauseResult& result : subject.clauses)
        if (result.verdict == Verdict::kFail || result.verdict == Verdict::kNotChecked)
          named.insert(result.clause);
  std::set<std::string_view> written;
  to.key("clauses");
  to.begin_object();
  for (const Specification* spec : specifications_of(report))
    for (const Clause& clause : spec->clauses)
      if (named.contains(&clause) && written.insert(clause.id).second)
        to.member(clause.id, {{"section", clause.section},
                              {"level", to_string(clause.level)},
                              {"demand", clause.statement}});
  to.end();
}

}  // namespace

void write_findings_json(std::ostream& out, const Report& report) {
  JsonStream to(out, JsonStream::Form::kIndented);
  to.begin_object();
  to.member("form", "findings");
  to.members(head_json(report));
  const Totals totals(report);
  to.members(claim_json(totals.claim(), totals.acceptance));
  write_array(to, "files", report.files,
              [&](const FileReport& each) { write_file(to, each, report.spec); });
  write_demands(to, report);
  if (report.against) to.member("against", to_json(*report.against));
  to.end();
  out << '\n';
}

}  // namespace hepcheck::reports
