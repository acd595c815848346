#include <algorithm>
#include <limits>

#include "validator/formats/hep001/testing/rule_testing.h"

namespace hepcheck::hep001 {

namespace {

// small_table with an additional column `x` of 5 rows.
template <class Bend>
Ids with_column(Datatype type, const Cells& cells, const Cell& fill, Bend bend) {
  return small([&](TableBuilder& t) {
    t.add_column("x", type, cells, fill);
    t.list_columns();
    bend(t);
  });
}
Ids with_column(Datatype type, const Cells& cells, const Cell& fill) {
  return with_column(std::move(type), cells, fill, [](TableBuilder&) {});
}

const Datatype kInt16 = integer_type(2, true);
const Datatype kUint8 = integer_type(1, false);
const Datatype kDouble = ieee_float_type(8);
constexpr double kQuietNan = std::numeric_limits<double>::quiet_NaN();

TEST(FillUserDefined, OtherStates) {
  for (const FillState state : {FillState::kDefault, FillState::kUndefined})
    EXPECT_EQ(small([&](TableBuilder& t) { t.dataset("id").storage.fill_state = state; }),
              Ids{"fill-user-defined"});
}

TEST(FillUserDefined, Unavailable) {
  EXPECT_EQ(small([](TableBuilder& t) {
              t.dataset("id").storage.fill_unreadable = "no conversion path";
            }),
            Ids{"fill-user-defined"});
}

TEST(FillUserDefined, EqualToTheDefault) {
  EXPECT_EQ(with_column(kInt16, {1, 2, 3, 4, 5}, 0), kNothing);
}

TEST(FillOutsideLogicalRange, BooleanColumns) {
  EXPECT_EQ(with_column(boolean_type(), {1, 1, 1, 1, 1}, 0), Ids{"fill-outside-logical-range"});
  EXPECT_EQ(with_column(boolean_type(), {0, 0, 0, 0, 0}, 1), Ids{"fill-outside-logical-range"});
  // Rows that are missing for this reason have no finding of their own.
  EXPECT_EQ(with_column(boolean_type(), {0, 1, 1, 0, 1}, 0), Ids{"fill-outside-logical-range"});
  EXPECT_EQ(with_column(boolean_type(), {0, 1, 1, 0, 1}, 1), Ids{"fill-outside-logical-range"});
  EXPECT_EQ(with_column(boolean_type(), {0, 1, 0, 1, 0}, -1), kNothing);
}

// A column of int16 in [0, 100].
template <class Bend>
Ids with_range(const Cell& fill, Bend bend) {
  return with_column(kInt16, {0, 100, 7, 8, 9}, fill, [&](TableBuilder& t) {
    t.set("x", attribute("valid_min", kInt16, Cell(0)));
    t.set("x", attribute("valid_max", kInt16, Cell(100)));
    bend(t);
  });
}
constexpr auto as_it_is = [](TableBuilder&) {};

TEST(ValidBounds, Scalar) {
  for (const std::string name : {"valid_min", "valid_max"}) {
    const std::string id = name == "valid_min" ? "valid-min-scalar" : "valid-max-scalar";
    EXPECT_EQ(
        with_range(-1, [&](TableBuilder& t) { t.set("x", shaped(t.attribute("x", name), {1})); }),
        Ids{id});
    EXPECT_EQ(
        with_range(-1, [&](TableBuilder& t) { t.set("x", without_value(t.attribute("x", name))); }),
        Ids{id});
  }
}

TEST(ValidBounds, Datatype) {
  for (const std::string name : {"valid_min", "valid_max"}) {
    const std::string id = name == "valid_min" ? "valid-min-datatype" : "valid-max-datatype";
    for (const Datatype& type : {integer_type(4, true), integer_type(2, false), kDouble})
      EXPECT_EQ(with_range(-1,
                           [&](TableBuilder& t) {
                             t.set("x", attribute(name, type, Cell(name == "valid_min" ? 0 : 100)));
                           }),
                Ids{id});
  }
}

TEST(ValidBounds, ByteOrderTriggersOnlyAWarning) {
  EXPECT_EQ(with_range(-1,
                       [](TableBuilder& t) {
                         const Datatype big = integer_type(2, true, ByteOrder::kBig);
                         t.set("x", attribute("valid_min", big, Cell(0)));
                         t.set("x", attribute("valid_max", big, Cell(100)));
                       }),
            (Ids{"valid-min-datatype (warning)", "valid-max-datatype (warning)"}));
}

TEST(FillStrictlyOutsideValidRange, Within) {
  for (const int fill : {50, 100}) {
    const Ids found = with_range(fill, as_it_is);
    EXPECT_EQ(found, Ids{"fill-strictly-outside-valid-range"}) << fill;
  }
  EXPECT_EQ(with_range(0, as_it_is), Ids{"fill-strictly-outside-valid-range"});
}

TEST(FillStrictlyOutsideValidRange, Outside) {
  EXPECT_EQ(with_range(-1, as_it_is), kNothing);
  EXPECT_EQ(with_range(101, as_it_is), kNothing);
}

TEST(FillStrictlyOutsideValidRange, NanIsOutsideAnyRange) {
  EXPECT_EQ(with_column(kDouble, {0.0, 1.0, 0.5, kQuietNan, 0.25}, kQuietNan,
                        [](TableBuilder& t) {
                          t.set("x", attribute("valid_min", kDouble, Cell(0.0)));
                          t.set("x", attribute("valid_max", kDouble, Cell(1.0)));
                        }),
            kNothing);
}

TEST(FillStrictlyOutsideValidRange, SingleBoundTriggersOnlyAWarning) {
  const auto only = [](const char* name, const Cell& bound) {
    return with_column(kInt16, {10, 20, 30, 40, 50}, -1,
                       [&](TableBuilder& t) { t.set("x", attribute(name, kInt16, bound)); });
  };
  EXPECT_EQ(only("valid_min", 0), kNothing);
  EXPECT_EQ(only("valid_min", -5), Ids{"fill-strictly-outside-valid-range (warning)"});
  EXPECT_EQ(only("valid_max", 100), Ids{"fill-strictly-outside-valid-range (warning)"});
}

// An attribute that could not be read may be the other bound, if there is none.
TEST(FillStrictlyOutsideValidRange, UnreadableAttributes) {
  const auto with = [](bool both) {
    return with_column(kInt16, {10, 20, 30, 40, 50}, 5, [&](TableBuilder& t) {
      t.set("x", attribute("valid_min", kInt16, 0));
      if (both) t.set("x", attribute("valid_max", kInt16, 100));
      t.attributes_unreadable("x") = "bad header";
    });
  };
  EXPECT_TRUE(std::ranges::contains(with(true), "fill-strictly-outside-valid-range"));
  EXPECT_FALSE(std::ranges::contains(with(false), "fill-strictly-outside-valid-range (warning)"));
}

TEST(FillStrictlyOutsideValidRange, TypesWithoutAnOrder) {
  Datatype pair = kInt16;
  const Datatype type = compound_type(
      2, {{.name = "a", .type = std::make_shared<const Datatype>(pair), .value = {}}});
  EXPECT_EQ(with_column(type, Cells(5, "ab"), "cd",
                        [&](TableBuilder& t) {
                          t.set("x", attribute("valid_min", type, Cell("aa")));
                          t.set("x", attribute("valid_max", type, Cell("zz")));
                        }),
            kNothing);
}

TEST(ValidRangeOrdered, Inverted) {
  EXPECT_EQ(with_range(
                -1, [](TableBuilder& t) { t.set("x", attribute("valid_min", kInt16, Cell(101))); }),
            Ids{"valid-range-ordered (warning)"});
}

TEST(ValidRangeOrdered, NanBound) {
  EXPECT_EQ(with_column(kDouble, {0.0, 1.0, 0.5, 0.5, 0.25}, -1.0,
                        [](TableBuilder& t) {
                          t.set("x", attribute("valid_min", kDouble, Cell(kQuietNan)));
                          t.set("x", attribute("valid_max", kDouble, Cell(1.0)));
                        }),
            Ids{"valid-range-ordered (warning)"});
}

TEST(ValidRangeOrdered, Equal) {
  EXPECT_EQ(with_column(kInt16, {7, 7, 7, -1, 7}, -1,
                        [](TableBuilder& t) {
                          t.set("x", attribute("valid_min", kInt16, Cell(7)));
                          t.set("x", attribute("valid_max", kInt16, Cell(7)));
                        }),
            kNothing);
}

TEST(DataWithinValidRange, OneRowOutside) {
  for (const int value : {-2, 101})
    EXPECT_EQ(with_range(-1, [&](TableBuilder& t) { t.store("x", {0, 100, -1, value, 9}); }),
              Ids{"data-within-valid-range (warning)"})
        << value;
}

TEST(DataWithinValidRange, TheTailDoesNotCount) {
  EXPECT_EQ(good([](TableBuilder& t) {
              t.set("ts", attribute("valid_min", t.dataset("ts").type, Cell(-30)));
              t.set("ts", attribute("valid_max", t.dataset("ts").type, Cell(90)));
            }),
            kNothing);
}

Datatype grades(std::vector<std::pair<std::string, std::int64_t>> members) {
  return enum_type(integer_type(1, true), members);
}

TEST(EnumFillNotOrdinaryMember, FillIsAMember) {
  EXPECT_EQ(with_column(grades({{"A", 0}, {"B", 1}, {"MISSING", 2}}), {1, 1, 1, 1, 1}, 0),
            Ids{"enum-fill-not-ordinary-member"});
  EXPECT_EQ(with_column(grades({{"A", 0}, {"B", 1}}), {0, 0, 1, 0, 0}, 1),
            Ids{"enum-fill-not-ordinary-member"});
  EXPECT_EQ(with_column(grades({{"A", 0}, {"missing", 1}}), {0, 0, 1, 0, 0}, 1),
            Ids{"enum-fill-not-ordinary-member"});
}

TEST(EnumMissingMember, MissingRows) {
  EXPECT_EQ(with_column(grades({{"A", 0}, {"B", 1}}), {0, 1, -1, 0, 1}, -1),
            Ids{"enum-missing-member"});
}

TEST(EnumMissingMember, NoMissingRow) {
  EXPECT_EQ(with_column(grades({{"A", 0}, {"B", 1}}), {0, 1, 0, 0, 1}, -1), kNothing);
}

TEST(EnumFillIsMissingCode, AnotherCode) {
  EXPECT_EQ(with_column(grades({{"A", 0}, {"MISSING", -1}}), {0, 0, -1, 0, 0}, -2),
            Ids{"enum-fill-is-missing-code"});
  EXPECT_EQ(with_column(grades({{"A", 0}, {"MISSING", -1}}), {0, 0, -1, 0, 0}, -1), kNothing);
}

TEST(BooleanWiden, OneBit) {
  for (const TypeClass cls : {TypeClass::kBitfield, TypeClass::kInteger}) {
    Datatype bit = kUint8;
    bit.cls = cls;
    bit.precision = 1;
    EXPECT_EQ(with_column(bit, {0, 1, 0, 1, 0}, 0), Ids{"boolean-widen"});
    EXPECT_EQ(with_column(
                  bit, {0, 1, 0, 1, 0}, 0,
                  [](TableBuilder& t) { t.dataset("x").storage.fill_state = FillState::kDefault; }),
              Ids{"boolean-widen"});
  }
}

TEST(BooleanWiden, BooleanWithMissingRows) {
  EXPECT_EQ(with_column(boolean_type(), {0, 1, 2, 1, 0}, 2), Ids{"boolean-widen"});
  EXPECT_EQ(with_column(boolean_type(), {0, 1, 1, 1, 0}, 2), kNothing);
}

TEST(BooleanWiden, Widened) { EXPECT_EQ(with_column(kUint8, {0, 1, 2, 1, 0}, 2), kNothing); }

TEST(SentinelInDomainDeclareRange, NoRange) {
  EXPECT_EQ(with_column(kUint8, {1, 255, 3, 4, 5}, 0), Ids{"sentinel-in-domain-declare-range"});
  EXPECT_EQ(with_column(kDouble, {1.0, 9.9692099683868690e+36, 3.0, 4.0, 5.0}, -1.0),
            Ids{"sentinel-in-domain-declare-range"});
}

TEST(SentinelInDomainDeclareRange, OneBoundOnly) {
  EXPECT_EQ(with_column(
                kInt16, {1, -32767, 3, 4, 5}, -32768,
                [](TableBuilder& t) { t.set("x", attribute("valid_min", kInt16, Cell(-32767))); }),
            Ids{"sentinel-in-domain-declare-range"});
}

TEST(SentinelInDomainDeclareRange, DeclaredOrAbsent) {
  EXPECT_EQ(with_column(kUint8, {1, 254, 3, 4, 5}, 0), kNothing);
  EXPECT_EQ(with_column(kUint8, {1, 255, 3, 4, 5}, 0,
                        [](TableBuilder& t) {
                          t.set("x", attribute("valid_min", kUint8, Cell(1)));
                          t.set("x", attribute("valid_max", kUint8, Cell(255)));
                        }),
            kNothing);
}

}  // namespace

}  // namespace hepcheck::hep001
