// The result of a clause for one subject: findings and verdicts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "validator/catalogue/clause.h"

namespace hepcheck {

// A place where a clause is violated.
struct Finding {
  std::string object{};     // its path in the file
  std::string attribute{};  // attribute of that object, if the finding is about one
  std::string where{};      // part of the data: "row 318", "chunk 2", "element 0"
  std::string observed{};   // what was found
  std::string expected{};   // what the clause requires
  std::string hint{};       // how to fix it
  // Index contents: a query and a row that a reader which trusts the index would lose or wrongly
  // return, or why there is none.
  std::string witness{};
  std::uint64_t more = 0;                // further places of the same kind that are not listed
  Severity severity = Severity::kError;  // stamped by the judge
  bool known = false;  // listed in the baseline: shown, but it does not make the subject fail

  friend bool operator==(const Finding&, const Finding&) = default;
};

enum class Verdict : std::uint8_t { kPass, kFail, kNotApplicable, kNotChecked };
std::string_view to_string(Verdict verdict);  // "pass", "fail", "not-applicable", "not-checked"

// Which request of the user excluded a clause.
enum class LeftOut : std::uint8_t { kNot, kSkip, kOnly, kDepth };
std::string_view to_string(LeftOut left_out);  // "not", "skip", "only", "depth"

struct ClauseResult {
  const Clause* clause = nullptr;
  Verdict verdict = Verdict::kNotApplicable;
  // The severity of the most severe finding; without findings, the default of the catalogue.
  Severity severity = Severity::kError;
  std::string reason{};                     // why not checked or not applicable
  std::vector<const Clause*> blocked_by{};  // not checked: the clauses that prevented it
  std::uint64_t examined = 0;               // number of places that were examined
  std::vector<Finding> findings{};
  std::uint64_t suppressed = 0;  // findings beyond --max-findings
  LeftOut left_out = LeftOut::kNot;
  bool suppressed_known = false;  // the baseline lists as many suppressed findings
  bool reason_known = false;      // not checked, and the baseline lists it with this reason
  bool lowered = false;           // an error, except that the user set the level of the clause

  bool skipped_by_user() const { return left_out == LeftOut::kSkip || left_out == LeftOut::kOnly; }
  // The severity of the most severe finding that is not known; none if there is no such finding.
  Severity open_severity() const;
  bool known() const { return verdict == Verdict::kFail && open_severity() == Severity::kNone; }

  friend bool operator==(const ClauseResult&, const ClauseResult&) = default;
};

}  // namespace hepcheck
