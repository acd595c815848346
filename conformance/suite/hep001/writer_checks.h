// The steps of the writer suite, each a request that writes, and the checks of them. The checks and
// their table are in writer_checks.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/suite/hep001/append_calls.h"
#include "conformance/suite/hep001/compare.h"
#include "conformance/suite/hep001/recording.h"
#include "conformance/suite/hep001/token_calls.h"
#include "validator/formats/hep001/clause_ids.h"
#include "validator/report.h"

namespace hepcheck::hep001::suite {

// The requests of a step; checks combine those that they judge.
enum Operation : std::uint8_t {
  kWrite = 1,
  kAppend = 2,
  kUpdate = 4,
  kDropIndex = 8,
  kAddIndex = 16,
  kTruncate = 32,
  kReclaim = 64,  // a truncation that releases storage
};
using Operations = unsigned;
inline constexpr Operations kOtherChanges = kUpdate | kDropIndex | kAddIndex | kTruncate | kReclaim;
inline constexpr Operations kAllOperations = kWrite | kAppend | kOtherChanges;

// The required effect of a change on search indexes.
enum class Upkeep : std::uint8_t {
  kUnsaid,
  kMaintain,  // they are valid afterwards
  kLeave,     // they are left to be stale
};

// One request that writes, and its results.
struct Step {
  std::string name{};  // "table integers, append"
  Operation operation = kWrite;
  Json description{};            // of a table to write
  std::string column{}, kind{};  // of an index to add or to drop
  Upkeep upkeep = Upkeep::kUnsaid;
  std::uint64_t changed_rows = 0;   // of an update
  bool torn_index = false;          // the table has an index that a crashed change left behind
  TableContent before{}, should{};  // the original table, unless it is new, and the expected one
  // File clauses that the table violated before: not caused by this step.
  std::set<std::string_view> broken_before{};

  Reply reply{};
  std::string request{};  // as anyone can send it
  std::string file{};     // its name in the directory of files
  Folder before_files{}, after_files{};
  std::optional<Recording> recording{};
  std::optional<TableContent> content{};  // the present table; nothing unless there is exactly one
  FileReport report{};
  // For an append after which not everything can be read: columns whose old rows can.
  std::set<std::string> old_rows_readable{};

  // The results of a successful step.
  std::set<std::string_view> broken{};    // mandatory file clauses
  std::vector<Difference> differences{};  // from the expected table
  std::optional<AppendCalls> calls{};     // of an append, if they were recorded
  std::optional<TokenCalls> tokens{};     // of any change, if its calls were recorded

  bool conforms() const;  // violates nothing that was not violated before
};

// Clauses on the contents of an index, which a program violates that does not maintain it; a
// failure that counts.
bool about_index_content(const Clause& clause);
bool breaks_mandatory(const ClauseResult& result);

// The results for a clause so far.
struct Outcome {
  std::uint64_t examined = 0;
  bool unseen = false;  // a check needed calls of the HDF5 library, and could not see them
  std::vector<Finding> findings{};
};
using Outcomes = std::map<std::string_view, Outcome>;  // by clause id

// Reports for one clause about one step.
class StepProbe {
 public:
  StepProbe(std::string_view clause, const Step& step, const Capabilities& can, Outcomes& outcomes)
      : clause_(clause), step_(step), can_(can), outcomes_(outcomes) {}

  void looked() { ++outcome().examined; }
  void fail(std::string where, std::string observed, std::string expected);
  void unless(bool holds, std::string observed, std::string expected);
  void unseen() { outcome().unseen = true; }
  bool failed_before() { return !outcome().findings.empty(); }

  // The same for another clause: on the program, on the file.
  StepProbe on(ClauseId clause) const { return {clause.str(), step_, can_, outcomes_}; }
  StepProbe on(const Clause& clause) const { return {clause.id, step_, can_, outcomes_}; }

  std::string_view clause() const { return clause_; }
  const Capabilities& can() const { return can_; }

 private:
  Outcome& outcome() { return outcomes_[clause_]; }

  std::string_view clause_;
  const Step& step_;
  const Capabilities& can_;
  Outcomes& outcomes_;
};

// A clause, the steps after which it is judged, and its check.
struct WriterCheck {
  Operations after;
  ClauseId id;
  void (*check)(StepProbe&, const Step&);
};
// In the order in which they run; the second ones if the revision has validity tokens.
std::span<const WriterCheck> writer_checks();
std::span<const WriterCheck> token_checks();
// Clauses of an older revision that this one replaces: failures of them count for it.
std::vector<std::string_view> predecessors(std::string_view clause);

// A column with every value of its datatype: without a wider one there is no fill value left.
inline constexpr ClauseId kFullDomain = "full-domain-wider-or-no-missing";

// The result for a step that the program does not support.
void check_declined(const Step& step, const Capabilities& can, Outcomes& outcomes);

// Runs them for a successful step.
void check(Step& step, const Specification& spec, const Capabilities& can, Outcomes& outcomes);

// The reason why a clause does not apply to a program; empty if it does.
std::string_view why_not(std::string_view clause, const Capabilities& can);

// The table can be used further: it can be read completely, with a value for each row.
bool whole(const TableContent& table);

}  // namespace hepcheck::hep001::suite
