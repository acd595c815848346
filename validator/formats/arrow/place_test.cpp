#include "validator/formats/arrow/place.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace hepcheck::arrow {
namespace {

TEST(Places, NamesAreQuotedAndCut) {
  const auto text = [](const std::string& name) {
    return Path{.kind = "field", .index = 1, .name = name}.text();
  };
  EXPECT_EQ(text("a b"), "field[1:\"a b\"]");
  EXPECT_EQ(text(""), "field[1:\"\"]");
  EXPECT_EQ(text("a\"b\\c"), "field[1:\"a\\\"b\\\\c\"]");
  for (const std::size_t size : {79u, 80u, 81u, 200u})
    EXPECT_EQ(text(std::string(size, 'n')), "field[1:\"" +
                                                std::string(std::min<std::size_t>(size, 80), 'n') +
                                                (size > 80 ? "...\"]" : "\"]"));
}

TEST(Places, ObjectsAreThePathAndAByteOfABuffer) {
  const Path batch{.kind = "batch", .index = 3},
      field{.up = &batch, .kind = "field", .index = 1, .name = "x"},
      child{.up = &field, .kind = "child", .index = 0}, footer{.kind = "footer", .name = "unused"};
  EXPECT_EQ(Place{}.object(), "/");
  EXPECT_EQ(Place{.path = &footer}.object(), "footer");
  EXPECT_EQ(Place{.path = &child}.object(), "batch[3].field[1:\"x\"].child[0]");
  EXPECT_EQ((Place{.path = &field, .buffer = 0}.object()), "batch[3].field[1:\"x\"].buffer[0]");
  EXPECT_EQ((Place{.path = &batch, .buffer = 2, .within = 0x40, .byte = 9}.object()),
            "batch[3].buffer[2]+0x40");
  EXPECT_EQ((Place{.path = &batch, .within = 0, .byte = 9}.object()), "batch[3]+0x0");
  EXPECT_EQ((Place{.path = &batch, .within = 0, .byte = 9}.where()), "byte 9");
}

}  // namespace
}  // namespace hepcheck::arrow
