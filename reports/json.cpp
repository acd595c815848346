#include "reports/json.h"

#include <format>
#include <nlohmann/json.hpp>
#include <ostream>

#include "reports/escape.h"
#include "validator/format.h"

namespace hepcheck::reports {

namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(escaped(text));
}

template <class Items, class Each>
Json list(const Items& items, Each each) {
  Json array = Json::array();
  for (const auto& item : items) array.push_back(each(item));
  return array;
}

Json finding_json(const Finding& finding) {
  Json json{{"object", escaped(finding.object)}};
  if (!finding.attribute.empty()) json["attribute"] = escaped(finding.attribute);
  if (!finding.where.empty()) json["where"] = escaped(finding.where);
  json["severity"] = to_string(finding.severity);
  json["observed"] = escaped(finding.observed);
  json["expected"] = escaped(finding.expected);
  json["hint"] = escaped(finding.hint);
  if (!finding.witness.empty()) json["witness"] = escaped(finding.witness);
  if (finding.more > 0) json["more"] = finding.more;
  if (finding.known) json["known"] = true;
  return json;
}

Json clause_json(const ClauseResult& result) {
  Json json{{"id", result.clause->id},
            {"section", result.clause->section},
            {"level", to_string(result.clause->level)},
            {"severity", to_string(result.severity)},
            {"verdict", to_string(result.verdict)},
            {"reason", text_or_null(result.reason)},
            {"examined", result.examined},
            {"findings", list(result.findings, finding_json)}};
  if (!result.blocked_by.empty())
    json["blocked_by"] = list(result.blocked_by, [](const Clause* each) { return each->id; });
  if (result.suppressed > 0) json["suppressed"] = result.suppressed;
  if (result.suppressed_known) json["suppressed_known"] = true;
  if (result.skipped_by_user) json["skipped_by_user"] = true;
  return json;
}

Json number_or_null(const std::optional<std::uint64_t>& number) {
  return number ? Json(*number) : Json(nullptr);
}

// Under their keys, beside what an object has already.
void add_figures(const std::vector<Figure>& figures, Json& into) {
  for (const Figure& figure : figures) {
    const std::string key = escaped(figure.key);
    if (!into.contains(key)) into[key] = number_or_null(figure.value);
  }
}

Json strip_json(const Strip& strip) {
  const auto cell_json = [](const Spread::Cell& cell) { return Json{cell.at, cell.count}; };
  Json json{{"kind", escaped(strip.kind)},
            {"path", escaped(strip.path)},
            {"compared", strip.compared},
            {"reason", text_or_null(strip.reason)},
            {"unit", escaped(strip.unit)},
            {"width", strip.differences.width()},
            {"differences", list(strip.differences.cells(), cell_json)}};
  add_figures(strip.marks, json);
  return json;
}

Json part_json(const Part& part, const Format& format) {
  Json json{{"name", escaped(part.name)}, {"datatype", escaped(part.type)}};
  json[std::string(format.labels)] = list(part.labels, escaped);
  if (part.missing.rows_per_cell > 0)
    json["missing"] = {{"rows_per_cell", part.missing.rows_per_cell},
                       {"rows", part.missing.missing}};
  if (!part.strips.empty()) json["maps"] = list(part.strips, strip_json);
  add_figures(part.figures, json);
  return json;
}

// The figures under their keys; the one that counts parts holds the parts themselves.
Json shape_json(const SubjectReport& subject, const Format& format) {
  Json json = Json::object();
  for (const FigureWords& words : format.figures) {
    const Figure* figure = subject.figure(words.key);
    json[std::string(words.key)] =
        words.key == format.parts
            ? list(subject.parts, [&](const Part& part) { return part_json(part, format); })
            : number_or_null(figure ? figure->value : std::nullopt);
  }
  return json;
}

// That the user named the specification goes without saying.
void add_choice(const Choice& choice, Json& json) {
  if (choice.by == ChosenBy::kOption) return;
  json["chosen_by"] = to_string(choice.by);
  if (choice.by != ChosenBy::kSign) return;
  json["sign"] = escaped(choice.sign);
  json["evidence"] = escaped(choice.path);
}

Json subject_json(const SubjectReport& subject, const Specification* usual) {
  const Specification& spec = *subject.spec;
  Json json{{"path", escaped(subject.path)}};
  if (subject.kind != kUsualKind) json["kind"] = escaped(subject.kind);
  if (&spec != usual) json["spec"] = spec.id;
  add_choice(subject.choice, json);
  json.update({{"verdict", to_string(subject.verdict)},
               {"reason", text_or_null(subject.reason)},
               {"notes", list(subject.notes, escaped)},
               {"shape", shape_json(subject, format_of(spec))},
               {"clauses", list(subject.clauses, clause_json)}});
  return json;
}

// What kept a file from being examined.
Json trouble_json(const FileReport& file) {
  const auto unreadable = [](const Error& error) -> Json {
    return {{"object", escaped(error.context)}, {"reason", escaped(error.cause)}};
  };
  Json json{{"error", file.error ? Json(escaped(file.error->text())) : Json(nullptr)},
            {"unreadable", list(file.unreadable, unreadable)}};
  if (file.stop)
    json["stopped"] = {{"by", to_string(file.stop->cause)},
                       {"name", escaped(file.stop->name)},
                       {"stage", escaped(file.stop->stage)},
                       {"object", text_or_null(file.stop->object)}};
  if (file.stop && !file.stop->subject.empty())
    json["stopped"]["subject"] = escaped(file.stop->subject);
  return json;
}

Json file_json(const FileReport& file, const Specification* spec) {
  Json json{{"path", escaped(file.path)}};
  json.update(trouble_json(file));
  json["tables"] =
      list(file.subjects, [&](const SubjectReport& each) { return subject_json(each, spec); });
  return json;
}

// In the report, and in each line where there is no document around them.
void add_settings(const Report& report, Json& into) {
  if (report.settings.empty()) return;
  into["settings"] = list(report.settings, [](const Settings& each) {
    Json json{{"file", escaped(each.file)}};
    if (!each.paths.empty()) json["paths"] = list(each.paths, escaped);
    json["relaxed"] = list(each.relaxed, [](const Relaxation& one) {
      Json relaxation{{"setting", escaped(one.setting)}};
      if (!one.clause.empty()) relaxation["clause"] = escaped(one.clause);
      relaxation["value"] = escaped(one.value);
      return relaxation;
    });
    return json;
  });
}

}  // namespace

Json to_json(const KnownFinding& known) {
  Json json{
      {"file", escaped(known.file)}, {"table", escaped(known.subject)}, {"clause", known.clause}};
  if (!known.object.empty()) json["object"] = escaped(known.object);
  if (!known.attribute.empty()) json["attribute"] = escaped(known.attribute);
  if (!known.where.empty()) json["where"] = escaped(known.where);
  if (known.more > 0) json["more"] = known.more;
  if (known.suppressed > 0) json["suppressed"] = known.suppressed;
  return json;
}

Json to_json(const Report& report) {
  Json json{{"hepcheck", escaped(report.hepcheck)},
            {"spec", report.spec ? report.spec->id : std::string_view()}};
  add_settings(report, json);
  json["files"] =
      list(report.files, [&](const FileReport& each) { return file_json(each, report.spec); });
  if (report.compared)
    json["baseline"] = {
        {"gone", list(report.gone, [](const KnownFinding& each) { return to_json(each); })}};
  return json;
}

void write_json(std::ostream& out, const Report& report) { out << to_json(report).dump(1) << '\n'; }

void write_ndjson(std::ostream& out, const Report& report) {
  const auto line = [&](const FileReport& file, Json content) {
    Json json{{"hepcheck", escaped(report.hepcheck)},
              {"spec", report.spec ? report.spec->id : std::string_view()}};
    add_settings(report, json);
    json["file"] = escaped(file.path);
    json.update(content);
    out << json.dump() << '\n';
  };
  for (const FileReport& file : report.files) {
    if (file.error || !file.unreadable.empty() || file.subjects.empty())
      line(file, trouble_json(file));
    for (const SubjectReport& each : file.subjects) line(file, subject_json(each, report.spec));
  }
}

}  // namespace hepcheck::reports
