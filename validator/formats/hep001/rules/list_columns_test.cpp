// HEP001 9, and list columns in the clauses about columns.
#include "validator/formats/hep001/testing/rule_testing.h"

namespace hepcheck::hep001 {

namespace {

const Datatype kUint64 = integer_type(8, false);

TEST(NewerTable, HasNoFindings) {
  EXPECT_EQ(newer([](TableBuilder&) {}), kNothing);
}

TEST(ListIdentification, OfEveryLevel) {
  EXPECT_EQ(newer([](TableBuilder& t) { t.set("tags/VALUES", utf8("CLASS", "STRING_VALUES")); }),
            (Ids{"list-class-null-terminated", "list-class-ascii"}));
  EXPECT_EQ(newer([](TableBuilder& t) { t.erase("tags", "KIND"); }), Ids{"list-kind-present"});
  EXPECT_EQ(newer([](TableBuilder& t) { t.set("tracks", ascii("KIND", "LATER")); }),
            Ids{"list-kind-value (warning)"});
}

TEST(ListIdentification, WithoutClassItIsASubgroup) {
  EXPECT_EQ(newer([](TableBuilder& t) { t.erase("tracks", "CLASS"); }),
            (Ids{"no-user-subgroup", "column-order-only-columns"}));
}

// Each of three levels has a KIND or none, and its attributes can be listed or not; or the KIND is
// longer or empty, so that the levels below are no part of the list.
TEST(ListIdentification, KindOfEveryLevel) {
  enum KindState : std::uint8_t { kRight, kAbsent, kNotListed, kOther, kEmpty, kKinds };
  const std::string paths[] = {"deep", "deep/VALUES", "deep/VALUES/VALUES"};
  for (int number = 0; number < kKinds * kKinds * kKinds; ++number) {
    const int kinds[] = {number % kKinds, number / kKinds % kKinds, number / kKinds / kKinds};
    SCOPED_TRACE(testing::PrintToString(kinds));
    TableBuilder t("/t", 1);
    std::vector<std::string> absent, other;
    bool unlisted = false, part = true;
    for (std::size_t i = 0; i < std::size(paths); ++i) {
      const std::string& path = paths[i];
      t.add_group(path);
      t.set(path, ascii("CLASS", "LIST_COLUMN"));
      t.add_dataset(path + "/OFFSETS", kUint64, {2}, {0, 1});
      if (kinds[i] == kRight) t.set(path, ascii("KIND", "OFFSETS"));
      if (kinds[i] == kOther) t.set(path, ascii("KIND", "OFFSETS2"));
      if (kinds[i] == kEmpty) t.set(path, ascii("KIND", ""));
      if (kinds[i] == kNotListed) t.attributes_unreadable(path) = "cannot be listed";
      unlisted = unlisted || kinds[i] == kNotListed;
      if (!part) continue;
      if (kinds[i] == kAbsent) absent.push_back("/t/" + path);
      if (kinds[i] == kOther || kinds[i] == kEmpty) other.push_back("/t/" + path);
      part = kinds[i] != kOther && kinds[i] != kEmpty;
    }
    t.add_dataset(paths[2] + "/VALUES", integer_type(2, true), {1}, {7});
    const Ids ids = newer_findings_of(t);
    EXPECT_EQ(newer_objects_of(t, "list-kind-present"), absent);
    EXPECT_EQ(newer_reason_of(t, "list-kind-present").empty(), !unlisted || !absent.empty());
    EXPECT_EQ(newer_objects_of(t, "list-kind-value"), other);
    // Only the KIND of the outermost level may be one of a later revision.
    EXPECT_EQ(std::ranges::contains(ids, "list-kind-value (warning)"), kinds[0] == kOther);
    EXPECT_EQ(std::ranges::contains(ids, "list-kind-value"), !other.empty() && kinds[0] != kOther);
  }
}

TEST(ListMembers, OffsetsAreBoundedByTheLevelAbove) {
  EXPECT_EQ(newer([](TableBuilder& t) { t.dataset("tracks/OFFSETS").space.extent = {10}; }),
            Ids{"list-offsets-extent"});
  EXPECT_EQ(newer([](TableBuilder& t) { t.dataset("tags/VALUES/OFFSETS").space.extent = {4}; }),
            Ids{"list-offsets-extent"});
  EXPECT_EQ(newer([](TableBuilder& t) { t.dataset("tracks/VALUES").space.extent = {6}; }),
            Ids{"list-values-extent"});
  EXPECT_EQ(newer([](TableBuilder& t) { t.dataset("tags/VALUES/CHARS").space.extent = {6}; }),
            Ids{"string-chars-extent"});
}

TEST(ListMembers, ContentsOfOffsets) {
  EXPECT_EQ(
      newer([](TableBuilder& t) { t.store("tracks/OFFSETS", {0, 2, 1, 5, 5, 5, 6, 6, 6, 6, 7}); }),
      Ids{"list-offsets-non-decreasing"});
  EXPECT_EQ(
      newer([](TableBuilder& t) { t.store("tracks/OFFSETS", {1, 2, 2, 5, 5, 5, 6, 6, 6, 6, 7}); }),
      Ids{"list-offsets-first-zero"});
}

TEST(ListMembers, Mask) {
  EXPECT_EQ(newer([](TableBuilder& t) { t.store("tracks/MASK", {1, 1, 1, 1, 0, 1, 2, 1, 1, 1}); }),
            Ids{"list-mask-value"});
  EXPECT_EQ(newer([](TableBuilder& t) { t.store("tracks/MASK", {0, 1, 1, 1, 0, 1, 1, 1, 1, 1}); }),
            Ids{"list-null-entry-empty"});
  EXPECT_EQ(newer([](TableBuilder& t) {
              t.store("tracks/MASK", {1, 0, 1, 1, 0, 1, 1, 1, 1, 1});
              t.store("tracks/OFFSETS", {0, 2, 1, 5, 5, 5, 6, 6, 6, 6, 7});
            }),
            Ids{"list-offsets-non-decreasing"});
  EXPECT_EQ(newer([](TableBuilder& t) { t.dataset("tracks/MASK").type = integer_type(1, true); }),
            Ids{"bool-not-plain-integer"});
}

TEST(ListStrings, EachEntryIsWholeUtf8) {
  EXPECT_EQ(newer([](TableBuilder& t) {
              t.store("tags/VALUES/OFFSETS", {0, 2, 2, 6, 7});  // splits a code point
            }),
            Ids{"string-chars-utf8"});
}

TEST(ListRestrictions, NoIndexNoSequences) {
  EXPECT_EQ(newer([](TableBuilder& t) {
              t.set("tracks", references("SEARCH_INDEX_LIST", {t.to("SEARCH_INDEXES/ts__minmax")}));
            }),
            Ids{"list-no-search-index-list"});
  EXPECT_EQ(newer([](TableBuilder& t) { t.set("tracks/OFFSETS", variable_length("note", "x")); }),
            Ids{"list-no-vlen-attribute"});
}

// An index listed only by a list column already has its finding.
TEST(ListRestrictions, IndexListedOnlyByAListColumn) {
  EXPECT_EQ(newer([](TableBuilder& t) {
              Attribute listed = t.attribute("name", "SEARCH_INDEX_LIST");
              t.erase("name", "SEARCH_INDEX_LIST");
              t.set("tracks", std::move(listed));
            }),
            Ids{"list-no-search-index-list"});
}

TEST(ListColumnsAreColumns, NamesAttributesOrder) {
  EXPECT_EQ(newer([](TableBuilder& t) { t.set("tracks", ascii("units", "mm")); }),
            Ids{"units-utf8"});
  EXPECT_EQ(newer([](TableBuilder& t) {
              std::vector<std::string> names = string_elements(t.attribute("", "column-order"));
              names.pop_back();
              t.set("", utf8_list("column-order", names));
            }),
            Ids{"column-order-complete"});
  EXPECT_EQ(newer([](TableBuilder& t) {
              t.set("", references("INDEX_COLUMNS", {t.to("row_id"), t.to("tracks")}));
            }),
            Ids{"index-columns-not-list-column"});
  EXPECT_EQ(newer([](TableBuilder& t) {
              t.set("", references("INDEX_COLUMNS",
                                   {t.to("row_id"), t.to("tracks"), dangling_reference()}));
            }),
            (Ids{"index-columns-resolve-to-column", "index-columns-not-list-column"}));
}

TEST(ListLeaf, ValidRange) {
  const auto bound = [](TableBuilder& t, const char* name, int value) {
    t.set("tracks/VALUES", attribute(name, integer_type(2, true), Cell(value)));
  };
  EXPECT_EQ(newer([&](TableBuilder& t) {
              bound(t, "valid_min", 1);
              bound(t, "valid_max", 7);  // the eighth element belongs to no entry
            }),
            kNothing);
  EXPECT_EQ(newer([&](TableBuilder& t) { bound(t, "valid_max", 6); }),
            Ids{"data-within-valid-range (warning)"});
  EXPECT_EQ(newer([&](TableBuilder& t) {
              t.set("tracks/VALUES", attribute("valid_min", integer_type(4, true), Cell(0)));
            }),
            Ids{"valid-min-datatype"});
}

// The levels of the list are readable, its values are not.
TEST(ListLeaf, ThatCannotBeRead) {
  TableBuilder t = newer_table();
  t.values.set(t.dataset("tracks/VALUES").token, {});
  EXPECT_EQ(newer_findings_of(t), kNothing);
  EXPECT_TRUE(newer_reason_of(t, "list-values-extent").contains("fewer values in memory"));
  EXPECT_EQ(newer_reason_of(t, "list-offsets-extent"), "");
}

TEST(ReservedAttributes, InListColumns) {
  EXPECT_EQ(newer([](TableBuilder& t) { t.set("tracks", attribute("MASK", kUint64, Cell(1))); }),
            Ids{"reserved-attribute-misuse"});
  EXPECT_EQ(newer([](TableBuilder& t) { t.set("tags/VALUES", ascii("KIND", "OFFSETS")); }),
            Ids{"reserved-attribute-misuse"});
  EXPECT_EQ(newer([](TableBuilder& t) { t.set("ts", attribute("MASK", kUint64, Cell(1))); }),
            Ids{"column-no-mask-attribute"});
}

}  // namespace

}  // namespace hepcheck::hep001
