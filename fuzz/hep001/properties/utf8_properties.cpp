// The test for UTF-8, on a whole text and incrementally, agrees with the definition: each code
// point in its shortest form, no surrogate, none above U+10FFFF.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "validator/utf8.h"

namespace hepcheck::hep001 {

namespace {

std::string encoded(char32_t point) {
  const auto unit = [](char32_t bits) { return static_cast<char>(bits); };
  if (point < 0x80) return {unit(point)};
  if (point < 0x800) return {unit(0xC0 | point >> 6), unit(0x80 | (point & 0x3F))};
  if (point < 0x10000)
    return {unit(0xE0 | point >> 12), unit(0x80 | (point >> 6 & 0x3F)),
            unit(0x80 | (point & 0x3F))};
  return {unit(0xF0 | point >> 18), unit(0x80 | (point >> 12 & 0x3F)),
          unit(0x80 | (point >> 6 & 0x3F)), unit(0x80 | (point & 0x3F))};
}

// Decodes the code point that the bytes of its length state.
bool begins_with_code_point(std::string_view text, std::size_t length) {
  if (text.size() < length) return false;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  constexpr unsigned kMasks[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
  char32_t point = byte(0) & kMasks[length];
  for (std::size_t i = 1; i < length; ++i) point = point << 6 | (byte(i) & 0x3F);
  const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
  return !surrogate && point <= 0x10FFFF && text.starts_with(encoded(point));
}

bool is_utf8_by_definition(std::string_view text) {
  while (!text.empty()) {
    std::size_t length = 1;
    while (length <= 4 && !begins_with_code_point(text, length)) ++length;
    if (length > 4) return false;
    text.remove_prefix(length);
  }
  return true;
}

bool stream_takes(std::string_view text, std::size_t piece) {
  Utf8Stream stream;
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size())))
    stream.feed(std::as_bytes(std::span(text.substr(0, piece))));
  return stream.valid();
}

void expect_alike(const std::string& text) {
  const bool right = is_utf8_by_definition(text);
  EXPECT_EQ(is_utf8(text), right) << testing::PrintToString(text);
  for (const std::size_t piece : {1, 2, 100})
    EXPECT_EQ(stream_takes(text, piece), right) << testing::PrintToString(text) << " by " << piece;
}

// Every boundary of the ranges of a byte.
constexpr unsigned char kBoundaries[] = {0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF,
                                         0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE,
                                         0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF};

void expect_alike_with(std::string& text, std::size_t more) {
  expect_alike(text);
  if (more == 0 || testing::Test::HasFailure()) return;
  for (const unsigned char byte : kBoundaries) {
    text.push_back(static_cast<char>(byte));
    expect_alike_with(text, more - 1);
    text.pop_back();
  }
}

TEST(Utf8, OfFewBytes) {
  std::string text;
  expect_alike_with(text, 3);
  // The longest sequences, and sequences that are too long.
  for (const int lead : {0xE0, 0xED, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5})
    for (const unsigned char second : kBoundaries) {
      text = {static_cast<char>(lead), static_cast<char>(second)};
      expect_alike_with(text, 2);
    }
}

// Surrounded by a plain text of any length.
TEST(Utf8, AmongPlainBytes) {
  const std::string plain(70, 'a');
  for (const std::string text :
       {"\xc3\xa9", "\xc3", "\xa9", "\xf0\x9f\x98\x80", "\xf4\x90\x80\x80"})
    for (std::size_t before = 0; before < 70; ++before)
      for (const std::size_t behind : {0, 1, 7, 8, 9, 33})
        expect_alike(plain.substr(0, before) + text + plain.substr(0, behind));
}

// Only ASCII, except for one byte at any position.
TEST(Utf8, AsciiOfAnyLength) {
  for (std::size_t length = 0; length < 100; ++length) {
    std::string text(length, '\x7f');
    EXPECT_TRUE(is_ascii(std::as_bytes(std::span(text)))) << length;
    for (char& byte : text) {
      byte = '\x80';
      EXPECT_FALSE(is_ascii(std::as_bytes(std::span(text)))) << length;
      byte = 'a';
    }
  }
}

}  // namespace

}  // namespace hepcheck::hep001
