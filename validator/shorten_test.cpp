#include "validator/shorten.h"

#include <gtest/gtest.h>

#include "validator/probe.h"

namespace hepcheck {

namespace {

std::string shortened(std::string text) {
  shorten(text);
  return text;
}
std::string shortened_name(std::string name) {
  shorten_name(name);
  return name;
}

TEST(Shorten, ShortTextsAreUnchanged) {
  EXPECT_EQ(shortened(""), "");
  EXPECT_EQ(shortened(std::string(kLongestText, 'x')), std::string(kLongestText, 'x'));
  EXPECT_EQ(shortened_name(std::string(kLongestText, 'x')), std::string(kLongestText, 'x'));
}

TEST(Shorten, TruncatedTextsStateTheirLength) {
  for (const std::size_t size : {kLongestText + 1, std::size_t{40'000'000}}) {
    const std::string text = shortened("a" + std::string(size - 1, 'b'));
    EXPECT_TRUE(text.starts_with("abbbb"));
    EXPECT_TRUE(text.ends_with("bbb... (" + std::to_string(size) + " bytes)")) << text;
    EXPECT_LE(text.size(), kLongestText);
    EXPECT_GT(text.size(), kLongestText - 50);
  }
}

TEST(Shorten, DifferentNamesStayDifferent) {
  const std::string name(kLongestText + 10, 'x');
  const std::string one = shortened_name(name + "1"), other = shortened_name(name + "2");
  EXPECT_NE(one, other);
  EXPECT_EQ(one, shortened_name(name + "1"));
  EXPECT_LE(one.size(), kLongestText);
  EXPECT_NE(one.find("... (2011 bytes, "), one.npos);
}

TEST(Shorten, TruncatesBetweenCharacters) {
  for (const std::string character : {"ä", "€", "𝄞"}) {
    for (std::size_t shift = 0; shift < character.size(); ++shift) {
      std::string text(shift, 'x');
      while (text.size() <= 2 * kLongestText) text += character;
      const std::string cut = shortened(text);
      const std::string beginning = cut.substr(0, cut.find("..."));
      EXPECT_EQ((beginning.size() - shift) % character.size(), 0u) << character << shift;
      EXPECT_LE(cut.size(), kLongestText);
    }
  }
  // Bytes that are not text are not truncated earlier than necessary either.
  EXPECT_GT(shortened(std::string(10'000, '\x80')).size(), kLongestText - 50);
}

TEST(Shorten, TextsOfRules) {
  const std::string long_text(10'000, 'x');
  Probe probe;
  probe.fail({.object = long_text,
              .attribute = long_text,
              .where = long_text,
              .observed = long_text,
              .expected = long_text,
              .hint = long_text,
              .witness = long_text});
  probe.blocked(long_text, {"some-clause"});
  const Finding& finding = probe.findings().at(0);
  for (const std::string& text :
       {finding.object, finding.attribute, finding.where, finding.observed, finding.expected,
        finding.hint, finding.witness, probe.reason()}) {
    EXPECT_LE(text.size(), kLongestText);
    EXPECT_NE(text.find("... (100"), text.npos);
  }
}

}  // namespace

}  // namespace hepcheck
