#include "validator/formats/hep001/testing/rule_testing.h"

namespace hepcheck::hep001 {

namespace {

const std::string kLabelsPath = "CATEGORIES/label__CATEGORIES";
const std::string kMinmaxName = "SEARCH_INDEXES/ts__minmax";
const std::string kBitmapName = "SEARCH_INDEXES/label__bitmap";
const std::string kValues = "SEARCH_INDEXES/label__values";

// An additional attribute of an object of good_table.
Ids with(std::string_view object, Attribute extra) {
  return good([&](TableBuilder& t) { t.set(object, std::move(extra)); });
}
Ids small_with(Attribute extra) {
  return small([&](TableBuilder& t) { t.set("", std::move(extra)); });
}

TEST(NamesUppercase, NearMisses) {
  const Ids expected{"names-uppercase (warning)"};
  for (const char* name : {"index_columns", "Index-Columns", "title", "Version", "nrows", "Class"})
    EXPECT_EQ(small_with(utf8(name, "x")), expected) << name;
  for (const char* name : {"Search_Index_List", "categories"})
    EXPECT_EQ(with("ts", utf8(name, "x")), expected) << name;
  EXPECT_EQ(with(kBitmapName, utf8("kind", "x")), expected);
  EXPECT_EQ(with(kBitmapName, utf8("Values", "x")), expected);
}

TEST(NamesUppercase, OtherNames) {
  EXPECT_EQ(small_with(utf8("title_long", "x")), kNothing);
  EXPECT_EQ(with(kMinmaxName, utf8("values", "x")), kNothing);
}

Ids renamed(const std::string& path, std::string_view name) {
  return good([&](TableBuilder& t) { t.rename(path, name); });
}

TEST(ReservedSearchIndexName, Catalogue) {
  EXPECT_EQ(renamed(kMinmaxName, "KIND"), Ids{"reserved-search-index-name"});
  EXPECT_EQ(renamed(kMinmaxName, "valid_min"), Ids{"reserved-search-index-name"});
  EXPECT_EQ(renamed(kMinmaxName, "bitmap"), kNothing);
}

TEST(ReservedSearchIndexName, TokensOfKindTriggerOnlyAWarning) {
  EXPECT_EQ(renamed(kMinmaxName, "BITMAP"), Ids{"reserved-search-index-name (warning)"});
}

TEST(ReservedAttributeMisuse, OnTheWrongObject) {
  const Ids expected{"reserved-attribute-misuse"};
  EXPECT_EQ(with("ts", ascii("CLASS", "DIMENSION_SCALE")), expected);
  EXPECT_EQ(with("ts", utf8("TITLE", "x")), expected);
  EXPECT_EQ(with("", utf8("valid_min", "x")), expected);
  EXPECT_EQ(with("", utf8("SEARCH_INDEXES", "x")), expected);
  EXPECT_EQ(with(kMinmaxName, utf8("VALUES", "x")), expected);
  EXPECT_EQ(with(kLabelsPath, ascii("KIND", "BITMAP")), expected);
  EXPECT_EQ(with("CATEGORIES", ascii("VERSION", "1.0")), expected);
  EXPECT_EQ(with(kValues, utf8("VALUES", "x")), expected);
}

TEST(ReservedAttributeMisuse, UserAttributes) {
  EXPECT_EQ(with("ts", utf8("NAME", "x")), kNothing);
  EXPECT_EQ(with("SEARCH_INDEXES", utf8("author", "x")), kNothing);
}

TEST(ReservedLinkNameElsewhere, CategoriesAndValues) {
  const Ids expected{"reserved-link-name-elsewhere (warning)"};
  EXPECT_EQ(renamed(kValues, "VALUES"), expected);
  EXPECT_EQ(renamed(kLabelsPath, "CATEGORIES"), expected);
  EXPECT_EQ(renamed(kValues, "values"), kNothing);
}

TEST(DescriptiveAttributesLowercase, Columns) {
  for (const char* name : {"Units", "VALID_MIN", "Units_Vocabulary", "DESCRIPTION", "Valid_Max"})
    EXPECT_EQ(with("energy", utf8(name, "x")), Ids{"descriptive-attributes-lowercase (warning)"})
        << name;
}

TEST(DescriptiveAttributesLowercase, TableGroup) {
  EXPECT_EQ(small_with(utf8("Description", "x")),
            Ids{"descriptive-attributes-lowercase (warning)"});
  EXPECT_EQ(small_with(utf8("units-vocabulary", "x")), kNothing);
}

TEST(BorrowedNamesExact, UnambiguousNames) {
  EXPECT_EQ(small([](TableBuilder& t) {
              t.remove("energy");
              t.erase("", "column-order");
              t.set("", utf8_list("column_order", {"id"}));
            }),
            Ids{"borrowed-names-exact"});
  EXPECT_EQ(with(kLabelsPath, boolean("Ordered", true)), Ids{"borrowed-names-exact"});
  EXPECT_EQ(with(kBitmapName, boolean("Ordered", true)), Ids{"borrowed-names-exact"});
}

TEST(BorrowedNamesExact, OtherNamesTriggerOnlyAWarning) {
  for (const char* name : {"Column-Order", "encoding_type", "_Index", "ENCODING-VERSION"})
    EXPECT_EQ(small_with(utf8(name, "x")), Ids{"borrowed-names-exact (warning)"}) << name;
}

TEST(AttributeNamesNotRepurposed, OnTheWrongObject) {
  const Ids expected{"attribute-names-not-repurposed"};
  EXPECT_EQ(with("ts", boolean("ordered", true)), expected);
  EXPECT_EQ(with("ts", utf8("column-order", "ts")), expected);
  EXPECT_EQ(with("CATEGORIES", utf8("_index", "x")), expected);
  EXPECT_EQ(with(kMinmaxName, boolean("ordered", true)), expected);
  EXPECT_EQ(with(kValues, boolean("ordered", true)), expected);
  EXPECT_EQ(with("", boolean("ordered", true)), expected);
}

TEST(AttributeNamesNotRepurposed, EncodingThatIsNotAString) {
  EXPECT_EQ(with("ts", attribute("encoding-version", ieee_float_type(8), Cell(0.2))),
            Ids{"attribute-names-not-repurposed (warning)"});
}

TEST(AttributeNamesNotRepurposed, AsAnndataUsesThem) {
  EXPECT_EQ(with("ts", utf8("encoding-type", "array")), kNothing);
}

TEST(StringValuesNotRepurposed, Contradictions) {
  const Ids expected{"string-values-not-repurposed (warning)"};
  EXPECT_EQ(small_with(utf8("encoding-type", "categorical")), expected);
  EXPECT_EQ(with("ts", utf8("encoding-type", "dataframe")), expected);
  EXPECT_EQ(small_with(utf8("encoding-type", "dataframe")), kNothing);
  EXPECT_EQ(with("label", utf8("encoding-type", "categorical")), kNothing);
}

}  // namespace

}  // namespace hepcheck::hep001
