#include "reports/suite_report.h"

#include <algorithm>
#include <format>
#include <ostream>

#include "reports/escape.h"
#include "reports/formats.h"
#include "reports/tally.h"
#include "validator/format.h"
#include "validator/wildcard.h"

namespace hepcheck::suite {

using reports::escaped;
using reports::place;
using reports::table_cell;
using reports::Tally;

namespace {

// Whether a failure counts. What a reader makes of files about a clause counts at any level.
bool counts(const Clause& clause, std::string_view role) {
  return clause.mandatory() || (role == "reader" && clause.subject == Subject::kFile);
}

// Findings of one clause that are printed for people; JSON has them all.
constexpr std::size_t kShown = 3;

bool matches(const KnownFailure& known, const ClauseResult& result, const Finding& finding) {
  return known.clause == result.clause->id &&
         (known.where.empty() || fits(finding.object, known.where));
}

const KnownFailure* reason_for(const SuiteReport& report, const ClauseResult& result,
                               const Finding& finding) {
  const auto at = std::ranges::find_if(
      report.known, [&](const KnownFailure& known) { return matches(known, result, finding); });
  return at == report.known.end() ? nullptr : &*at;
}

// Why a clause fails only in known places; empty if it does not.
std::string known_reason(const SuiteReport& report, const ClauseResult& result) {
  return excused(report, result) ? reason_for(report, result, result.findings.front())->reason : "";
}

std::string verdict_word(const SuiteReport& report, const ClauseResult& result) {
  if (result.verdict != Verdict::kFail) return std::string(to_string(result.verdict));
  return excused(report, result)               ? "known"
         : counts(*result.clause, report.role) ? "FAIL"
                                               : "not followed";
}

// As reports/ count.
Tally tally_of(const SuiteReport& report) {
  return Tally(as_report(report).files.front().subjects.front());
}

std::string summary(const SuiteReport& report) {
  const Tally tally = tally_of(report);
  std::string text = std::format("{} \"{}\": ", report.role, escaped(report.program));
  if (tally.broken) text += std::format("{} FAILED, ", tally.broken);
  if (tally.advised) text += std::format("{} recommendations not followed, ", tally.advised);
  if (tally.known) text += std::format("{} known failures, ", tally.known);
  return text + std::format("{} passed, {} not applicable, {} not checked; {} files, {} requests",
                            tally.passed, tally.not_applicable, tally.not_checked, report.files,
                            report.requests);
}

void write_text(std::ostream& out, const SuiteReport& report, bool verbose) {
  for (const ClauseResult& result : report.clauses) {
    const Clause& clause = *result.clause;
    if (result.verdict == Verdict::kPass && !verbose) continue;
    if (result.verdict == Verdict::kNotApplicable && !verbose) continue;
    if (result.reason == kNotSelected && !verbose) continue;
    out << std::format("{} {}  [{} {}]", verdict_word(report, result), clause.id, clause.section,
                       to_string(clause.level));
    if (!result.reason.empty()) out << "  " << escaped(result.reason);
    out << '\n';
    for (std::size_t i = 0; i < std::min(kShown, result.findings.size()); ++i) {
      const Finding& finding = result.findings[i];
      out << std::format("  at         {}\n  found      {}\n", escaped(place(finding)),
                         escaped(finding.observed));
      if (!finding.expected.empty()) out << "  expected   " << escaped(finding.expected) << '\n';
      if (!finding.hint.empty()) out << "  reproduce  " << finding.hint << '\n';
      if (const KnownFailure* known = reason_for(report, result, finding))
        out << "  known      " << escaped(known->reason) << '\n';
    }
    if (const std::uint64_t all = result.findings.size() + result.suppressed; all > kShown)
      out << std::format("  and {} more places (--format json has them{})\n", all - kShown,
                         result.suppressed ? ", up to the limit" : " all");
  }
  for (const KnownFailure& known : report.known)
    if (!known.met)
      out << std::format("UNEXPECTED PASS {}{}: listed as known: {}\n", known.clause,
                         known.where.empty() ? "" : " in " + known.where, known.reason);
  for (const std::string& note : report.notes) out << "note: " << escaped(note) << '\n';
  out << summary(report) << '\n';
}

std::string cell(const std::string& raw) { return table_cell(escaped(raw)); }

void write_markdown(std::ostream& out, const SuiteReport& report) {
  out << "# " << summary(report)
      << "\n\n| verdict | clause | section | where | found | expected |\n"
      << "|---|---|---|---|---|---|\n";
  for (const ClauseResult& result : report.clauses) {
    const Clause& clause = *result.clause;
    const std::string start = std::format("| {} | {} | {} {} |", verdict_word(report, result),
                                          clause.id, clause.section, to_string(clause.level));
    if (result.findings.empty()) out << start << ' ' << cell(result.reason) << " | | |\n";
    for (std::size_t i = 0; i < std::min(kShown, result.findings.size()); ++i) {
      const Finding& finding = result.findings[i];
      out << start << ' ' << cell(place(finding)) << " | " << cell(finding.observed) << " | "
          << cell(finding.expected) << " |\n";
    }
  }
  for (const KnownFailure& known : report.known)
    if (!known.met) out << "\nUnexpected pass: " << known.clause << ' ' << known.where << '\n';
  for (const std::string& note : report.notes) out << "\nNote: " << escaped(note) << '\n';
}

}  // namespace

std::string_view to_string(FileOutcome::Kind kind) {
  using Kind = FileOutcome::Kind;
  switch (kind) {
    case Kind::kRight: return "right";
    case Kind::kUnjudged: return "not compared";
    case Kind::kPart: return "refused in part";
    case Kind::kRefused: return "refused";
    case Kind::kWrong: return "WRONG";
    case Kind::kCrash: return "CRASH";
    case Kind::kHang: return "HANG";
    case Kind::kTooMuch: return "EXHAUSTION";
    case Kind::kMalformed: return "MALFORMED";
    case Kind::kNotAsked: break;
  }
  return "not asked";
}

void apply_known(SuiteReport& report) {
  // In a run over some files, what is known of others does not have to occur.
  const auto judged = [&](const KnownFailure& known) {
    return std::ranges::any_of(report.outcomes, [&](const FileOutcome& each) {
      return each.clause == known.clause && (known.where.empty() || fits(each.file, known.where));
    });
  };
  for (KnownFailure& known : report.known)
    for (const ClauseResult& result : report.clauses)
      known.met |= (report.partial && !judged(known)) ||
                   std::ranges::any_of(result.findings, [&](const Finding& finding) {
                     return matches(known, result, finding);
                   });
}

bool excused(const SuiteReport& report, const ClauseResult& result) {
  return result.verdict == Verdict::kFail && result.suppressed == 0 &&
         std::ranges::all_of(result.findings, [&](const Finding& finding) {
           return reason_for(report, result, finding) != nullptr;
         });
}

int exit_status(const SuiteReport& report) {
  for (const KnownFailure& known : report.known)
    if (!known.met) return 1;
  for (const ClauseResult& result : report.clauses)
    if (result.verdict == Verdict::kFail && counts(*result.clause, report.role) &&
        !excused(report, result))
      return 1;
  // A program that answers nothing fails no single clause, but it was not judged either.
  const auto judged = [](const ClauseResult& result) {
    return result.verdict != Verdict::kNotChecked;
  };
  const bool none =
      !report.partial && !report.clauses.empty() && std::ranges::none_of(report.clauses, judged);
  return none ? 3 : 0;
}

Json to_json(const SuiteReport& report) {
  Json clauses = Json::array();
  for (const ClauseResult& result : report.clauses) {
    Json entry{{"id", result.clause->id},
               {"section", result.clause->section},
               {"level", to_string(result.clause->level)},
               {"subject", to_string(result.clause->subject)},
               {"verdict", to_string(result.verdict)},
               {"examined", result.examined}};
    if (!result.reason.empty()) entry["reason"] = result.reason;
    if (result.verdict == Verdict::kFail) {
      entry["known"] = excused(report, result);
      if (result.suppressed) entry["suppressed"] = result.suppressed;
      for (const Finding& finding : result.findings) {
        Json found{{"object", finding.object},
                   {"where", finding.where},
                   {"observed", finding.observed},
                   {"expected", finding.expected}};
        if (!finding.hint.empty()) found["reproduce"] = finding.hint;
        if (const KnownFailure* known = reason_for(report, result, finding))
          found["known"] = known->reason;
        entry["findings"].push_back(std::move(found));
      }
    }
    clauses.push_back(std::move(entry));
  }
  Json unexpected = Json::array();
  for (const KnownFailure& known : report.known)
    if (!known.met)
      unexpected.push_back(
          {{"clause", known.clause}, {"where", known.where}, {"reason", known.reason}});
  const Tally tally = tally_of(report);
  Json made{{"schema", "hepcheck-suite-1"},
            {"role", report.role},
            {"program", report.about},
            {"specification", report.spec->id},
            {"files", report.files},
            {"requests", report.requests},
            {"totals",
             {{"passed", tally.passed},
              {"failed", tally.broken},
              {"not_followed", tally.advised},
              {"known", tally.known},
              {"not_applicable", tally.not_applicable},
              {"not_checked", tally.not_checked}}},
            {"scope", report.scope},
            {"notes", report.notes},
            {"unexpected_passes", unexpected},
            {"clauses", clauses}};
  for (const FileOutcome& each : report.outcomes)
    made["outcomes"].push_back({{"file", each.file},
                                {"clause", each.clause},
                                {"sound", each.sound},
                                {"outcome", to_string(each.kind)},
                                {"detail", each.detail}});
  return made;
}

namespace {

// The figures of what is judged by it, as there are none.
std::vector<Figure> figures_of(const Specification& spec) {
  std::vector<Figure> made;
  for (const FigureWords& words : format_of(spec).figures) {
    Figure figure{.key = std::string(words.key)};
    if (!made.empty()) figure.value = 0;
    made.push_back(std::move(figure));
  }
  return made;
}

}  // namespace

FileReport as_report(const Specification& spec, std::string program, const std::string& role,
                     std::vector<KnownResult> clauses, std::vector<std::string> notes) {
  std::vector<ClauseResult> results;
  SubjectVerdict verdict = SubjectVerdict::kPass;
  for (auto& [result, known] : clauses) {
    if (!known.empty()) result.reason = "known failure: " + known;
    result.severity = counts(*result.clause, role) ? Severity::kError : Severity::kInfo;
    for (Finding& finding : result.findings) {
      finding.severity = result.severity;
      finding.known = !known.empty();
    }
    if (result.verdict == Verdict::kFail && counts(*result.clause, role) && known.empty())
      verdict = SubjectVerdict::kFail;
    results.push_back(std::move(result));
  }
  return {.path = std::move(program),
          .subjects = {{.kind = "program",
                        .path = "/" + role,
                        .spec = &spec,
                        .verdict = verdict,
                        .notes = std::move(notes),
                        .figures = figures_of(spec),
                        .clauses = ClauseResults(std::move(results))}}};
}

Report as_report(const SuiteReport& report) {
  std::vector<KnownResult> clauses;
  for (const ClauseResult& result : report.clauses)
    clauses.push_back({result, known_reason(report, result)});
  Report made{.spec = report.spec,
              .files = {as_report(*report.spec, report.program, report.role, std::move(clauses),
                                  report.notes)}};
  made.files.front().subjects.front().scope = report.scope;
  return made;
}

void write_as_files(std::ostream& out, Report report, const Writing& how) {
  report.hepcheck = how.hepcheck;
  report.date = how.date;
  reports::find_form(how.form)->write(out, report);
}

void write(std::ostream& out, const SuiteReport& report, const Writing& how) {
  if (how.form == "text")
    write_text(out, report, how.verbose);
  else if (how.form == "markdown")
    write_markdown(out, report);
  else if (how.form == "json")
    out << to_json(report).dump(2, ' ', true, Json::error_handler_t::replace) << '\n';
  else
    write_as_files(out, as_report(report), how);
}

}  // namespace hepcheck::suite
