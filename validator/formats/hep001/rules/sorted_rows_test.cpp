#include "validator/formats/hep001/testing/index_testing.h"

namespace hepcheck::hep001 {

namespace {

const std::string kTs = "SEARCH_INDEXES/ts__sorted", kEnergy = "SEARCH_INDEXES/energy__sorted";

Ids ts(const Cells& elements) {
  return good([&](TableBuilder& t) { t.store(kTs, elements); });
}
Ids energy(const Cells& elements) {
  return good([&](TableBuilder& t) { t.store(kEnergy, elements); });
}

// ts is 50 40 40 70 10 missing 90 10 -30 60.
TEST(SortedContents, OfIntegers) {
  EXPECT_EQ(ts({8, 4, 7, 1, 2, 0, 9, 3, 6, 5}), kNothing);
  EXPECT_EQ(ts({8, 4, 7, 1, 2, 9, 0, 3, 6, 5}), Ids{"sorted-integer-order"});
  EXPECT_EQ(ts({8, 7, 4, 1, 2, 0, 9, 3, 6, 5}), Ids{"sorted-ties"});
  EXPECT_EQ(ts({5, 8, 4, 7, 1, 2, 0, 9, 3, 6}), Ids{"sorted-fill-tail-placement"});
  EXPECT_EQ(ts({8, 4, 7, 1, 1, 0, 9, 3, 6, 5}), Ids{"sorted-permutation"});
  EXPECT_EQ(ts({8, 4, 7, 1, 2, 0, 9, 3, 6, 10}), Ids{"sorted-permutation"});
  EXPECT_EQ(ts({6, 3, 9, 0, 2, 1, 7, 4, 8, 5}), Ids{"sorted-integer-order"})
      << "descending: the ties are no second defect";
}

// energy is 1.5 nan -2.25 missing 1.5 0 inf nan missing 8.5.
TEST(SortedContents, OfFloats) {
  EXPECT_EQ(energy({2, 5, 0, 4, 9, 6, 3, 8, 1, 7}), kNothing);
  EXPECT_EQ(energy({5, 2, 0, 4, 9, 6, 3, 8, 1, 7}), Ids{"sorted-float-order"});
  EXPECT_EQ(energy({2, 5, 0, 4, 9, 6, 8, 3, 1, 7}), Ids{"sorted-fill-tail-order"});
  EXPECT_EQ(energy({2, 5, 0, 4, 9, 6, 3, 8, 7, 1}), Ids{"sorted-nan-tail-order"});
  EXPECT_EQ(energy({3, 8, 2, 5, 0, 4, 9, 6, 1, 7}), Ids{"sorted-fill-tail-placement"});
  EXPECT_EQ(energy({1, 7, 2, 5, 0, 4, 9, 6, 3, 8}), Ids{"sorted-nan-tail-last"});
  EXPECT_EQ(energy({2, 5, 0, 4, 9, 6, 1, 7, 3, 8}),
            (Ids{"sorted-nan-tail-last", "sorted-fill-tail-placement"}));
  EXPECT_EQ(energy({2, 5, 0, 4, 9, 3, 8, 1, 6, 7}), Ids{"sorted-float-order"})
      << "an infinity among the NaN rows";
}

TEST(SortedContents, OfZeros) {
  const auto zeros = [](const Cells& values, const Cells& elements) {
    return good([&](TableBuilder& t) {
      Cells rows = values;
      rows.resize(16, 1.0);
      t.store("energy", rows);
      t.remove("SEARCH_INDEXES/energy__minmax");
      t.set("energy", references("SEARCH_INDEX_LIST", {t.to(kEnergy)}));
      t.store(kEnergy, elements);
      t.set(kEnergy, attribute("nan_tail_length", integer_type(8, false), 0));
      t.set(kEnergy, attribute("fill_tail_length", integer_type(8, false), 0));
    });
  };
  const Cells in_order{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, swapped{1, 0, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_EQ(zeros({-0.0, 0.0}, in_order), kNothing);
  EXPECT_EQ(zeros({0.0, -0.0}, in_order), kNothing);
  EXPECT_EQ(zeros({0.0, -0.0}, swapped), Ids{"sorted-negative-zero"}) << "by sign";
  EXPECT_EQ(zeros({-0.0, 0.0}, swapped), Ids{"sorted-ties"}) << "no order explains it";
  EXPECT_EQ(zeros({-0.0, -0.0}, swapped), Ids{"sorted-ties"});
}

TEST(SortedLength, ShortAndLong) {
  EXPECT_EQ(good([](TableBuilder& t) { t.dataset(kTs).space.extent = {9}; }), Ids{"sorted-length"});
  const auto longer = [](const Cells& elements) {
    return good([&](TableBuilder& t) {
      t.store(kTs, elements);
      t.dataset(kTs).space.extent = {12};
    });
  };
  EXPECT_EQ(longer({8, 4, 7, 1, 2, 0, 9, 3, 6, 5, 11, 10}), kNothing);
  EXPECT_EQ(longer({11, 8, 4, 7, 1, 2, 0, 10, 9, 3, 6, 5}), kNothing) << "interleaved";
  EXPECT_EQ(longer({11, 8, 4, 7, 1, 2, 0, 10, 3, 9, 6, 5}), Ids{"sorted-integer-order"});
  EXPECT_EQ(longer({11, 8, 4, 7, 1, 2, 0, 10, 9, 3, 6, 12}), Ids{"sorted-permutation"});
}

TEST(SortedTailLengths, OneMore) {
  for (const auto& [name, id] : {std::pair{"nan_tail_length", "sorted-nan-tail-length-value"},
                                 {"fill_tail_length", "sorted-fill-tail-length-value"}}) {
    EXPECT_EQ(
        good([&](TableBuilder& t) { t.set(kEnergy, attribute(name, integer_type(8, false), 3)); }),
        Ids{id});
    EXPECT_EQ(
        good([&](TableBuilder& t) { t.set(kTs, attribute(name, integer_type(8, false), 4)); }),
        Ids{id});
  }
}

TEST(SortedUnsigned, SignedAndNarrow) {
  EXPECT_EQ(good([](TableBuilder& t) { t.dataset(kTs).type = integer_type(8, true); }),
            Ids{"sorted-unsigned"});
}

TEST(SortedOrdered, AbsentAndFalse) {
  EXPECT_EQ(good([](TableBuilder& t) { t.erase(kTs, "ordered"); }),
            Ids{"sorted-ordered-present (warning)"});
  EXPECT_EQ(good([](TableBuilder& t) { t.set(kTs, boolean("ordered", false)); }),
            Ids{"sorted-ordered-true"});
}

TEST(SortedWitness, NamesRows) {
  const auto finding = [](const std::string& index, const Cells& elements, const char* id) {
    TableBuilder t = good_table();
    t.store(index, elements);
    return finding_of(t, id);
  };
  const Finding order = finding(kTs, {8, 4, 7, 1, 2, 9, 0, 3, 6, 5}, "sorted-integer-order");
  EXPECT_EQ(order.where, "element 6");
  EXPECT_EQ(order.observed, "row 0 (50) after row 9 (60)");
  EXPECT_EQ(order.witness,
            "ts <= 50: the rows are taken from the front of the index, which loses row 0 or "
            "wrongly returns row 9 (60)");
  const Finding twice = finding(kTs, {8, 4, 7, 1, 1, 0, 9, 3, 3, 5}, "sorted-permutation");
  EXPECT_EQ(twice.observed, "row 1 a second time");
  EXPECT_EQ(twice.witness, "ts == 40: row 2 is not in the index, and lost");
  EXPECT_EQ(twice.more, 1u);
  EXPECT_EQ(finding(kEnergy, {2, 5, 0, 4, 9, 6, 1, 7, 3, 8}, "sorted-fill-tail-placement").witness,
            "energy is missing: row 3 is lost");
  TableBuilder t = good_table();
  t.set(kTs, attribute("fill_tail_length", integer_type(8, false), 0));
  EXPECT_EQ(finding_of(t, "sorted-fill-tail-length-value").witness, "ts is missing: row 5 is lost");
  t.set(kTs, attribute("fill_tail_length", integer_type(8, false), 2));
  EXPECT_EQ(finding_of(t, "sorted-fill-tail-length-value").witness,
            "ts is missing: row 6 is returned, and is not");
}

}  // namespace

}  // namespace hepcheck::hep001
