// A baseline: the findings that are known, and what is known not to be checked, so that only what
// is new fails.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "validator/judge.h"
#include "validator/report.h"

namespace hepcheck::reports {

struct Baseline {
  std::string spec{};
  std::vector<KnownFinding> known{};
};

Result<Baseline> read_baseline(std::string_view text, const std::string& name);
void write_baseline(std::ostream& out, const Baseline& baseline);

// How a report's paths are called in the baseline, which may lie elsewhere.
using Rename = std::function<std::string(const std::string& path)>;

// Every finding of the report, and every clause that could not be checked with its reason.
Baseline baseline_of(const Report& report, const Rename& rename);

// Marks what the baseline lists, judges the tables anew, and notes what is gone. A finding
// that now stands for more places than the baseline says is not known. Gone is what was
// looked for and not found: not what belongs to a file, table or clause that was not examined.
// `whole` tells whether every table of a file was asked for.
void apply(const Baseline& baseline, const Rename& rename,
           const std::function<bool(const std::string& path)>& whole, const ExamineOptions& options,
           Report& report);

// What is new, gone and still there since the earlier report, called `name`. Gone and `whole` mean
// what they mean for a baseline.
Comparison compare(const Report& report, const Report& earlier, std::string name,
                   const std::function<bool(const std::string& path)>& whole);

// The baseline without what is gone; with `add`, it then holds all that was found.
Baseline updated(const Baseline& baseline, const Baseline& found,
                 const std::vector<KnownFinding>& gone, bool add);

}  // namespace hepcheck::reports
