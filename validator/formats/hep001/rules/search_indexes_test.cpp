#include <algorithm>

#include "validator/formats/hep001/testing/rule_testing.h"

namespace hepcheck::hep001 {

namespace {

const std::string kMinmaxPath = "SEARCH_INDEXES/ts__minmax";
const std::string kBitmapPath = "SEARCH_INDEXES/label__bitmap";
const std::string kLabelValues = "SEARCH_INDEXES/label__values";

TEST(SearchIndexesIsGroup, SomethingElse) {
  EXPECT_EQ(small([](TableBuilder& t) { t.add_soft_link("SEARCH_INDEXES", "/elsewhere"); }),
            Ids{"search-indexes-is-group"});
  EXPECT_EQ(small([](TableBuilder& t) { t.add_named_datatype("SEARCH_INDEXES"); }),
            Ids{"search-indexes-is-group"});
}

TEST(SearchIndexesIsGroup, Empty) {
  EXPECT_EQ(small([](TableBuilder& t) { t.add_group("SEARCH_INDEXES"); }), kNothing);
}

TEST(OnlyDatasets, OtherChildren) {
  EXPECT_EQ(good([](TableBuilder& t) { t.add_group("SEARCH_INDEXES/more"); }),
            Ids{"only-datasets"});
  EXPECT_EQ(good([](TableBuilder& t) { t.add_named_datatype("SEARCH_INDEXES/more"); }),
            Ids{"only-datasets"});
  EXPECT_EQ(good([](TableBuilder& t) { t.add_soft_link("SEARCH_INDEXES/more", "x"); }),
            Ids{"only-datasets"});
  EXPECT_EQ(good([](TableBuilder& t) { t.add_external_link("SEARCH_INDEXES/more", "o", "/x"); }),
            Ids{"only-datasets"});
}

constexpr auto add_stray = [](TableBuilder& t) {
  t.add_dataset("SEARCH_INDEXES/stray", integer_type(1, true), {3});
};

TEST(NoStrayDataset, WithoutAnyReference) { EXPECT_EQ(good(add_stray), Ids{"no-stray-dataset"}); }

TEST(NoStrayDataset, OrphanedValues) {
  EXPECT_EQ(good([](TableBuilder& t) {
              t.remove(kBitmapPath);
              t.erase("label", "SEARCH_INDEX_LIST");
            }),
            Ids{"no-stray-dataset"});
}

TEST(NoStrayDataset, OnlyAWarningNextToAnUnknownKind) {
  EXPECT_EQ(good([](TableBuilder& t) {
              add_stray(t);
              t.set(kMinmaxPath, ascii("KIND", "ZONEMAP"));
            }),
            (Ids{"no-stray-dataset (warning)", "kind-value (warning)"}));
}

TEST(NoStrayDataset, ReferredToByAnUnknownKind) {
  EXPECT_EQ(good([](TableBuilder& t) {
              add_stray(t);
              t.set(kMinmaxPath, ascii("KIND", "ZONEMAP"));
              t.set(kMinmaxPath, reference("levels", t.to("SEARCH_INDEXES/stray")));
            }),
            Ids{"kind-value (warning)"});
  EXPECT_EQ(good([](TableBuilder& t) { t.set(kBitmapPath, ascii("KIND", "bitmap")); }),
            Ids{"kind-value"});
}

TEST(KindPresent, Listed) {
  EXPECT_EQ(good([](TableBuilder& t) { t.erase(kMinmaxPath, "KIND"); }), Ids{"kind-present"});
  EXPECT_EQ(good([](TableBuilder& t) {
              t.erase(kMinmaxPath, "KIND");
              t.set(kMinmaxPath, ascii("kind", "CHUNK_MINMAX"));
            }),
            Ids{"kind-present"});
}

TEST(AccompanyingNoKind, AnyKind) {
  for (const char* kind : {"BITMAP", "", "VALUES"})
    EXPECT_EQ(good([&](TableBuilder& t) { t.set(kLabelValues, ascii("KIND", kind)); }),
              Ids{"accompanying-no-kind"});
}

TEST(IndexReferenced, ByNoColumn) {
  EXPECT_EQ(good([](TableBuilder& t) { t.erase("name", "SEARCH_INDEX_LIST"); }),
            Ids{"index-referenced"});
  EXPECT_EQ(good([](TableBuilder& t) { t.set("name", references("SEARCH_INDEX_LIST", {})); }),
            Ids{"index-referenced"});
}

TEST(IndexReferenced, UnknownKindTriggersOnlyAWarning) {
  EXPECT_EQ(good([](TableBuilder& t) {
              t.erase("name", "SEARCH_INDEX_LIST");
              t.set("SEARCH_INDEXES/name__bloom", ascii("KIND", "CHUNK_CUCKOO"));
            }),
            (Ids{"index-referenced (warning)", "kind-value (warning)"}));
}

TEST(NoBackPointer, ToAColumn) {
  EXPECT_EQ(good([](TableBuilder& t) { t.set(kMinmaxPath, reference("source", t.to("ts"))); }),
            Ids{"no-back-pointer (warning)"});
  EXPECT_EQ(good([](TableBuilder& t) {
              t.set(kMinmaxPath, references("sources", {null_reference(), t.to("ts")}));
            }),
            Ids{"no-back-pointer (warning)"});
}

TEST(NoBackPointer, TextOrOtherTargets) {
  EXPECT_EQ(good([](TableBuilder& t) {
              t.set(kMinmaxPath, utf8("source", "ts"));
              t.set(kMinmaxPath, reference("log", t.outside("/log")));
            }),
            kNothing);
}

TEST(KindScalar, Arrays) {
  for (const std::uint64_t n : {1, 2})
    EXPECT_EQ(good([&](TableBuilder& t) {
                t.set(kMinmaxPath, shaped(ascii("KIND", "CHUNK_MINMAX"), {n}));
              }),
              Ids{"kind-scalar"});
}

TEST(KindFixedString, OtherTypes) {
  Attribute text = variable_length("KIND", "CHUNK_MINMAX");
  text.type.character_set = CharacterSet::kAscii;
  EXPECT_EQ(good([&](TableBuilder& t) { t.set(kMinmaxPath, text); }), Ids{"kind-fixed-string"});
  EXPECT_EQ(good([](TableBuilder& t) {
              t.set(kMinmaxPath, attribute("KIND", integer_type(1, true), Cell(1)));
            }),
            Ids{"kind-fixed-string"});
  EXPECT_EQ(good([](TableBuilder& t) {
              const Datatype type = enum_type(integer_type(1, true), {{"CHUNK_MINMAX", 0}});
              t.set(kMinmaxPath, attribute("KIND", type, Cell(0)));
            }),
            Ids{"kind-fixed-string"});
}

TEST(KindAscii, Utf8) {
  EXPECT_EQ(good([](TableBuilder& t) { t.set(kMinmaxPath, utf8("KIND", "CHUNK_MINMAX")); }),
            Ids{"kind-ascii"});
}

TEST(KindValue, EmptyOrMisspelt) {
  for (const char* kind : {"", "chunk_minmax", "Chunk_MinMax"})
    EXPECT_EQ(good([&](TableBuilder& t) { t.set(kMinmaxPath, ascii("KIND", kind)); }),
              Ids{"kind-value"})
        << kind;
}

TEST(KindValue, UnknownKindTriggersOnlyAWarning) {
  EXPECT_EQ(good([](TableBuilder& t) { t.set(kMinmaxPath, ascii("KIND", "CHUNK_ZONEMAP")); }),
            Ids{"kind-value (warning)"});
}

// The newest revision has this clause for lists.
TEST(KindValue, OfLists) {
  const auto of_lists = [](TableBuilder& t) { t.set(kMinmaxPath, ascii("KIND", "OFFSETS")); };
  EXPECT_EQ(good(of_lists), Ids{"kind-value (warning)"});
  const Ids found = newer(of_lists);
  EXPECT_TRUE(std::ranges::contains(found, "kind-value"));
}

TEST(DescriptionProvenance, AbsentOrEmpty) {
  EXPECT_EQ(good([](TableBuilder& t) { t.erase(kMinmaxPath, "description"); }),
            Ids{"description-provenance (info)"});
  EXPECT_EQ(good([](TableBuilder& t) { t.set(kMinmaxPath, utf8("description", "")); }),
            Ids{"description-provenance (info)"});
}

}  // namespace

}  // namespace hepcheck::hep001
