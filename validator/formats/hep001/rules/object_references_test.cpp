#include "validator/formats/hep001/testing/rule_testing.h"

namespace hepcheck::hep001 {

namespace {

// The four attributes, and the clause about the datatype of each.
struct Case {
  const char* clause;
  const char* object;
  const char* attribute;
};
constexpr Case kCases[] = {
    {"index-columns-std-ref", "", "INDEX_COLUMNS"},
    {"categories-std-ref", "label", "CATEGORIES"},
    {"search-index-list-std-ref", "ts", "SEARCH_INDEX_LIST"},
    {"bitmap-values-std-ref", "SEARCH_INDEXES/label__bitmap", "VALUES"},
};

class StdRef : public testing::TestWithParam<Case> {
 protected:
  // The same references, stored in another datatype.
  static Ids stored_as(ReferenceKind kind) {
    return good([&](TableBuilder& t) {
      Datatype& type = t.attribute(GetParam().object, GetParam().attribute).type;
      type.reference = kind;
      type.size = kind == ReferenceKind::kLegacyObject ? 8 : 12;
    });
  }
};
INSTANTIATE_TEST_SUITE_P(All, StdRef, testing::ValuesIn(kCases),
                         [](const auto& one) { return std::string(one.param.attribute); });

TEST_P(StdRef, LegacyObjectReference) {
  EXPECT_EQ(stored_as(ReferenceKind::kLegacyObject), Ids{"no-std-ref-obj"});
}

TEST_P(StdRef, LegacyRegionReference) {
  EXPECT_EQ(stored_as(ReferenceKind::kLegacyRegion), Ids{GetParam().clause});
}

TEST_P(StdRef, AddressesAsIntegers) {
  EXPECT_EQ(good([&](TableBuilder& t) {
              Attribute& a = t.attribute(GetParam().object, GetParam().attribute);
              const Dataspace space = a.space;
              a = shaped(attribute(a.name, integer_type(8, false), Cell(4096)), space.extent);
              a.space = space;
            }),
            Ids{GetParam().clause});
}

TEST_P(StdRef, Unreadable) {
  TableBuilder t = good_table();
  t.attribute(GetParam().object, GetParam().attribute).unreadable = "the heap is damaged";
  EXPECT_EQ(findings_of(t), kNothing);
  const Ids unchecked = unchecked_in(t);
  EXPECT_TRUE(std::ranges::contains(unchecked, GetParam().clause));
  EXPECT_TRUE(std::ranges::contains(unchecked, "no-std-ref-obj"));
}

TEST_P(StdRef, RegionReference) {
  EXPECT_EQ(good([&](TableBuilder& t) {
              Reference& r = t.attribute(GetParam().object, GetParam().attribute).references[0];
              r = region_of(r);
            }),
            Ids{"reference-is-object-reference"});
}

TEST_P(StdRef, AttributeReference) {
  EXPECT_EQ(good([&](TableBuilder& t) {
              Reference& r = t.attribute(GetParam().object, GetParam().attribute).references[0];
              r = attribute_of(r);
            }),
            Ids{"reference-is-object-reference"});
}

TEST(NoStdRefObj, LegacyReferencesStillResolve) {
  EXPECT_EQ(good([](TableBuilder& t) {
              t.set("label", legacy(reference("CATEGORIES", dangling_reference())));
            }),
            (Ids{"no-std-ref-obj", "categories-ref-resolves", "categories-referenced"}));
}

TEST(ReferenceIsObjectReference, NullElementsAreNotRegions) {
  EXPECT_EQ(good([](TableBuilder& t) {
              t.attribute("", "INDEX_COLUMNS").references[0] = null_reference();
            }),
            Ids{"index-columns-not-null"});
}

}  // namespace

}  // namespace hepcheck::hep001
