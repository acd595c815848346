#include "validator/formats/hep001/model/revision.h"

#include <gtest/gtest.h>

#include "validator/formats/hep001/testing/build.h"

namespace hepcheck::hep001 {
namespace {

constexpr std::string_view kOlder = "hep001-2026-06-16", kNewer = "hep001-2026-07-09";

struct Seen {
  std::string_view spec;
  ChosenBy by;
  std::string path;
  friend bool operator==(const Seen&, const Seen&) = default;
};

Seen seen(const Table& table) {
  const RevisionChoice made = revision_by_signs(table.group);
  return {made.revision->spec, made.choice.by, made.choice.path};
}

TEST(Revision, TableWithoutASignFollowsTheNewest) {
  TableBuilder t = small_table();
  EXPECT_EQ(seen(t.finish()), (Seen{kNewer, ChosenBy::kDefault, ""}));
}

TEST(Revision, IndexWithoutTokensIsASignOfTheOlder) {
  TableBuilder t = good_table();
  const Seen found = seen(t.finish());
  EXPECT_EQ(found.spec, kOlder);
  EXPECT_EQ(found.by, ChosenBy::kSign);
  EXPECT_TRUE(found.path.starts_with("/t/SEARCH_INDEXES/")) << found.path;
}

TEST(Revision, UnlistedObjectsAreNotASign) {
  TableBuilder t = good_table();
  Table table = t.finish();
  table.group.attributes_unreadable = "more attributes than the limit of 1";
  EXPECT_FALSE(seen(table).path.starts_with("/t/SEARCH_INDEXES/"));
}

TEST(Revision, SignsOfTheNewerOutweighThoseOfTheOlder) {
  const Attribute count = attribute("GENERATION", integer_type(4, true), 1);  // any form is allowed
  TableBuilder t = good_table();
  t.set("", count);
  EXPECT_EQ(seen(t.finish()), (Seen{kNewer, ChosenBy::kSign, "/t"}));

  for (const char* token : {"SOURCE_GENERATION", "SOURCE_NROWS"}) {
    TableBuilder with_token = good_table();
    with_token.set("SEARCH_INDEXES/ts__minmax", attribute(token, integer_type(8, false), 1));
    EXPECT_EQ(seen(with_token.finish()),
              (Seen{kNewer, ChosenBy::kSign, "/t/SEARCH_INDEXES/ts__minmax"}));
  }
}

TEST(Revision, ExhaustiveBitmapIsASign) {
  TableBuilder t = good_table();
  t.set("SEARCH_INDEXES/label__bitmap", boolean("exhaustive", true));
  EXPECT_EQ(seen(t.finish()).path, "/t/SEARCH_INDEXES/label__bitmap");
  TableBuilder other = good_table();  // a user attribute on an index of another family
  other.set("SEARCH_INDEXES/ts__minmax", boolean("exhaustive", true));
  EXPECT_EQ(seen(other.finish()).spec, kOlder);
}

TEST(Revision, ListColumnIsASign) {
  TableBuilder t = small_table();
  t.add_group("tags");
  t.set("tags", ascii("CLASS", "LIST_COLUMN"));
  EXPECT_EQ(seen(t.finish()), (Seen{kNewer, ChosenBy::kSign, "/t/tags"}));
}

TEST(Revision, BooleanColumnsAreSignsByTheirFillValue) {
  TableBuilder t = small_table();
  t.add_column("flag", boolean_type(), {0, 1, 0, 1, 0}, 0);
  EXPECT_EQ(seen(t.finish()), (Seen{kOlder, ChosenBy::kSign, "/t/flag"}));
  t.dataset("flag").storage.fill_state = FillState::kDefault;
  EXPECT_EQ(seen(t.finish()), (Seen{kNewer, ChosenBy::kSign, "/t/flag"}));
}

TEST(Revision, BloomFilterOverAnEnumerationIsASign) {
  TableBuilder t = good_table();
  t.set("grade", references("SEARCH_INDEX_LIST", {t.to("SEARCH_INDEXES/name__bloom")}));
  EXPECT_EQ(seen(t.finish()), (Seen{kNewer, ChosenBy::kSign, "/t/grade"}));
  // Both revisions allow them over booleans.
  TableBuilder booleans = good_table();
  booleans.add_column("flag", boolean_type(), {0, 1, 0, 1, 0}, 0);
  booleans.set("flag",
               references("SEARCH_INDEX_LIST", {booleans.to("SEARCH_INDEXES/name__bloom")}));
  EXPECT_EQ(seen(booleans.finish()).spec, kOlder);
}

TEST(Revision, ReservedGroupIsNotAListColumn) {
  for (const char* name : {"CATEGORIES", "SEARCH_INDEXES"}) {
    TableBuilder t = good_table();
    t.set(name, ascii("CLASS", "LIST_COLUMN"));
    Table table = t.finish();
    assign_roles(table, all_revisions().back());
    EXPECT_TRUE(table.lists.empty()) << name;
  }
}

}  // namespace
}  // namespace hepcheck::hep001
