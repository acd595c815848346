// For the tests of index contents: the contents of a finding in addition to its id.
#pragma once

#include "validator/formats/hep001/judge.h"
#include "validator/formats/hep001/testing/rule_testing.h"

namespace hepcheck::hep001 {

// All reports of the judge about a table.
inline SubjectReport examined(TableBuilder& t) {
  return examine(t.finish(), t.values, older_revision(), {});
}

// The first finding of a clause; an empty one if it has none.
inline Finding finding_of(TableBuilder& table, std::string_view clause) {
  for (const ClauseResult& result : examined(table).clauses)
    if (result.clause->id == clause && !result.findings.empty()) return result.findings.front();
  return {};
}

}  // namespace hepcheck::hep001
