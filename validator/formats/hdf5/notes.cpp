#include "validator/formats/hdf5/notes.h"

namespace hepcheck::hdf5 {

std::string brief(std::string path) {
  constexpr std::size_t kMost = 500;
  return path.size() > kMost ? "..." + path.substr(path.size() - kMost) : path;
}

bool Notes::fail(const ClauseId& clause, const Place& at, std::string observed,
                 std::string expected, std::string hint, std::uint64_t more) {
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

void Notes::not_examined(const ClauseId& clause, std::string reason, What what) {
  if (silent()) return;
  blocked(clause, brief(path_of_(object_)) + ": " + reason);
  not_examined_.push_back({object_, what, std::move(reason)});
}

}  // namespace hepcheck::hdf5
