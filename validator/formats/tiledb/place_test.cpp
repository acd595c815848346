#include "validator/formats/tiledb/place.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace hepcheck::tiledb {
namespace {

TEST(Places, NamesAreShownAsTheyAreOrByByte) {
  EXPECT_EQ(shown_name("caf\xC3\xA9 [0]"), "caf\xC3\xA9 [0]");
  EXPECT_EQ(shown_name("a\"b\\c"), "a\\x22b\\x5cc");
  EXPECT_EQ(shown_name(std::string("\0\x1F \x7E\x7F", 5)), "\\x00\\x1f ~\\x7f");
  EXPECT_EQ(shown_name("\xC3\xA9\xFF"), "\\xc3\\xa9\\xff");
  for (const std::size_t size : {199u, 200u, 201u, 300u})
    EXPECT_EQ(shown_name(std::string(size, 'n')),
              std::string(std::min<std::size_t>(size, 200), 'n') + (size > 200 ? "..." : ""));
}

TEST(Places, ObjectsAreTheFileAndThePath) {
  const Source none, some{.file = "__schema/__1_1_a"};
  const Path attribute{.kind = "attribute", .index = 2, .name = "x\n"}, domain{.kind = "domain"},
      filter{.up = &attribute, .kind = "filter", .index = 0};
  EXPECT_EQ(Place{}.object(), "file");
  EXPECT_EQ(Place{.source = &none}.object(), "file");
  EXPECT_EQ(Place{.source = &some}.object(), "__schema/__1_1_a");
  EXPECT_EQ((Place{.source = &none, .path = &domain, .byte = 26}.object()), "domain");
  EXPECT_EQ((Place{.path = &filter, .byte = 26, .decoded = true}.object()),
            "attribute[2:\"x\\x0a\"].filter[0]+0x1a");
  EXPECT_EQ((Place{.source = &some, .path = &domain, .byte = 26, .decoded = true}.object()),
            "__schema/__1_1_a:domain+0x1a");
}

TEST(Places, DecodedBytesAreFromAPieceOfTheFile) {
  const Source source{.pieces = {{.begin = 0, .stored = 100, .as_stored = true},
                                 {.begin = 50, .stored = 170},
                                 {.begin = 90, .stored = 300, .as_stored = true}}};
  const Path path{.kind = "domain"};
  const auto where = [&](std::uint64_t byte) {
    return Place{.source = &source, .path = &path, .byte = byte, .decoded = true}.where();
  };
  EXPECT_EQ(where(0), "decoded byte 0, byte 100 of the file");
  EXPECT_EQ(where(49), "decoded byte 49, byte 149 of the file");
  EXPECT_EQ(where(50), "decoded byte 50, in the chunk whose data begin at byte 170");
  EXPECT_EQ(where(89), "decoded byte 89, in the chunk whose data begin at byte 170");
  EXPECT_EQ(where(90), "decoded byte 90, byte 300 of the file");
  EXPECT_EQ(where(95), "decoded byte 95, byte 305 of the file");
  EXPECT_EQ((Place{.path = &path, .byte = 7}.where()), "byte 7");
  EXPECT_EQ((Place{.path = &path, .byte = 7, .decoded = true}.where()), "decoded byte 7");
  EXPECT_EQ(Place{.byte = 7}.where(), "");
}

}  // namespace
}  // namespace hepcheck::tiledb
