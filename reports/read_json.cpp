// Reads a JSON report of any origin: another version of this program, or another program, may have
// written it. Everything that json.cpp would not write is rejected with a message, so a report that
// is accepted is unchanged when it is written again.
#include <algorithm>
#include <cstdint>
#include <format>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>

#include "reports/escape.h"
#include "reports/json.h"
#include "validator/catalogue/risk.h"
#include "validator/format.h"

namespace hepcheck::reports {

// Values are built member by member, because many steps throw: some compilers destroy parts of a
// partially built aggregate twice.
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void wrong(const std::string& sentence) { throw std::runtime_error(sentence); }

// --- Values -------------------------------------------------------------------------------------

const Json* find(const Json& object, std::string_view key) {
  const auto it = object.find(key);
  return it == object.end() ? nullptr : &*it;
}

const Json& need(const Json& object, std::string_view key) {
  if (const Json* value = find(object, key)) return *value;
  wrong(std::format("\"{}\" is missing", key));
}

const std::string& string_of(const Json& value, std::string_view key) {
  if (!value.is_string()) wrong(std::format("\"{}\" is not a string", key));
  return value.get_ref<const std::string&>();
}

std::string text(const Json& object, std::string_view key) {
  return unescaped(string_of(need(object, key), key));
}

// Omitted if empty.
std::string text_if_any(const Json& object, std::string_view key) {
  const Json* value = find(object, key);
  return value ? unescaped(string_of(*value, key)) : "";
}

std::string text_or_null(const Json& object, std::string_view key) {
  const Json& value = need(object, key);
  return value.is_null() ? "" : unescaped(string_of(value, key));
}

std::uint64_t number_of(const Json& value, std::string_view key) {
  if (!value.is_number_unsigned()) wrong(std::format("\"{}\" is not an unsigned integer", key));
  return value.get<std::uint64_t>();
}

std::uint64_t number(const Json& object, std::string_view key) {
  return number_of(need(object, key), key);
}

// Omitted if 0.
std::uint64_t number_if_any(const Json& object, std::string_view key) {
  const Json* value = find(object, key);
  return value ? number_of(*value, key) : 0;
}

bool truth_of(const Json& value, std::string_view key) {
  if (!value.is_boolean()) wrong(std::format("\"{}\" is not a boolean", key));
  return value.get<bool>();
}

// Omitted if false.
bool holds(const Json& object, std::string_view key) {
  const Json* value = find(object, key);
  return value && truth_of(*value, key);
}

const Json& object_of(const Json& value) {
  if (!value.is_object()) wrong("expected an object");
  return value;
}

// A member that a later version added may change the meaning of the others.
void only_keys(const Json& object, std::span<const std::string_view> known) {
  for (const auto& [key, value] : object_of(object).items())
    if (!std::ranges::contains(known, key)) wrong(std::format("\"{}\" is unknown", escaped(key)));
}
void only_keys(const Json& object, std::initializer_list<std::string_view> known) {
  only_keys(object, std::span(known));
}

template <class T>
T word_among(const Json& object, std::string_view key, std::initializer_list<T> values) {
  const std::string& name = string_of(need(object, key), key);
  for (const T value : values)
    if (to_string(value) == name) return value;
  wrong(std::format("{} \"{}\" is unknown", key, escaped(name)));
}

template <class Each>
auto list(const Json& object, std::string_view key, Each each) {
  const Json& array = need(object, key);
  if (!array.is_array()) wrong(std::format("\"{}\" is not a list", key));
  std::vector<decltype(each(array))> made;
  for (std::size_t i = 0; i < array.size(); ++i) try {
      made.push_back(each(array[i]));
    } catch (const std::runtime_error& error) {
      wrong(std::format("{}[{}]: {}", key, i, error.what()));
    }
  return made;
}

template <class Each>
auto list_if_any(const Json& object, std::string_view key, Each each) {
  return find(object, key) ? list(object, key, each) : decltype(list(object, key, each)){};
}

std::string item_text(const Json& item) { return unescaped(string_of(item, "it")); }

// --- Clauses ------------------------------------------------------------------------------------

Severity read_severity(const Json& json) {
  return word_among(json, "severity",
                    {Severity::kNone, Severity::kInfo, Severity::kWarning, Severity::kError});
}

Finding read_finding(const Json& json) {
  // The name in versions up to 0.1.0.
  const std::string_view fix = find(json, "hint") ? "hint" : "fix";
  only_keys(json, {"object", "attribute", "where", "severity", "observed", "expected", fix,
                   "witness", "more", "known"});
  Finding finding;
  finding.object = text(json, "object");
  finding.attribute = text_if_any(json, "attribute");
  finding.where = text_if_any(json, "where");
  finding.severity = read_severity(json);
  finding.observed = text(json, "observed");
  finding.expected = text(json, "expected");
  finding.hint = text(json, fix);
  finding.witness = text_if_any(json, "witness");
  finding.more = number_if_any(json, "more");
  finding.known = holds(json, "known");
  return finding;
}

const Clause* clause_named(const Json& id, const Specification& spec) {
  const std::string& name = string_of(id, "id");
  if (const Clause* clause = spec.find(name)) return clause;
  wrong(std::format("clause \"{}\" is unknown", escaped(name)));
}

// A report of an earlier version does not distinguish --skip from --only.
LeftOut read_left_out(const Json& json) {
  const bool skipped = holds(json, "skipped_by_user");
  const LeftOut by =
      find(json, "left_out_by")
          ? word_among(json, "left_out_by", {LeftOut::kSkip, LeftOut::kOnly, LeftOut::kDepth})
      : skipped ? LeftOut::kSkip
                : LeftOut::kNot;
  if (skipped != (by == LeftOut::kSkip || by == LeftOut::kOnly))
    wrong("\"left_out_by\" contradicts \"skipped_by_user\"");
  return by;
}

void check(const ClauseResult& result) {
  const bool found = !result.findings.empty() || result.suppressed > 0;
  if (found != (result.verdict == Verdict::kFail) ||
      (result.verdict == Verdict::kPass && result.examined == 0))
    wrong("the verdict does not follow from the findings");
  const bool unchecked = result.verdict == Verdict::kNotChecked;
  if ((!unchecked && (result.left_out != LeftOut::kNot || result.reason_known)) ||
      (!found && result.lowered))
    wrong("the members contradict the verdict");
}

ClauseResult read_clause(const Json& json, const Specification& spec) {
  only_keys(json, {"id", "section", "level", "severity", "verdict", "reason", "examined",
                   "findings", "blocked_by", "suppressed", "suppressed_known", "skipped_by_user",
                   "left_out_by", "reason_known", "lowered", "profile"});
  ClauseResult result;
  result.clause = clause_named(need(json, "id"), spec);
  if (string_of(need(json, "section"), "section") != result.clause->section ||
      string_of(need(json, "level"), "level") != to_string(result.clause->level))
    wrong(std::format("clause \"{}\" is not the one expected here", result.clause->id));
  if (find(json, "profile") &&
      (string_of(need(json, "profile"), "profile") != "risk" || !is_of_profile(*result.clause)))
    wrong("\"profile\" is not that of the clause");
  result.severity = read_severity(json);
  result.verdict =
      word_among(json, "verdict",
                 {Verdict::kPass, Verdict::kFail, Verdict::kNotApplicable, Verdict::kNotChecked});
  result.reason = text_or_null(json, "reason");
  result.examined = number(json, "examined");
  result.findings = list(json, "findings", read_finding);
  result.blocked_by =
      list_if_any(json, "blocked_by", [&](const Json& id) { return clause_named(id, spec); });
  result.suppressed = number_if_any(json, "suppressed");
  result.suppressed_known = holds(json, "suppressed_known");
  result.left_out = read_left_out(json);
  result.reason_known = holds(json, "reason_known");
  result.lowered = holds(json, "lowered");
  check(result);
  return result;
}

// --- What subjects look like --------------------------------------------------------------------

bool is_figure(const Json& value) { return value.is_number() || value.is_null(); }

Figure read_figure(const std::string& key, const Json& value) {
  Figure figure;
  figure.key = unescaped(key);
  if (!value.is_null()) figure.value = number_of(value, key);
  return figure;
}

// The figures among the members with other keys; other members are not allowed.
std::vector<Figure> read_figures(const Json& object,
                                 std::initializer_list<std::string_view> others) {
  std::vector<Figure> figures;
  for (const auto& [key, value] : object_of(object).items()) {
    if (std::ranges::contains(others, key)) continue;
    if (!is_figure(value)) wrong(std::format("\"{}\" is unknown", escaped(key)));
    figures.push_back(read_figure(key, value));
  }
  return figures;
}

Spread::Cell read_cell(const Json& json) {
  if (!json.is_array() || json.size() != 2) wrong("expected a pair");
  return {number_of(json[0], "it"), number_of(json[1], "it")};
}

Spread read_spread(const Json& json) {
  const std::uint64_t width = number(json, "width");
  const std::vector<Spread::Cell> cells = list(json, "differences", read_cell);
  for (const Spread::Cell& cell : cells)
    if (cell.at > UINT64_MAX / std::max<std::uint64_t>(width, 1))
      wrong("\"differences\" exceed the range");
  const Spread spread = Spread::of(width, cells);
  if (spread.width() != width || spread.cells() != cells)
    wrong("\"differences\" are not ascending cells of \"width\"");
  return spread;
}

Strip read_strip(const Json& json) {
  Strip strip;
  strip.marks = read_figures(
      json, {"kind", "path", "state", "compared", "reason", "unit", "width", "differences"});
  strip.kind = text(json, "kind");
  strip.path = text(json, "path");
  if (find(json, "state") && (strip.state = text(json, "state")).empty())
    wrong("\"state\" is empty");
  strip.compared = truth_of(need(json, "compared"), "compared");
  strip.reason = text_or_null(json, "reason");
  strip.unit = text(json, "unit");
  strip.differences = read_spread(json);
  return strip;
}

Layer read_layer(const Json& json) {
  Layer layer;
  layer.figures = read_figures(json, {"kind", "path", "reason"});
  layer.kind = text(json, "kind");
  layer.path = text(json, "path");
  layer.reason = text_or_null(json, "reason");
  return layer;
}

MissingCells read_missing(const Json& json) {
  only_keys(json, {"rows_per_cell", "rows"});
  MissingCells missing;
  missing.rows_per_cell = number(json, "rows_per_cell");
  if (missing.rows_per_cell == 0) wrong("\"rows_per_cell\" is 0");
  missing.missing = list(json, "rows", [](const Json& rows) { return number_of(rows, "it"); });
  return missing;
}

Part read_part(const Json& json, const Format& format) {
  Part part;
  part.figures = read_figures(
      json, {"name", "datatype", format.labels, "missing", "maps", "levels", format.question});
  part.name = text(json, "name");
  part.type = text(json, "datatype");
  part.labels = list(json, format.labels, item_text);
  if (const Json* missing = find(json, "missing")) part.missing = read_missing(*missing);
  part.strips = list_if_any(json, "maps", read_strip);
  part.layers = list_if_any(json, "levels", read_layer);
  const Json* answer = format.question.empty() ? nullptr : find(json, format.question);
  if (answer) {
    part.answer = text(*answer, "answer");
    part.reasons = list(*answer, "because", item_text);
  }
  return part;
}

void read_shape(const Json& json, const Format& format, SubjectReport& into) {
  const Json& shape = object_of(need(json, "shape"));
  std::vector<std::string_view> keys;
  for (const FigureWords& words : format.figures) keys.push_back(words.key);
  only_keys(shape, keys);
  for (const auto& [key, one, many, leads, of_question] : format.figures)
    if (key == format.parts) {
      into.parts = list(shape, key, [&](const Json& each) { return read_part(each, format); });
      into.figures.push_back({std::string(key), into.parts.size()});
    } else if (!of_question || find(shape, key)) {
      into.figures.push_back(read_figure(std::string(key), need(shape, key)));
    }
}

// --- Subjects, files, the report ----------------------------------------------------------------

const Specification& specification(const Json& id) {
  const std::string& name = string_of(id, "spec");
  if (const Specification* spec = find_specification(name)) return *spec;
  wrong(std::format("specification \"{}\" is unknown", escaped(name)));
}

Choice read_choice(const Json& json) {
  Choice choice;
  if (find(json, "chosen_by"))
    choice.by = word_among(json, "chosen_by", {ChosenBy::kDefault, ChosenBy::kSign});
  if (choice.by == ChosenBy::kSign) {
    choice.sign = text(json, "sign");
    choice.path = text(json, "evidence");
  } else if (find(json, "sign") || find(json, "evidence")) {
    wrong("a sign without a choice");
  }
  return choice;
}

// Any open finding makes it fail if --fail-on should requested that.
void check(const SubjectReport& subject) {
  bool broken = false, open = false;
  for (const ClauseResult& result : subject.clauses) {
    broken |= result.open_severity() == Severity::kError;
    open |= result.open_severity() != Severity::kNone;
  }
  const bool fails = subject.verdict == SubjectVerdict::kFail;
  if (broken ? !fails : fails && !open) wrong("the verdict does not follow from the clauses");
}

// The claim has to follow from the rest. A report of an earlier version has no claim.
void check_claim(const Json& json, Claim claim, const Acceptance& accepted) {
  Json said = Json::object();
  for (const char* key : {"claim", "accepted"})
    if (const Json* value = find(json, key)) said[key] = *value;
  if (!said.empty() && said != claim_json(claim, accepted))
    wrong("the claim does not follow from the clauses");
}

// Before claims existed, a report named the clauses whose level was set, but not the effect.
void mark_lowered(const std::vector<Settings>& settings, SubjectReport& subject) {
  const auto set = [&](const ClauseResult& result) {
    return std::ranges::any_of(settings, [&](const Settings& each) {
      return std::ranges::any_of(each.relaxed, [&](const Relaxation& one) {
        return one.setting == "levels" && one.clause == result.clause->id;
      });
    });
  };
  ClauseResults::Differences marked;
  for (std::size_t i = 0; i < subject.clauses.size(); ++i) {
    const ClauseResult& result = subject.clauses[i];
    if (result.verdict != Verdict::kFail || result.severity == Severity::kError || !set(result))
      continue;
    marked.push_back({i, result});
    marked.back().result.lowered = true;
  }
  subject.clauses = ClauseResults::with(subject.clauses, std::move(marked));
}

ByteMap read_layout(const Json& json) {
  only_keys(json, {"size", "kinds", "cells"});
  ByteMap map{.size = number(json, "size"), .kinds = list(json, "kinds", item_text)};
  const auto item_number = [](const Json& item) { return number_of(item, "it"); };
  const auto cells = list(json, "cells", [&](const Json& cell) {
    if (!cell.is_array() || cell.size() != map.kinds.size())
      wrong("the number of values differs from the number of kinds");
    for (const Json& each : cell) map.bytes.push_back(item_number(each));
    return 0;
  });
  if (cells.size() > ByteMap::kMostCells) wrong("there are too many cells");
  return map;
}

// A report of an earlier version does not name them.
void check_risks(const Json& json, const SubjectReport& subject) {
  if (!find(json, "risks")) return;
  const auto named =
      list(json, "risks", [&](const Json& id) { return clause_named(id, *subject.spec); });
  if (!std::ranges::equal(named, risks_of(subject), {}, {}, &ClauseResult::clause))
    wrong("\"risks\" does not follow from the findings");
}

SubjectReport read_subject(const Json& json, const Specification& usual) {
  only_keys(json, {"path", "kind", "spec", "chosen_by", "sign", "evidence", "verdict", "claim",
                   "accepted", "scope", "reason", "notes", "risks", "layout", "shape", "clauses"});
  SubjectReport subject;
  const Json* own = find(json, "spec");
  subject.spec = own ? &specification(*own) : &usual;
  subject.path = text(json, "path");
  subject.kind = find(json, "kind") ? text(json, "kind") : std::string(kUsualKind);
  if (!is_kind(subject.kind)) wrong("\"kind\" is not a word");
  subject.choice = read_choice(json);
  subject.verdict = word_among(json, "verdict",
                               {SubjectVerdict::kPass, SubjectVerdict::kFail,
                                SubjectVerdict::kUnsupported, SubjectVerdict::kUnchecked});
  subject.scope = list_if_any(json, "scope", item_text);
  if (!std::ranges::all_of(subject.scope, is_kind)) wrong("\"scope\" is not a list of words");
  subject.reason = text_or_null(json, "reason");
  subject.notes = list(json, "notes", item_text);
  if (const Json* layout = find(json, "layout")) subject.layout = read_layout(*layout);
  read_shape(json, format_of(*subject.spec), subject);
  subject.clauses = ClauseResults(
      list(json, "clauses", [&](const Json& each) { return read_clause(each, *subject.spec); }));
  check(subject);
  check_claim(json, claim_of(subject), Tally(subject).accepted);
  check_risks(json, subject);
  return subject;
}

Error read_unreadable(const Json& json) {
  only_keys(json, {"object", "reason"});
  Error error;
  error.context = text(json, "object");
  error.cause = text(json, "reason");
  return error;
}

Stop read_stop(const Json& json) {
  only_keys(json, {"by", "name", "stage", "object", "subject"});
  Stop stop;
  stop.cause = word_among(json, "by", {StopCause::kSignal, StopCause::kLimit, StopCause::kExit});
  stop.name = text(json, "name");
  stop.stage = text(json, "stage");
  stop.object = text_or_null(json, "object");
  stop.subject = text_if_any(json, "subject");
  return stop;
}

FileReport read_file(const Json& json, const Specification& spec) {
  only_keys(json, {"path", "bytes", "sha256", "error", "unreadable", "stopped", "tables"});
  FileReport file;
  file.path = text(json, "path");
  if (find(json, "bytes") || find(json, "sha256")) {
    file.stamp.emplace();
    file.stamp->bytes = number(json, "bytes");
    file.stamp->sha256 = text(json, "sha256");
  }
  if (!need(json, "error").is_null()) {
    file.error.emplace();
    file.error->context = text(json, "error");
  }
  file.unreadable = list(json, "unreadable", read_unreadable);
  if (const Json* stop = find(json, "stopped")) file.stop = read_stop(*stop);
  file.subjects = list(json, "tables", [&](const Json& each) { return read_subject(each, spec); });
  return file;
}

Relaxation read_relaxation(const Json& json) {
  only_keys(json, {"setting", "clause", "value"});
  Relaxation relaxation;
  relaxation.setting = text(json, "setting");
  relaxation.clause = text_if_any(json, "clause");
  relaxation.value = text(json, "value");
  return relaxation;
}

Settings read_settings(const Json& json) {
  only_keys(json, {"file", "paths", "relaxed"});
  Settings settings;
  settings.file = text(json, "file");
  settings.paths = list_if_any(json, "paths", item_text);
  settings.relaxed = list(json, "relaxed", read_relaxation);
  return settings;
}

Comparison read_comparison(const Json& json) {
  only_keys(json, {"earlier", "new", "gone", "still"});
  Comparison against;
  against.earlier = text(json, "earlier");
  against.fresh = list(json, "new", known_from_json);
  against.gone = list(json, "gone", known_from_json);
  against.still = number(json, "still");
  return against;
}

Report read_report(const Json& json) {
  only_keys(json, {"hepcheck", "spec", "claim", "accepted", "stamp", "settings", "files",
                   "baseline", "against"});
  Report report;
  report.hepcheck = text(json, "hepcheck");
  report.spec = &specification(need(json, "spec"));
  if (const Json* stamp = find(json, "stamp")) {
    only_keys(*stamp, {"date", "options"});
    report.stamped = true;
    report.date = text(*stamp, "date");
    report.options = list(*stamp, "options", item_text);
  }
  report.settings = list_if_any(json, "settings", read_settings);
  report.files =
      list(json, "files", [&](const Json& each) { return read_file(each, *report.spec); });
  if (!find(json, "claim"))
    for (FileReport& file : report.files)
      for (SubjectReport& subject : file.subjects) mark_lowered(report.settings, subject);
  const Totals totals(report);
  check_claim(json, totals.claim(), totals.acceptance);
  if (const Json* baseline = find(json, "baseline")) {
    only_keys(*baseline, {"gone"});
    report.compared = true;
    report.gone = list(*baseline, "gone", known_from_json);
  }
  if (const Json* against = find(json, "against")) report.against = read_comparison(*against);
  return report;
}

}  // namespace

Json parse_bounded(std::string_view text) {
  // Nothing that hepcheck writes is nested more deeply than about ten levels.
  constexpr std::size_t kDeepest = 64;
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\')
      ++i;
    else if (c == '"')
      in_string = !in_string;
    else if (!in_string && (c == '[' || c == '{') && ++depth > kDeepest)
      throw std::runtime_error("the JSON is nested too deeply");
    else if (!in_string && (c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return Json::parse(text);
}

KnownFinding known_from_json(const Json& json) {
  only_keys(json, {"file", "table", "clause", "object", "attribute", "where", "more", "suppressed",
                   "not_checked"});
  KnownFinding known;
  known.file = text(json, "file");
  known.subject = text(json, "table");
  known.clause = text(json, "clause");
  if (std::ranges::none_of(all_specifications(), [&](const Specification& each) {
        return each.find(known.clause) != nullptr;
      }))
    wrong(std::format("clause \"{}\" is unknown", escaped(known.clause)));
  known.object = text_if_any(json, "object");
  known.attribute = text_if_any(json, "attribute");
  known.where = text_if_any(json, "where");
  known.more = number_if_any(json, "more");
  known.suppressed = number_if_any(json, "suppressed");
  known.not_checked = text_if_any(json, "not_checked");
  return known;
}

Result<Report> read_json(std::string_view text, const std::string& name) {
  const auto no_report = [&](const std::string& why) {
    return failure(name, "not a hepcheck report: " + why);
  };
  try {
    const Json json = parse_bounded(text);
    if (json.is_object() && json.contains("known"))
      return no_report("this is a baseline; use it with hepcheck validate --baseline");
    if (json.is_object() && json.contains("schema"))
      return no_report("this is a report of hepcheck suite; use it with hepcheck suite compare");
    return read_report(json);
  } catch (const Json::parse_error& error) {
    return no_report(std::format("invalid or incomplete JSON at byte {}", error.byte));
  } catch (const Json::exception&) {
    return no_report("this is a different JSON document");
  } catch (const std::exception& error) {
    return no_report(error.what());
  }
}

}  // namespace hepcheck::reports
