// A rule of the container: one clause, and what it asks of one kind of structure.
//
// What is read of a structure is judged by a table of rules, in the order in which a reader comes
// to depend on them: the first error ends the structure, and what lies beneath it is not judged. So
// one defect draws one finding.
#pragma once

#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "validator/formats/hdf5/notes.h"
#include "validator/rule.h"

namespace hepcheck::hdf5 {

// How a check speaks of its clause, at one place.
class Look {
 public:
  Look(Notes& notes, const ClauseId& clause, const Place& at)
      : notes_(notes), clause_(clause), at_(at) {}

  // The clause applies here.
  void looked() { notes_.looked(clause_); }
  // It does not hold; `at`: how far into what was read.
  void fail(std::uint64_t at, std::string observed, std::string expected, std::string hint = {}) {
    Place place = at_;
    place.offset += at;
    broken_ |=
        notes_.fail(clause_, place, std::move(observed), std::move(expected), std::move(hint));
  }
  // There was an error, and no mere warning.
  bool broken() const { return broken_; }

 private:
  Notes& notes_;
  const ClauseId& clause_;
  const Place& at_;
  bool broken_ = false;
};

template <class Structure>
using Rule = RuleOf<kClauseIds, void (*)(const Structure&, Look&)>;

// Holds a structure against a table of rules; false at the first error.
template <const auto& kRules, class Structure>
bool judge(const Structure& structure, const Place& at, Notes& notes) {
  const auto holds = [&](const auto& rule) {
    Look look(notes, rule.id, at);
    rule.check(structure, look);
    return !look.broken();
  };
  return [&]<std::size_t... kAt>(std::index_sequence<kAt...>) {
    return (... && holds(kRules[kAt]));
  }(std::make_index_sequence<std::size(kRules)>());
}

// What the core is to know of the rules of a table.
template <class Structure, std::size_t kSize>
void list(const Rule<Structure> (&rules)[kSize], std::vector<RuleHead>& heads, bool data = false) {
  for (const Rule<Structure>& rule : rules)
    heads.push_back(
        {.clause = rule.id.str(), .file = rule.id.file(), .data = data, .place = rule.id.place()});
}

}  // namespace hepcheck::hdf5
