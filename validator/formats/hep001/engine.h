// The engine: runs the rules of a specification over one table and gives its report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "validator/catalogue/clause.h"
#include "validator/finding.h"
#include "validator/formats/hep001/derive/facts.h"
#include "validator/formats/hep001/model/table.h"
#include "validator/formats/hep001/model/values.h"
#include "validator/formats/hep001/rules/rule.h"
#include "validator/options.h"

namespace hepcheck::hep001 {

// Holds tables against a specification, one after the other. Both steps may be under way at the
// same time, for different tables.
class Engine {
 public:
  Engine(const Specification& spec, ExamineOptions options);

  // The first step: what the data clauses need to know of the values, if any of them is to be
  // checked. Trouble in reading makes clauses not checked; it never throws or aborts.
  std::optional<TableFacts> facts(const Table& table, ValueSource& values) const;

  // The second step. Every file clause gets one ClauseResult, in the order of the specification.
  TableReport judge(const Table& table, const std::optional<TableFacts>& facts);

 private:
  // A rule that is going to run, and the place of its clause's result.
  struct Task {
    const Rule* rule;
    std::size_t result;
  };
  bool settle(ClauseResult& result, Probe& probe) const;

  const Specification& spec_;
  ExamineOptions options_;
  std::vector<Task> tasks_{}, column_tasks_{};
  bool data_wanted_ = false;
  // Of the last table judged; what no rule decides is the same for all and always there.
  std::vector<ClauseResult> results_{};
  SharedResults stored_{};
  ClauseResults last_{};
};

// The same for a single table.
TableReport examine(const Table& table, ValueSource& values, const Specification& spec,
                    const ExamineOptions& options);

}  // namespace hepcheck::hep001

namespace hepcheck {

// The same verdict from stored clause results, for instance after a baseline was applied.
void judge(TableReport& report, const ExamineOptions& options);

}  // namespace hepcheck
