// The JSON report: one document for a run, or one line for each table. Names are a contract;
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

// What most subjects are goes without saying.
inline constexpr std::string_view kUsualKind = "table";

// Writes the report as one JSON document, indented, ending in a newline.
void write_json(std::ostream& out, const Report& report);

// The same, of clauses only those that are broken or not checked, and nothing of columns.
void write_findings_json(std::ostream& out, const Report& report);

// One line for each table, and one for each file that has none or could not be read whole.
void write_ndjson(std::ostream& out, const Report& report);

// The document, to be written into another one, with the results of each subject as
// `clauses` writes them, one element each.
using WriteClauses = std::function<void(JsonStream& to, const ClauseResults& results)>;
void write_report(JsonStream& to, const Report& report, const WriteClauses& clauses);

// What stands first in a document, and in each line where there is no document around them.
nlohmann::ordered_json head_json(const Report& report);

// A result as it stands in the document.
nlohmann::ordered_json to_json(const ClauseResult& result);

// A finding, without the clause that it is of.
nlohmann::ordered_json to_json(const Finding& finding);

// Which files made a run milder, or examined other paths; an empty list if none did.
nlohmann::ordered_json to_json(const std::vector<Settings>& settings);

// What became of the findings of an earlier report.
nlohmann::ordered_json to_json(const Comparison& against);
// Adds the size and the digest of a file, where it is stamped.
void add_stamp(const FileReport& file, nlohmann::ordered_json& into);
// What is claimed, and if it is less than conformant what keeps it from being more.
nlohmann::ordered_json claim_json(Claim claim, const Acceptance& accepted);

// A finding of a baseline, and back; the second throws if the value is something else.
nlohmann::ordered_json to_json(const KnownFinding& known);
KnownFinding known_from_json(const nlohmann::ordered_json& json);

// The inverse of to_json. The specification, its clauses and every key must be known to this
// program. `name` says in an error what was read.
Result<Report> read_json(std::string_view text, const std::string& name);

}  // namespace hepcheck::reports
