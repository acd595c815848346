#include "validator/formats/hep001/testing/rule_testing.h"

namespace hepcheck::hep001 {

namespace {

// The objects with the attribute `ordered` of section 6.
class Boolean : public testing::TestWithParam<const char*> {
 protected:
  static Ids with(Datatype type, const Cell& value) {
    return good([&](TableBuilder& t) { t.set(GetParam(), attribute("ordered", type, value)); });
  }
  static Datatype members(std::vector<std::pair<std::string, std::int64_t>> list) {
    return enum_type(integer_type(1, true), list);
  }
  // The value of the attribute of each object in good_table.
  static int kept() { return std::string_view(GetParam()).ends_with("sorted") ? 1 : 0; }
};
INSTANTIATE_TEST_SUITE_P(Ordered, Boolean,
                         testing::Values("CATEGORIES/label__CATEGORIES",
                                         "SEARCH_INDEXES/ts__sorted",
                                         "SEARCH_INDEXES/label__bitmap"));

TEST_P(Boolean, MembersInTheOtherOrder) {
  EXPECT_EQ(with(members({{"TRUE", 1}, {"FALSE", 0}}), kept()), kNothing);
}

TEST_P(Boolean, IsEnum) {
  EXPECT_EQ(with(ieee_float_type(4), 1.0), Ids{"bool-is-enum"});
  EXPECT_EQ(with(opaque_type(1), "\x01"), Ids{"bool-is-enum"});
}

TEST_P(Boolean, BaseI8le) {
  for (const Datatype& base :
       {integer_type(1, false), integer_type(4, true), integer_type(1, true, ByteOrder::kBig)})
    EXPECT_EQ(with(enum_type(base, {{"FALSE", 0}, {"TRUE", 1}}), kept()), Ids{"bool-base-i8le"});
}

TEST_P(Boolean, TwoMembers) {
  EXPECT_EQ(with(members({{"FALSE", 0}, {"TRUE", 1}, {"MAYBE", 2}}), kept()),
            Ids{"bool-two-members"});
}

TEST_P(Boolean, OneMember) {
  EXPECT_EQ(with(members({{"FALSE", 0}}), kept()), (Ids{"bool-two-members", "bool-true-one"}));
}

TEST_P(Boolean, FalseZero) {
  EXPECT_EQ(with(members({{"False", 0}, {"TRUE", 1}}), kept()), Ids{"bool-false-zero"});
  EXPECT_EQ(with(members({{"FALSE", -1}, {"TRUE", 1}}), kept()), Ids{"bool-false-zero"});
}

TEST_P(Boolean, TrueOne) {
  EXPECT_EQ(with(members({{"FALSE", 0}, {"True", 1}}), kept()), Ids{"bool-true-one"});
  EXPECT_EQ(with(members({{"FALSE", 0}, {"TRUE", 2}}), kept()), Ids{"bool-true-one"});
}

TEST_P(Boolean, NotPlainInteger) {
  EXPECT_EQ(with(integer_type(1, true), kept()), Ids{"bool-not-plain-integer"});
}

TEST_P(Boolean, NotBitfield) {
  Datatype bits = integer_type(1, false);
  bits.cls = TypeClass::kBitfield;
  EXPECT_EQ(with(bits, kept()), Ids{"bool-not-bitfield"});
}

TEST_P(Boolean, NotString) {
  EXPECT_EQ(good([](TableBuilder& t) { t.set(GetParam(), ascii("ordered", "TRUE")); }),
            Ids{"bool-not-string"});
  EXPECT_EQ(good([](TableBuilder& t) { t.set(GetParam(), variable_length("ordered", "true")); }),
            Ids{"bool-not-string"});
}

TEST_P(Boolean, ValueIsMember) {
  EXPECT_EQ(with(boolean_type(), 2).front(), "bool-value-is-member");
  EXPECT_EQ(with(boolean_type(), -1).front(), "bool-value-is-member");
}

// The finding about a wrong code is that of its member.
TEST(BoolValueIsMember, MemberOfAnotherCode) {
  EXPECT_EQ(good([](TableBuilder& t) {
              const Datatype type = enum_type(integer_type(1, true), {{"FALSE", 0}, {"TRUE", 2}});
              t.set("CATEGORIES/label__CATEGORIES", attribute("ordered", type, Cell(2)));
            }),
            Ids{"bool-true-one"});
}

TEST(BoolValueIsMember, NotAppliedToAnArray) {
  EXPECT_EQ(good([](TableBuilder& t) {
              t.set("CATEGORIES/label__CATEGORIES",
                    shaped(attribute("ordered", boolean_type(), Cell(2)), {1}));
            }),
            Ids{"ordered-scalar"});
}

}  // namespace

}  // namespace hepcheck::hep001
