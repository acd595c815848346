#include "reports/json.h"

#include <format>
#include <nlohmann/json.hpp>
#include <ostream>
#include <stdexcept>

#include "reports/escape.h"

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
  if (result.suppressed > 0) json["suppressed"] = result.suppressed;
  if (result.suppressed_known) json["suppressed_known"] = true;
  if (result.skipped_by_user) json["skipped_by_user"] = true;
  return json;
}

Json map_json(const IndexMap& map) {
  const auto cell_json = [](const Spread::Cell& cell) { return Json{cell.at, cell.count}; };
  Json json{{"kind", escaped(map.kind)},
            {"path", escaped(map.path)},
            {"compared", map.compared},
            {"reason", text_or_null(map.reason)},
            {"unit", to_string(map.unit)},
            {"width", map.differences.width()},
            {"differences", list(map.differences.cells(), cell_json)}};
  if (map.fill_tail > 0) json["fill_tail"] = map.fill_tail;
  if (map.nan_tail > 0) json["nan_tail"] = map.nan_tail;
  return json;
}

Json column_json(const ColumnShape& column) {
  Json json{{"name", escaped(column.name)}, {"datatype", escaped(column.datatype)},
            {"extent", column.extent},      {"chunk_rows", column.chunk_rows},
            {"chunks", column.chunks},      {"indexes", list(column.indexes, escaped)}};
  if (column.missing.rows_per_cell > 0)
    json["missing"] = {{"rows_per_cell", column.missing.rows_per_cell},
                       {"rows", column.missing.missing}};
  if (!column.maps.empty()) json["maps"] = list(column.maps, map_json);
  return json;
}

Json shape_json(const TableShape& shape) {
  return {{"nrows", shape.nrows ? Json(*shape.nrows) : Json(nullptr)},
          {"columns", list(shape.columns, column_json)},
          {"categories", shape.categories},
          {"indexes", shape.indexes}};
}

Json table_json(const TableReport& table) {
  return {{"path", escaped(table.path)},          {"verdict", to_string(table.verdict)},
          {"reason", text_or_null(table.reason)}, {"notes", list(table.notes, escaped)},
          {"shape", shape_json(table.shape)},     {"clauses", list(table.clauses, clause_json)}};
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
  return json;
}

Json file_json(const FileReport& file) {
  Json json{{"path", escaped(file.path)}};
  json.update(trouble_json(file));
  json["tables"] = list(file.tables, table_json);
  return json;
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

ClauseResult read_clause(const Json& json, const Specification& spec) {
  const std::string id = json.at("id").get<std::string>();
  const Clause* clause = spec.find(id);
  if (!clause) throw std::runtime_error(std::format("clause \"{}\" is unknown", id));
  return {.clause = clause,
          .verdict = named(
              json, "verdict",
              {Verdict::kPass, Verdict::kFail, Verdict::kNotApplicable, Verdict::kNotChecked}),
          .severity = read_severity(json),
          .reason = text_of(json, "reason"),
          .examined = number_of(json, "examined"),
          .findings = read_list<Finding>(json, "findings", read_finding),
          .suppressed = number_of(json, "suppressed"),
          .skipped_by_user = json.value("skipped_by_user", false),
          .suppressed_known = json.value("suppressed_known", false)};
}

IndexMap read_map(const Json& json) {
  const auto read_cell = [](const Json& cell) {
    return Spread::Cell{cell.at(0).get<std::uint64_t>(), cell.at(1).get<std::uint64_t>()};
  };
  return {.kind = text_of(json, "kind"),
          .path = text_of(json, "path"),
          .compared = json.at("compared").get<bool>(),
          .reason = text_of(json, "reason"),
          .unit = named(json, "unit",
                        {IndexMap::Unit::kChunk, IndexMap::Unit::kRow, IndexMap::Unit::kElement}),
          .differences = Spread::of(number_of(json, "width"),
                                    read_list<Spread::Cell>(json, "differences", read_cell)),
          .fill_tail = number_of(json, "fill_tail"),
          .nan_tail = number_of(json, "nan_tail")};
}

ColumnShape read_column(const Json& json) {
  ColumnShape column{.name = text_of(json, "name"),
                     .datatype = text_of(json, "datatype"),
                     .extent = number_of(json, "extent"),
                     .chunk_rows = number_of(json, "chunk_rows"),
                     .chunks = number_of(json, "chunks"),
                     .indexes = read_list<std::string>(json, "indexes", read_text)};
  if (const auto missing = json.find("missing"); missing != json.end())
    column.missing = {.rows_per_cell = number_of(*missing, "rows_per_cell"),
                      .missing = missing->at("rows").get<std::vector<std::uint64_t>>()};
  if (json.contains("maps")) column.maps = read_list<IndexMap>(json, "maps", read_map);
  return column;
}

TableReport read_table(const Json& json, const Specification& spec) {
  const Json& shape = json.at("shape");
  TableReport table{.path = text_of(json, "path"),
                    .verdict = named(json, "verdict",
                                     {TableVerdict::kPass, TableVerdict::kFail,
                                      TableVerdict::kUnsupported, TableVerdict::kUnchecked}),
                    .reason = text_of(json, "reason"),
                    .notes = read_list<std::string>(json, "notes", read_text),
                    .shape = {.columns = read_list<ColumnShape>(shape, "columns", read_column),
                              .categories = number_of(shape, "categories"),
                              .indexes = number_of(shape, "indexes")},
                    .clauses = read_list<ClauseResult>(json, "clauses", [&](const Json& each) {
                      return read_clause(each, spec);
                    })};
  table.shape.width = table.shape.columns.size();
  if (!shape.at("nrows").is_null()) table.shape.nrows = shape.at("nrows").get<std::uint64_t>();
  return table;
}

FileReport read_file(const Json& json, const Specification& spec) {
  FileReport file{
      .path = text_of(json, "path"),
      .unreadable = read_list<Error>(
          json, "unreadable",
          [](const Json& each) { return Error{text_of(each, "object"), text_of(each, "reason")}; }),
      .tables = read_list<TableReport>(json, "tables",
                                       [&](const Json& each) { return read_table(each, spec); })};
  if (!json.at("error").is_null()) file.error = Error{text_of(json, "error"), ""};
  if (const auto stop = json.find("stopped"); stop != json.end())
    file.stop =
        Stop{.cause = named(*stop, "by", {StopCause::kSignal, StopCause::kLimit, StopCause::kExit}),
             .name = text_of(*stop, "name"),
             .stage = text_of(*stop, "stage"),
             .object = text_of(*stop, "object")};
  return file;
}

Report read_report(const Json& json) {
  Report report{.hepcheck = text_of(json, "hepcheck")};
  const std::string spec = json.at("spec").get<std::string>();
  report.spec = find_specification(spec);
  if (!report.spec) throw std::runtime_error(std::format("specification \"{}\" is unknown", spec));
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
      {"file", escaped(known.file)}, {"table", escaped(known.table)}, {"clause", known.clause}};
  if (!known.object.empty()) json["object"] = escaped(known.object);
  if (!known.attribute.empty()) json["attribute"] = escaped(known.attribute);
  if (!known.where.empty()) json["where"] = escaped(known.where);
  if (known.more > 0) json["more"] = known.more;
  if (known.suppressed > 0) json["suppressed"] = known.suppressed;
  return json;
}

KnownFinding known_from_json(const Json& json) {
  return {.file = text_of(json, "file"),
          .table = text_of(json, "table"),
          .clause = text_of(json, "clause"),
          .object = text_of(json, "object"),
          .attribute = text_of(json, "attribute"),
          .where = text_of(json, "where"),
          .more = number_of(json, "more"),
          .suppressed = number_of(json, "suppressed")};
}

Json to_json(const Report& report) {
  Json json{{"hepcheck", escaped(report.hepcheck)},
            {"spec", report.spec ? report.spec->id : std::string_view()},
            {"files", list(report.files, file_json)}};
  if (report.compared)
    json["baseline"] = {
        {"gone", list(report.gone, [](const KnownFinding& each) { return to_json(each); })}};
  return json;
}

void write_json(std::ostream& out, const Report& report) { out << to_json(report).dump(1) << '\n'; }

void write_ndjson(std::ostream& out, const Report& report) {
  const auto line = [&](const FileReport& file, Json content) {
    Json json{{"hepcheck", escaped(report.hepcheck)},
              {"spec", report.spec ? report.spec->id : std::string_view()},
              {"file", escaped(file.path)}};
    json.update(content);
    out << json.dump() << '\n';
  };
  for (const FileReport& file : report.files) {
    if (file.error || !file.unreadable.empty() || file.tables.empty())
      line(file, trouble_json(file));
    for (const TableReport& table : file.tables) line(file, table_json(table));
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
