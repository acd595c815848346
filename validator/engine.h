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
#include "validator/derive/facts.h"
#include "validator/finding.h"
#include "validator/model/table.h"
#include "validator/model/values.h"

namespace hepcheck {

class Progress;
class Probe;
struct Rule;

enum class Depth : std::uint8_t {
  kStructure,  // the model alone: O(objects); data clauses come out as not checked
  kFull,       // and the values of rows [0, NROWS)
};

struct ExamineOptions {
  Depth depth = Depth::kFull;
  // Clauses to run (empty: all) and to leave out; what is left out is reported as not
  // checked, by the user's wish.
  std::set<std::string, std::less<>> only{}, skip{};
  // Why a clause of `skip` is left out, for the report.
  std::map<std::string, std::string, std::less<>> skip_reasons{};
  // Severities to use for all findings of a clause, instead of the rule's own.
  std::map<std::string, Severity, std::less<>> severities{};
  std::uint64_t max_findings = 100;  // a clause and table; further ones are counted
  bool strict = false;               // warnings of MUST and MUST NOT clauses become errors
  bool fail_on_should = false;       // SHOULD and SHOULD NOT findings make a table fail
  bool allow_unchecked = false;
  bool describe_columns = true;      // TableShape::columns, for reports that show them
  std::uint64_t memory_limit = 0;    // bytes for column data; 0: a quarter of the machine's
  unsigned jobs = 0;                 // threads for data; 0: as many as there are cores
  Progress* progress = nullptr;      // told how far the reading of data has come (progress.h)
};

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

// The same verdict from stored clause results, for instance after a baseline was applied.
void judge(TableReport& report, const ExamineOptions& options);

}  // namespace hepcheck
