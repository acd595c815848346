#include "conformance/suite/engine/writer_judge.h"

namespace hepcheck::suite {

std::optional<ClauseResult> left_out(const Clause& clause, const RunOptions& options) {
  if (!options.leaves_out(clause.id)) return std::nullopt;
  return ClauseResult{.clause = &clause, .verdict = Verdict::kNotChecked, .reason = kNotSelected};
}

}  // namespace hepcheck::suite
