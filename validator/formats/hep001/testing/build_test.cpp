#include "validator/formats/hep001/testing/build.h"

#include <gtest/gtest.h>

#include "validator/formats/hep001/judge.h"

namespace hepcheck::hep001 {

namespace {

std::vector<int> ints(const std::vector<std::byte>& bytes) {
  std::vector<int> values;
  for (const std::byte b : bytes) values.push_back(std::to_integer<int>(b));
  return values;
}

TEST(Cell, IsStoredInTheOrderOfItsDatatype) {
  EXPECT_EQ(ints(Cell(-2).stored_as(integer_type(2, true))), (std::vector{0xFE, 0xFF}));
  EXPECT_EQ(ints(Cell(258).stored_as(integer_type(2, false, ByteOrder::kBig))),
            (std::vector{1, 2}));
  EXPECT_EQ(ints(Cell(1.0).stored_as(ieee_float_type(4, ByteOrder::kBig))),
            (std::vector{0x3F, 0x80, 0, 0}));
  const Datatype spaced = fixed_string_type(3, StringPadding::kSpacePad, CharacterSet::kAscii);
  EXPECT_EQ(ints(Cell("ab").stored_as(spaced)), (std::vector<int>{'a', 'b', ' '}));
}

TEST(GoodTable, PassesAndLeavesNothingUnchecked) {
  TableBuilder t = good_table();
  const SubjectReport report = examine(t.table, t.values, older_revision(), {});
  EXPECT_EQ(report.verdict, SubjectVerdict::kPass) << report.reason;
  for (const ClauseResult& result : report.clauses) {
    EXPECT_NE(result.verdict, Verdict::kNotChecked) << result.clause->id << ": " << result.reason;
    EXPECT_TRUE(result.findings.empty()) << result.clause->id;
  }
}

// If fewer clauses apply, a test that mutates this table may have no effect.
TEST(GoodTable, IsSubjectToNearlyEveryClause) {
  TableBuilder t = good_table();
  const SubjectReport report = examine(t.table, t.values, older_revision(), {});
  std::vector<std::string> idle;
  for (const ClauseResult& result : report.clauses)
    if (result.verdict == Verdict::kNotApplicable && result.clause->file_checkable())
      idle.emplace_back(result.clause->id);
  EXPECT_EQ(idle,
            (std::vector<std::string>{
                "underscore-index-names-column", "sentinel-in-domain-declare-range",
                "minmax-length-contiguous", "minmax-all-missing-min-fill",
                "minmax-all-missing-max-fill", "sorted-boolean-order", "sorted-opaque-order",
                "sorted-enum-order", "sorted-string-bytewise", "sorted-string-padding-stripped",
                "bloom-rows-contiguous", "bloom-nan-not-inserted"}));
}

TEST(SmallTable, Passes) {
  TableBuilder t = small_table();
  const SubjectReport report = examine(t.table, t.values, older_revision(), {});
  EXPECT_EQ(report.verdict, SubjectVerdict::kPass) << report.reason;
  for (const ClauseResult& result : report.clauses)
    EXPECT_TRUE(result.findings.empty()) << result.clause->id;
}

TEST(TableBuilder, AssignsRolesAgain) {
  TableBuilder t = good_table();
  EXPECT_EQ(t.table.columns.size(), 8u);
  EXPECT_EQ(t.table.indexes.size(), 6u);
  EXPECT_EQ(t.table.accompanying.size(), 1u);
  t.remove("impedance");
  t.erase("SEARCH_INDEXES/label__bitmap", "VALUES");
  t.finish();
  EXPECT_EQ(t.table.columns.size(), 7u);
  EXPECT_EQ(t.table.strays.size(), 1u);
}

TEST(TableBuilder, SharesNothingBetweenTables) {
  TableBuilder one = good_table(), other = good_table();
  one.dataset("ts").space = null_space();
  EXPECT_EQ(other.dataset("ts").extent(), 16u);
}

TEST(TableBuilder, RepeatsValuesToFillAShape) {
  const Attribute pair = shaped(ascii("KIND", "BITMAP"), {2, 1});
  EXPECT_EQ(string_elements(pair), (std::vector<std::string>{"BITMAP", "BITMAP"}));
  EXPECT_EQ(describe(pair.space), "shape (2, 1)");
}

}  // namespace

}  // namespace hepcheck::hep001
