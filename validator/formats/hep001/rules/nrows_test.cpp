#include "validator/formats/hep001/testing/rule_testing.h"

namespace hepcheck::hep001 {

namespace {

Ids with_nrows(Attribute nrows) {
  return small([&](TableBuilder& t) { t.set("", std::move(nrows)); });
}

TEST(NrowsPresent, Absent) {
  EXPECT_EQ(good([](TableBuilder& t) { t.erase("", "NROWS"); }), Ids{"nrows-present"});
}

TEST(NrowsPresent, InLowerCase) {
  EXPECT_EQ(small([](TableBuilder& t) {
              t.erase("", "NROWS");
              t.set("", attribute("nrows", integer_type(8, false), Cell(5)));
            }),
            Ids{"nrows-present"});
}

TEST(NrowsUint64, OtherTypes) {
  const Ids expected{"nrows-uint64"};
  EXPECT_EQ(with_nrows(attribute("NROWS", integer_type(8, true), Cell(5))), expected);
  EXPECT_EQ(with_nrows(attribute("NROWS", integer_type(4, false), Cell(5))), expected);
  EXPECT_EQ(with_nrows(attribute("NROWS", ieee_float_type(8), Cell(5))), expected);
  EXPECT_EQ(with_nrows(ascii("NROWS", "5")), expected);
  Datatype narrow = integer_type(8, false);
  narrow.precision = 48;
  EXPECT_EQ(with_nrows(attribute("NROWS", narrow, Cell(5))), expected);
}

TEST(NrowsUint64, AnIntegerIsStillReadForTheExtents) {
  EXPECT_EQ(with_nrows(attribute("NROWS", integer_type(4, true), Cell(6))),
            (Ids{"nrows-uint64", "extent-ge-nrows"}));
}

TEST(NrowsUint64, BigEndian) {
  EXPECT_EQ(with_nrows(attribute("NROWS", integer_type(8, false, ByteOrder::kBig), Cell(5))),
            kNothing);
}

TEST(NrowsScalar, Arrays) {
  const Attribute five = attribute("NROWS", integer_type(8, false), Cell(5));
  EXPECT_EQ(with_nrows(shaped(five, {1})), Ids{"nrows-scalar"});
  EXPECT_EQ(with_nrows(shaped(five, {2})), Ids{"nrows-scalar"});
  EXPECT_EQ(with_nrows(without_value(five)), Ids{"nrows-scalar"});
}

}  // namespace

}  // namespace hepcheck::hep001
