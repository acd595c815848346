// What the examination of a file says of each clause: how often it was looked at, and where it does
// not hold. It says so of every clause, whichever of them are to be reported.
#pragma once

#include <bitset>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "validator/catalogue/clause.h"
#include "validator/formats/arrow/clause_id.h"
#include "validator/formats/arrow/place.h"
#include "validator/probe.h"

namespace hepcheck::arrow {

class Notes {
 public:
  Notes(const Specification& spec, std::uint64_t max_findings);

  // For a part of the work that is done elsewhere; `join` takes it back, in the order of the file.
  // Of a part of what is gathered, `join` gathers on.
  Notes fresh() const;
  void join(Notes&& later);

  void looked(const ClauseId& clause, std::uint64_t times = 1);
  // False if it is but a warning or an information. `more`: further places, which are not listed.
  bool fail(const ClauseId& clause, const Place& at, std::string observed, std::string expected,
            std::string hint = {}, std::uint64_t more = 0);
  // The clause applies, but could not be looked at, since it depends on what `by` asks for or
  // because it would take too much.
  void blocked(const ClauseId& clause, std::string reason, std::vector<std::string_view> by = {});

  // From here on, an information that is said again and again is one finding with a count, until
  // they are let go.
  void gather() { gather_ = true; }
  void let_go();

  // What is read a second time says nothing.
  class Silence {
   public:
    explicit Silence(Notes& notes) : notes_(notes), before_(notes.silent_) { notes.silent_ = true; }
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
  std::vector<std::string> broken() const;  // ids of clauses that do not hold

 private:
  explicit Notes(std::uint64_t max_findings) : max_findings_(max_findings) {}

  std::uint64_t max_findings_;
  std::shared_ptr<const std::vector<Severity>> severities_{};  // of findings of each clause
  std::vector<Probe> probes_{};
  std::bitset<std::size(kClauseIds)> is_error_{}, is_info_{};  // what findings of them are
  std::map<std::size_t, Finding> gathered_{};
  bool gather_ = false;
  bool silent_ = false;
};

}  // namespace hepcheck::arrow
