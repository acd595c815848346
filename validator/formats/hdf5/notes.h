// The results of the walk through a file for each clause.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/formats/hdf5/clause_ids.h"
#include "validator/formats/hdf5/region.h"
#include "validator/notes.h"

namespace hepcheck::hdf5 {

using ClauseSet = ClauseSetOf<kClauseIds>;

// The end of a very long path, so that what follows it in a message is not cut off.
std::string brief(std::string path);

class Notes : public NotesOf<kClauseIds, Place> {
 public:
  // `path_of`: the path of an object in the file, by its number.
  Notes(const Specification& spec, std::uint64_t max_findings,
        std::function<std::string(std::uint32_t)> path_of)
      : NotesOf(spec, max_findings), path_of_(std::move(path_of)) {}

  // The findings that follow are about this object, or about an attribute of it.
  void enter(std::uint32_t object) {
    object_ = object;
    attribute_.clear();
    failed_.reset();
    errors_.reset();
    faults_.clear();
  }
  void in_attribute(std::string name) { attribute_ = std::move(name); }
  std::uint32_t object() const { return object_; }
  // How many clauses have a finding that is an error.
  std::size_t broken_by_errors() const;
  // Whether the clause with that id has a finding that is an error.
  bool error(std::string_view clause) const;
  // The clauses violated since an object was entered; those of them that are errors.
  const ClauseSet& failed() const { return failed_; }
  const ClauseSet& errors() const { return errors_; }
  // Whether one of them is an error or a warning about a byte of this region.
  bool faulty(const Region& region) const;
  // Whether there was an error or a warning about the block that begins there, of whatever object.
  bool faulty_block(std::uint64_t begin) const { return faulty_blocks_.contains(begin); }
  // Whether there was an error.
  bool broken_block(std::uint64_t begin) const {
    const auto it = faulty_blocks_.find(begin);
    return it != faulty_blocks_.end() && it->second;
  }

  bool fail(const ClauseId& clause, const Place& at, std::string observed, std::string expected,
            std::string hint = {}, std::uint64_t more = 0);
  // A finding, and the bytes that it is about.
  struct Placed {
    std::string_view clause{};
    Severity severity{};
    Place at{};
    std::string object{}, observed{}, expected{};
  };
  // From now on, keeps the places of so many findings.
  void keep_places(std::size_t most) { most_placed_ = most; }
  const std::vector<Placed>& placed() const { return placed_; }

  // Records that the clause applies, but could not be examined, because something of the object is
  // not examined: its structure, or only its values.
  enum class What : std::uint8_t { kStructure, kValues };
  void not_examined(const ClauseId& clause, std::string reason, What what = What::kStructure);

  struct NotExamined {
    std::uint32_t object = 0;
    What what{};
    std::string reason{};
  };
  const std::vector<NotExamined>& not_examined() const { return not_examined_; }
  // Why what was read since an object was entered cannot be trusted: the first error, or the first
  // reason after `before` reasons; empty if there is none.
  std::string trouble(std::size_t before) const;

 private:
  std::function<std::string(std::uint32_t)> path_of_;
  ClauseSet failed_{}, errors_{};
  std::vector<Place> faults_{};                    // of the errors and warnings, up to a limit
  std::map<std::uint64_t, bool> faulty_blocks_{};  // whether by an error; up to a limit
  std::uint32_t object_ = 0;
  std::string attribute_{};
  std::vector<NotExamined> not_examined_{};
  std::size_t most_placed_ = 0;
  std::vector<Placed> placed_{};
};

}  // namespace hepcheck::hdf5
