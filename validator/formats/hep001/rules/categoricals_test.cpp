#include "validator/formats/hep001/testing/rule_testing.h"

namespace hepcheck::hep001 {

namespace {

const std::string kLabels = "CATEGORIES/label__CATEGORIES";
// Without an index that depends on its values.
constexpr auto drop_bitmap = [](TableBuilder& t) {
  t.remove("SEARCH_INDEXES/label__bitmap");
  t.remove("SEARCH_INDEXES/label__values");
  t.erase("label", "SEARCH_INDEX_LIST");
};

TEST(CategoriesIsGroup, SomethingElse) {
  EXPECT_EQ(small([](TableBuilder& t) { t.add_soft_link("CATEGORIES", "/elsewhere"); }),
            Ids{"categories-is-group"});
  EXPECT_EQ(small([](TableBuilder& t) { t.add_external_link("CATEGORIES", "o.h5", "/c"); }),
            Ids{"categories-is-group"});
  EXPECT_EQ(small([](TableBuilder& t) { t.add_named_datatype("CATEGORIES"); }),
            Ids{"categories-is-group"});
}

TEST(CategoriesIsGroup, Empty) {
  EXPECT_EQ(small([](TableBuilder& t) { t.add_group("CATEGORIES"); }), kNothing);
}

TEST(CategoriesOnlyDatasets, OtherChildren) {
  EXPECT_EQ(good([](TableBuilder& t) { t.add_group("CATEGORIES/more"); }),
            Ids{"categories-only-datasets"});
  EXPECT_EQ(good([](TableBuilder& t) { t.add_named_datatype("CATEGORIES/more"); }),
            Ids{"categories-only-datasets"});
  EXPECT_EQ(good([](TableBuilder& t) { t.add_soft_link("CATEGORIES/more", "x"); }),
            Ids{"categories-only-datasets"});
  EXPECT_EQ(good([](TableBuilder& t) { t.add_external_link("CATEGORIES/more", "o.h5", "/x"); }),
            Ids{"categories-only-datasets"});
}

TEST(CategoricalInteger, OtherTypes) {
  TableBuilder from = good_table();
  const Attribute link = from.attribute("label", "CATEGORIES");
  EXPECT_EQ(good([&](TableBuilder& t) { t.set("impedance", link); }), Ids{"categorical-integer"});
  EXPECT_EQ(good([&](TableBuilder& t) { t.set("energy", link); }), Ids{"categorical-integer"});
  EXPECT_EQ(good([&](TableBuilder& t) { t.set("grade", link); }), Ids{"categorical-integer"});
}

TEST(CategoriesAttrScalar, Arrays) {
  for (const std::uint64_t n : {1, 2})
    EXPECT_EQ(good([&](TableBuilder& t) {
                Attribute& link = t.attribute("label", "CATEGORIES");
                link = shaped(link, {n});
              }),
              Ids{"categories-attr-scalar"});
}

TEST(CategoriesDirectlyUnder, InADeeperGroup) {
  EXPECT_EQ(good([](TableBuilder& t) {
              drop_bitmap(t);
              t.remove(kLabels);
              t.add_group("CATEGORIES/deep");
              t.add_dataset("CATEGORIES/deep/labels", integer_type(1, true), {3});
              t.set("label", reference("CATEGORIES", t.to("CATEGORIES/deep/labels")));
            }),
            (Ids{"categories-only-datasets", "categories-directly-under"}));
}

TEST(CategoriesRank1, OtherRanks) {
  for (const Dataspace& space : {Dataspace{}, null_space(), simple_space({3, 1})})
    EXPECT_EQ(good([&](TableBuilder& t) { t.dataset(kLabels).space = space; }),
              Ids{"categories-rank-1"});
}

TEST(CodeInRange, JustBeyond) {
  for (const int code : {3, -1, 127})
    EXPECT_EQ(good([&](TableBuilder& t) {
                drop_bitmap(t);
                t.store("label", {0, 1, 2, 1, code, 0, 0, 2, 1, 1, 0, 0, 0, 0, 0, 0});
              }),
              Ids{"code-in-range"})
        << code;
}

TEST(CodeInRange, TheTailDoesNotCount) {
  EXPECT_EQ(good([&](TableBuilder& t) {
              drop_bitmap(t);
              t.store("label", {0, 1, 2, 1, 2, 0, 0, 2, 1, -127, 3, 4, 5, 6, 7, 8});
            }),
            kNothing);
}

TEST(CodeInRange, NotAppliedIfTheReferenceIsBroken) {
  TableBuilder t = good_table();
  t.remove(kLabels);
  t.set("label", reference("CATEGORIES", null_reference()));
  EXPECT_EQ(findings_of(t), Ids{"categories-ref-resolves"});
  EXPECT_TRUE(std::ranges::contains(unchecked_in(t), "code-in-range"));
}

TEST(OrderedScalar, Array) {
  EXPECT_EQ(good([](TableBuilder& t) { t.set(kLabels, shaped(boolean("ordered", true), {1})); }),
            Ids{"ordered-scalar"});
}

TEST(OrderedScalar, Absent) {
  EXPECT_EQ(good([](TableBuilder& t) { t.erase(kLabels, "ordered"); }), kNothing);
}

// The names of the columns of good_table, and an additional one.
Attribute order_with(TableBuilder& t, const std::string& extra) {
  std::vector<std::string> names;
  for (const Column& column : t.table.columns) names.push_back(column.name());
  names.push_back(extra);
  return utf8_list("column-order", names);
}

TEST(CategoriesNotInColumnOrder, BareAndAsPath) {
  for (const std::string& name : {std::string("label__CATEGORIES"), kLabels})
    EXPECT_EQ(good([&](TableBuilder& t) { t.set("", order_with(t, name)); }),
              Ids{"categories-not-in-column-order"});
}

TEST(CategoriesNotInColumnOrder, ColumnMayHaveTheSameName) {
  EXPECT_EQ(good([](TableBuilder& t) { t.rename(kLabels, "label"); }), kNothing);
}

}  // namespace

}  // namespace hepcheck::hep001
