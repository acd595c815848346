#include "reports/json.h"

#include <nlohmann/json.hpp>
#include <ostream>

#include "reports/escape.h"

namespace hepcheck::reports {

namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(as_utf8(text));
}

template <class Items, class Each>
Json list(const Items& items, Each each) {
  Json array = Json::array();
  for (const auto& item : items) array.push_back(each(item));
  return array;
}

Json finding_json(const Finding& finding) {
  Json json{{"object", as_utf8(finding.object)}};
  if (!finding.attribute.empty()) json["attribute"] = as_utf8(finding.attribute);
  if (!finding.where.empty()) json["where"] = as_utf8(finding.where);
  json["severity"] = to_string(finding.severity);
  json["observed"] = as_utf8(finding.observed);
  json["expected"] = as_utf8(finding.expected);
  json["hint"] = as_utf8(finding.hint);
  if (!finding.witness.empty()) json["witness"] = as_utf8(finding.witness);
  if (finding.more > 0) json["more"] = finding.more;
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
  return json;
}

Json shape_json(const TableShape& shape) {
  const auto column_json = [](const ColumnShape& column) -> Json {
    return {{"name", as_utf8(column.name)},
            {"datatype", as_utf8(column.datatype)},
            {"extent", column.extent},
            {"chunk_rows", column.chunk_rows},
            {"chunks", column.chunks},
            {"indexes", list(column.indexes, as_utf8)}};
  };
  return {{"nrows", shape.nrows ? Json(*shape.nrows) : Json(nullptr)},
          {"columns", list(shape.columns, column_json)},
          {"categories", shape.categories},
          {"indexes", shape.indexes}};
}

Json table_json(const TableReport& table) {
  return {{"path", as_utf8(table.path)},
          {"verdict", to_string(table.verdict)},
          {"reason", text_or_null(table.reason)},
          {"notes", list(table.notes, as_utf8)},
          {"shape", shape_json(table.shape)},
          {"clauses", list(table.clauses, clause_json)}};
}

Json file_json(const FileReport& file) {
  const auto unreadable_json = [](const Error& error) -> Json {
    return {{"object", as_utf8(error.context)}, {"reason", as_utf8(error.cause)}};
  };
  Json json{{"path", as_utf8(file.path)},
            {"error", file.error ? Json(as_utf8(file.error->text())) : Json(nullptr)}};
  if (file.stop)
    json["stopped"] = {{"by", to_string(file.stop->cause)},
                       {"name", as_utf8(file.stop->name)},
                       {"stage", as_utf8(file.stop->stage)},
                       {"object", text_or_null(file.stop->object)}};
  json["unreadable"] = list(file.unreadable, unreadable_json);
  json["tables"] = list(file.tables, table_json);
  return json;
}

}  // namespace

Json to_json(const Report& report) {
  return {{"hepcheck", as_utf8(report.hepcheck)},
          {"spec", report.spec ? report.spec->id : std::string_view()},
          {"files", list(report.files, file_json)}};
}

void write_json(std::ostream& out, const Report& report) {
  out << to_json(report).dump(1) << '\n';
}

}  // namespace hepcheck::reports
