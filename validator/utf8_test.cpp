// UTF-8 in parts, compared with UTF-8 as a whole.
#include "validator/utf8.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <random>
#include <span>
#include <string>

namespace hepcheck {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

bool well_formed_in_parts(const std::string& text, std::minstd_rand& random) {
  Utf8Check check;
  std::span<const std::byte> rest = bytes_of(text);
  while (!rest.empty()) {
    const std::size_t size = std::min<std::size_t>(rest.size(), random() % 4000);
    check.add(rest.first(size));
    rest = rest.subspan(size);
  }
  return check.well_formed();
}

// Characters of one to four bytes, at the boundaries of the valid range.
const std::string kCharacters[] = {"a",
                                   "\x7F",
                                   "\xC2\x80",
                                   "\xDF\xBF",
                                   "\xE0\xA0\x80",
                                   "\xED\x9F\xBF",
                                   "\xEE\x80\x80",
                                   "\xF0\x90\x80\x80",
                                   "\xF4\x8F\xBF\xBF"};
// And just beyond it.
const std::string kOthers[] = {"\x80",         "\xC1\xBF",         "\xC2",     "\xE0\x9F\xBF",
                               "\xED\xA0\x80", "\xF0\x8F\xBF\xBF", "\xF5",     "\xF4\x90\x80\x80",
                               "\xE1\x80",     "\xF1\x80\x80",     "\xC2\xC2", "\xFF"};

TEST(Utf8, PartsAgreeWithTheWhole) {
  std::minstd_rand random(1);
  int sound = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text(random() % 3000, 'x');
    for (std::size_t n = random() % 300; n > 0; --n) {
      text += kCharacters[random() % std::size(kCharacters)];
      if (random() % 100 == 0) text += std::string(random() % 500, 'y');
    }
    if (random() % 2 == 0) text += kOthers[random() % std::size(kOthers)];
    if (random() % 2 == 0) text += std::string(random() % 3000, 'z');
    const bool whole = well_formed_utf8(bytes_of(text)) == text.size();
    sound += whole;
    ASSERT_EQ(well_formed_in_parts(text, random), whole) << testing::PrintToString(text);
  }
  EXPECT_GT(sound, 5000);
  EXPECT_LT(sound, 15000);
}

// One character among letters, also where it is cut by what is examined at once.
TEST(Utf8, CharactersAtEveryPosition) {
  constexpr std::size_t kSize = 2300;
  const auto expect_same = [&](const std::string& character) {
    const bool good = well_formed_utf8(bytes_of(character)) == character.size();
    for (std::size_t at = 0; at + character.size() <= kSize; ++at) {
      std::string text(kSize, 'x');
      text.replace(at, character.size(), character);
      Utf8Check check;
      check.add(bytes_of(text));
      ASSERT_EQ(check.well_formed(), good) << testing::PrintToString(character) << ' ' << at;
    }
  };
  for (const std::string& each : kCharacters) expect_same(each);
  for (const std::string& each : kOthers) expect_same(each);
}

// Any few of the bytes are not ASCII, and any few characters are damaged.
TEST(Utf8, ShortTextsAgreeWithASimpleLoop) {
  std::minstd_rand random(2);
  for (int round = 0; round < 30'000; ++round) {
    std::string text(random() % 100, 'x');
    for (std::size_t n = random() % 3; n > 0 && !text.empty(); --n)
      text[random() % text.size()] = static_cast<char>(0x7E + random() % 4);
    const bool ascii = std::ranges::none_of(text, [](char c) { return (c & 0x80) != 0; });
    ASSERT_EQ(is_ascii(bytes_of(text)), ascii) << testing::PrintToString(text);
    for (std::size_t n = random() % 3; n > 0; --n)
      text.insert(random() % (text.size() + 1),
                  random() % 4 == 0 ? kOthers[random() % std::size(kOthers)]
                                    : kCharacters[random() % std::size(kCharacters)]);
    const std::uint64_t good = well_formed_utf8(bytes_of(text));
    ASSERT_EQ(is_utf8(text), good == text.size()) << testing::PrintToString(text);
    Utf8Stream stream;
    for (int again = 0; again < 2; ++again) {
      for (std::span<const std::byte> rest = bytes_of(text); !rest.empty();) {
        const std::size_t size = 1 + random() % rest.size();
        stream.feed(rest.first(size));
        rest = rest.subspan(size);
      }
      ASSERT_EQ(stream.valid(), good == text.size()) << testing::PrintToString(text);
      stream.restart();
    }
    ASSERT_TRUE(is_utf8(text.substr(0, good)));
  }
}

TEST(Utf8, AsciiIsReportedForEachPart) {
  Utf8Check check;
  EXPECT_TRUE(check.add(bytes_of(std::string(1000, 'a'))));
  EXPECT_FALSE(check.add(bytes_of(std::string(999, 'a') + "\xC3")));
  EXPECT_FALSE(check.well_formed());
  EXPECT_FALSE(check.add(bytes_of("\xA4")));
  EXPECT_TRUE(check.well_formed());
  EXPECT_TRUE(check.add(bytes_of("a")));
}

}  // namespace
}  // namespace hepcheck
