// What is said of tables, in one line for golden files.
#pragma once

#include <format>
#include <set>
#include <string>
#include <string_view>

#include "validator/formats/hep001/judge.h"
#include "validator/formats/hep001/testing/build.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hep001 {

// The number of clauses that say something of any of the tables, and a digest of what they say.
class Said {
 public:
  void add(TableBuilder& t, const Specification& spec, Depth depth = Depth::kFull) {
    add(examine(t.finish(spec), t.values, spec, {.depth = depth, .jobs = 1}));
  }
  void add(const SubjectReport& report) {
    for (const ClauseResult& result : report.clauses) {
      if (result.verdict == Verdict::kPass || result.verdict == Verdict::kNotApplicable) continue;
      clauses_.insert(result.clause->id);
      all_ += std::format("{} {} {}", result.clause->id, to_string(result.verdict), result.reason);
      for (const Clause* each : result.blocked_by) all_ += ' ' + std::string(each->id);
      for (const Finding& each : result.findings)
        all_ += std::format("; {} {} {}: {}, {}, {}", each.object, each.attribute, each.where,
                            each.observed, each.expected, each.hint);
      all_ += '\n';
    }
    all_ += '\n';
  }
  std::string line(std::string_view what) const {
    return std::format("{}: {} clauses, {}\n", what, clauses_.size(), golden::digest_of(all_));
  }

 private:
  std::set<std::string_view> clauses_{};
  std::string all_{};
};

}  // namespace hepcheck::hep001
