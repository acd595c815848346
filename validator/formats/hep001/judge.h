// Judges tables by HEP001: runs the rules over their subjects.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "validator/formats/hep001/derive/facts.h"
#include "validator/formats/hep001/model/table.h"
#include "validator/formats/hep001/model/values.h"
#include "validator/formats/hep001/rules/rule.h"
#include "validator/judge.h"

namespace hepcheck::hep001 {

// The properties of all_rules() for the core.
std::span<const RuleHead> rule_heads();

// Immutable: both steps may run concurrently for different tables.
class TableJudge {
 public:
  TableJudge(const Specification& spec, ExamineOptions options,
             std::span<const Rule> rules = all_rules());

  // The first step: collects the facts about values that the data clauses need, if any is to be
  // checked. Read failures leave clauses not checked; this function never throws or aborts.
  std::optional<TableFacts> facts(const Table& table, ValueSource& values,
                                  const Share& share = {}) const;
  bool needs_facts_of(const Table& table) const;

  // The second step. Every file clause gets one ClauseResult, in the order of the specification.
  // `before`: the report of another table of the file, or null; equal results are shared.
  SubjectReport judge(const Table& table, const std::optional<TableFacts>& facts,
                      const SubjectReport* before = nullptr) const;

 private:
  std::vector<Probe> run(const Table& table, const TableFacts* facts) const;

  std::span<const Rule> rules_;
  Judge judge_;
  // Tasks of the judge, by what their checks are called for.
  std::vector<std::size_t> once_{}, over_columns_{}, over_lists_{}, over_categories_{},
      over_indexes_{};
  bool data_wanted_ = false;
};

// The same for a single table.
SubjectReport examine(const Table& table, ValueSource& values, const Specification& spec,
                      const ExamineOptions& options);

}  // namespace hepcheck::hep001
