#include "validator/formats/hep001/testing/rule_testing.h"

namespace hepcheck::hep001 {

namespace {

TEST(PositionalTableOmitsIndexColumns, Empty) {
  EXPECT_EQ(small([](TableBuilder& t) { t.set("", references("INDEX_COLUMNS", {})); }),
            Ids{"positional-table-omits-index-columns (info)"});
}

TEST(PositionalTableOmitsIndexColumns, AbsentOrInUse) {
  EXPECT_EQ(small([](TableBuilder&) {}), kNothing);
  EXPECT_EQ(small([](TableBuilder& t) { t.set("", references("INDEX_COLUMNS", {t.to("id")})); }),
            kNothing);
}

}  // namespace

}  // namespace hepcheck::hep001
