#include "validator/toml_depth.h"

#include <gtest/gtest.h>

#include <string>

namespace hepcheck {
namespace {

TEST(TomlDepth, CountsThePartsOfTheLongestKey) {
  EXPECT_EQ(key_parts_in_toml(""), 1u);
  EXPECT_EQ(key_parts_in_toml("a = 1\nb = 2\n"), 1u);
  EXPECT_EQ(key_parts_in_toml("a.b . c = 1\nd.e = 2\n"), 3u);
  EXPECT_EQ(key_parts_in_toml("[a.b.c.d]\ne = 1.5"), 4u);
  EXPECT_EQ(key_parts_in_toml("a = { b.c.d = 1 }"), 3u);
  EXPECT_EQ(key_parts_in_toml("a.'b.c.d'.\"e.\\\"f\" = 1"), 3u);
}

TEST(TomlDepth, PointsInStringsAndCommentsDoNotCount) {
  EXPECT_EQ(key_parts_in_toml("paths = [\"a.b.c\", 'd.e.f'] # g.h.i\n"), 1u);
  EXPECT_EQ(key_parts_in_toml("a = \"\"\"x.y\n.z\"w.\"\"\"\nb = '''u.\n'v.'''"), 1u);
  EXPECT_EQ(key_parts_in_toml("a = \"\"\"\\\"\"\"\"\nb.c = 1"), 2u);
}

TEST(TomlDepth, UnterminatedStringsHideNothing) {
  EXPECT_EQ(key_parts_in_toml("a = \"b.c\nd.e = 1"), 2u);
  EXPECT_EQ(key_parts_in_toml("a = 'b.c\nd.e.f = 1"), 3u);
  EXPECT_EQ(key_parts_in_toml("a = \"\\"), 1u);
}

TEST(TomlDepth, EachPartCounts) {
  std::string key = "a";
  for (std::size_t i = 1; i < kMostKeyParts; ++i) key += ".a";
  EXPECT_EQ(key_parts_in_toml(key + "=1"), kMostKeyParts);
  EXPECT_EQ(key_parts_in_toml(key + ".a=1"), kMostKeyParts + 1);
}

}  // namespace
}  // namespace hepcheck
