#include "validator/formats/arrow/notes.h"

#include <utility>

namespace hepcheck::arrow {

Notes Notes::fresh() const {
  Notes made(severities(), max_findings());
  made.gather_ = gather_;
  return made;
}

void Notes::join(Notes&& later) {
  for (auto& [place, finding] : later.gathered_) {
    const std::uint64_t more = 1 + finding.more;
    if (const auto [at, added] = gathered_.try_emplace(place, std::move(finding)); !added)
      at->second.more += more;
  }
  NotesOf::join(std::move(later));
}

bool Notes::fail(const ClauseId& clause, const Place& at, std::string observed,
                 std::string expected, std::string hint, std::uint64_t more) {
  if (!gather_ || silent() || severity(clause) != Severity::kInfo || full(clause))
    return NotesOf::fail(clause, at, std::move(observed), std::move(expected), std::move(hint),
                         more);
  if (const auto it = gathered_.find(clause.place()); it != gathered_.end())
    it->second.more += 1 + more;
  else
    gathered_.emplace(clause.place(), Finding{.object = at.object(),
                                              .where = at.where(),
                                              .observed = std::move(observed),
                                              .expected = std::move(expected),
                                              .hint = std::move(hint),
                                              .more = more});
  return false;
}

void Notes::let_go() {
  gather_ = false;
  for (auto& [place, finding] : gathered_) probe(place).fail(std::move(finding));
  gathered_.clear();
}

}  // namespace hepcheck::arrow
