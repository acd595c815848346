#include "validator/formats/hep001/testing/rule_testing.h"

#include "validator/formats/hep001/judge.h"

namespace hepcheck::hep001 {

namespace {

SubjectReport examined(TableBuilder& t) {
  return examine(t.finish(), t.values, older_revision(), {});
}

SubjectReport newer_examined(TableBuilder& t) {
  const Specification& spec = *find_specification("hep001-2026-07-09");
  return examine(t.finish(spec), t.values, spec, {});
}

std::string reason_in(const SubjectReport& report, std::string_view clause) {
  for (const ClauseResult& result : report.clauses)
    if (result.clause->id == clause && result.verdict == Verdict::kNotChecked) return result.reason;
  return "";
}

std::vector<std::string> objects_in(const SubjectReport& report, std::string_view clause) {
  std::vector<std::string> objects;
  for (const ClauseResult& result : report.clauses)
    if (result.clause->id == clause)
      for (const Finding& finding : result.findings) objects.push_back(finding.object);
  return objects;
}

Ids findings_in(const SubjectReport& report) {
  Ids ids;
  for (const ClauseResult& result : report.clauses) {
    if (result.verdict != Verdict::kFail) continue;
    std::string id(result.clause->id);
    if (result.severity != Severity::kError)
      id += " (" + std::string(to_string(result.severity)) + ")";
    ids.push_back(std::move(id));
  }
  return ids;
}

}  // namespace

Ids findings_of(TableBuilder& table) { return findings_in(examined(table)); }

Ids newer_findings_of(TableBuilder& table) { return findings_in(newer_examined(table)); }

std::vector<std::string> objects_of(TableBuilder& table, std::string_view clause) {
  return objects_in(examined(table), clause);
}

std::vector<std::string> newer_objects_of(TableBuilder& table, std::string_view clause) {
  return objects_in(newer_examined(table), clause);
}

Ids unchecked_in(TableBuilder& table) {
  Ids ids;
  for (const ClauseResult& result : examined(table).clauses)
    if (result.verdict == Verdict::kNotChecked && result.clause->mandatory())
      ids.emplace_back(result.clause->id);
  return ids;
}

std::string reason_of(TableBuilder& table, std::string_view clause) {
  return reason_in(examined(table), clause);
}

std::string newer_reason_of(TableBuilder& table, std::string_view clause) {
  return reason_in(newer_examined(table), clause);
}

}  // namespace hepcheck::hep001
