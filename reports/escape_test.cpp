#include "reports/escape.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <format>

namespace hepcheck::reports {

namespace {

TEST(Escape, PlainTextIsUnchanged) {
  for (const char* text : {"", "time", "/t/SEARCH_INDEXES/x", "Grüße 時間", "a::b", "a # b"})
    EXPECT_EQ(escaped(text), text);
}

TEST(Escape, InvisibleCharactersAreShown) {
  EXPECT_EQ(escaped("a\nb\r\tc\\"), "a\\nb\\r\\tc\\\\");
  EXPECT_EQ(escaped("\x1b[31m"), "\\x1B[31m");
  EXPECT_EQ(escaped("\xff\xc3"), "\\xFF\\xC3");
  EXPECT_EQ(escaped("\xc2\x9b"), "\\u{009B}");            // C1, the CSI of terminals
  EXPECT_EQ(escaped("\xe2\x80\xae"), "\\u{202E}");        // right-to-left override
  EXPECT_EQ(escaped("\xed\xa0\x80"), "\\xED\\xA0\\x80");  // a surrogate is not UTF-8
  EXPECT_EQ(escaped("\xc0\xaf"), "\\xC0\\xAF");           // an overlong form is not either
}

TEST(Escape, CommandsOfCiLogsAreBroken) {
  EXPECT_EQ(escaped("::error::x"), "\\x3A:error::x");
  EXPECT_EQ(escaped(" \xc2\xa0::set-env"), " \xc2\xa0\\x3A:set-env");
  EXPECT_EQ(escaped("x##[error]y"), "x#\\x23[error]y");
  EXPECT_EQ(escaped("##vso[task"), "#\\x23vso[task");
}

TEST(Escape, BriefTextsEndBetweenCharacters) {
  EXPECT_EQ(brief("abc", 3), "abc");
  EXPECT_EQ(brief("abcd", 3), "abc...");
  EXPECT_EQ(brief("ab\xc3\xbc", 3), "ab...");
  EXPECT_EQ(brief("\xc3\xbc\xc3\xbc", 3), "\xc3\xbc...");
  EXPECT_EQ(brief("a", 0), "...");
  EXPECT_EQ(brief("\x80\x80", 1), "...");  // not UTF-8
}

TEST(Escape, IsReversible) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    const std::string shown = escaped(text);
    RC_ASSERT(unescaped(shown) == text);
    for (const char c : shown) RC_ASSERT(static_cast<unsigned char>(c) >= 0x20);
  }));
}

TEST(Escape, UnescapedTextIsUnchanged) {
  for (const char* text : {"\\", "\\q", "\\x4", "\\xZZ", "\\u{", "\\u{}", "\\u{110000}"})
    EXPECT_EQ(unescaped(text), text);
}

TEST(Uri, ContainsOnlyAllowedCharacters) {
  EXPECT_EQ(as_uri("a b/ü#?.h5"), "a%20b/%C3%BC%23%3F.h5");
  EXPECT_EQ(as_uri("/data/x.h5"), "file:///data/x.h5");
  EXPECT_EQ(as_uri("a:b"), "a%3Ab");
}

TEST(TableCell, PipesDoNotEndIt) { EXPECT_EQ(table_cell("a|b||"), "a\\|b\\|\\|"); }

}  // namespace

}  // namespace hepcheck::reports
