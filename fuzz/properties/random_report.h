// Reports with few files, subjects and clauses, with findings of all severities.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/properties/random_values.h"
#include "validator/format.h"
#include "validator/judge.h"
#include "validator/report.h"

namespace hepcheck::fuzz {

// Few names, so findings collide. Two mandatory clauses and one that is not.
struct Clauses {
  std::vector<const Clause*> all{};
  Clauses() {
    const auto add = [&](bool mandatory, std::size_t count) {
      for (const Clause& clause : default_specification().clauses)
        if (clause.subject == Subject::kFile && clause.mandatory() == mandatory && count > 0) {
          all.push_back(&clause);
          --count;
        }
    };
    add(true, 2);
    add(false, 1);
  }
};

inline ClauseResult random_result(Choices& c, const Clause* clause) {
  constexpr Verdict kVerdicts[] = {Verdict::kFail, Verdict::kFail, Verdict::kPass,
                                   Verdict::kNotChecked, Verdict::kNotApplicable};
  constexpr Severity kSeverities[] = {Severity::kError, Severity::kWarning, Severity::kInfo};
  ClauseResult result{.clause = clause, .verdict = c.of(kVerdicts), .severity = Severity::kNone};
  if (result.verdict == Verdict::kNotChecked)
    result.reason = c.one_in(3) ? "for another reason" : "because";
  if (result.verdict != Verdict::kFail) return result;
  for (std::uint64_t n = 1 + c.below(3); n > 0; --n) {
    Finding finding{.object = "/t/" + std::to_string(c.below(2)),
                    .where = "row " + std::to_string(c.below(2)),
                    .more = c.below(3),
                    .severity = c.of(kSeverities)};
    if (c.one_in(4)) finding.attribute = "a";
    result.severity = std::max(result.severity, finding.severity);
    result.findings.push_back(std::move(finding));
  }
  if (c.one_in(3)) result.suppressed = 1 + c.below(3);
  return result;
}

inline Report random_report(Choices& c, const Clauses& clauses) {
  Report report{.hepcheck = "0", .spec = &default_specification()};
  const std::uint64_t files = 1 + c.below(2);
  for (std::uint64_t f = 0; f < files; ++f) {
    FileReport file{.path = "f" + std::to_string(f)};
    if (c.one_in(8)) file.error = Error{"f", "damaged"};
    const std::uint64_t subjects = c.below(3);
    for (std::uint64_t s = 0; s < subjects; ++s) {
      SubjectReport subject{.path = "/" + std::to_string(c.below(2) + 2 * s),
                            .spec = &default_specification()};
      std::vector<ClauseResult> results;
      for (const Clause* clause : clauses.all) results.push_back(random_result(c, clause));
      subject.clauses = ClauseResults(std::move(results));
      decide(subject, {});
      file.subjects.push_back(std::move(subject));
    }
    report.files.push_back(std::move(file));
  }
  return report;
}

// Some of it known, some skipped by the user, some with a lowered level.
inline Report marked_report(Choices& c, const Clauses& clauses) {
  Report report = random_report(c, clauses);
  report.compared = c.maybe();
  for (FileReport& file : report.files)
    for (SubjectReport& subject : file.subjects) {
      std::vector<ClauseResult> results(subject.clauses.begin(), subject.clauses.end());
      for (ClauseResult& result : results) {
        for (Finding& finding : result.findings) finding.known = report.compared && c.maybe();
        result.suppressed_known = report.compared && result.suppressed > 0 && c.maybe();
        result.lowered =
            result.verdict == Verdict::kFail && result.severity < Severity::kError && c.one_in(4);
        if (result.verdict != Verdict::kNotChecked) continue;
        constexpr LeftOut kWays[] = {LeftOut::kNot, LeftOut::kSkip, LeftOut::kOnly,
                                     LeftOut::kDepth};
        result.left_out = c.of(kWays);
        result.reason_known = report.compared && c.one_in(4);
      }
      subject.clauses = ClauseResults(std::move(results));
      decide(subject, {});
      if (c.one_in(8)) subject.verdict = SubjectVerdict::kUnsupported;
    }
  return report;
}

}  // namespace hepcheck::fuzz
