#include "validator/formats/hep001/testing/rule_testing.h"

namespace hepcheck::hep001 {

namespace {

const Ids kHardLink{"column-hard-link"};

TEST(ColumnHardLink, ColumnOrderNamesASoftLink) {
  EXPECT_EQ(small([](TableBuilder& t) {
              t.add_soft_link("far", "/elsewhere/far").soft_target =
                  t.outside("/elsewhere/far").token;
              t.set("", utf8_list("column-order", {"id", "energy", "far"}));
            }),
            kHardLink);
}

TEST(ColumnHardLink, ColumnOrderNamesAnExternalLink) {
  EXPECT_EQ(small([](TableBuilder& t) {
              t.add_external_link("far", "other.h5", "/far");
              t.set("", utf8_list("column-order", {"id", "energy", "far"}));
            }),
            kHardLink);
}

TEST(ColumnHardLink, UnderscoreIndexNamesASoftLink) {
  EXPECT_EQ(small([](TableBuilder& t) {
              t.add_soft_link("labels", "/elsewhere/labels");
              t.set("", utf8("_index", "labels"));
            }),
            kHardLink);
}

TEST(ColumnHardLink, IndexColumnsReferToTheTargetOfASoftLink) {
  EXPECT_EQ(small([](TableBuilder& t) {
              const Reference far = t.outside("/elsewhere/far");
              Child& link = t.add_soft_link("far", "/elsewhere/far");
              link.soft_target = far.token;
              link.object = ObjectKind::kDataset;
              t.set("", references("INDEX_COLUMNS", {far}));
            }),
            kHardLink);
}

TEST(ColumnHardLink, TwoNamesForOneDatasetTriggerOnlyAWarning) {
  EXPECT_EQ(small([](TableBuilder& t) {
              t.add_hard_link("again", "id");
              t.list_columns();
            }),
            Ids{"column-hard-link (warning)"});
}

}  // namespace

}  // namespace hepcheck::hep001
