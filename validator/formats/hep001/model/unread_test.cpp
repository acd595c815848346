#include "validator/formats/hep001/model/unread.h"

#include <gtest/gtest.h>

#include <string>

#include "validator/formats/hep001/testing/build.h"

namespace hepcheck::hep001 {
namespace {

// Whatever else is in the group, and wherever.
TEST(Unread, PartsOfListColumnsBesideGroupsThatAreRead) {
  const Specification& newer = *find_specification("hep001-2026-07-09");
  for (const char* name : {"tags/AA", "tags/ZZ", "tags/VALUES/AA", "tags/VALUES/ZZ"}) {
    TableBuilder t = newer_table();
    EXPECT_EQ(unread_of(t.finish(newer)).lists, std::nullopt);
    t.add_named_datatype(name).unreadable = "damaged";
    const auto why = unread_of(t.finish(newer)).lists;
    ASSERT_TRUE(why) << name;
    EXPECT_EQ(*why, "/t/" + std::string(name) + " cannot be read: damaged");
  }
}

}  // namespace
}  // namespace hepcheck::hep001
