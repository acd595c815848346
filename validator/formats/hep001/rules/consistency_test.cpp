#include <algorithm>
#include <tuple>

#include "validator/formats/hep001/testing/rule_testing.h"

namespace hepcheck::hep001 {

namespace {

// An additional element in the list of `ts`.
template <class Target>
Ids listing(Target target) {
  return good([&](TableBuilder& t) {
    Attribute& list = t.attribute("ts", "SEARCH_INDEX_LIST");
    list.references.push_back(target(t));
    list.space = simple_space({list.references.size()});
  });
}

TEST(SearchIndexListResolves, OtherTargets) {
  const Ids expected{"search-index-list-resolves"};
  EXPECT_EQ(listing([](TableBuilder&) { return null_reference(); }), expected);
  EXPECT_EQ(listing([](TableBuilder&) { return dangling_reference(); }), expected);
  EXPECT_EQ(listing([](TableBuilder&) { return reference_elsewhere("other.h5"); }), expected);
  EXPECT_EQ(listing([](TableBuilder& t) { return t.to("SEARCH_INDEXES/label__values"); }),
            expected);
  EXPECT_EQ(listing([](TableBuilder& t) { return t.to("energy"); }), expected);
  EXPECT_EQ(listing([](TableBuilder& t) { return t.outside("/u/SEARCH_INDEXES/i"); }), expected);
  EXPECT_EQ(listing([](TableBuilder& t) { return t.to("SEARCH_INDEXES"); }), expected);
}

TEST(SearchIndexListResolves, DuplicateIndexTriggersOnlyAWarning) {
  EXPECT_EQ(listing([](TableBuilder& t) { return t.to("SEARCH_INDEXES/ts__minmax"); }),
            Ids{"search-index-list-resolves (warning)"});
}

// The reference of a categorical column whose table has no other categories dataset.
template <class Target>
Ids referring(Target target) {
  return small([&](TableBuilder& t) {
    t.add_group("CATEGORIES");
    t.set("id", reference("CATEGORIES", target(t)));
  });
}

TEST(CategoriesRefResolves, OtherTargets) {
  const Ids expected{"categories-ref-resolves"};
  EXPECT_EQ(referring([](TableBuilder&) { return null_reference(); }), expected);
  EXPECT_EQ(referring([](TableBuilder&) { return dangling_reference(); }), expected);
  EXPECT_EQ(referring([](TableBuilder&) { return reference_elsewhere("other.h5"); }), expected);
  EXPECT_EQ(referring([](TableBuilder& t) { return t.to("energy"); }), expected);
  EXPECT_EQ(referring([](TableBuilder& t) { return t.to("CATEGORIES"); }), expected);
  EXPECT_EQ(referring([](TableBuilder& t) { return t.outside("/u/CATEGORIES/c"); }), expected);
}

TEST(CategoriesRefResolves, WithoutTheGroup) {
  EXPECT_EQ(
      small([](TableBuilder& t) { t.set("id", reference("CATEGORIES", t.outside("/labels"))); }),
      Ids{"categories-ref-resolves"});
}

TEST(CategoriesReferenced, ByNoColumn) {
  EXPECT_EQ(
      good([](TableBuilder& t) { t.add_dataset("CATEGORIES/unused", integer_type(1, true), {3}); }),
      Ids{"categories-referenced"});
}

TEST(CategoriesReferenced, ByTwoColumns) {
  EXPECT_EQ(good([](TableBuilder& t) {
              t.add_column("again", integer_type(1, true), Cells(16, 1), -1);
              t.set("again", t.attribute("label", "CATEGORIES"));
              t.list_columns();
            }),
            kNothing);
}

Ids with_order(const std::vector<std::string>& names) {
  return small([&](TableBuilder& t) { t.set("", utf8_list("column-order", names)); });
}

TEST(ColumnOrderComplete, Omission) {
  EXPECT_EQ(with_order({"id"}), Ids{"column-order-complete"});
  EXPECT_EQ(with_order({}), Ids{"column-order-complete"});
}

TEST(ColumnOrderComplete, OmittedRowIndex) {
  EXPECT_EQ(small([](TableBuilder& t) {
              t.set("", references("INDEX_COLUMNS", {t.to("id")}));
              t.set("", utf8_list("column-order", {"energy"}));
            }),
            Ids{"column-order-complete"});
}

TEST(ColumnOrderNoDuplicates, TwiceOrMore) {
  EXPECT_EQ(with_order({"id", "energy", "id"}), Ids{"column-order-no-duplicates"});
  EXPECT_EQ(with_order({"id", "energy", "id", "id"}), Ids{"column-order-no-duplicates"});
}

TEST(ColumnOrderNoDuplicates, IsCaseSensitive) {
  EXPECT_EQ(small([](TableBuilder& t) {
              t.rename("energy", "ID");
              t.list_columns();
            }),
            kNothing);
}

TEST(ColumnOrderOnlyColumns, OtherNames) {
  for (const char* name : {"nothing", "", "SEARCH_INDEXES", "ts__minmax", "Energy", "id "})
    EXPECT_EQ(with_order({"id", "energy", name}), Ids{"column-order-only-columns"}) << name;
}

TEST(ColumnOrderOnlyColumns, Misspelt) {
  EXPECT_EQ(with_order({"id", "enregy"}),
            (Ids{"column-order-complete", "column-order-only-columns"}));
}

// A categorical column of 256 labels or fewer, all codes valid.
Ids with_fill(Datatype type, std::uint64_t labels, const Cell& fill) {
  return small([&](TableBuilder& t) {
    t.add_column("x", type, Cells(5, 1), fill);
    t.list_columns();
    t.add_group("CATEGORIES");
    t.add_dataset("CATEGORIES/x", integer_type(2, true), {labels});
    t.set("x", reference("CATEGORIES", t.to("CATEGORIES/x")));
  });
}

TEST(FillNotAValidCode, APosition) {
  const Ids expected{"fill-not-a-valid-code"};
  EXPECT_EQ(with_fill(integer_type(1, true), 3, 0), expected);
  EXPECT_EQ(with_fill(integer_type(1, true), 3, 2), expected);
  EXPECT_EQ(with_fill(integer_type(1, false), 256, 255), expected);
  EXPECT_EQ(with_fill(integer_type(2, true, ByteOrder::kBig), 300, 258), expected);
}

// Whether the type holds all positions or not.
TEST(FillNotAValidCode, AnyNumberOfLabels) {
  for (const auto& [type, least, most] : {std::tuple{integer_type(1, true), -128, 127},
                                          {integer_type(1, false), 0, 255},
                                          {integer_type(2, false), 0, 65'535}})
    for (const int labels : {2, 100, 127, 128, 129, 255, 256, 257, 300})
      for (const int fill : {-128, -1, 0, 1, 99, 126, 127, 128, 254, 255, 256, 299, 65'535}) {
        if (fill < least || fill > most) continue;
        const Ids found = with_fill(type, static_cast<std::uint64_t>(labels), fill);
        EXPECT_EQ(std::ranges::contains(found, "fill-not-a-valid-code"), fill >= 0 && fill < labels)
            << type.size << ' ' << labels << ' ' << fill;
      }
}

TEST(FillNotAValidCode, NoPosition) {
  EXPECT_EQ(with_fill(integer_type(1, true), 3, 3), kNothing);
  EXPECT_EQ(with_fill(integer_type(1, true), 3, -1), kNothing);
  EXPECT_EQ(with_fill(integer_type(1, false), 255, 255), kNothing);
  EXPECT_EQ(with_fill(integer_type(2, true, ByteOrder::kBig), 300, 513), kNothing);
}

}  // namespace

}  // namespace hepcheck::hep001
