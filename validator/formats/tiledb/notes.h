// The results of an examination for each clause, and the form of a rule.
#pragma once

#include <string>
#include <utility>

#include "validator/formats/tiledb/clause_ids.h"
#include "validator/formats/tiledb/place.h"
#include "validator/look.h"
#include "validator/notes.h"

namespace hepcheck::tiledb {

using ClauseSet = ClauseSetOf<kClauseIds>;

class Notes : public NotesOf<kClauseIds, Place> {
 public:
  using NotesOf::NotesOf;

  bool fail(const ClauseId& clause, const Place& at, std::string observed, std::string expected,
            std::string hint = {}, std::uint64_t more = 0) {
    const bool error =
        NotesOf::fail(clause, at, std::move(observed), std::move(expected), std::move(hint), more);
    ++fails_;
    if (error && !silent()) ++errors_;
    last_ = clause.str();
    return error;
  }
  // How many errors were recorded; how many findings there were, recorded or not.
  std::uint64_t errors() const { return errors_; }
  std::uint64_t fails() const { return fails_; }
  // The clause of the last finding.
  std::string_view last() const { return last_; }

 private:
  std::uint64_t errors_ = 0, fails_ = 0;
  std::string_view last_{};
};

class Look : public LookOf<Notes> {
 public:
  using LookOf::LookOf;

  // The following findings are about this part of the structure.
  void at(const Path& path, std::uint64_t byte) {
    at_.path = &path;
    at_.byte = byte;
  }
  void at(std::uint64_t byte) { at_.byte = byte; }
  // They are about a field of it.
  void at(std::string_view field, std::uint64_t byte) {
    field_ = {.up = structure_, .kind = field};
    at(field_, byte);
  }

 private:
  const Path* structure_ = at_.path;
  Path field_{};
};

template <class Structure>
using Rule = LookRule<Structure, Look>;

}  // namespace hepcheck::tiledb
