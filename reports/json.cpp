#include "reports/json.h"

#include <format>
#include <functional>
#include <nlohmann/json.hpp>
#include <ostream>
#include <stdexcept>

#include "reports/escape.h"
#include "reports/json_stream.h"
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

}  // namespace

Json to_json(const ClauseResult& result) {
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

namespace {

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
  if (!part.answer.empty())
    json[std::string(format.question)] = {{"answer", escaped(part.answer)},
                                          {"because", list(part.reasons, escaped)}};
  add_figures(part.figures, json);
  return json;
}

// The figures under their keys; the one that counts parts holds the parts themselves.
void write_shape(JsonStream& to, const SubjectReport& subject, const Format& format) {
  to.key("shape");
  to.begin_object();
  for (const FigureWords& words : format.figures) {
    const Figure* figure = subject.figure(words.key);
    if (words.key == format.parts)
      write_array(to, words.key, subject.parts,
                  [&](const Part& part) { to.value(part_json(part, format)); });
    else
      to.member(words.key, number_or_null(figure ? figure->value : std::nullopt));
  }
  to.end();
}

// What most subjects are, and are held against, goes without saying.
constexpr std::string_view kUsualKind = "table";

// That the user named the specification goes without saying.
void add_choice(const Choice& choice, Json& json) {
  if (choice.by == ChosenBy::kOption) return;
  json["chosen_by"] = to_string(choice.by);
  if (choice.by != ChosenBy::kSign) return;
  json["sign"] = escaped(choice.sign);
  json["evidence"] = escaped(choice.path);
}

// `said`: the specification that it need not name.
void write_subject(JsonStream& to, const SubjectReport& subject, const Specification* said,
                   const WriteClauses& clauses) {
  const Specification& spec = *subject.spec;
  Json head{{"path", escaped(subject.path)}};
  if (subject.kind != kUsualKind) head["kind"] = escaped(subject.kind);
  if (&spec != said) head["spec"] = spec.id;
  add_choice(subject.choice, head);
  head["verdict"] = to_string(subject.verdict);
  head["reason"] = text_or_null(subject.reason);
  head["notes"] = list(subject.notes, escaped);
  to.members(head);
  write_shape(to, subject, format_of(spec));
  to.key("clauses");
  to.begin_array();
  clauses(to, subject.clauses);
  to.end();
}

// What kept a file from being examined.
void write_trouble(JsonStream& to, const FileReport& file) {
  to.member("error", file.error ? Json(escaped(file.error->text())) : Json(nullptr));
  write_array(to, "unreadable", file.unreadable, [&](const Error& error) {
    to.value({{"object", escaped(error.context)}, {"reason", escaped(error.cause)}});
  });
  if (!file.stop) return;
  Json stop{{"by", to_string(file.stop->cause)},
            {"name", escaped(file.stop->name)},
            {"stage", escaped(file.stop->stage)},
            {"object", text_or_null(file.stop->object)}};
  if (!file.stop->subject.empty()) stop["subject"] = escaped(file.stop->subject);
  to.member("stopped", stop);
}

void write_file(JsonStream& to, const FileReport& file, const Specification* said,
                const WriteClauses& clauses) {
  to.begin_object();
  to.member("path", escaped(file.path));
  write_trouble(to, file);
  write_array(to, "tables", file.subjects, [&](const SubjectReport& each) {
    to.begin_object();
    write_subject(to, each, said, clauses);
    to.end();
  });
  to.end();
}

// Clause results one after the other. What subjects share (clause_results.h) is rendered once.
class ClauseWriter {
 public:
  void operator()(JsonStream& to, const ClauseResults& results) {
    const ClauseResults shared = results.shared();
    if (!shared.empty() && first_ != &shared[0]) {
      first_ = &shared[0];
      texts_.assign(shared.size(), {});
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (&results[i] != &shared[i]) {
        to.value(to_json(results[i]));
        continue;
      }
      if (texts_[i].empty()) texts_[i] = to.rendered(to_json(results[i]));
      to.element(texts_[i]);
    }
  }

 private:
  const ClauseResult* first_ = nullptr;  // of what is shared
  std::vector<std::string> texts_{};
};

// What stands first in a document and in each line.
Json head_json(const Report& report) {
  return {{"hepcheck", escaped(report.hepcheck)},
          {"spec", report.spec ? report.spec->id : std::string_view()}};
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

// --- Reading back -----------------------------------------------------------------------------

std::string text_of(const Json& json, const char* key) {
  const auto it = json.find(key);
  return it == json.end() || it->is_null() ? "" : unescaped(it->get<std::string>());
}

std::uint64_t number_of(const Json& json, const char* key) {
  return json.value(key, std::uint64_t{0});
}

template <class T>
T named(const Json& json, const char* key, std::initializer_list<T> values) {
  const std::string name = json.at(key).get<std::string>();
  for (const T value : values)
    if (to_string(value) == name) return value;
  throw std::runtime_error(std::format("{} \"{}\" is unknown", key, name));
}

template <class T, class Each>
std::vector<T> read_list(const Json& json, const char* key, Each each) {
  std::vector<T> made;
  for (const Json& item : json.at(key)) made.push_back(each(item));
  return made;
}

Severity read_severity(const Json& json) {
  return named(json, "severity",
               {Severity::kNone, Severity::kInfo, Severity::kWarning, Severity::kError});
}

std::string read_text(const Json& json) { return unescaped(json.get<std::string>()); }

Finding read_finding(const Json& json) {
  return {.object = text_of(json, "object"),
          .attribute = text_of(json, "attribute"),
          .where = text_of(json, "where"),
          .observed = text_of(json, "observed"),
          .expected = text_of(json, "expected"),
          .hint = text_of(json, "hint"),
          .witness = text_of(json, "witness"),
          .more = number_of(json, "more"),
          .severity = read_severity(json),
          .known = json.value("known", false)};
}

const Clause* clause_of(const Json& id, const Specification& spec) {
  if (const Clause* clause = spec.find(id.get<std::string>())) return clause;
  throw std::runtime_error(std::format("clause \"{}\" is unknown", id.get<std::string>()));
}

std::vector<const Clause*> read_blockers(const Json& json, const Specification& spec) {
  if (!json.contains("blocked_by")) return {};
  return read_list<const Clause*>(json, "blocked_by",
                                  [&](const Json& id) { return clause_of(id, spec); });
}

ClauseResult read_clause(const Json& json, const Specification& spec) {
  return {.clause = clause_of(json.at("id"), spec),
          .verdict = named(
              json, "verdict",
              {Verdict::kPass, Verdict::kFail, Verdict::kNotApplicable, Verdict::kNotChecked}),
          .severity = read_severity(json),
          .reason = text_of(json, "reason"),
          .blocked_by = read_blockers(json, spec),
          .examined = number_of(json, "examined"),
          .findings = read_list<Finding>(json, "findings", read_finding),
          .suppressed = number_of(json, "suppressed"),
          .skipped_by_user = json.value("skipped_by_user", false),
          .suppressed_known = json.value("suppressed_known", false)};
}

Figure read_figure(const std::string& key, const Json& value) {
  return {unescaped(key),
          value.is_null() ? std::nullopt : std::optional(value.get<std::uint64_t>())};
}

Strip read_strip(const Json& json) {
  const auto read_cell = [](const Json& cell) {
    return Spread::Cell{cell.at(0).get<std::uint64_t>(), cell.at(1).get<std::uint64_t>()};
  };
  Strip strip{.kind = text_of(json, "kind"),
              .path = text_of(json, "path"),
              .compared = json.at("compared").get<bool>(),
              .reason = text_of(json, "reason"),
              .unit = text_of(json, "unit"),
              .differences = Spread::of(number_of(json, "width"),
                                        read_list<Spread::Cell>(json, "differences", read_cell))};
  for (const auto& [key, value] : json.items())
    if (key != "width" && value.is_number()) strip.marks.push_back(read_figure(key, value));
  return strip;
}

Part read_part(const Json& json, const Format& format) {
  Part part{.name = text_of(json, "name"),
            .type = text_of(json, "datatype"),
            .labels = read_list<std::string>(json, std::string(format.labels).c_str(), read_text)};
  for (const auto& [key, value] : json.items())
    if (value.is_number() || value.is_null()) part.figures.push_back(read_figure(key, value));
  if (const auto missing = json.find("missing"); missing != json.end())
    part.missing = {.rows_per_cell = number_of(*missing, "rows_per_cell"),
                    .missing = missing->at("rows").get<std::vector<std::uint64_t>>()};
  if (json.contains("maps")) part.strips = read_list<Strip>(json, "maps", read_strip);
  const auto answer = format.question.empty() ? json.end() : json.find(format.question);
  if (answer != json.end()) {
    part.answer = text_of(*answer, "answer");
    part.reasons = read_list<std::string>(*answer, "because", read_text);
  }
  return part;
}

const Specification& specification(std::string_view id) {
  if (const Specification* spec = find_specification(id)) return *spec;
  throw std::runtime_error(std::format("specification \"{}\" is unknown", id));
}

Choice read_choice(const Json& json) {
  if (!json.contains("chosen_by")) return {};
  Choice choice;
  choice.by = named(json, "chosen_by", {ChosenBy::kOption, ChosenBy::kDefault, ChosenBy::kSign});
  if (choice.by != ChosenBy::kSign) return choice;
  choice.sign = text_of(json, "sign");
  choice.path = text_of(json, "evidence");
  return choice;
}

SubjectReport read_subject(const Json& json, const Specification& usual) {
  const auto named_spec = json.find("spec");
  const Specification* own = named_spec == json.end()
                                 ? nullptr
                                 : &specification(named_spec->get_ref<const std::string&>());
  const Specification& spec = own ? *own : usual;
  const Format& format = format_of(spec);
  SubjectReport subject{
      .kind = json.contains("kind") ? text_of(json, "kind") : std::string(kUsualKind),
      .path = text_of(json, "path"),
      .spec = &spec,
      .verdict = named(json, "verdict",
                       {SubjectVerdict::kPass, SubjectVerdict::kFail, SubjectVerdict::kUnsupported,
                        SubjectVerdict::kUnchecked}),
      .reason = text_of(json, "reason"),
      .notes = read_list<std::string>(json, "notes", read_text),
      .clauses = ClauseResults(read_list<ClauseResult>(
          json, "clauses", [&](const Json& each) { return read_clause(each, spec); }))};
  subject.choice = read_choice(json);
  if (!is_kind(subject.kind)) throw std::runtime_error("kind is no word for a subject");
  for (const auto& [key, value] : json.at("shape").items()) {
    if (value.is_array()) {
      for (const Json& each : value) subject.parts.push_back(read_part(each, format));
      subject.figures.push_back({unescaped(key), subject.parts.size()});
    } else {
      subject.figures.push_back(read_figure(key, value));
    }
  }
  return subject;
}

FileReport read_file(const Json& json, const Specification& spec) {
  FileReport file{
      .path = text_of(json, "path"),
      .unreadable = read_list<Error>(
          json, "unreadable",
          [](const Json& each) { return Error{text_of(each, "object"), text_of(each, "reason")}; }),
      .subjects = read_list<SubjectReport>(
          json, "tables", [&](const Json& each) { return read_subject(each, spec); })};
  if (!json.at("error").is_null()) file.error = Error{text_of(json, "error"), ""};
  if (const auto stop = json.find("stopped"); stop != json.end())
    file.stop =
        Stop{.cause = named(*stop, "by", {StopCause::kSignal, StopCause::kLimit, StopCause::kExit}),
             .name = text_of(*stop, "name"),
             .stage = text_of(*stop, "stage"),
             .object = text_of(*stop, "object"),
             .subject = text_of(*stop, "subject")};
  return file;
}

Settings read_settings(const Json& json) {
  Settings settings{.file = text_of(json, "file")};
  if (json.contains("paths")) settings.paths = read_list<std::string>(json, "paths", read_text);
  settings.relaxed = read_list<Relaxation>(json, "relaxed", [](const Json& each) {
    return Relaxation{text_of(each, "setting"), text_of(each, "clause"), text_of(each, "value")};
  });
  return settings;
}

Report read_report(const Json& json) {
  Report report{.hepcheck = text_of(json, "hepcheck")};
  report.spec = &specification(json.at("spec").get_ref<const std::string&>());
  if (json.contains("settings"))
    report.settings = read_list<Settings>(json, "settings", read_settings);
  report.files = read_list<FileReport>(
      json, "files", [&](const Json& each) { return read_file(each, *report.spec); });
  if (const auto baseline = json.find("baseline"); baseline != json.end()) {
    report.compared = true;
    report.gone = read_list<KnownFinding>(*baseline, "gone", known_from_json);
  }
  return report;
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

KnownFinding known_from_json(const Json& json) {
  return {.file = text_of(json, "file"),
          .subject = text_of(json, "table"),
          .clause = text_of(json, "clause"),
          .object = text_of(json, "object"),
          .attribute = text_of(json, "attribute"),
          .where = text_of(json, "where"),
          .more = number_of(json, "more"),
          .suppressed = number_of(json, "suppressed")};
}

void write_report(JsonStream& to, const Report& report, const WriteClauses& clauses) {
  to.begin_object();
  Json head = head_json(report);
  add_settings(report, head);
  to.members(head);
  write_array(to, "files", report.files,
              [&](const FileReport& each) { write_file(to, each, report.spec, clauses); });
  if (report.compared) {
    to.key("baseline");
    to.begin_object();
    write_array(to, "gone", report.gone,
                [&](const KnownFinding& each) { to.value(to_json(each)); });
    to.end();
  }
  to.end();
}

void write_json(std::ostream& out, const Report& report) {
  JsonStream to(out, JsonStream::Form::kIndented);
  write_report(to, report, ClauseWriter());
  out << '\n';
}

void write_ndjson(std::ostream& out, const Report& report) {
  ClauseWriter clauses;
  const auto line = [&](const FileReport& file, const Specification* spec, auto write_rest) {
    JsonStream to(out, JsonStream::Form::kCompact);
    to.begin_object();
    Json head = head_json(report);
    if (spec) head["spec"] = spec->id;
    add_settings(report, head);
    to.members(head);
    to.member("file", escaped(file.path));
    write_rest(to);
    to.end();
    out << '\n';
  };
  for (const FileReport& file : report.files) {
    if (file.error || !file.unreadable.empty() || file.subjects.empty())
      line(file, nullptr, [&](JsonStream& to) { write_trouble(to, file); });
    for (const SubjectReport& each : file.subjects)
      line(file, each.spec,
           [&](JsonStream& to) { write_subject(to, each, each.spec, std::ref(clauses)); });
  }
}

Result<Report> read_json(std::string_view text, const std::string& name) {
  try {
    return read_report(Json::parse(text));
  } catch (const std::exception& error) {
    return failure(name, std::string("no report of hepcheck: ") + error.what());
  }
}

}  // namespace hepcheck::reports
