#include "fuzz/targets/report_oracle.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <sstream>

#include "fuzz/targets/target.h"
#include "reports/formats.h"
#include "reports/json.h"
#include "reports/text.h"

namespace hepcheck::fuzz {

namespace {

void check_table(const SubjectReport& table) {
  bool failed = false;
  for (const ClauseResult& result : table.clauses) {
    const std::string_view id = result.clause->id;
    if (result.verdict == Verdict::kPass)
      require(result.examined > 0, id, " passed without a look");
    if (result.verdict == Verdict::kFail)
      require(!result.findings.empty() || result.suppressed > 0, id, " failed without a finding");
    else
      require(result.findings.empty(), id, " has findings but did not fail");
    if (result.verdict == Verdict::kNotChecked)
      require(!result.reason.empty(), id, " was not checked for no reason");
    for (const Finding& finding : result.findings)
      require(!finding.object.empty(), id, " names no object");
    failed |= result.verdict == Verdict::kFail && result.severity == Severity::kError;
  }
  if (table.verdict != SubjectVerdict::kUnsupported)
    require(failed == (table.verdict == SubjectVerdict::kFail), "the verdict does not follow");
}

bool is_json(const std::string& text) { return nlohmann::json::accept(text); }

bool is_ndjson(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (!is_json(line)) return false;
  return true;
}

bool is_xml(const std::string& text) {
  pugi::xml_document document;
  return static_cast<bool>(document.load_buffer(text.data(), text.size(), pugi::parse_full));
}

// Formats that machines parse; the other formats are for people.
struct Syntax {
  std::string_view format;
  bool (*holds)(const std::string& text);
};
constexpr std::array kSyntaxes = {
    Syntax{"json", is_json},         Syntax{"ndjson", is_ndjson}, Syntax{"sarif", is_json},
    Syntax{"junit", is_xml},         Syntax{"earl", is_json},     Syntax{"badge", is_json},
    Syntax{"badge-svg", is_xml},     Syntax{"gitlab", is_json},   Syntax{"json-findings", is_json},
    Syntax{"junit-clauses", is_xml},
};

std::string json_of(const Report& report) {
  std::ostringstream out;
  reports::write_json(out, report);
  return out.str();
}

void check_format(const Report& report, const reports::Form& format) {
  std::ostringstream out;
  format.write(out, report);
  const std::string_view name = format.name;
  require(is_utf8(out.str()), "the report as ", name, " is not UTF-8");
  for (const Syntax& syntax : kSyntaxes)
    require(syntax.format != format.name || syntax.holds(out.str()), "the report as ", name,
            " does not parse");
}

void check_reading(const Report& report) {
  const std::string json = json_of(report);
  const Result<Report> read = reports::read_json(json, "report");
  require(read && json_of(*read) == json, "a JSON report that is not read as it was written");
}

void check_text(const Report& report, bool terminal) {
  std::ostringstream out;
  reports::write_text(out, report, {.colour = terminal, .terminal = terminal, .verbose = true});
  require(!out.str().empty() || report.files.empty(), "an empty text report");
  require(is_utf8(out.str()), "the text report is not UTF-8");
}

}  // namespace

bool is_utf8(std::string_view text) {
  try {
    return !nlohmann::json(text).dump().empty();
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

void check_verdicts(const Report& report) {
  for (const FileReport& file : report.files)
    for (const SubjectReport& table : file.subjects) check_table(table);
}

bool alike(const Report& a, const Report& b) {
  return std::ranges::equal(a.files, b.files, [](const FileReport& one, const FileReport& other) {
    return one.error == other.error && one.unreadable == other.unreadable &&
           std::ranges::equal(one.subjects, other.subjects,
                              [](const SubjectReport& left, const SubjectReport& right) {
                                return left.path == right.path && left.verdict == right.verdict &&
                                       left.reason == right.reason && left.notes == right.notes &&
                                       std::ranges::equal(left.clauses, right.clauses);
                              });
  });
}

std::size_t ways_to_write() { return reports::all_forms().size() + 3; }

void check_writing(const Report& report, std::size_t way) {
  const auto formats = reports::all_forms();
  if (way < formats.size())
    check_format(report, formats[way]);
  else if (way == formats.size())
    check_reading(report);
  else
    check_text(report, way == formats.size() + 1);
}

}  // namespace hepcheck::fuzz
