// What the walk through a file says of each clause: how often it was looked at, and where it does
// not hold. The walk says so of every clause, whichever of them are to be reported.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/catalogue/clause.h"
#include "validator/formats/hdf5/clause_id.h"
#include "validator/formats/hdf5/region.h"
#include "validator/probe.h"

namespace hepcheck::hdf5 {

// By the place of a clause's id.
using ClauseSet = std::bitset<std::size(kClauseIds)>;

// The clauses of a specification, by the place of their ids; null for one that it does not have.
using Clauses = std::array<const Clause*, std::size(kClauseIds)>;
const Clauses& clauses_of(const Specification& spec);

// The end of a very long path, so that what is said of it is not cut off.
std::string brief(std::string path);

class Notes {
 public:
  // `path_of`: the path of an object in the file, by its number.
  Notes(const Specification& spec, std::uint64_t max_findings,
        std::function<std::string(std::uint32_t)> path_of);

  // What is said from now on is about this object, and about the attribute if there is one.
  void enter(std::uint32_t object) {
    object_ = object;
    attribute_.clear();
    failed_.reset();
    errors_.reset();
  }
  void in_attribute(std::string name) { attribute_ = std::move(name); }
  std::uint32_t object() const { return object_; }
  // The clauses that did not hold since an object was entered; those of them that are errors.
  const ClauseSet& failed() const { return failed_; }
  const ClauseSet& errors() const { return errors_; }

  void looked(const ClauseId& clause, std::uint64_t times = 1);
  // False if it is but a warning or an information.
  bool fail(const ClauseId& clause, const Place& at, std::string observed, std::string expected,
            std::string hint = {});
  // The clause applies, but could not be looked at: something of the object is not examined, its
  // structure or the values alone.
  enum class What : std::uint8_t { kStructure, kValues };
  void not_examined(const ClauseId& clause, std::string reason, What what = What::kStructure);

  struct NotExamined {
    std::uint32_t object = 0;
    What what{};
    std::string reason{};
  };
  const std::vector<NotExamined>& not_examined() const { return not_examined_; }

  // What is read a second time says nothing.
  bool silent() const { return silent_; }
  class Silence {
   public:
    explicit Silence(Notes& notes) : notes_(notes), before_(std::exchange(notes.silent_, true)) {}
    Silence(const Silence&) = delete;
    Silence& operator=(const Silence&) = delete;
    ~Silence() { notes_.silent_ = before_; }

   private:
    Notes& notes_;
    bool before_;
  };

  // For the judge, by the place of the id of a clause.
  std::vector<Probe> probes() && { return std::move(probes_); }
  // For tests.
  const Probe& said(const ClauseId& clause) const { return probes_[clause.place()]; }

 private:
  std::function<std::string(std::uint32_t)> path_of_;
  std::vector<Probe> probes_{};
  ClauseSet is_error_{};  // whose findings are errors
  ClauseSet failed_{}, errors_{};
  std::uint32_t object_ = 0;
  std::string attribute_{};
  std::vector<NotExamined> not_examined_{};
  bool silent_ = false;
};

}  // namespace hepcheck::hdf5
