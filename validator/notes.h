// What an examination finds out about each clause of a format: how often the clause was examined,
// where it does not hold, and why it could not be examined. Notes are taken for every clause,
// whichever of them are to be reported.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/catalogue/clause.h"
#include "validator/finding.h"
#include "validator/probe.h"
#include "validator/rule.h"

namespace hepcheck {

// A set of clauses, by the positions of their ids in `kIds`.
template <const auto& kIds>
using ClauseSetOf = std::bitset<std::size(kIds)>;

// The clauses of a specification, by the positions of their ids in `kIds`; null where the
// specification does not have the clause.
template <const auto& kIds>
using ClausesOf = std::array<const Clause*, std::size(kIds)>;

template <const auto& kIds>
const ClausesOf<kIds>& clauses_of(const Specification& spec) {
  // A trace is examined after each of its writes, and a process judges many files.
  thread_local std::map<const Specification*, ClausesOf<kIds>> known;
  const auto [at, is_new] = known.try_emplace(&spec);
  if (!is_new) return at->second;
  for (const Clause& clause : spec.clauses) {  // the ids are sorted
    const auto id = std::ranges::lower_bound(kIds, clause.id);
    if (id != std::end(kIds) && *id == clause.id)
      at->second[static_cast<std::size_t>(id - std::begin(kIds))] = &clause;
  }
  return at->second;
}

// `PlaceIn` says where in the input something is; its object() and where() become the object and
// the place of a finding. A format whose findings need more than that derives from this class and
// hides `fail` with its own function, which calls `add`.
template <const auto& kIds, class PlaceIn>
class NotesOf {
 public:
  using ClauseId = ClauseIdOf<kIds>;
  using Place = PlaceIn;

  // Clauses that `spec` does not have may be noted too; their findings have no severity.
  NotesOf(const Specification& spec, std::uint64_t max_findings) : max_findings_(max_findings) {
    const ClausesOf<kIds>& clauses = clauses_of<kIds>(spec);
    for (std::size_t i = 0; i < clauses.size(); ++i)
      severities_[i] = clauses[i] ? clauses[i]->default_severity : Severity::kNone;
    make_probes();
  }

  // Records that the clause applies, and was examined.
  void looked(const ClauseId& clause, std::uint64_t times = 1) {
    if (!silent_) probes_[clause.place()].looked(times);
  }
  // Records that the clause does not hold. Returns whether that is an error, and not merely a
  // warning or an information. `more`: how many further places the finding stands for.
  bool fail(const ClauseId& clause, const Place& at, std::string observed, std::string expected,
            std::string hint = {}, std::uint64_t more = 0) {
    return add(clause, [&] {
      return Finding{.object = at.object(),
                     .where = at.where(),
                     .observed = std::move(observed),
                     .expected = std::move(expected),
                     .hint = std::move(hint),
                     .more = more};
    });
  }
  // Records that the clause applies, but could not be examined: because the clauses `by` do not
  // hold, or because it would take too much.
  void blocked(const ClauseId& clause, std::string reason, std::vector<std::string_view> by = {}) {
    if (!silent_) probes_[clause.place()].blocked(std::move(reason), std::move(by));
  }

  // While one of these exists, nothing is recorded: what is read a second time was judged before.
  class Silence {
   public:
    explicit Silence(NotesOf& notes) : notes_(notes), before_(std::exchange(notes.silent_, true)) {}
    Silence(const Silence&) = delete;
    Silence& operator=(const Silence&) = delete;
    ~Silence() { notes_.silent_ = before_; }

   private:
    NotesOf& notes_;
    bool before_;
  };
  bool silent() const { return silent_; }

  // For the judge, by the positions of the ids of the clauses.
  std::vector<Probe> probes() && { return std::move(probes_); }
  // For tests: what was recorded about a clause, and the ids of the clauses that do not hold.
  const Probe& probe_of(const ClauseId& clause) const { return probes_[clause.place()]; }
  std::vector<std::string> broken() const {
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < probes_.size(); ++i)
      if (probes_[i].total_findings() > 0) ids.emplace_back(kIds[i]);
    return ids;
  }

 protected:
  // The severity of the findings of each clause.
  using Severities = std::array<Severity, std::size(kIds)>;

  // Empty notes like others.
  NotesOf(const Severities& severities, std::uint64_t max_findings)
      : max_findings_(max_findings), severities_(severities) {
    make_probes();
  }
  std::uint64_t max_findings() const { return max_findings_; }
  const Severities& severities() const { return severities_; }
  Severity severity(const ClauseId& clause) const { return severities_[clause.place()]; }
  // Whether further findings of the clause are only counted.
  bool full(const ClauseId& clause) const {
    return probes_[clause.place()].findings().size() >= max_findings_;
  }

  // Records a finding, which `make` returns if it is to be kept. Returns whether it is an error.
  template <class Make>
  bool add(const ClauseId& clause, const Make& make) {
    if (!silent_) probes_[clause.place()].fail(full(clause) ? Finding{} : make());
    return severity(clause) == Severity::kError;
  }
  // The probe of the clause with that position.
  Probe& probe(std::size_t place) { return probes_[place]; }
  const Probe& probe_of_place(std::size_t place) const { return probes_[place]; }
  // Adds what was recorded about later parts of the input.
  void join(NotesOf&& later) {
    for (std::size_t i = 0; i < probes_.size(); ++i) probes_[i].join(std::move(later.probes_[i]));
  }

 private:
  void make_probes() {
    probes_.reserve(severities_.size());
    for (const Severity severity : severities_) probes_.emplace_back(severity, max_findings_);
  }

  std::uint64_t max_findings_;
  Severities severities_{};
  std::vector<Probe> probes_{};
  bool silent_ = false;
};

}  // namespace hepcheck
