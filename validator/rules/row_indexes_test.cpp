#include "validator/rules/rule_testing.h"

namespace hepcheck {

namespace {

TEST(PositionalTableOmitsIndexColumns, Empty) {
  EXPECT_EQ(small([](TableBuilder& t) { t.set("", references("INDEX_COLUMNS", {})); }),
            Ids{"positional-table-omits-index-columns (info)"});
}

TEST(PositionalTableOmitsIndexColumns, AbsentOrInUse) {
  EXPECT_EQ(small([](TableBuilder&) {}), kNothing);
  EXPECT_EQ(small([](TableBuilder& t) {
              t.set("", references("INDEX_COLUMNS", {t.to("id")}));
            }),
            kNothing);
}

}  // namespace

}  // namespace hepcheck
