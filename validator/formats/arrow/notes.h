// The results of examining an input for each clause.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "validator/formats/arrow/clause_ids.h"
#include "validator/formats/arrow/place.h"
#include "validator/notes.h"

namespace hepcheck::arrow {

class Notes : public NotesOf<kClauseIds, Place> {
 public:
  using NotesOf::NotesOf;

  // Empty notes for a part of the work that is done elsewhere; `join` merges them back, in file
  // order. If this object gathers, so do they.
  Notes fresh() const;
  void join(Notes&& later);

  // Whether the specification has this clause, and a file can break it.
  bool judges(const ClauseId& clause) const { return severity(clause) != Severity::kNone; }

  bool fail(const ClauseId& clause, const Place& at, std::string observed, std::string expected,
            std::string hint = {}, std::uint64_t more = 0);

  // From here on, repeated recommendations about the same clause are merged into one finding with a
  // count, until they are let go.
  void gather() { gather_ = true; }
  void let_go();

 private:
  std::map<std::size_t, Finding> gathered_{};  // by the position of the clause
  bool gather_ = false;
};

}  // namespace hepcheck::arrow
