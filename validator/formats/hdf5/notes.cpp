#include "validator/formats/hdf5/notes.h"

#include <algorithm>
#include <format>

namespace hepcheck::hdf5 {

std::string brief(std::string path) {
  constexpr std::size_t kMost = 500;
  return path.size() > kMost ? "..." + path.substr(path.size() - kMost) : path;
}

bool Notes::fail(const ClauseId& clause, const Place& at, std::string observed,
                 std::string expected, std::string hint, std::uint64_t more) {
  if (placed_.size() < most_placed_ && !silent() && severity(clause) != Severity::kNone)
    placed_.push_back({.clause = kClauseIds[clause.place()],
                       .severity = severity(clause),
                       .at = at,
                       .object = path_of_(object_),
                       .observed = observed,
                       .expected = expected});
  const bool error = add(clause, [&] {
    return Finding{.object = path_of_(object_),
                   .attribute = attribute_,
                   .where = at.text(),
                   .observed = std::move(observed),
                   .expected = std::move(expected),
                   .hint = std::move(hint),
                   .more = more};
  });
  // A clause that the specification does not have is never violated.
  if (severity(clause) != Severity::kNone) failed_.set(clause.place());
  if (error) errors_.set(clause.place());
  constexpr std::size_t kMostFaults = 64;
  const bool fault = !silent() && (error || severity(clause) == Severity::kWarning);
  if (fault && faults_.size() < kMostFaults) faults_.push_back(at);
  constexpr std::size_t kMostBlocks = 4'096;
  if (fault && (faulty_blocks_.size() < kMostBlocks || faulty_blocks_.contains(at.block)))
    faulty_blocks_[at.block] |= error;
  return error;
}

std::size_t Notes::broken_by_errors() const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < std::size(kClauseIds); ++i)
    count += probe_of_place(i).worst() == Severity::kError;
  return count;
}

bool Notes::error(std::string_view clause) const {
  for (std::size_t i = 0; i < std::size(kClauseIds); ++i)
    if (kClauseIds[i] == clause) return probe_of_place(i).worst() == Severity::kError;
  return false;
}

bool Notes::faulty(const Region& region) const {
  return std::ranges::any_of(faults_, [&](const Place& at) {
    return at.block == region.place.block && at.offset >= region.place.offset &&
           at.offset - region.place.offset < region.size();
  });
}

std::string Notes::trouble(std::size_t before) const {
  for (std::size_t i = 0; errors_.any() && i < std::size(kClauseIds); ++i) {
    if (!errors_.test(i)) continue;
    std::string text = std::format("it violates {}", kClauseIds[i]);
    const Probe& probe = probe_of_place(i);
    // Of many findings, only the first are kept.
    if (probe.findings().size() == probe.total_findings() && !probe.findings().empty()) {
      const Finding& finding = probe.findings().back();
      text +=
          std::format(" ({}: {}; expected {})", finding.where, finding.observed, finding.expected);
    }
    return text;
  }
  return not_examined_.size() > before ? not_examined_[before].reason : std::string();
}

void Notes::not_examined(const ClauseId& clause, std::string reason, What what) {
  if (silent()) return;
  blocked(clause, brief(path_of_(object_)) + ": " + reason);
  not_examined_.push_back({object_, what, std::move(reason)});
}

}  // namespace hepcheck::hdf5
