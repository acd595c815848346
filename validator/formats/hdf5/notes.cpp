#include "validator/formats/hdf5/notes.h"

#include <algorithm>

namespace hepcheck::hdf5 {

std::string brief(std::string path) {
  constexpr std::size_t kMost = 500;
  return path.size() > kMost ? "..." + path.substr(path.size() - kMost) : path;
}

const Clauses& clauses_of(const Specification& spec) {
  // A file that is being written is walked through many times.
  thread_local const Specification* of = nullptr;
  thread_local Clauses clauses{};
  if (std::exchange(of, &spec) != &spec)
    std::ranges::transform(kClauseIds, clauses.begin(),
                           [&](std::string_view id) { return spec.find(id); });
  return clauses;
}

Notes::Notes(const Specification& spec, std::uint64_t max_findings,
             std::function<std::string(std::uint32_t)> path_of)
    : path_of_(std::move(path_of)) {
  probes_.reserve(std::size(kClauseIds));
  for (const Clause* clause : clauses_of(spec)) {
    const Severity severity = clause ? clause->default_severity : Severity::kNone;
    is_error_[probes_.size()] = severity == Severity::kError;
    probes_.emplace_back(severity, max_findings);
  }
}

void Notes::looked(const ClauseId& clause, std::uint64_t times) {
  if (!silent_) probes_[clause.place()].looked(times);
}

bool Notes::fail(const ClauseId& clause, const Place& at, std::string observed,
                 std::string expected, std::string hint) {
  const bool error = is_error_[clause.place()];
  failed_.set(clause.place());
  if (error) errors_.set(clause.place());
  if (!silent_)
    probes_[clause.place()].fail({.object = path_of_(object_),
                                  .attribute = attribute_,
                                  .where = at.text(),
                                  .observed = std::move(observed),
                                  .expected = std::move(expected),
                                  .hint = std::move(hint)});
  return error;
}

void Notes::not_examined(const ClauseId& clause, std::string reason, What what) {
  if (silent_) return;
  probes_[clause.place()].blocked(brief(path_of_(object_)) + ": " + reason);
  not_examined_.push_back({object_, what, std::move(reason)});
}

}  // namespace hepcheck::hdf5
