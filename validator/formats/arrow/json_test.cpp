#include "validator/formats/arrow/json.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hepcheck::arrow {
namespace {

std::optional<std::string> string_of(std::string_view text) {
  Json json;
  if (read_json(text, &json) != JsonState::kSound || json.kind != Json::Kind::kString)
    return std::nullopt;
  return json.text;
}

TEST(ArrowJson, StringsAreWithoutEscapes) {
  EXPECT_EQ(string_of(R"("")"), "");
  EXPECT_EQ(string_of(" \t\n\r\"a b\" \t\n\r"), "a b");
  EXPECT_EQ(string_of(R"("\"\\\/\b\f\n\r\t")"), "\"\\/\b\f\n\r\t");
  // The smallest and the largest number of each length in UTF-8.
  EXPECT_EQ(string_of(R"("\u0001\u0041\u007f")"),
            "\x01"
            "A\x7F");
  EXPECT_EQ(string_of(R"("\u0080\u00E9\u00e9\u07ff")"), "\xC2\x80\xC3\xA9\xC3\xA9\xDF\xBF");
  EXPECT_EQ(string_of(R"("\u0800\u20ac\uffff")"), "\xE0\xA0\x80\xE2\x82\xAC\xEF\xBF\xBF");
  EXPECT_EQ(string_of(R"("\ud800\udc00\uD834\uDD1E\udbff\udfff")"),
            "\xF0\x90\x80\x80\xF0\x9D\x84\x9E\xF4\x8F\xBF\xBF");
  // Two escapes that are no pair.
  EXPECT_EQ(string_of(R"("\ud800\u0041")"),
            "\xED\xA0\x80"
            "A");
  EXPECT_EQ(string_of(R"("\ud800\ue000")"), "\xED\xA0\x80\xEE\x80\x80");
  EXPECT_EQ(string_of(R"("\udc00\ud800")"), "\xED\xB0\x80\xED\xA0\x80");
  EXPECT_EQ(string_of(R"("\ud800x")"), "\xED\xA0\x80x");
}

TEST(ArrowJson, OtherTextsAreBroken) {
  for (const std::string_view text : {"",
                                      " ",
                                      "x",
                                      "tru",
                                      "truex",
                                      "nul",
                                      "falsey",
                                      "True",
                                      "\"",
                                      "\"a",
                                      "\"\\\"",
                                      "\"\\x\"",
                                      "\"\\u004\"",
                                      "\"\\u00g1\"",
                                      "\"\\u00:1\"",
                                      "\"\\u00@1\"",
                                      "\"\\ud800\\u00\"",
                                      "\"\\ud800\\u00g1\"",
                                      "\"a\nb\"",
                                      "\"\x1F\"",
                                      "\"\xFF\"",
                                      "-",
                                      "+1",
                                      "01",
                                      "1.",
                                      ".5",
                                      "1e",
                                      "1e+",
                                      "-a",
                                      "1 2",
                                      "[",
                                      "]",
                                      "[1",
                                      "[1,",
                                      "[1,]",
                                      "[,1]",
                                      "[1 2]",
                                      "{",
                                      "}",
                                      "{1:2}",
                                      "{\"a\"}",
                                      "{\"a\":}",
                                      "{\"a\":1",
                                      "{\"a\":1,}",
                                      "{\"a\" 1}",
                                      "{\"a\":1}}",
                                      "{a:1}"})
    for (const bool kept : {false, true}) {
      Json json;
      EXPECT_EQ(read_json(text, kept ? &json : nullptr), JsonState::kBroken) << text;
    }
}

TEST(ArrowJson, OfAnyKindAreSound) {
  using Kind = Json::Kind;
  for (const auto& [text, kind] : {std::pair("null", Kind::kNull),
                                   {"true", Kind::kBool},
                                   {" false ", Kind::kBool},
                                   {"0", Kind::kNumber},
                                   {"-0", Kind::kNumber},
                                   {"120", Kind::kNumber},
                                   {"-1.50", Kind::kNumber},
                                   {"1e5", Kind::kNumber},
                                   {"0E-05", Kind::kNumber},
                                   {"1.5e+3", Kind::kNumber},
                                   {"\"\x7F\"", Kind::kString},
                                   {"[ ]", Kind::kArray},
                                   {"[1 , [ ], {}]", Kind::kArray},
                                   {"{ }", Kind::kObject},
                                   {"{ \"a\" : 1 , \"\" : [ ] }", Kind::kObject}}) {
    Json json;
    EXPECT_EQ(read_json(text, &json), JsonState::kSound) << text;
    EXPECT_EQ(json.kind, kind) << text;
    EXPECT_EQ(read_json(text), JsonState::kSound) << text;
  }
}

TEST(ArrowJson, ObjectsHaveTheirLastMembers) {
  Json json;
  ASSERT_EQ(read_json(R"({"a": 1, "b": [2, 3], "a": 4, "\u0063": null})", &json),
            JsonState::kSound);
  EXPECT_EQ(json.names, (std::vector<std::string>{"a", "b", "a", "c"}));
  EXPECT_EQ(json.member("a")->integer(), 4);
  ASSERT_EQ(json.member("b")->elements.size(), 2u);
  EXPECT_EQ(json.member("b")->elements[1].integer(), 3);
  EXPECT_EQ(json.member("c")->kind, Json::Kind::kNull);
  EXPECT_EQ(json.member("d"), nullptr);
}

TEST(ArrowJson, IntegersAreNumbersOf64Bits) {
  const auto integer = [](std::string_view text) {
    Json json;
    EXPECT_EQ(read_json(text, &json), JsonState::kSound) << text;
    return json.integer();
  };
  EXPECT_EQ(integer("-0"), 0);
  EXPECT_EQ(integer("9223372036854775807"), 9223372036854775807);
  EXPECT_EQ(integer("-9223372036854775808"), -9223372036854775807 - 1);
  for (const char* text : {"9223372036854775808", "-9223372036854775809", "1.0", "1e2", "\"1\"",
                           "[1]", "null", "true"})
    EXPECT_EQ(integer(text), std::nullopt) << text;
}

TEST(ArrowJson, AreNestedToALimit) {
  for (const std::size_t depth : {kMostJsonDepth - 1, kMostJsonDepth, kMostJsonDepth + 1}) {
    const JsonState wanted = depth > kMostJsonDepth ? JsonState::kTooDeep : JsonState::kSound;
    EXPECT_EQ(read_json(std::string(depth, '[') + std::string(depth, ']')), wanted) << depth;
    std::string objects;
    for (std::size_t i = 0; i < depth; ++i) objects += "{\"a\":";
    EXPECT_EQ(read_json(objects + "1" + std::string(depth, '}')), wanted) << depth;
  }
}

}  // namespace
}  // namespace hepcheck::arrow
