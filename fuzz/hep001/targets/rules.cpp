// All rules on arbitrary models: a conformant table, mutated as the input selects. Oracles: the
// invariants of every report; a judge that has judged other tables agrees with a new one; the order
// of links does not matter.
#include <algorithm>

#include "fuzz/hep001/grammar/judge.h"
#include "fuzz/hep001/grammar/model.h"
#include "fuzz/targets/report_oracle.h"
#include "fuzz/targets/target.h"
#include "validator/formats/hep001/judge.h"

using namespace hepcheck;
using namespace hepcheck::fuzz;
using namespace hepcheck::hep001;
using namespace hepcheck::hep001::grammar;

namespace {

ExamineOptions options(Depth depth) { return {.depth = depth, .memory_limit = 1 << 20, .jobs = 1}; }

// A judge, and its revision.
struct By {
  const Specification& spec;
  TableJudge judge;

  By(const Specification& by, Depth depth) : spec(by), judge(by, options(depth)) {}
};

Report report_of(TestTable& table, const By& by) {
  const auto& [spec, judge] = by;
  const Table& finished = table.finish(spec);
  Report report{.hepcheck = "fuzz", .spec = &spec};
  report.files.push_back({.path = "model"});
  report.files[0].subjects.push_back(judge.judge(finished, judge.facts(finished, table.values)));
  check_verdicts(report);
  return report;
}

void check_all(TestTable& table, const By& used) {
  const Report report = report_of(table, used);
  require(alike(report, report_of(table, By(used.spec, Depth::kFull))),
          "a judge remembers other tables");
  report_of(table, By(used.spec, Depth::kStructure));

  std::ranges::reverse(table.table.group.children);
  const Report turned = report_of(table, used);
  const auto& one = report.files[0].subjects[0].clauses;
  const auto& other = turned.files[0].subjects[0].clauses;
  for (std::size_t i = 0; i < one.size(); ++i)
    require(one[i].verdict == other[i].verdict, one[i].clause->id,
            " depends on the order of links");
}

}  // namespace

FUZZ_TARGET(rules) {
  static const By older[] = {{oldest(), Depth::kStructure}, {oldest(), Depth::kFull}};
  static const By newer[] = {{newest(), Depth::kStructure}, {newest(), Depth::kFull}};

  InputChoices choices(input(data, size));
  const bool in_newer = choices.maybe();
  const auto& [structure, full] = in_newer ? newer : older;
  // Most tables are small and judged once, to judge as many as possible.
  const std::uint64_t effort = choices.below(64);
  TestTable table;
  if (effort < 60)
    static_cast<TableBuilder&>(table) = small_table();
  else if (choices.maybe())
    static_cast<TableBuilder&>(table) = good_table();
  else
    table = random_table(choices);
  if (in_newer) make_newer(table, choices);
  for (int i = 0; i < 12 && !choices.empty(); ++i) mutate(table, choices);

  if (effort == 63)
    check_all(table, full);
  else
    report_of(table, effort < 56 || effort == 60 ? structure : full);
  return 0;
}
