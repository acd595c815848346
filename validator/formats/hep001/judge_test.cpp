#include "validator/formats/hep001/judge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <format>

#include "validator/formats/hep001/testing/build.h"

namespace hepcheck::hep001 {
namespace {

// 5,000 columns, every seventh of rank 2 and every eleventh without a fill value of its own.
TableBuilder wide_table() {
  TableBuilder t("/t", 2);
  for (int i = 0; i < 5000; ++i) {
    Dataset& column = t.add_column(std::format("c{}", i), integer_type(4, false), {1, 2}, 9);
    if (i % 7 == 0) column.space = simple_space({2, 1});
    if (i % 11 == 0) column.storage.fill_state = FillState::kDefault;
  }
  t.list_columns();
  return t;
}

SubjectReport judged(unsigned jobs, std::uint64_t max_findings) {
  TableBuilder t = wide_table();
  return examine(t.finish(), t.values, default_revision("hep001"),
                 {.depth = Depth::kStructure, .max_findings = max_findings, .jobs = jobs});
}

TEST(TableJudge, AWideTableIsJudgedAlikeByAnyNumberOfThreads) {
  for (const std::uint64_t most : {3u, 1000000u}) {
    const SubjectReport alone = judged(1, most);
    EXPECT_EQ(alone.verdict, SubjectVerdict::kFail);
    for (const unsigned jobs : {2u, 3u, 8u})
      EXPECT_TRUE(std::ranges::equal(alone.clauses, judged(jobs, most).clauses)) << jobs;
  }
}

TEST(TableJudge, ColumnsAreDescribedOnlyIfSomebodyWantsToSeeThem) {
  TableBuilder t = good_table();
  const Table& table = t.finish();
  const SubjectReport seen = examine(table, t.values, default_revision("hep001"), {});
  const SubjectReport not_seen =
      examine(table, t.values, default_revision("hep001"), {.describe_columns = false});
  EXPECT_EQ(seen.parts.size(), table.columns.size());
  EXPECT_EQ(not_seen.parts.size(), 0u);
  EXPECT_EQ(seen.figure("columns")->value, table.columns.size());
  EXPECT_EQ(not_seen.figure("columns")->value, table.columns.size());
  EXPECT_TRUE(std::ranges::equal(seen.clauses, not_seen.clauses));
}

}  // namespace
}  // namespace hepcheck::hep001
