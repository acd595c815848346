#include "validator/formats/hep001/testing/index_testing.h"

namespace hepcheck::hep001 {

namespace {

const std::string kBitmapOfLabels = "SEARCH_INDEXES/label__bitmap",
                  kValues = "SEARCH_INDEXES/label__values";

// label is 0 1 2 1 missing 0 0 2 1 1; the bitmap has the values 0, 1, 2 and two bytes per value.
Ids bits(const Cells& bytes) {
  return good([&](TableBuilder& t) { t.store(kBitmapOfLabels, bytes); });
}

TEST(BitmapContents, Bits) {
  EXPECT_EQ(bits({0x61, 0x00, 0x0a, 0x03, 0x84, 0x00}), kNothing);
  EXPECT_EQ(bits({0x60, 0x00, 0x0a, 0x03, 0x84, 0x00}), Ids{"bitmap-bit-set"});
  EXPECT_EQ(bits({0x61, 0x00, 0x0a, 0x01, 0x84, 0x00}), Ids{"bitmap-bit-set"}) << "the last row";
  EXPECT_EQ(bits({0x61, 0x00, 0x0a, 0x03, 0x94, 0x00}), Ids{"bitmap-bit-clear"}) << "a missing row";
  EXPECT_EQ(bits({0x61, 0xfc, 0x0a, 0xff, 0x84, 0x80}), kNothing) << "bits of no row";
  EXPECT_EQ(bits({0x86, 0x00, 0x50, 0xc0, 0x21, 0x00}), Ids{"bitmap-lsb-first"});
  EXPECT_EQ(bits({0x0a, 0x03, 0x61, 0x00, 0x84, 0x00}),
            (Ids{"bitmap-bit-set", "bitmap-bit-clear"}));
}

TEST(BitmapShape, ShortAndWide) {
  EXPECT_EQ(good([](TableBuilder& t) { t.dataset(kBitmapOfLabels).space.extent = {3, 1}; }),
            Ids{"bitmap-row-bytes"});
  EXPECT_EQ(good([](TableBuilder& t) { t.dataset(kBitmapOfLabels).space.extent = {2, 2}; }),
            Ids{"bitmap-rows-equal-k"});
  EXPECT_EQ(good([](TableBuilder& t) { t.dataset(kBitmapOfLabels).space = simple_space({6}); }),
            Ids{"bitmap-rank-2"});
  EXPECT_EQ(good([](TableBuilder& t) {
              t.dataset(kBitmapOfLabels).space.extent = {3, 3};
              t.store(kBitmapOfLabels, {0x61, 0x00, 0xff, 0x0a, 0x03, 0xff, 0x84, 0x00, 0xff});
            }),
            kNothing);
}

TEST(BitmapValues, TypeRankDistinctness) {
  EXPECT_EQ(good([](TableBuilder& t) { t.dataset(kValues).type = integer_type(1, false); }),
            Ids{"bitmap-values-type"});
  EXPECT_EQ(good([](TableBuilder& t) { t.dataset(kValues).space = simple_space({3, 1}); }),
            Ids{"bitmap-values-rank-1"});
  EXPECT_EQ(good([](TableBuilder& t) {
              t.store(kValues, {0, 1, 1});
              t.store(kBitmapOfLabels, {0x61, 0x00, 0x0a, 0x03, 0x0a, 0x03});
            }),
            Ids{"bitmap-values-distinct"});
  EXPECT_EQ(
      good([](TableBuilder& t) { t.set(kBitmapOfLabels, reference("VALUES", null_reference())); }),
      (Ids{"no-stray-dataset", "bitmap-values-resolves"}));
}

TEST(BitmapWitness, NamesTheRow) {
  TableBuilder t = good_table();
  t.store(kBitmapOfLabels, {0x00, 0x00, 0x0a, 0x03, 0x84, 0x00});
  const Finding lost = finding_of(t, "bitmap-bit-set");
  EXPECT_EQ(lost.where, "row 0");
  EXPECT_EQ(lost.witness, "label == 0: row 0 has the value, but the index does not show it");
  EXPECT_EQ(lost.more, 2u);
  t.store(kBitmapOfLabels, {0x61, 0x00, 0x0a, 0x03, 0x94, 0x00});
  EXPECT_EQ(finding_of(t, "bitmap-bit-clear").witness,
            "label == 2: row 4 is returned, but has another value");
}

}  // namespace

}  // namespace hepcheck::hep001
