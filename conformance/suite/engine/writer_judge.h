// What judging a writer takes in every format. A format supplies the tables that programs are asked
// to write, what it finds in their files, and the result of each clause.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/suite/engine/options.h"
#include "conformance/suite/engine/session.h"
#include "reports/suite_report.h"

namespace hepcheck::suite {

// The result of a clause that --only leaves out; nothing for other clauses.
std::optional<ClauseResult> left_out(const Clause& clause, const RunOptions& options);

// The report of a writer: every clause on producers, then the clauses on files that some file kept
// or broke. `result` makes the result of a clause, `judged` says of a clause on files whether there
// is one.
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
