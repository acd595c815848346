#include "reports/json.h"

#include <format>
#include <functional>
#include <nlohmann/json.hpp>
#include <ostream>
#include <span>

#include "reports/escape.h"
#include "reports/json_stream.h"
#include "validator/catalogue/risk.h"
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

}  // namespace

Json to_json(const Finding& finding) {
  Json json{{"object", escaped(finding.object)}};
  if (!finding.attribute.empty()) json["attribute"] = escaped(finding.attribute);
  if (!finding.where.empty()) json["where"] = escaped(finding.where);
  json["severity"] = to_string(finding.severity);
  json["observed"] = escaped(finding.observed);
  json["expected"] = escaped(finding.expected);
  json["fix"] = escaped(finding.hint);
  if (!finding.witness.empty()) json["witness"] = escaped(finding.witness);
  if (finding.more > 0) json["more"] = finding.more;
  if (finding.known) json["known"] = true;
  return json;
}

Json to_json(const std::vector<Settings>& settings) {
  return list(settings, [](const Settings& each) {
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

void add_stamp(const FileReport& file, Json& into) {
  if (!file.stamp) return;
  into["bytes"] = file.stamp->bytes;
  into["sha256"] = escaped(file.stamp->sha256);
}

Json to_json(const ClauseResult& result) {
  Json json{{"id", result.clause->id},
            {"section", result.clause->section},
            {"level", to_string(result.clause->level)},
            {"severity", to_string(result.severity)},
            {"verdict", to_string(result.verdict)},
            {"reason", text_or_null(result.reason)},
            {"examined", result.examined},
            {"findings", list(result.findings, [](const Finding& each) { return to_json(each); })}};
  if (!result.blocked_by.empty())
    json["blocked_by"] = list(result.blocked_by, [](const Clause* each) { return each->id; });
  if (is_of_profile(*result.clause)) json["profile"] = "risk";
  if (result.suppressed > 0) json["suppressed"] = result.suppressed;
  if (result.suppressed_known) json["suppressed_known"] = true;
  if (result.skipped_by_user()) json["skipped_by_user"] = true;
  if (result.left_out != LeftOut::kNot) json["left_out_by"] = to_string(result.left_out);
  if (result.reason_known) json["reason_known"] = true;
  if (result.lowered) json["lowered"] = true;
  return json;
}

namespace {

Json number_or_null(const std::optional<std::uint64_t>& number) {
  return number ? Json(*number) : Json(nullptr);
}

// Adds them under their keys to an object that has members already.
void add_figures(const std::vector<Figure>& figures, Json& into) {
  for (const Figure& figure : figures) {
    const std::string key = escaped(figure.key);
    if (!into.contains(key)) into[key] = number_or_null(figure.value);
  }
}

Json strip_json(const Strip& strip) {
  const auto cell_json = [](const Spread::Cell& cell) { return Json{cell.at, cell.count}; };
  Json json{{"kind", escaped(strip.kind)}, {"path", escaped(strip.path)}};
  if (!strip.state.empty()) json["state"] = escaped(strip.state);
  json.update({{"compared", strip.compared},
               {"reason", text_or_null(strip.reason)},
               {"unit", escaped(strip.unit)},
               {"width", strip.differences.width()},
               {"differences", list(strip.differences.cells(), cell_json)}});
  add_figures(strip.marks, json);
  return json;
}

Json layer_json(const Layer& layer) {
  Json json{{"kind", escaped(layer.kind)},
            {"path", escaped(layer.path)},
            {"reason", text_or_null(layer.reason)}};
  add_figures(layer.figures, json);
  return json;
}

Json part_json(const Part& part, const Format& format) {
  Json json{{"name", escaped(part.name)}, {"datatype", escaped(part.type)}};
  json[std::string(format.labels)] = list(part.labels, escaped);
  if (part.missing.rows_per_cell > 0)
    json["missing"] = {{"rows_per_cell", part.missing.rows_per_cell},
                       {"rows", part.missing.missing}};
  if (!part.strips.empty()) json["maps"] = list(part.strips, strip_json);
  if (!part.layers.empty()) json["levels"] = list(part.layers, layer_json);
  if (!part.answer.empty())
    json[std::string(format.question)] = {{"answer", escaped(part.answer)},
                                          {"because", list(part.reasons, escaped)}};
  add_figures(part.figures, json);
  return json;
}

// The figures under their keys, without those that a specification does not ask for; the figure
// that counts parts contains the parts themselves.
void write_shape(JsonStream& to, const SubjectReport& subject, const Format& format) {
  to.key("shape");
  to.begin_object();
  for (const FigureWords& words : format.figures) {
    const Figure* figure = subject.figure(words.key);
    if (words.key == format.parts)
      write_array(to, words.key, subject.parts,
                  [&](const Part& part) { to.value(part_json(part, format)); });
    else if (figure || !words.of_question)
      to.member(words.key, number_or_null(figure ? figure->value : std::nullopt));
  }
  to.end();
}

// Omitted if the user named the specification.
void add_choice(const Choice& choice, Json& json) {
  if (choice.by == ChosenBy::kOption) return;
  json["chosen_by"] = to_string(choice.by);
  if (choice.by != ChosenBy::kSign) return;
  json["sign"] = escaped(choice.sign);
  json["evidence"] = escaped(choice.path);
}

Json layout_json(const ByteMap& map) {
  Json cells = Json::array();
  const std::size_t kinds = map.kinds.size();
  for (std::size_t i = 0; kinds > 0 && i + kinds <= map.bytes.size(); i += kinds)
    cells.push_back(list(std::span(map.bytes).subspan(i, kinds), std::identity{}));
  return {{"size", map.size}, {"kinds", list(map.kinds, escaped)}, {"cells", std::move(cells)}};
}

// `said`: the specification that does not have to be named.
void write_subject(JsonStream& to, const SubjectReport& subject, const Specification* said,
                   const WriteClauses& clauses) {
  const Specification& spec = *subject.spec;
  Json head{{"path", escaped(subject.path)}};
  if (subject.kind != kUsualKind) head["kind"] = escaped(subject.kind);
  if (&spec != said) head["spec"] = spec.id;
  add_choice(subject.choice, head);
  head["verdict"] = to_string(subject.verdict);
  head.update(claim_json(claim_of(subject), Tally(subject).accepted));
  if (!subject.scope.empty()) head["scope"] = list(subject.scope, escaped);
  head["reason"] = text_or_null(subject.reason);
  head["notes"] = list(subject.notes, escaped);
  if (const auto risks = risks_of(subject); !risks.empty())
    head["risks"] = list(risks, [](const ClauseResult* each) { return each->clause->id; });
  if (subject.layout) head["layout"] = layout_json(*subject.layout);
  to.members(head);
  write_shape(to, subject, format_of(spec));
  to.key("clauses");
  to.begin_array();
  clauses(to, subject.clauses);
  to.end();
}

// The reason why a file was not examined.
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
  Json head{{"path", escaped(file.path)}};
  add_stamp(file, head);
  to.members(head);
  write_trouble(to, file);
  write_array(to, "tables", file.subjects, [&](const SubjectReport& each) {
    to.begin_object();
    write_subject(to, each, said, clauses);
    to.end();
  });
  to.end();
}

// Clause results in order. Results that subjects share (clause_results.h) are rendered once.
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
        to.element(rendered(to, results[i]));
        continue;
      }
      if (texts_[i].empty()) texts_[i] = rendered(to, results[i]);
      to.element(texts_[i]);
    }
  }

 private:
  // Most results have no finding and are written on one line.
  static std::string rendered(const JsonStream& to, const ClauseResult& result) {
    const Json json = to_json(result);
    return result.findings.empty() ? json.dump() : to.rendered(json);
  }

  const ClauseResult* first_ = nullptr;  // of the shared results
  std::vector<std::string> texts_{};
};

}  // namespace

Json to_json(const Comparison& against) {
  const auto known = [](const KnownFinding& each) { return to_json(each); };
  return {{"earlier", escaped(against.earlier)},
          {"new", list(against.fresh, known)},
          {"gone", list(against.gone, known)},
          {"still", against.still}};
}

Json head_json(const Report& report) {
  Json head{{"hepcheck", escaped(report.hepcheck)},
            {"spec", report.spec ? report.spec->id : std::string_view()}};
  if (report.stamped)
    head["stamp"] = {{"date", escaped(report.date)}, {"options", list(report.options, escaped)}};
  if (!report.settings.empty()) head["settings"] = to_json(report.settings);
  return head;
}

Json claim_json(Claim claim, const Acceptance& accepted) {
  Json json{{"claim", to_string(claim)}};
  if (claim == Claim::kAccepted)
    for (const Acceptance::Item& each : accepted.items()) json["accepted"][each.key] = each.count;
  return json;
}

Json to_json(const KnownFinding& known) {
  Json json{
      {"file", escaped(known.file)}, {"table", escaped(known.subject)}, {"clause", known.clause}};
  if (!known.object.empty()) json["object"] = escaped(known.object);
  if (!known.attribute.empty()) json["attribute"] = escaped(known.attribute);
  if (!known.where.empty()) json["where"] = escaped(known.where);
  if (known.more > 0) json["more"] = known.more;
  if (known.suppressed > 0) json["suppressed"] = known.suppressed;
  if (!known.not_checked.empty()) json["not_checked"] = escaped(known.not_checked);
  return json;
}

void write_report(JsonStream& to, const Report& report, const WriteClauses& clauses) {
  to.begin_object();
  Json head = head_json(report);
  const Totals totals(report);
  head.update(claim_json(totals.claim(), totals.acceptance));
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
  if (report.against) to.member("against", to_json(*report.against));
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
    head["file"] = escaped(file.path);
    add_stamp(file, head);
    to.members(head);
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

}  // namespace hepcheck::reports
