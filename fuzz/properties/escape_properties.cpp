// Texts from files as displayed in reports: every character, every invalid byte, and the inverse.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <format>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/properties/random_values.h"
#include "reports/escape.h"

namespace hepcheck::reports {

namespace {

using namespace hepcheck::fuzz;

// A character encoded as UTF-8 in this many bytes, which may be too many.
std::string encoded(std::uint32_t code, std::size_t bytes) {
  if (bytes == 1) return std::string(1, static_cast<char>(code));
  std::string text(bytes, '\0');
  for (std::size_t i = bytes - 1; i > 0; --i, code >>= 6)
    text[i] = static_cast<char>(0x80 | (code & 0x3F));
  text[0] = static_cast<char>((0xF00 >> bytes & 0xFF) | code);
  return text;
}

std::size_t bytes_of(std::uint32_t code) {
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

using Ranges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

bool in(std::uint32_t code, const Ranges& ranges) {
  return std::ranges::any_of(
      ranges, [=](auto& range) { return code >= range.first && code <= range.second; });
}

// C1 controls, the soft hyphen, direction marks, zero-width characters, line separators,
// noncharacters, tags.
const Ranges kHidden{{0x7F, 0x9F},     {0xAD, 0xAD},      {0x61C, 0x61C},   {0x180E, 0x180E},
                     {0x200B, 0x200F}, {0x2028, 0x202E},  {0x2060, 0x206F}, {0xFEFF, 0xFEFF},
                     {0xFFF9, 0xFFFF}, {0xE0000, 0xE007F}};
// The possible beginnings of a line before a command of a CI log.
const Ranges kBlank{{0, 0x20},        {0xA0, 0xA0},     {0x1680, 0x1680}, {0x2000, 0x200A},
                    {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}};

std::string bytes_shown(std::string_view text) {
  std::string out;
  for (const char c : text) out += std::format("\\x{:02X}", static_cast<unsigned char>(c));
  return out;
}

std::string shown(std::uint32_t code, const std::string& text) {
  switch (code) {
    case '\\': return "\\\\";
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: break;
  }
  if (code >= 0xD800 && code < 0xE000) return bytes_shown(text);
  if (code < 0x20) return bytes_shown(text);
  return in(code, kHidden) ? std::format("\\u{{{:04X}}}", code) : text;
}

TEST(Escapes, OfEveryCharacter) {
  for (std::uint32_t code = 0; code < 0x110000; ++code) {
    const std::string text = encoded(code, bytes_of(code));
    const std::string wanted = code == ':' ? "a:b" : 'a' + shown(code, text) + 'b';
    ASSERT_EQ(escaped('a' + text + 'b'), wanted) << std::hex << code;
    ASSERT_EQ(unescaped(wanted), 'a' + text + 'b') << std::hex << code;
    // After it, a command is broken if it could begin a line.
    if (code == ':' || code == '#' || (code >= 0xD800 && code < 0xE000)) continue;
    ASSERT_EQ(escaped(text + "::x"), shown(code, text) + (in(code, kBlank) ? "\\x3A:x" : "::x"))
        << std::hex << code;
  }
}

TEST(Escapes, OfInvalidBytes) {
  for (const std::string& text :
       {encoded(0x110000, 4), encoded(0x1FFFFF, 4), encoded(0x7F, 2), encoded(0, 2),
        encoded(0x7FF, 3), encoded(0xFFFF, 4), encoded(0xD800, 3), encoded(0xDFFF, 3)}) {
    EXPECT_EQ(escaped(text), bytes_shown(text));
    EXPECT_EQ(unescaped(escaped(text)), text);
  }
  for (int byte = 0x80; byte < 0x100; ++byte) {
    const std::string one(1, static_cast<char>(byte));
    EXPECT_EQ(escaped(one), bytes_shown(one));
    EXPECT_EQ(escaped(one + "::"), bytes_shown(one) + "::");
    for (const char* after : {"a", "\x7f", "\xc0", "\xff"})
      EXPECT_EQ(escaped(one + after),
                bytes_shown(one) + (*after == '\x7f' ? "\\u{007F}" : escaped(after)));
  }
  // Truncated at every length.
  for (const std::uint32_t code : {0x80u, 0x7FFu, 0x800u, 0xFFFDu, 0x10000u, 0x10FFFFu})
    for (std::size_t size = 1; size < bytes_of(code); ++size) {
      const std::string cut = encoded(code, bytes_of(code)).substr(0, size);
      EXPECT_EQ(escaped(cut), bytes_shown(cut));
      EXPECT_EQ(escaped(cut + 'a'), bytes_shown(cut) + 'a');
      EXPECT_EQ(escaped(cut + "\xc3\xa9"), bytes_shown(cut) + "\xc3\xa9");
      // Bytes after the text do not belong to it.
      const std::string whole = encoded(code, bytes_of(code));
      EXPECT_EQ(escaped(std::string_view(whole).substr(0, size)), bytes_shown(cut));
    }
}

TEST(Escapes, BreakCommandsOfLogs) {
  for (const auto& [text, wanted] :
       std::vector<std::pair<std::string, std::string>>{{"::error", "\\x3A:error"},
                                                        {":a",
                                                         "\\x3A"
                                                         "a"},
                                                        {"a::error", "a::error"},
                                                        {"  \t::error", "  \\t\\x3A:error"},
                                                        {"#", "#"},
                                                        {"##[group]", "#\\x23[group]"},
                                                        {"a##b",
                                                         "a#\\x23"
                                                         "b"},
                                                        {"###", "#\\x23\\x23"},
                                                        {"# #", "# #"},
                                                        {"a:", "a:"}})
    EXPECT_EQ(escaped(text), wanted);
}

RC_GTEST_PROP(Escapes, AreReversible, ()) {
  Noise noise(*rc::gen::arbitrary<std::uint64_t>().as("text") + 1);
  constexpr const char* kParts[] = {
      "\\", "x", "u{",   "}",    "41",   "1F600",        "n",    ":", "#",
      "\n", " ", "\xff", "\xc3", "\xa9", "\xe2\x80\xae", "\x01", "<", "&"};
  std::string text;
  for (std::uint64_t n = noise.below(8); n > 0; --n) text += noise.of(kParts);
  RC_ASSERT(unescaped(escaped(text)) == text);
  RC_ASSERT(escaped(unescaped(escaped(text))) == escaped(text));
}

TEST(Escapes, ThatAreInvalidStayUnchanged) {
  for (const char* text :
       {"\\", "a\\", "\\q", "\\x", "\\x4", "\\xZZ", "\\x4Z", "\\u", "\\u{", "\\u{}", "\\u41}",
        "\\u{4Z}", "\\u{110000}", "\\u{FFFFFFFFFF}", "\\u {41}"})
    EXPECT_EQ(unescaped(text), text);
  EXPECT_EQ(unescaped("\\x41\\u{41}\\u{10FFFF}\\\\n"), "AA\xf4\x8f\xbf\xbf\\n");
}

TEST(Escapes, OfXmlUrisAndCells) {
  EXPECT_EQ(escaped_xml("<a b='c' d=\"e\">&\n"), "&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;\\n");
  EXPECT_EQ(table_cell("|a||b|"), "\\|a\\|\\|b\\|");
  EXPECT_EQ(as_uri(""), "");
  EXPECT_EQ(as_uri("/a"), "file:///a");
  EXPECT_EQ(as_uri("a/b"), "a/b");
  for (int byte = 1; byte < 0x100; ++byte) {
    const char c = static_cast<char>(byte);
    const bool plain =
        byte < 0x80 && (std::isalnum(byte) != 0 || std::string_view("-._~/").contains(c));
    EXPECT_EQ(as_uri(std::string("x") + c),
              plain ? std::string("x") + c : std::format("x%{:02X}", byte));
  }
}

}  // namespace

}  // namespace hepcheck::reports
