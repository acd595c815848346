// SARIF 2.1.0 (OASIS): one run; one rule for each clause of files; one result for each finding. A
// clause that could not be checked is not an alert: it becomes a notification of the invocation.
#include <algorithm>
#include <cstdint>
#include <format>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <string_view>

#include "reports/escape.h"
#include "reports/fingerprint.h"
#include "reports/formats.h"
#include "reports/json_stream.h"
#include "reports/tally.h"
#include "validator/catalogue/explanation.h"
#include "validator/catalogue/risk.h"
#include "validator/format.h"

namespace hepcheck::reports {

namespace {

using Json = nlohmann::ordered_json;

const char* level(Severity severity) {
  switch (severity) {
    case Severity::kNone: return "none";
    case Severity::kInfo: return "note";
    case Severity::kWarning: return "warning";
    case Severity::kError: return "error";
  }
  return "none";
}

// Viewers display the Markdown if they can. Only rules with findings have the long form.
Json help_json(const Clause& clause, bool broken) {
  std::string help = capitalised(demand(clause));
  const Explanation* more = explanation(clause.id);
  if (more) help += std::format("\n\nWhy it matters: {}", more->why);
  help += std::format("\n\nHow it is checked: {}", clause.check);
  if (!clause.notes.empty()) help += std::format("\n\nReading taken: {}", clause.notes);
  help += std::format("\n\nMore: hepcheck explain {}", clause.id);
  Json json{{"text", help}};
  if (!broken || !more || more->fixture.empty()) return json;
  for (const auto& [title, language, code] : {std::tuple{"Broken", "", more->bad},
                                              {"Right", "", more->good},
                                              {"Fixed with hepcheck", "sh", more->hepcheck},
                                              {"Fixed with h5py", "python", more->python},
                                              {"Fixed in C", "c", more->c}})
    if (!code.empty()) help += std::format("\n\n**{}**\n\n```{}\n{}\n```", title, language, code);
  json["markdown"] = help;
  return json;
}

// "nrows-uint64" as NrowsUint64.
std::string name_of(const Clause& clause) {
  std::string name;
  for (const char c : "-" + std::string(clause.id)) {
    const bool begins = name.ends_with('-');
    if (begins) name.pop_back();
    name += begins ? capitalised(std::string(1, c)) : std::string(1, c);
  }
  return name;
}

Json rule_json(const Clause& clause, const Specification& spec, bool broken) {
  const auto tags = format_of(spec).tags;
  std::vector<std::string_view> all(tags.begin(), tags.end());
  if (is_of_profile(clause)) all.push_back("risk");
  return {{"id", clause.id},
          {"name", name_of(clause)},
          {"shortDescription", {{"text", capitalised(demand(clause))}}},
          {"fullDescription",
           {{"text", std::format("{} ({}, section {} of {})", capitalised(demand(clause)),
                                 to_string(clause.level), clause.section, spec.id)}}},
          {"help", help_json(clause, broken)},
          {"helpUri", spec.url},
          {"defaultConfiguration", {{"level", level(clause.default_severity)}}},
          {"properties",
           {{"section", clause.section}, {"keyword", to_string(clause.level)}, {"tags", all}}}};
}

class SarifWriter {
 public:
  explicit SarifWriter(const Report& report) : report_(report) {}

  void write(std::ostream& out) {
    JsonStream to(out, JsonStream::Form::kIndented);
    to.begin_object();
    to.member("$schema",
              "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
              "sarif-schema-2.1.0.json");
    to.member("version", "2.1.0");
    to.key("runs");
    to.begin_array();
    write_run(to);
    to.end();
    to.end();
    out << '\n';
  }

 private:
  void write_run(JsonStream& to) {
    to.begin_object();
    to.member("tool", {{"driver",
                        {{"name", "hepcheck"},
                         {"version", escaped(report_.hepcheck)},
                         {"semanticVersion", escaped(report_.hepcheck)},
                         {"informationUri", specifications_of(report_).front()->url},
                         {"rules", rules()}}}});
    to.key("invocations");
    to.begin_array();
    write_invocation(to);
    to.end();
    write_array(to, "artifacts", report_.files, [&](const FileReport& file) {
      Json json{{"location", {{"uri", as_uri(file.path)}}}, {"roles", {"analysisTarget"}}};
      if (file.stamp) {
        json["length"] = file.stamp->bytes;
        json["hashes"] = {{"sha-256", file.stamp->sha256}};
      }
      to.value(json);
    });
    to.key("results");
    to.begin_array();
    for_each_file([&](const FileReport& file) { write_results(to, file); });
    to.end();
    to.member("columnKind", "unicodeCodePoints");
    to.end();
  }

  // One for each id: revisions share most of their clauses.
  Json rules() {
    Json rules = Json::array();
    std::map<std::string_view, std::size_t> by_id;
    const std::set<std::string_view> broken = broken_clauses();
    const std::set<const Clause*> judged = judged_clauses();
    for (const Specification* spec : specifications_of(report_))
      for (const Clause& clause : spec->clauses) {
        if (clause.subject != Subject::kFile && !judged.contains(&clause)) continue;
        const auto [known, added] = by_id.emplace(clause.id, rules.size());
        rule_index_[&clause] = known->second;
        if (!added) continue;
        rules.push_back(rule_json(clause, *spec, broken.contains(clause.id)));
      }
    return rules;
  }

  std::set<std::string_view> broken_clauses() const {
    std::set<std::string_view> broken;
    for (const FileReport& file : report_.files)
      for (const SubjectReport& table : file.subjects)
        for (const ClauseResult& result : table.clauses)
          if (result.verdict == Verdict::kFail) broken.insert(result.clause->id);
    return broken;
  }

  std::set<const Clause*> judged_clauses() const {
    std::set<const Clause*> judged;
    for (const FileReport& file : report_.files)
      for (const SubjectReport& table : file.subjects)
        for (const ClauseResult& result : table.clauses) judged.insert(result.clause);
    return judged;
  }

  void for_each_file(const auto& visit) {
    for (std::size_t i = 0; i < report_.files.size(); ++i) {
      artifact_ = {{"uri", as_uri(report_.files[i].path)}, {"index", i}};
      visit(report_.files[i]);
    }
  }

  Json settings() const {
    Json notifications = Json::array();
    for (const Settings& each : report_.settings)
      for (const std::string& line : settings_lines(each))
        notifications.push_back(
            {{"level", each.relaxed.empty() ? "note" : "warning"},
             {"message", {{"text", message(line)}}},
             {"locations",
              {{{"physicalLocation", {{"artifactLocation", {{"uri", as_uri(each.file)}}}}}}}}});
    return notifications;
  }

  void write_invocation(JsonStream& to) {
    const bool whole = std::ranges::none_of(report_.files, [](const FileReport& file) {
      return file.error || !file.unreadable.empty() ||
             std::ranges::contains(file.subjects, SubjectVerdict::kUnsupported,
                                   &SubjectReport::verdict);
    });
    to.begin_object();
    to.member("executionSuccessful", whole);
    if (report_.stamped) {
      Json arguments = Json::array();
      for (const std::string& each : report_.options) arguments.push_back(escaped(each));
      to.member("arguments", arguments);
      to.member("startTimeUtc", escaped(report_.date));
    }
    to.key("toolExecutionNotifications");
    to.begin_array();
    for_each_file([&](const FileReport& file) { write_notifications(to, file); });
    to.end();
    if (!report_.settings.empty()) to.member("toolConfigurationNotifications", settings());
    to.end();
  }

  void write_notifications(JsonStream& to, const FileReport& file) const {
    const auto notify = [&](const char* level, const std::string& object, const std::string& text) {
      to.value({{"level", level},
                {"message", {{"text", message(text)}}},
                {"locations", {location(object, "")}}});
    };
    if (file.error) notify("error", "", file_trouble(file));
    for (const Error& error : file.unreadable) notify("error", error.context, error.cause);
    if (!file.error && file.unreadable.empty() && file.subjects.empty())
      notify("note", "", std::string(format_of(*report_.spec).absent));
    for (const SubjectReport& table : file.subjects)
      if (table.verdict == SubjectVerdict::kUnsupported)
        notify("error", table.path, table.reason);
      else
        notify_left_out(table, notify);
  }

  // Notifications instead of results: one for each reason why clauses were not checked, which many
  // may share, and one for each clause with more findings than are kept.
  static void notify_left_out(const SubjectReport& table, const auto& notify) {
    for (const ClauseResult& result : table.clauses)
      if (result.suppressed > 0)
        notify("note", table.path,
               std::format("{}: {} not listed (--max-findings)", result.clause->id,
                           counted(result.suppressed, "more finding")));
    for (const Unchecked& each : not_checked(table)) {
      std::string text =
          std::format("{} not checked: {}: ", counted(each.clauses.size(), "clause"), each.reason);
      for (const Clause* clause : each.clauses)
        text += std::format("{}{}", clause == each.clauses.front() ? "" : ", ", clause->id);
      const bool bars = table.verdict == SubjectVerdict::kUnchecked;
      notify(bars ? "warning" : "note", table.path, text);
    }
  }

  void write_results(JsonStream& to, const FileReport& file) const {
    std::map<std::uint64_t, int> seen;
    for (const SubjectReport& table : file.subjects)
      for (const ClauseResult& result : table.clauses) {
        for (const Finding& finding : result.findings)
          to.value(finding_json(table, result, finding, seen));
      }
  }

  Json finding_json(const SubjectReport& table, const ClauseResult& result, const Finding& finding,
                    std::map<std::uint64_t, int>& seen) const {
    const std::string_view id = result.clause->id;
    Fingerprint fingerprint;
    for (const std::string_view field :
         {id, std::string_view(table.path), std::string_view(finding.object),
          std::string_view(finding.attribute), std::string_view(finding.where)})
      fingerprint.add(field);
    const std::uint64_t hash = fingerprint.value();
    // Code scanning only uses the second fingerprint, which other tools compute from lines of text.
    const std::string print = std::format("{:016x}:{}", hash, ++seen[hash]);
    std::string text = std::format("{} ({})", failing(finding), place(finding));
    if (finding.more > 0) text += std::format("; and {} more", finding.more);
    if (!finding.witness.empty()) text += "; witness: " + finding.witness;
    if (!finding.hint.empty()) text += std::format("; {}: {}", hint_word(table), finding.hint);
    Json json{
        {"ruleId", id},
        {"ruleIndex", rule_index_.at(result.clause)},
        {"kind", is_risk(result) ? "review" : "fail"},
        {"level", is_risk(result) ? "none" : level(finding.severity)},
        {"message", {{"text", message(text)}}},
        {"locations", {location(finding.object, finding.attribute)}},
        {"partialFingerprints", {{"hepcheck/v1", print}, {"primaryLocationLineHash", print}}}};
    if (report_.compared) json["baselineState"] = finding.known ? "unchanged" : "new";
    if (finding.known)
      json["suppressions"] = {{{"kind", "external"}, {"justification", "listed in the baseline"}}};
    return json;
  }

  // Viewers interpret braces and brackets in a message as placeholders and links.
  static std::string message(const std::string& text) {
    std::string out;
    for (const char c : escaped(text)) {
      if (c == '{' || c == '}') out += c;  // doubled
      if (c == '[' || c == ']') out += '\\';
      out += c;
    }
    return out;
  }

  Json location(const std::string& object, const std::string& attribute) const {
    // Services require a line for every result.
    Json json{
        {"physicalLocation",
         {{"artifactLocation", artifact_},
          {"region", {{"startLine", 1}, {"startColumn", 1}, {"endLine", 1}, {"endColumn", 2}}}}}};
    if (object.empty()) return json;
    const std::string whole = attribute.empty() ? object : object + '@' + attribute;
    const std::string name = attribute.empty() ? object.substr(object.rfind('/') + 1) : attribute;
    json["logicalLocations"] = {{{"name", escaped(name.empty() ? object : name)},
                                 {"fullyQualifiedName", escaped(whole)},
                                 {"kind", attribute.empty() ? "object" : "property"}}};
    return json;
  }

  const Report& report_;
  std::map<const Clause*, std::size_t> rule_index_{};
  Json artifact_{};  // the file in which the finding is
};

}  // namespace

void write_sarif(std::ostream& out, const Report& report) { SarifWriter(report).write(out); }

}  // namespace hepcheck::reports
