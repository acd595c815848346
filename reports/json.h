// The JSON report: one document for a run, or one line for each table. Keys are stable;
// reports/schema/report.schema.json and ndjson.schema.json describe them.
#pragma once

#include <functional>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "reports/tally.h"
#include "validator/report.h"

namespace hepcheck::reports {

class JsonStream;

// The most common kind of subject is omitted.
inline constexpr std::string_view kUsualKind = "table";

// Writes the report as one JSON document, indented, ending in a newline.
void write_json(std::ostream& out, const Report& report);

// The same, but with only the clauses that are violated or not checked, and without columns.
void write_findings_json(std::ostream& out, const Report& report);

// One line for each table, and one for each file that has no table or could not be read completely.
void write_ndjson(std::ostream& out, const Report& report);

// The document, to be embedded in another one, with the results of each subject as written by
// `clauses`, one element each.
using WriteClauses = std::function<void(JsonStream& to, const ClauseResults& results)>;
void write_report(JsonStream& to, const Report& report, const WriteClauses& clauses);

// The members at the beginning of a document, and of each line if there is no enclosing document.
nlohmann::ordered_json head_json(const Report& report);

// A result as it appears in the document.
nlohmann::ordered_json to_json(const ClauseResult& result);

// A finding, without its clause.
nlohmann::ordered_json to_json(const Finding& finding);

// The settings files that relaxed a check or selected the paths; an empty list if there are none.
nlohmann::ordered_json to_json(const std::vector<Settings>& settings);

// The findings of an earlier report, compared with this one.
nlohmann::ordered_json to_json(const Comparison& against);
// Adds the size and the digest of a file, if it was stamped.
void add_stamp(const FileReport& file, nlohmann::ordered_json& into);
// The claim, and if it is less than conformant, the reasons.
nlohmann::ordered_json claim_json(Claim claim, const Acceptance& accepted);

// Converts an entry of a baseline to JSON, and back; the latter throws on any other value.
nlohmann::ordered_json to_json(const KnownFinding& known);
// Parses a document of this program. Throws nlohmann's parse_error, or std::runtime_error if it is
// nested more deeply than anything that this program writes.
nlohmann::ordered_json parse_bounded(std::string_view text);

KnownFinding known_from_json(const nlohmann::ordered_json& json);

// The inverse of to_json. The specification, its clauses and every key must be known to this
// program. Errors mention `name`.
Result<Report> read_json(std::string_view text, const std::string& name);

}  // namespace hepcheck::reports
