#include <gtest/gtest.h>

#include <format>
#include <string>
#include <utility>
#include <vector>

#include "validator/formats/hep001/model/table.h"

namespace hepcheck::hep001 {
namespace {

// An attribute that is recognised by its value.
Attribute valued(int value) {
  Attribute made;
  made.bytes.push_back(static_cast<std::byte>(value));
  return made;
}

int value_of(const Attributes& attributes, std::string_view name) {
  const auto it = attributes.find(name);
  return it == attributes.end() ? -1 : std::to_integer<int>(it->second.bytes.at(0));
}

std::string names_of(const Attributes& attributes) {
  std::string names;
  for (const auto& [name, attribute] : attributes) names += name + " ";
  return names;
}

TEST(Attributes, AreInTheOrderOfTheirNamesAndTheFirstOfANameIsKept) {
  std::vector<Attributes::value_type> all;
  for (const auto& [name, value] : {std::pair("b", 1), {"a", 2}, {"b", 3}, {"B", 4}, {"a", 5}})
    all.emplace_back(name, valued(value));
  const Attributes attributes(std::move(all));
  EXPECT_EQ(names_of(attributes), "B a b ");
  EXPECT_EQ(value_of(attributes, "a"), 2);
  EXPECT_EQ(value_of(attributes, "b"), 1);
  EXPECT_EQ(value_of(attributes, "ab"), -1);
  EXPECT_TRUE(Attributes(std::vector<Attributes::value_type>()).empty());
}

TEST(Attributes, AreFoundAmongFewAndMany) {
  for (const int count : {1, 15, 16, 17, 100}) {
    Attributes attributes;
    for (int i = count; i-- > 0;) attributes.emplace(std::format("{:03}", 2 * i), valued(i));
    EXPECT_EQ(attributes.size(), static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      EXPECT_EQ(value_of(attributes, std::format("{:03}", 2 * i)), i) << count;
      EXPECT_EQ(value_of(attributes, std::format("{:03}", 2 * i + 1)), -1) << count;
    }
  }
}

TEST(Attributes, EmplaceKeepsAndInsertOrAssignReplaces) {
  Attributes attributes;
  attributes.emplace("a", valued(1));
  attributes.emplace("a", valued(2));
  EXPECT_EQ(value_of(attributes, "a"), 1);
  attributes.insert_or_assign("a", valued(3));
  attributes.insert_or_assign("c", valued(4));
  attributes.insert_or_assign("b", valued(5));
  EXPECT_EQ(names_of(attributes), "a b c ");
  EXPECT_EQ(value_of(attributes, "a"), 3);
  attributes.erase(attributes.find("b"));
  EXPECT_EQ(names_of(attributes), "a c ");
}

}  // namespace
}  // namespace hepcheck::hep001
