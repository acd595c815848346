// A rule of the format: one clause, and what it asks of one kind of thing.
//
// What is read of a thing is judged by a table of rules. Where a reader comes to depend on them one
// after the other, the first error ends the thing, and what hangs on it is not judged: so one
// defect draws one finding. Where they have nothing to do with one another, each is judged.
#pragma once

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/formats/arrow/notes.h"
#include "validator/rule.h"

namespace hepcheck::arrow {

// How a check speaks of its clause, at one place.
class Look {
 public:
  Look(Notes& notes, const ClauseId& clause, const Place& at)
      : notes_(notes), clause_(clause), at_(at) {}

  // The clause applies here.
  void looked(std::uint64_t times = 1) { notes_.looked(clause_, times); }
  // It does not hold.
  void fail(std::string observed, std::string expected, std::string hint = {},
            std::uint64_t more = 0) {
    broken_ |=
        notes_.fail(clause_, at_, std::move(observed), std::move(expected), std::move(hint), more);
    failed_ = true;
  }
  // Looked at, and it does not hold unless `holds`.
  template <class Observed, class Expected>
  void ask(bool holds, Observed&& observed, Expected&& expected) {
    looked();
    if (!holds) fail(observed(), expected());
  }
  // Where it does not hold, in a buffer that a rule has looked through.
  void move_to(std::uint64_t within, std::uint64_t byte) {
    at_.within = within;
    at_.byte = byte;
  }
  // There was an error, and no mere warning.
  bool broken() const { return broken_; }
  bool failed() const { return failed_; }

 private:
  Notes& notes_;
  const ClauseId& clause_;
  Place at_;
  bool broken_ = false, failed_ = false;
};

template <class Structure>
using Rule = RuleOf<kClauseIds, void (*)(const Structure&, Look&)>;

// Whether one rule holds, but for warnings.
template <class Structure>
bool holds(const Rule<Structure>& rule, const Structure& structure, const Place& at, Notes& notes) {
  Look look(notes, rule.id, at);
  rule.check(structure, look);
  return !look.broken();
}

// Holds a structure against a table of rules; false at the first error.
template <const auto& kRules, class Structure>
bool judge(const Structure& structure, const Place& at, Notes& notes) {
  for (const Rule<Structure>& rule : kRules)
    if (!holds(rule, structure, at, notes)) return false;
  return true;
}

// The same with each of them; false if there was an error.
template <const auto& kRules, class Structure>
bool judge_each(const Structure& structure, const Place& at, Notes& notes) {
  bool all = true;
  for (const Rule<Structure>& rule : kRules) all &= holds(rule, structure, at, notes);
  return all;
}

// None of these tables could be looked at.
template <const auto&... kTables>
void block(const std::string& reason, const std::vector<std::string_view>& by, Notes& notes) {
  const auto table = [&](const auto& rules) {
    for (const auto& rule : rules) notes.blocked(rule.id, reason, by);
  };
  (table(kTables), ...);
}

// What the core is to know of the rules of a table.
template <class Structure, std::size_t kSize>
void list(const Rule<Structure> (&rules)[kSize], std::vector<RuleHead>& heads, bool data = false) {
  for (const Rule<Structure>& rule : rules)
    heads.push_back(
        {.clause = rule.id.str(), .file = rule.id.file(), .data = data, .place = rule.id.place()});
}

}  // namespace hepcheck::arrow
