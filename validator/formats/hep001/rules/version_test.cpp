#include "validator/formats/hep001/rules/version.h"

#include "validator/formats/hep001/judge.h"
#include "validator/formats/hep001/testing/rule_testing.h"

namespace hepcheck::hep001 {

namespace {

Ids with_version(Attribute version) {
  return good([&](TableBuilder& t) { t.set("", std::move(version)); });
}

TEST(VersionPresent, Absent) {
  EXPECT_EQ(good([](TableBuilder& t) { t.erase("", "VERSION"); }), Ids{"version-present"});
}

TEST(VersionFixedString, OtherTypes) {
  EXPECT_EQ(with_version(attribute("VERSION", ieee_float_type(8), Cell(1.0))),
            Ids{"version-fixed-string"});
  Attribute text = variable_length("VERSION", "1.0");
  EXPECT_EQ(with_version(text), Ids{"version-fixed-string"});
}

TEST(VersionAscii, Utf8) { EXPECT_EQ(with_version(utf8("VERSION", "1.0")), Ids{"version-ascii"}); }

TEST(VersionScalar, Arrays) {
  EXPECT_EQ(with_version(shaped(ascii("VERSION", "1.0"), {1})), Ids{"version-scalar"});
  const Datatype one = fixed_string_type(2, StringPadding::kNullTerm, CharacterSet::kAscii);
  EXPECT_EQ(with_version(attribute("VERSION", one, Cells{"1", "0"})), Ids{"version-scalar"});
}

TEST(VersionSized, NoSpaceForTheTerminator) {
  const Datatype type = fixed_string_type(3, StringPadding::kNullTerm, CharacterSet::kAscii);
  EXPECT_EQ(with_version(attribute("VERSION", type, Cell("1.0"))), Ids{"version-sized"});
}

TEST(VersionSized, NullPaddedNeedsNone) {
  for (const std::size_t size : {3, 16}) {
    const Datatype type = fixed_string_type(size, StringPadding::kNullPad, CharacterSet::kAscii);
    EXPECT_EQ(with_version(attribute("VERSION", type, Cell("1.0"))), kNothing);
  }
}

// A NUL at each place, or none, with other bytes behind it: only the first counts. The title has
// the same form, but another clause.
TEST(VersionSized, NulAtEveryPlace) {
  using enum StringPadding;
  for (const StringPadding padding : {kNullTerm, kNullPad, kSpacePad})
    for (std::size_t size = 1; size < 8; ++size)
      for (std::size_t at = 0; at <= size; ++at) {
        std::string bytes = std::string("1.0xxxxx").substr(0, size);
        if (at < size) bytes[at] = '\0';
        const bool no_nul = padding == kNullTerm && at == size;
        SCOPED_TRACE(testing::PrintToString(bytes));
        const auto holding = [&](const char* name, CharacterSet set) {
          Attribute made = attribute(name, fixed_string_type(size, padding, set), Cell("1"));
          const auto stored = std::as_bytes(std::span(bytes));
          made.bytes.assign(stored.begin(), stored.end());
          return made;
        };
        const Ids of_version = with_version(holding("VERSION", CharacterSet::kAscii));
        EXPECT_EQ(std::ranges::contains(of_version, "version-sized"), no_nul);
        EXPECT_EQ(std::ranges::contains(of_version, "string-padding"), padding == kSpacePad);
        const Ids of_title =
            good([&](TableBuilder& t) { t.set("", holding("TITLE", CharacterSet::kUtf8)); });
        EXPECT_EQ(of_title, no_nul || padding == kSpacePad ? Ids{"string-padding"} : kNothing);
      }
}

TEST(VersionValue, Malformed) {
  for (const char* text :
       {"1", "1.", ".0", "1.0.0", "v1.0", "01.0", "1.00", "1.0 ", "1.0-rc1", "1,0", "", "1.1.0"})
    EXPECT_EQ(with_version(ascii("VERSION", text)), Ids{"version-value"}) << text;
}

TEST(VersionValue, LaterMinorIsAccepted) {
  TableBuilder t = good_table();
  t.set("", ascii("VERSION", "1.10"));
  const SubjectReport report = examine(t.finish(), t.values, older_revision(), {});
  EXPECT_EQ(report.verdict, SubjectVerdict::kPass);
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_TRUE(report.notes[0].contains("1.10"));
}

TEST(VersionValue, LaterMajorIsUnsupported) {
  for (const char* text : {"2.0", "10.0", "99999999999999999999999.0"}) {
    TableBuilder t = good_table();
    t.set("", ascii("VERSION", text));
    EXPECT_EQ(examine(t.finish(), t.values, older_revision(), {}).verdict,
              SubjectVerdict::kUnsupported)
        << text;
  }
}

struct Claim {
  const char* text;
  VersionClaim::Kind kind;
  bool two_components;
};

TEST(VersionClaim, ComparesNumbersOfAnyLength) {
  using enum VersionClaim::Kind;
  const std::string huge = "1." + std::string(1000, '9');
  const Claim cases[] = {
      {"1.0", kThis, true},
      {"1.0.0", kThis, false},
      {"01.0", kThis, false},
      {"1.00", kThis, false},
      {"1.1", kLaterMinor, true},
      {"1.10", kLaterMinor, true},
      {huge.c_str(), kLaterMinor, true},
      {"0.9", kEarlierMajor, true},
      {"00.1", kEarlierMajor, false},
      {"2.0", kLaterMajor, true},
      {"11.0", kLaterMajor, true},
      {"18446744073709551617.0", kLaterMajor, true},
      {"1", kMalformed, false},
      {"1.0.0.0", kMalformed, false},
      {"+1.0", kMalformed, false},
      {"1.-1", kMalformed, false},
      {"one.zero", kMalformed, false},
      {" 1.0", kMalformed, false},
  };
  for (const Claim& c : cases) {
    TableBuilder t = small_table();
    t.set("", ascii("VERSION", c.text));
    const VersionClaim claim = version_claim(t.finish());
    EXPECT_EQ(claim.kind, c.kind) << c.text;
    EXPECT_EQ(claim.two_components, c.two_components) << c.text;
  }
}

TEST(VersionClaim, AbsentWithoutAString) {
  TableBuilder t = small_table();
  t.erase("", "VERSION");
  EXPECT_EQ(version_claim(t.finish()).kind, VersionClaim::Kind::kAbsent);
  t.set("", attribute("VERSION", integer_type(4, true), Cell(1)));
  EXPECT_EQ(version_claim(t.finish()).kind, VersionClaim::Kind::kAbsent);
}

}  // namespace

}  // namespace hepcheck::hep001
