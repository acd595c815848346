#include "reports/formats.h"

#include <algorithm>

#include "reports/json.h"
#include "reports/text.h"

namespace hepcheck::reports {

namespace {

constexpr Form kForms[] = {
    {"text", "for people and grep",
     [](std::ostream& out, const Report& report) { write_text(out, report, {}); }},
    {"json", "one document for the run", write_json, true},
    {"json-findings", "like json, but findings only", write_findings_json},
    {"ndjson", "one line of JSON for each subject", write_ndjson, true},
    {"sarif", "SARIF 2.1.0, for code scanning", write_sarif},
    {"junit", "JUnit XML, one suite per file, one case per subject", write_junit},
    {"junit-clauses", "JUnit XML, one suite per subject, one case per clause", write_junit_clauses},
    {"github", "annotations of GitHub workflows, to the log", write_github},
    {"gitlab", "Code Quality of GitLab", write_gitlab},
    {"markdown", "for pull requests and job summaries", write_markdown},
    {"html", "one page for people, self-contained", write_html, true, true},
    {"earl", "W3C EARL as JSON-LD", write_earl},
    {"badge", "a shields.io endpoint", write_badge},
    {"badge-svg", "a badge as an image", write_badge_svg},
};

}  // namespace

std::span<const Form> all_forms() { return kForms; }

const Form* find_form(std::string_view name) {
  const auto it = std::ranges::find(kForms, name, &Form::name);
  return it == std::ranges::end(kForms) ? nullptr : it;
}

}  // namespace hepcheck::reports
