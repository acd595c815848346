#include "reports/wrap.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace hepcheck::reports {
namespace {

const std::string kLongLine = "The quick brown fox jumps over the lazy dog and runs away from it";

TEST(Wrap, ShortLinesAreUnchanged) {
  for (const std::string text : {"", "\n", "a\n\nb", "a\nb\n", "    found     x\n"})
    EXPECT_EQ(wrapped(text, 40), text);
}

TEST(Wrap, BreaksBetweenWords) {
  EXPECT_EQ(wrapped(kLongLine + "\nnext\n", 40),
            "The quick brown fox jumps over the lazy\n    dog and runs away from it\nnext\n");
  EXPECT_EQ(wrapped("  " + kLongLine, 41),
            "  The quick brown fox jumps over the lazy\n      dog and runs away from it");
}

TEST(Wrap, ValuesStayInTheirColumn) {
  EXPECT_EQ(wrapped("    found     " + kLongLine, 50),
            "    found     The quick brown fox jumps over the\n"
            "              lazy dog and runs away from it");
}

TEST(Wrap, NothingIsLostAndNoLineIsTooLong) {
  // A line, and what the lines after it begin with.
  for (const auto& [begin, indent] : {std::pair<std::string, std::string>("", "    "),
                                      {"        ", "            "},
                                      {"    found     ", "              "}}) {
    const std::string text = begin + kLongLine + ' ' + kLongLine + ' ' + kLongLine;
    for (std::size_t width = 40; width < 90; ++width) {
      std::string made = wrapped(text, width);
      std::size_t longest = 0, line = 0;
      for (std::size_t end = 0; end != made.npos; line = end + 1) {
        end = made.find('\n', line);
        longest = std::max(longest, std::min(end, made.size()) - line);
      }
      EXPECT_LE(longest, width);
      for (std::size_t at; (at = made.find('\n' + indent)) != made.npos;)
        made.replace(at, 1 + indent.size(), " ");
      EXPECT_EQ(made, text) << width;
    }
  }
}

TEST(Wrap, LongWordsStayWhole) {
  const std::string word(100, 'x');
  EXPECT_EQ(wrapped("a " + word + " b", 40), "a\n    " + word + "\n    b");
  EXPECT_EQ(wrapped(word, 40), word);
}

TEST(Wrap, ColourTakesNoColumns) {
  std::string text;
  for (int i = 0; i < 10; ++i) text += "\x1b[31mab\x1b[0m ";
  text.pop_back();
  EXPECT_EQ(wrapped(text, 40), text);
  EXPECT_EQ(wrapped(std::string(12, 'x') + " \xC3\xA4 " + std::string(25, 'y'), 40),
            std::string(12, 'x') + " \xC3\xA4 " + std::string(25, 'y'));
}

TEST(Wrap, UnknownWidthChangesNothing) {
  for (const std::size_t width : {0, 1, 39}) EXPECT_EQ(wrapped(kLongLine, width), kLongLine);
}

}  // namespace
}  // namespace hepcheck::reports
