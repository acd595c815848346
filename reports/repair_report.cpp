#include "reports/repair_report.h"

#include <algorithm>
#include <format>
#include <nlohmann/json.hpp>
#include <ostream>
#include <print>

#include "reports/escape.h"
#include "reports/html_parts.h"
#include "validator/counted.h"

namespace hepcheck::reports {

namespace {

const Clause* clause_in(const RepairedSubject& subject, const std::string& id) {
  const Specification* spec = find_specification(subject.spec);
  return spec && !id.empty() ? spec->find(id) : nullptr;
}

// "[5 MUST NOT]", or nothing.
std::string section_of(const RepairedSubject& subject, const std::string& id) {
  const Clause* clause = clause_in(subject, id);
  return clause ? std::format("  [{} {}]", clause->section, to_string(clause->level)) : "";
}

std::string name_of_change(const RepairChange& change) {
  return change.clause.empty() ? "stale index" : change.clause;
}

std::string place_text(const std::string& object, const std::string& attribute) {
  return attribute.empty() ? object : object + "@" + attribute;
}

void line(std::ostream& out, std::string_view key, const std::string& text) {
  if (!text.empty()) std::println(out, "    {:<9} {}", key, escaped(text));
}

std::string verdict_text(const RepairProtocol& protocol) {
  const FileReport& report = protocol.verdict;
  if (report.error) return "could not be examined: " + report.error->text();
  std::string text;
  for (const SubjectReport& subject : report.subjects)
    text += std::format("{}{}: {}", text.empty() ? "" : ", ", subject.path,
                        subject.verdict == SubjectVerdict::kPass          ? "conformant"
                        : subject.verdict == SubjectVerdict::kFail        ? "NOT CONFORMANT"
                        : subject.verdict == SubjectVerdict::kUnsupported ? "not supported"
                                                                          : "not decided");
  return text.empty() ? "nothing was examined" : text;
}

std::string values_text(const RepairProtocol& protocol) {
  if (protocol.values.empty()) return {};
  std::uint64_t same = 0, values = 0, unread = 0;
  for (const ValueProof& proof : protocol.values) {
    same += proof.unchanged();
    values += proof.after.values;
    unread += proof.after.sha256.empty();
  }
  std::string text = std::format("{} of {} unchanged ({}), read by {}", same,
                                 counted(protocol.values.size(), "dataset", "datasets"),
                                 counted(values, "value", "values"), protocol.reader);
  if (unread > 0) text += std::format("; {} could not be read", unread);
  return text;
}

nlohmann::ordered_json to_json(const RepairChange& change, const RepairedSubject& subject) {
  nlohmann::ordered_json json{{"clause", change.clause}};
  if (const Clause* clause = clause_in(subject, change.clause)) json["section"] = clause->section;
  json["object"] = escaped(change.object);
  if (!change.attribute.empty()) json["attribute"] = escaped(change.attribute);
  json["act"] = escaped(change.act);
  json["from"] = escaped(change.from);
  json["to"] = escaped(change.to);
  for (const auto& [key, code] : {std::pair("python", &change.code), std::pair("c", &change.c)}) {
    nlohmann::ordered_json lines = nlohmann::ordered_json::array();
    for (const std::string& each : *code) lines.push_back(escaped(each));
    json[key] = std::move(lines);
  }
  return json;
}

nlohmann::ordered_json to_json(const RepairLeft& left, const RepairedSubject& subject) {
  nlohmann::ordered_json json{{"clause", left.clause}};
  if (const Clause* clause = clause_in(subject, left.clause)) json["section"] = clause->section;
  json["object"] = escaped(left.object);
  if (!left.attribute.empty()) json["attribute"] = escaped(left.attribute);
  if (!left.where.empty()) json["where"] = escaped(left.where);
  json["observed"] = escaped(left.observed);
  json["expected"] = escaped(left.expected);
  json["why"] = escaped(left.why);
  json["options"] = nlohmann::ordered_json::array();
  for (const std::string& each : left.options) json["options"].push_back(escaped(each));
  return json;
}

void cell(std::ostream& out, const std::string& text) {
  std::print(out, "<td>{}</td>", escaped_xml(text));
}

}  // namespace

std::uint64_t RepairProtocol::changes() const {
  std::uint64_t all = 0;
  for (const RepairedSubject& subject : subjects) all += subject.changes.size();
  return all;
}
std::uint64_t RepairProtocol::left() const {
  std::uint64_t all = 0;
  for (const RepairedSubject& subject : subjects) all += subject.left.size();
  return all;
}
bool RepairProtocol::values_unchanged() const {
  return std::ranges::all_of(values, &ValueProof::unchanged);
}

void write_repair_text(std::ostream& out, const RepairProtocol& protocol) {
  for (const RepairedSubject& subject : protocol.subjects) {
    std::println(out, "{}:{}: {} by {}, {} left", escaped(protocol.from), escaped(subject.path),
                 counted(subject.changes.size(), "repair", "repairs"), subject.spec,
                 subject.left.size());
    for (const RepairChange& change : subject.changes) {
      std::println(out, "  {} {}{}", protocol.dry_run ? "would repair" : "repaired",
                   name_of_change(change), section_of(subject, change.clause));
      line(out, "at", place_text(change.object, change.attribute));
      line(out, "act", change.act);
      line(out, "from", change.from);
      line(out, "to", change.to);
    }
    for (const RepairLeft& left : subject.left) {
      std::println(out, "  left {}{}", left.clause, section_of(subject, left.clause));
      line(out, "at",
           place_text(left.object, left.attribute) + (left.where.empty() ? "" : " " + left.where));
      line(out, "found", left.observed);
      line(out, "expected", left.expected);
      line(out, "why", left.why);
      for (const std::string& option : left.options) line(out, "pass", option);
    }
    for (const std::string& note : subject.notes) std::println(out, "  note: {}", escaped(note));
  }
  for (const ValueProof& proof : protocol.values)
    if (!proof.unchanged())
      std::println(
          out, "  {} {}", escaped(proof.after.path),
          proof.after.sha256.empty()
              ? "could not be read: " + escaped(proof.after.trouble)
              : std::format("could not be read before; now sha256 {}", proof.after.sha256));
  if (const std::string text = values_text(protocol); !text.empty())
    std::println(out, "values: {}", escaped(text));
  for (const std::string& option : protocol.unused)
    std::println(out, "not needed: {}", escaped(option));
  if (protocol.dry_run)
    std::println(out, "dry run: nothing was written; the copy would be {}{}",
                 protocol.identical ? "identical; " : "", escaped(verdict_text(protocol)));
  else
    std::println(out, "{}: {}{}", escaped(protocol.to),
                 protocol.identical ? "an identical copy; " : "", escaped(verdict_text(protocol)));
}

void write_repair_json(std::ostream& out, const RepairProtocol& protocol) {
  nlohmann::ordered_json json{
      {"hepcheck", protocol.hepcheck},   {"from", escaped(protocol.from)},
      {"to", escaped(protocol.to)},      {"dry_run", protocol.dry_run},
      {"identical", protocol.identical}, {"values_unchanged", protocol.values_unchanged()},
      {"reader", protocol.reader}};
  nlohmann::ordered_json verdicts = nlohmann::ordered_json::array();
  for (const SubjectReport& subject : protocol.verdict.subjects)
    verdicts.push_back({{"subject", escaped(subject.path)},
                        {"spec", subject.spec ? subject.spec->id : std::string_view()},
                        {"verdict", to_string(subject.verdict)}});
  json["verdict"] = std::move(verdicts);
  if (protocol.verdict.error) json["error"] = escaped(protocol.verdict.error->text());
  json["subjects"] = nlohmann::ordered_json::array();
  for (const RepairedSubject& subject : protocol.subjects) {
    nlohmann::ordered_json part{
        {"kind", subject.kind}, {"path", escaped(subject.path)}, {"spec", subject.spec}};
    part["repaired"] = nlohmann::ordered_json::array();
    for (const RepairChange& change : subject.changes)
      part["repaired"].push_back(to_json(change, subject));
    part["left"] = nlohmann::ordered_json::array();
    for (const RepairLeft& left : subject.left) part["left"].push_back(to_json(left, subject));
    part["notes"] = nlohmann::ordered_json::array();
    for (const std::string& note : subject.notes) part["notes"].push_back(escaped(note));
    json["subjects"].push_back(std::move(part));
  }
  json["values"] = nlohmann::ordered_json::array();
  for (const ValueProof& proof : protocol.values) {
    nlohmann::ordered_json part{{"path", escaped(proof.after.path)},
                                {"values", proof.after.values},
                                {"before", proof.before.sha256},
                                {"after", proof.after.sha256},
                                {"unchanged", proof.unchanged()}};
    if (!proof.after.trouble.empty()) part["trouble"] = escaped(proof.after.trouble);
    json["values"].push_back(std::move(part));
  }
  json["not_needed"] = nlohmann::ordered_json::array();
  for (const std::string& option : protocol.unused) json["not_needed"].push_back(escaped(option));
  std::println(out, "{}", json.dump(1));
}

void write_repair_html(std::ostream& out, const RepairProtocol& protocol) {
  std::println(out,
               "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
               "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
               "'sha256-{}'\">\n<meta name=\"viewport\" content=\"width=device-width\">\n"
               "<title>Repair of {}</title>\n<style>{}</style>\n</head>\n<body>",
               kReportStyleHash, escaped_xml(protocol.from), kReportStyle);
  std::println(out, "<h1>Repair of {}</h1>", escaped_xml(protocol.from));
  std::println(
      out, "<p>hepcheck {}. {}: {}</p>", escaped_xml(protocol.hepcheck),
      protocol.dry_run ? "Dry run, nothing was written" : "Copy: " + escaped_xml(protocol.to),
      escaped_xml(verdict_text(protocol)));
  for (const RepairedSubject& subject : protocol.subjects) {
    std::println(out, "<h2>{} ({})</h2>", escaped_xml(subject.path), escaped_xml(subject.spec));
    std::println(out, "<h3>Repaired: {}</h3>", subject.changes.size());
    if (!subject.changes.empty())
      std::print(out,
                 "<table><tr><th>Clause</th><th>Where</th><th>What was done</th><th>From</th>"
                 "<th>To</th></tr>\n");
    for (const RepairChange& change : subject.changes) {
      std::print(out, "<tr>");
      cell(out, name_of_change(change) + section_of(subject, change.clause));
      cell(out, place_text(change.object, change.attribute));
      cell(out, change.act);
      cell(out, change.from);
      cell(out, change.to);
      std::print(out, "</tr>\n");
    }
    if (!subject.changes.empty()) std::print(out, "</table>\n");
    std::println(out, "<h3>Left: {}</h3>", subject.left.size());
    if (!subject.left.empty())
      std::print(out,
                 "<table><tr><th>Clause</th><th>Where</th><th>Found</th><th>Expected</th>"
                 "<th>Why</th><th>Pass</th></tr>\n");
    for (const RepairLeft& left : subject.left) {
      std::print(out, "<tr>");
      cell(out, left.clause + section_of(subject, left.clause));
      cell(out,
           place_text(left.object, left.attribute) + (left.where.empty() ? "" : " " + left.where));
      cell(out, left.observed);
      cell(out, left.expected);
      cell(out, left.why);
      std::string options;
      for (const std::string& each : left.options) options += (options.empty() ? "" : ", ") + each;
      cell(out, options);
      std::print(out, "</tr>\n");
    }
    if (!subject.left.empty()) std::print(out, "</table>\n");
    for (const std::string& note : subject.notes) std::println(out, "<p>{}</p>", escaped_xml(note));
  }
  std::println(out, "<h2>Values</h2>\n<p>{}</p>", escaped_xml(values_text(protocol)));
  if (!protocol.values.empty())
    std::print(out,
               "<table><tr><th>Dataset</th><th>Values</th><th>SHA-256 before</th>"
               "<th>SHA-256 after</th></tr>\n");
  for (const ValueProof& proof : protocol.values) {
    std::print(out, "<tr>");
    cell(out, proof.after.path);
    cell(out, std::format("{}", proof.after.values));
    cell(out, proof.before.sha256);
    cell(out, proof.unchanged() ? "the same" : proof.after.sha256 + proof.after.trouble);
    std::print(out, "</tr>\n");
  }
  if (!protocol.values.empty()) std::print(out, "</table>\n");
  std::println(out, "</body>\n</html>");
}

void write_repair_python(std::ostream& out, const RepairProtocol& protocol) {
  std::string code;
  for (const RepairedSubject& subject : protocol.subjects)
    for (const RepairChange& change : subject.changes) {
      code += std::format("    # {}: {}\n", escaped(name_of_change(change)), escaped(change.act));
      for (const std::string& each : change.code) code += std::format("    {}\n", each);
    }
  for (const auto& [used, line] :
       {std::pair("ctypes.", "import ctypes"), {"", "import h5py"}, {"np.", "import numpy as np"}})
    if (code.contains(used)) std::println(out, "{}", line);
  std::print(out, "with h5py.File(\"{}\", \"r+\") as file:\n{}", escaped(protocol.to),
             code.empty() ? "    pass\n" : code);
}

void write_repair_c(std::ostream& out, const RepairProtocol& protocol) {
  std::println(out, "hid_t file = H5Fopen(\"{}\", H5F_ACC_RDWR, H5P_DEFAULT);",
               escaped(protocol.to));
  for (const RepairedSubject& subject : protocol.subjects)
    for (const RepairChange& change : subject.changes) {
      std::println(out, "/* {}: {} */", escaped(name_of_change(change)), escaped(change.act));
      for (const std::string& each : change.c) std::println(out, "{}", each);
    }
  std::println(out, "H5Fclose(file);");
}

}  // namespace hepcheck::reports
