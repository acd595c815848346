// All rules on arbitrary models: a conformant table, bent in ways that the input chooses.
// Oracles: what holds of every report; the same model is judged the same twice; the order of
// links does not matter.
#include <algorithm>

#include "fuzz/grammar/model.h"
#include "fuzz/targets/report_oracle.h"
#include "fuzz/targets/target.h"
#include "validator/engine.h"

using namespace hepcheck;
using namespace hepcheck::fuzz;

namespace {

Report report_of(TestTable& table, Depth depth) {
  const Specification& spec = default_specification();
  Report report{.hepcheck = "fuzz", .spec = &spec};
  report.files.push_back({.path = "model"});
  report.files[0].tables.push_back(examine(
      table.finish(), table.values, spec, {.depth = depth, .memory_limit = 1 << 20, .jobs = 1}));
  return report;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  InputChoices choices(input(data, size));
  TestTable table;
  if (choices.one_in(3))
    table = random_table(choices);
  else
    static_cast<TableBuilder&>(table) = good_table();
  for (int i = 0; i < 12 && !choices.empty(); ++i) bend(table, choices);

  const Report report = report_of(table, Depth::kFull);
  check_verdicts(report);
  require(alike(report, report_of(table, Depth::kFull)), "judged twice, differently");
  check_verdicts(report_of(table, Depth::kStructure));

  std::ranges::reverse(table.table.group.children);
  const Report turned = report_of(table, Depth::kFull);
  const auto& one = report.files[0].tables[0].clauses;
  const auto& other = turned.files[0].tables[0].clauses;
  for (std::size_t i = 0; i < one.size(); ++i)
    require(one[i].verdict == other[i].verdict,
            std::string(one[i].clause->id) + " depends on the order of links");
  return 0;
}
