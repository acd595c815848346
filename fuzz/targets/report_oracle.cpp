#include "fuzz/targets/report_oracle.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "fuzz/targets/target.h"
#include "reports/json.h"
#include "reports/text.h"

namespace hepcheck::fuzz {

namespace {

// Nothing is passed that was not looked at, nothing fails without a finding, the verdict follows
// from the clauses.
void check_table(const TableReport& table) {
  bool failed = false;
  for (const ClauseResult& result : table.clauses) {
    const std::string id(result.clause->id);
    if (result.verdict == Verdict::kPass)
      require(result.examined > 0, id + " passed without a look");
    if (result.verdict == Verdict::kFail)
      require(!result.findings.empty() || result.suppressed > 0, id + " failed without a finding");
    else
      require(result.findings.empty(), id + " has findings but did not fail");
    if (result.verdict == Verdict::kNotChecked)
      require(!result.reason.empty(), id + " was not checked for no reason");
    for (const Finding& finding : result.findings)
      require(!finding.object.empty(), id + " names no object");
    failed |= result.verdict == Verdict::kFail && result.severity == Severity::kError;
  }
  if (table.verdict != TableVerdict::kUnsupported)
    require(failed == (table.verdict == TableVerdict::kFail), "the verdict does not follow");
}

}  // namespace

std::string json_of(const Report& report) {
  std::ostringstream out;
  reports::write_json(out, report);
  return out.str();
}

bool is_utf8(std::string_view text) {
  try {
    return !nlohmann::json(text).dump().empty();
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

void check_report(const Report& report) {
  for (const FileReport& file : report.files)
    for (const TableReport& table : file.tables) check_table(table);
  const std::string json = json_of(report);
  require(nlohmann::json::accept(json), "the JSON report is no JSON");
  for (const bool terminal : {false, true}) {
    std::ostringstream out;
    reports::write_text(out, report, {.colour = terminal, .terminal = terminal, .verbose = true});
    require(!out.str().empty() || report.files.empty(), "an empty text report");
    require(is_utf8(out.str()), "the text report is no UTF-8");
  }
}

}  // namespace hepcheck::fuzz
