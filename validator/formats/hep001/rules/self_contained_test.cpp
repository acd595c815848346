#include <format>

#include "validator/formats/hep001/testing/rule_testing.h"
#include "validator/testing/random.h"

namespace hepcheck::hep001 {

namespace {

TEST(DescendantsServeTheModel, UserDefinedLink) {
  EXPECT_EQ(good([](TableBuilder& t) { t.add_user_link("odd"); }),
            Ids{"descendants-serve-the-model"});
}

TEST(DescendantsServeTheModel, UnknownKindOfObject) {
  EXPECT_EQ(
      good([](TableBuilder& t) { t.add_named_datatype("odd").object = ObjectKind::kUnknown; }),
      Ids{"descendants-serve-the-model"});
}

TEST(DescendantsServeTheModel, ExternalLinkTriggersOnlyAWarning) {
  EXPECT_EQ(good([](TableBuilder& t) { t.add_external_link("images", "images.h5", "/raw"); }),
            Ids{"descendants-serve-the-model (warning)"});
}

TEST(DescendantsServeTheModel, UnreadableChild) {
  TableBuilder t = good_table();
  t.add_named_datatype("odd").unreadable = "bad object header";
  t.child("odd").object = ObjectKind::kUnknown;
  EXPECT_EQ(findings_of(t), kNothing);
  // It may be a column, lead anywhere, and refer to an index; the statements of the table about
  // itself are known.
  const Ids unchecked = unchecked_in(t);
  for (const char* id : {"descendants-serve-the-model", "column-rank-1", "equal-extents",
                         "extent-ge-nrows", "no-std-ref-obj", "minmax-rank-1"})
    EXPECT_TRUE(std::ranges::contains(unchecked, id)) << id;
  for (const char* id : {"class-value", "nrows-uint64"})
    EXPECT_FALSE(std::ranges::contains(unchecked, id)) << id;
}

TEST(NoNamedDatatype, DirectChild) {
  EXPECT_EQ(good([](TableBuilder& t) { t.add_named_datatype("type"); }), Ids{"no-named-datatype"});
}

// The target of a soft link is not a child of the table.
TEST(NoSoftLink, ToANamedDatatype) {
  EXPECT_EQ(good([](TableBuilder& t) {
              t.add_soft_link("alias", "/types/of-all").object = ObjectKind::kNamedDatatype;
            }),
            Ids{"no-soft-link"});
}

// It is foreign, unless the table names the dataset as one of its columns.
TEST(NoSoftLink, ToADatasetOutsideTheTable) {
  const auto linked = [](bool named) {
    return good([&](TableBuilder& t) {
      const Reference far = t.outside("/elsewhere");
      t.add_soft_link("alias", "/elsewhere").soft_target = far.token;
      if (named) t.set("", references("INDEX_COLUMNS", {t.to("row_id"), far}));
    });
  };
  EXPECT_EQ(linked(false), Ids{"no-soft-link"});
  EXPECT_TRUE(std::ranges::contains(linked(true), "column-hard-link"));
  EXPECT_FALSE(std::ranges::contains(linked(true), "no-soft-link"));
}

TEST(NoSoftLink, AliasAndDangling) {
  EXPECT_EQ(
      good([](TableBuilder& t) { t.add_soft_link("alias", "ts").soft_target = t.to("ts").token; }),
      Ids{"no-soft-link"});
  EXPECT_EQ(good([](TableBuilder& t) {  // INDEX_COLUMNS refers to row_id, not to its alias
              t.add_soft_link("alias", "row_id").soft_target = t.to("row_id").token;
            }),
            Ids{"no-soft-link"});
  EXPECT_EQ(good([](TableBuilder& t) { t.add_soft_link("nowhere", "/nowhere"); }),
            Ids{"no-soft-link"});
}

void make_table(TableBuilder& t, std::string_view path) {
  t.add_group(path);
  t.set(path, ascii("CLASS", "COLUMN_TABLE"));
}

TEST(NoNestedTable, DirectChild) {
  EXPECT_EQ(good([](TableBuilder& t) { make_table(t, "inner"); }), Ids{"no-nested-table"});
}

TEST(NoNestedTable, InAReservedGroup) {
  EXPECT_EQ(good([](TableBuilder& t) { make_table(t, "SEARCH_INDEXES/inner"); }),
            Ids{"no-nested-table"});
  EXPECT_EQ(good([](TableBuilder& t) { make_table(t, "CATEGORIES/inner"); }),
            Ids{"no-nested-table"});
}

TEST(NoNestedTable, ReportsTheOutermostOnly) {
  TableBuilder t = good_table();
  make_table(t, "inner");
  make_table(t, "inner/most");
  EXPECT_EQ(findings_of(t), Ids{"no-nested-table"});
}

TEST(NoNestedTable, DeepInAUserGroup) {
  EXPECT_EQ(good([](TableBuilder& t) {
              t.add_group("extra");
              make_table(t, "extra/inner");
            }),
            (Ids{"no-nested-table", "no-user-subgroup"}));
}

// Groups and tables at any place below each other: every table that no other one contains.
TEST(NoNestedTable, ReportsTheOutermostOfEveryTree) {
  Random random(4101);
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(round);
    TableBuilder t = small_table();
    struct Place {
      std::string path;
      bool inside;  // another table
    };
    std::vector<Place> places{{"", false}};
    std::vector<std::string> expected;
    for (std::uint64_t n = 1 + random.below(9); n > 0; --n) {
      const Place& above = places[random.below(places.size())];
      const std::string path = std::format("{}{}g{}", above.path, above.path.empty() ? "" : "/", n);
      const bool table = random.once_in(2), inside = above.inside;
      t.add_group(path);
      if (table) t.set(path, ascii("CLASS", "COLUMN_TABLE"));
      if (table && !inside) expected.push_back("/t/" + path);
      places.push_back({path, inside || table});
    }
    std::vector<std::string> found = objects_of(t, "no-nested-table");
    std::ranges::sort(found);
    std::ranges::sort(expected);
    EXPECT_EQ(found, expected);
  }
}

TEST(NoMultidimensionalDataset, Image) {
  EXPECT_EQ(good([](TableBuilder& t) { t.add_dataset("image", integer_type(1, false), {4, 4}); }),
            Ids{"no-multidimensional-dataset"});
  EXPECT_EQ(good([](TableBuilder& t) { t.add_dataset("boxes", ieee_float_type(4), {10, 4, 4}); }),
            Ids{"no-multidimensional-dataset"});
}

TEST(NoUserSubgroup, AnyName) {
  for (const char* name : {"provenance", "categories", "SEARCH_INDEX"})
    EXPECT_EQ(good([&](TableBuilder& t) { t.add_group(name); }), Ids{"no-user-subgroup"}) << name;
}

// A group that cannot be read may be a list column; those before and behind it are judged.
TEST(NoUserSubgroup, BesideOneThatCannotBeRead) {
  for (const char* name : {"aa", "zz"}) {
    TableBuilder t = newer_table();
    t.add_group("mm");
    t.child("mm").unreadable = "bad object header";
    t.add_group(name);
    EXPECT_TRUE(std::ranges::contains(newer_findings_of(t), "no-user-subgroup")) << name;
  }
}

TEST(NoUserSubgroup, ListedInColumnOrder) {
  EXPECT_EQ(small([](TableBuilder& t) {
              t.add_group("extra");
              t.set("", utf8_list("column-order", {"id", "energy", "extra"}));
            }),
            (Ids{"no-user-subgroup", "column-order-only-columns"}));
}

}  // namespace

}  // namespace hepcheck::hep001
