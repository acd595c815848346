// The results of examining an RNTuple for each clause.
#pragma once

#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "validator/formats/rntuple/clause_ids.h"
#include "validator/formats/rntuple/place.h"
#include "validator/notes.h"

namespace hepcheck::rntuple {

class Notes : public NotesOf<kClauseIds, Place> {
 public:
  using NotesOf::NotesOf;

  // Readings of later drafts and the like are reported once, however often they occur.
  bool fail(const ClauseId& clause, const Place& at, std::string observed, std::string expected,
            std::string hint = {}, std::uint64_t more = 0) {
    if (!silent() && severity(clause) == Severity::kInfo && !told_.insert(clause.place()).second)
      return false;
    return NotesOf::fail(clause, at, std::move(observed), std::move(expected), std::move(hint),
                         more);
  }

  // The clauses of the rules of these source files cannot be examined any further.
  void block_files(std::initializer_list<std::string_view> files, const std::string& reason,
                   const std::vector<std::string_view>& by);
  // Adds what was recorded about the container of the RNTuple. Its findings are not repeated:
  // `judged_with` is the RNTuple that has them; empty if it is this one.
  void adopt(const Notes& container, const std::string& judged_with);
  const Probe& probe_at(std::size_t place) const { return probe_of_place(place); }

 private:
  std::set<std::size_t> told_{};
};

}  // namespace hepcheck::rntuple
