// A baseline: known findings, and clauses known not to be checked, so that only new ones fail.
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

// The name of a report's path in the baseline, which may be in another directory.
using Rename = std::function<std::string(const std::string& path)>;

// Every finding of the report, and every clause that could not be checked, with its reason.
Baseline baseline_of(const Report& report, const Rename& rename);

// Marks the findings that the baseline lists, judges the tables again, and records the entries that
// are gone. A finding that covers more places than the baseline states is not known. An entry is
// gone if this run looked for it and did not find it; entries of a file, table or clause that was
// not examined are not gone. `whole` states whether every table of a file was requested.
void apply(const Baseline& baseline, const Rename& rename,
           const std::function<bool(const std::string& path)>& whole, const ExamineOptions& options,
           Report& report);

// The findings that are new, gone and unchanged since the earlier report `name`. `whole` and gone
// have the same meaning as for a baseline.
Comparison compare(const Report& report, const Report& earlier, std::string name,
                   const std::function<bool(const std::string& path)>& whole);

// The baseline without the entries that are gone; with `add`, it contains all findings of the run.
Baseline updated(const Baseline& baseline, const Baseline& found,
                 const std::vector<KnownFinding>& gone, bool add);

}  // namespace hepcheck::reports
