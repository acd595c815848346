// Properties of the rules of all chapters: their owners, and that a clause that cannot be checked
// names the clauses that block it.
#include <set>
#include <string_view>

#include "validator/catalogue/clause.h"
#include "validator/formats/hep001/rules/rule.h"
#include "validator/formats/hep001/testing/rule_testing.h"

namespace hepcheck::hep001 {

namespace {

TEST(AllRules, OneRulePerClause) {
  std::set<std::string_view> ids;
  for (const Rule& rule : all_rules())
    EXPECT_TRUE(ids.insert(rule.id.str()).second) << "a second rule for " << rule.id.str();
}

TEST(AllRules, EachHasAClauseOfThisFormat) {
  for (const Rule& rule : all_rules())
    EXPECT_TRUE(std::ranges::any_of(all_specifications(), [&](const Specification& spec) {
      return spec.format == "hep001" && spec.find(rule.id.str());
    })) << rule.id.str();
}

// Why `clause` cannot be checked in a mutated good_table().
template <class Bend>
std::string why(std::string_view clause, Bend bend) {
  TableBuilder t = good_table();
  bend(t);
  return reason_of(t, clause);
}
std::string why(std::string_view clause, std::string_view path, const Attribute& attribute) {
  return why(clause, [&](TableBuilder& t) { t.set(path, attribute); });
}

const std::string kSorted = "SEARCH_INDEXES/ts__sorted", kMinmax = "SEARCH_INDEXES/ts__minmax",
                  kBitmap = "SEARCH_INDEXES/label__bitmap", kBloom = "SEARCH_INDEXES/name__bloom",
                  kLabels = "CATEGORIES/label__CATEGORIES";

Attribute number(std::string name) {
  return attribute(std::move(name), integer_type(8, false), Cell(1));
}

TEST(Reasons, ReferenceAttributes) {
  const auto list = [](std::string_view clause, const Attribute& attribute) {
    return why(clause, "ts", attribute);
  };
  EXPECT_EQ(list("search-index-list-resolves", number("SEARCH_INDEX_LIST")),
            "SEARCH_INDEX_LIST does not contain references (search-index-list-std-ref)");
  EXPECT_EQ(list("index-referenced", number("SEARCH_INDEX_LIST")),
            "a SEARCH_INDEX_LIST cannot be interpreted (search-index-list-std-ref)");
  EXPECT_EQ(list("index-referenced", without_value(references("SEARCH_INDEX_LIST", {}))),
            "a SEARCH_INDEX_LIST cannot be interpreted (search-index-list-1d)");
  EXPECT_EQ(why("no-stray-dataset", kBitmap, number("VALUES")),
            "a reference attribute cannot be interpreted (bitmap-values-std-ref)");
  EXPECT_EQ(why("categories-referenced", "label", number("CATEGORIES")),
            "a CATEGORIES attribute cannot be interpreted (categories-std-ref)");
}

TEST(Reasons, BooleanAttributes) {
  EXPECT_EQ(why("bool-two-members", kSorted, number("ordered")),
            "ordered is not an enumeration (bool-not-plain-integer)");
  EXPECT_EQ(why("bool-true-one", kLabels, ascii("ordered", "TRUE")),
            "ordered is not an enumeration (bool-not-string)");
  EXPECT_EQ(why("sorted-ordered-true", kSorted, number("ordered")),
            "ordered is not a boolean (bool-not-plain-integer)");
  const Attribute array = shaped(boolean("ordered", true), {1});
  EXPECT_EQ(why("bool-value-is-member", kLabels, array), "ordered is not scalar (ordered-scalar)");
  EXPECT_EQ(why("bool-value-is-member", kSorted, array),
            "ordered is not scalar (sorted-ordered-scalar)");
  EXPECT_EQ(why("bool-value-is-member", kBitmap, array),
            "ordered is not scalar (bitmap-ordered-scalar)");
}

TEST(Reasons, TableGroup) {
  EXPECT_EQ(why("class-value", "", variable_length("CLASS", "COLUMN_TABLE")),
            "CLASS is not a fixed-length string (class-fixed-length)");
  EXPECT_EQ(why("class-value", "", number("CLASS")),
            "CLASS is not a fixed-length string (class-string-type)");
  EXPECT_EQ(why("version-value", "", variable_length("VERSION", "1.0")),
            "VERSION is not a fixed-length string (version-fixed-string)");
  EXPECT_EQ(why("version-value", "", shaped(ascii("VERSION", "1.0"), {1})),
            "VERSION is not scalar (version-scalar)");
  EXPECT_EQ(why("title-utf8", "", variable_length("TITLE", "t")),
            "TITLE is not a fixed-length string (title-fixed-string)");
  EXPECT_EQ(why("underscore-index-equals-first", "", variable_length("_index", "row_id")),
            "_index is not a fixed-length string (underscore-index-fixed-string)");
  EXPECT_EQ(
      why("underscore-index-equals-first", "", references("INDEX_COLUMNS", {null_reference()})),
      "the first element of INDEX_COLUMNS does not resolve (index-columns-not-null)");
  EXPECT_EQ(why("underscore-index-equals-first",
                [](TableBuilder& t) { t.set("", references("INDEX_COLUMNS", {t.to(kLabels)})); }),
            "the first element of INDEX_COLUMNS is not a column (index-columns-resolve-to-column)");
}

TEST(Reasons, ColumnsAndCategories) {
  const auto no_fill = [](TableBuilder& t) {
    t.dataset("ts").storage.fill_state = FillState::kDefault;
  };
  EXPECT_EQ(why("fill-strictly-outside-valid-range", no_fill),
            "no user-defined fill value (fill-user-defined)");
  EXPECT_EQ(why("valid-range-ordered",
                [](TableBuilder& t) {
                  t.set("ts", number("valid_min"));
                  t.set("ts", shaped(t.attribute("ts", "valid_max"), {1}));
                }),
            "valid_min or valid_max is not a scalar of the column's datatype "
            "(valid-min-datatype, valid-max-scalar)");
  EXPECT_EQ(why("units-utf8", "ts", variable_length("units", "s")),
            "units is not a fixed-length string (units-fixed-string)");
  EXPECT_EQ(why("column-order-complete", "", utf8("column-order", "ts")),
            "column-order is not one-dimensional (column-order-1d)");
}

TEST(Reasons, SearchIndexes) {
  const auto flat = [](const std::string& path) {
    return [path](TableBuilder& t) { t.dataset(path).space = simple_space({12}); };
  };
  const auto deep = [](const std::string& path) {
    return [path](TableBuilder& t) { t.dataset(path).space = simple_space({3, 1}); };
  };
  EXPECT_EQ(why("minmax-length-chunked", deep(kMinmax)), "another rank (minmax-rank-1)");
  EXPECT_EQ(why("sorted-length", deep(kSorted)), "another rank (sorted-rank-1)");
  EXPECT_EQ(why("bitmap-row-bytes", flat(kBitmap)), "another rank (bitmap-rank-2)");
  EXPECT_EQ(why("bloom-rows-chunked", flat(kBloom)), "another rank (bloom-rank-2)");
  EXPECT_EQ(why("bitmap-rows-equal-k", deep("SEARCH_INDEXES/label__values")),
            "the values dataset is not of rank 1 (bitmap-values-rank-1)");
  EXPECT_EQ(why("kind-value", kSorted, shaped(ascii("KIND", "SORTED_ROWS"), {1})),
            "KIND is not scalar (kind-scalar)");
  EXPECT_EQ(why("index-description-utf8", kSorted, variable_length("description", "d")),
            "description is not a fixed-length string (index-description-fixed-string)");
  EXPECT_EQ(why("bloom-m-bits-multiple-of-8", kBloom, shaped(number("m_bits"), {1})),
            "m_bits is not scalar (bloom-m-bits-scalar)");
  EXPECT_EQ(why("sorted-nan-tail-length-value", kSorted, ascii("nan_tail_length", "0")),
            "the length is not an integer (sorted-nan-tail-length-uint64)");
  EXPECT_EQ(why("sorted-fill-tail-length-value", kSorted, ascii("fill_tail_length", "0")),
            "the length is not an integer (sorted-fill-tail-length-uint64)");
  EXPECT_EQ(why("minmax-n-uint64",
                [](TableBuilder& t) { t.dataset(kMinmax).type = integer_type(8, false); }),
            "no such field (minmax-compound)");
}

// ts is 50 40 40 70 10 missing 90 10 -30 60.
TEST(Reasons, ContentsOfSortedRows) {
  const auto elements = [](std::string_view clause, const Cells& stored) {
    return why(clause, [&](TableBuilder& t) { t.store(kSorted, stored); });
  };
  EXPECT_EQ(elements("sorted-integer-order", {8, 4, 7, 1, 1, 0, 9, 3, 6, 5}),
            "the index is not a permutation (sorted-permutation)");
  EXPECT_EQ(elements("sorted-ties", {6, 3, 9, 0, 2, 1, 7, 4, 8, 5}),
            "the rows are out of place (sorted-integer-order)");
  EXPECT_EQ(elements("sorted-fill-tail-order", {5, 8, 4, 7, 1, 2, 0, 9, 3, 6}),
            "the rows are out of place (sorted-fill-tail-placement)");
}

}  // namespace

}  // namespace hepcheck::hep001
