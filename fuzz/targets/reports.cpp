// The report writers on arbitrary findings: any bytes in any text. Oracle: UTF-8 that parses as the
// format, and text without control characters.
#include "fuzz/targets/report_oracle.h"
#include "fuzz/targets/target.h"
#include "reports/escape.h"
#include "validator/format.h"
#include "validator/judge.h"

using namespace hepcheck;
using namespace hepcheck::fuzz;

namespace {

std::string any_text(InputChoices& choices) {
  std::string made;
  for (std::uint64_t n = choices.below(24); n > 0; --n)
    made += static_cast<char>(choices.below(256));
  return made;
}

Finding any_finding(InputChoices& choices) {
  constexpr Severity kSeverities[] = {Severity::kError, Severity::kWarning, Severity::kInfo};
  Finding finding;
  finding.object = "/" + any_text(choices);
  for (std::string* part : {&finding.attribute, &finding.where, &finding.observed,
                            &finding.expected, &finding.hint, &finding.witness})
    if (choices.maybe()) *part = any_text(choices);
  finding.more = choices.below(3);
  finding.severity = choices.of(kSeverities);
  return finding;
}

Part any_part(InputChoices& choices) {
  Part part{.name = any_text(choices), .type = any_text(choices), .figures = {{"chunks", 3}}};
  if (choices.maybe())
    part.missing = {.rows_per_cell = 1 + choices.below(9), .missing = {choices.below(9), 0}};
  if (choices.maybe()) {
    Strip strip{.kind = any_text(choices),
                .path = any_text(choices),
                .compared = choices.maybe(),
                .reason = any_text(choices),
                .unit = any_text(choices),
                .marks = {{"nan_tail", 1 + choices.below(3)}}};
    for (std::uint64_t n = choices.below(600); n > 0; --n)
      strip.differences.add(choices.below(1 << 20) * 37);
    part.strips.push_back(std::move(strip));
  }
  return part;
}

SubjectReport any_subject(InputChoices& choices, const Specification& spec) {
  SubjectReport subject{.kind = choices.maybe() ? "table" : "program",
                        .path = "/" + any_text(choices),
                        .spec = &spec};
  if (choices.maybe()) subject.notes.push_back(any_text(choices));
  if (choices.maybe()) subject.parts.push_back(any_part(choices));
  subject.figures.push_back({std::string(format_of(spec).parts), subject.parts.size()});
  std::vector<ClauseResult> results;
  for (std::uint64_t n = 1 + choices.below(4); n > 0; --n) {
    ClauseResult result{.clause = &spec.clauses[choices.below(spec.clauses.size())]};
    constexpr Verdict kVerdicts[] = {Verdict::kFail, Verdict::kNotChecked, Verdict::kPass,
                                     Verdict::kNotApplicable};
    result.verdict = choices.of(kVerdicts);
    result.examined = 1;
    result.reason = "because" + any_text(choices);
    if (result.verdict == Verdict::kFail) {
      result.findings.push_back(any_finding(choices));
      result.severity = result.findings[0].severity;
      result.suppressed = choices.below(3);
    }
    if (result.verdict == Verdict::kNotChecked && choices.maybe())
      result.blocked_by.push_back(&spec.clauses[choices.below(spec.clauses.size())]);
    results.push_back(std::move(result));
  }
  subject.clauses = ClauseResults(std::move(results));
  if (choices.maybe())
    subject.layout = ByteMap{.size = choices.below(1 << 30),
                             .kinds = {any_text(choices), "raw data"},
                             .bytes = {choices.below(9), 1, 0, choices.below(9)}};
  decide(subject, {});
  return subject;
}

}  // namespace

FUZZ_TARGET(reports) {
  InputChoices choices(input(data, size));
  const std::size_t way = choices.below(ways_to_write());
  const Specification& spec = default_specification();
  Report report{.hepcheck = any_text(choices), .spec = &spec};
  for (std::uint64_t n = choices.below(3); n > 0; --n) {
    FileReport file{.path = any_text(choices)};
    if (choices.one_in(4)) file.error = Error{any_text(choices), any_text(choices)};
    if (choices.one_in(4)) file.unreadable.push_back({any_text(choices), any_text(choices)});
    if (!file.error) file.subjects.push_back(any_subject(choices, spec));
    report.files.push_back(std::move(file));
  }
  check_verdicts(report);
  check_writing(report, way);

  const std::string any = any_text(choices);
  const std::string shown = reports::escaped(any);
  require(is_utf8(shown), "no UTF-8");
  for (const char c : shown)
    require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f,
            "a control character on a terminal");
  require(reports::unescaped(shown) == any,
          "text that cannot be distinguished from its escaped form");
  return 0;
}
