// The triples of units, units_vocabulary and description are in table_attributes_test.cpp.
#include "validator/formats/hep001/testing/rule_testing.h"

namespace hepcheck::hep001 {

namespace {

TEST(SearchIndexList1d, OtherShapes) {
  const auto shaped_as = [](auto change) {
    return good([&](TableBuilder& t) {
      Attribute& list = t.attribute("name", "SEARCH_INDEX_LIST");
      list = change(list);
    });
  };
  EXPECT_EQ(shaped_as([](const Attribute& a) { return reference(a.name, a.references[0]); }),
            Ids{"search-index-list-1d"});
  EXPECT_EQ(shaped_as([](const Attribute& a) { return shaped(a, {1, 1}); }),
            Ids{"search-index-list-1d"});
}

TEST(SearchIndexList1d, NullDataspace) {
  EXPECT_EQ(small([](TableBuilder& t) {
              t.set("id", without_value(references("SEARCH_INDEX_LIST", {})));
            }),
            Ids{"search-index-list-1d"});
}

TEST(SearchIndexList1d, Empty) {
  EXPECT_EQ(small([](TableBuilder& t) { t.set("id", references("SEARCH_INDEX_LIST", {})); }),
            kNothing);
}

}  // namespace

}  // namespace hepcheck::hep001
