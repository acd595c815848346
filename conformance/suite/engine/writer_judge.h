// The common part of judging writers of all formats. A format supplies the tables that programs are
// requested to write, the results for their files, and the result of each clause.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/suite/engine/options.h"
#include "conformance/suite/engine/session.h"
#include "reports/suite_report.h"

namespace hepcheck::suite {

// The result of a clause that --only skips; nothing for other clauses.
std::optional<ClauseResult> left_out(const Clause& clause, const RunOptions& options);

// The report of a writer: every clause on producers, then the clauses on files that some file
// satisfied or violated. `result` returns the result of a clause, `judged` states whether a clause
// on files has one.
template <class Judged, class Result>
SuiteReport writer_report(const Session& session, const Specification& spec,
                          const RunOptions& options, std::uint64_t files, Judged judged,
                          Result result) {
  SuiteReport report{.role = "writer",
                     .program = session.name(),
                     .about = session.about(),
                     .spec = &spec,
                     .files = files,
                     .requests = session.requests(),
                     .notes = notes_on(session)};
  const auto add = [&](const Clause& clause) {
    std::optional<ClauseResult> made = left_out(clause, options);
    report.clauses.push_back(made ? std::move(*made) : result(clause));
  };
  for (const Clause& clause : spec.clauses)
    if (clause.subject == Subject::kProducer) add(clause);
  for (const Clause& clause : spec.clauses)
    if (clause.subject == Subject::kFile && judged(clause.id)) add(clause);
  return report;
}

}  // namespace hepcheck::suite
