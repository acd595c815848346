// The decisions of a user about repairs, and the messages in which a worker says what it repaired.
#include "validator/repair/repair.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "validator/format.h"

namespace hepcheck {
namespace {

using Kind = RepairDecisions::Kind;

// --- Decisions -----------------------------------------------------------------------------------

TEST(RepairDecisions, AreDividedAtTheFirstSign) {
  struct Case {
    Kind kind;
    const char *text, *place, *value;
  };
  for (const Case& each : {Case{Kind::kFill, "x=-1", "x", "-1"},
                           {Kind::kFill, "x=a=b", "x", "a=b"},
                           {Kind::kFill, "x=", "x", ""},
                           {Kind::kRange, "x=0:100", "x", "0:100"},
                           {Kind::kRange, "a:b=:", "a:b", ":"},
                           {Kind::kRename, "old=new", "old", "new"},
                           {Kind::kSet, "/t@VERSION=1.0", "/t@VERSION", "1.0"},
                           {Kind::kDrop, "/t/a=b", "/t/a=b", ""}}) {
    RepairDecisions decisions;
    EXPECT_TRUE(decisions.empty());
    EXPECT_EQ(decisions.add(each.kind, each.text), std::nullopt) << each.text;
    EXPECT_FALSE(decisions.empty());
    EXPECT_EQ(decisions.find(each.kind, each.place), each.value);
  }
}

TEST(RepairDecisions, StateWhatIsExpected) {
  const std::map<Kind, std::string> expected{
      {Kind::kFill, "expected COLUMN=VALUE"},
      {Kind::kRange, "expected COLUMN=MIN:MAX"},
      {Kind::kRename, "expected OLD=NEW"},
      {Kind::kSet, "expected OBJECT@ATTRIBUTE=VALUE"},
  };
  for (const auto& [kind, words] : expected)
    for (const char* text : {"", "x", "=1", "="}) {
      RepairDecisions decisions;
      EXPECT_EQ(decisions.add(kind, text), words) << text;
      EXPECT_TRUE(decisions.empty());
    }
  // The sign of a range is behind the name.
  for (const char* text : {"x=", "x=1", "a:b=1"})
    EXPECT_EQ(RepairDecisions().add(Kind::kRange, text), expected.at(Kind::kRange)) << text;
}

TEST(RepairDecisions, AreGivenOnceForAPlace) {
  RepairDecisions decisions;
  EXPECT_EQ(decisions.add(Kind::kFill, "x=1"), std::nullopt);
  EXPECT_EQ(decisions.add(Kind::kFill, "y=1"), std::nullopt);
  EXPECT_EQ(decisions.add(Kind::kRename, "x=z"), std::nullopt);
  EXPECT_EQ(decisions.add(Kind::kFill, "x=2"), "\"x\" is given twice");
  EXPECT_EQ(decisions.find(Kind::kFill, "x"), "1");
}

TEST(RepairDecisions, ThatNothingNeededAreUnused) {
  RepairDecisions decisions;
  const std::pair<Kind, const char*> all[] = {{Kind::kDrop, "/t/x"},
                                              {Kind::kSet, "/t@TITLE=a=b"},
                                              {Kind::kRename, "x=y"},
                                              {Kind::kRange, "x=0:1"},
                                              {Kind::kFill, "x=1"}};
  for (const auto& [kind, text] : all) EXPECT_EQ(decisions.add(kind, text), std::nullopt);
  using Texts = std::vector<std::string>;
  EXPECT_EQ(decisions.unused(), (Texts{"--fill x=1", "--range x=0:1", "--rename x=y",
                                       "--set /t@TITLE=a=b", "--drop /t/x"}));
  EXPECT_EQ(decisions.find(Kind::kFill, "y"), std::nullopt);
  EXPECT_EQ(decisions.find(Kind::kDrop, "x"), std::nullopt);
  EXPECT_EQ(decisions.unused().size(), 5u);
  EXPECT_EQ(decisions.find(Kind::kRange, "x"), "0:1");
  EXPECT_EQ(decisions.find(Kind::kDrop, "/t/x"), "");
  EXPECT_EQ(decisions.unused(), (Texts{"--fill x=1", "--rename x=y", "--set /t@TITLE=a=b"}));
}

TEST(RepairDecisions, SelectClauses) {
  const Clause &one = *default_specification().find("nrows-uint64"),
               &other = *default_specification().find("class-value");
  EXPECT_TRUE(is_selected({}, one));
  EXPECT_TRUE(is_selected({"class-value", "nrows-uint64"}, one));
  EXPECT_FALSE(is_selected({"nrows-uint64"}, other));
}

// --- Messages ------------------------------------------------------------------------------------

// Every text and list has other contents.
std::vector<RepairedSubject> subjects() {
  const RepairChange change{.clause = "a",
                            .object = "b",
                            .attribute = "c",
                            .act = "d",
                            .from = "e",
                            .to = std::string("f\0g", 3),
                            .code = {"h", ""},
                            .c = {"i"}};
  const RepairLeft left{.clause = "j",
                        .object = "k",
                        .attribute = "l",
                        .where = "m",
                        .observed = "n",
                        .expected = "o",
                        .why = "p",
                        .options = {"q", "r"}};
  return {{.kind = "table", .path = "/t", .spec = "s", .changes = {change, {}}, .left = {left}},
          {.kind = "container", .path = "/", .spec = "", .notes = {"u", "v"}}};
}

const std::vector<ValueDigest> kDigests{
    {.subject = "/t", .path = "/t/x", .values = ~std::uint64_t{0}, .sha256 = "0a"},
    {.subject = "/u", .path = "/u/y", .trouble = "a header"}};

TEST(RepairMessages, ComeBack) {
  const auto back = decoded_repairs(encoded(subjects(), {"--fill x=1", ""}));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->subjects, subjects());
  EXPECT_EQ(back->unused, (std::vector<std::string>{"--fill x=1", ""}));
  const auto digests = decoded_digests(encoded(kDigests));
  ASSERT_TRUE(digests);
  EXPECT_EQ(*digests, kDigests);
}

// A message that is cut, longer, or has another number: refused, or another one that is sound.
TEST(RepairMessages, OfAnyOriginAreReadWithinBounds) {
  const auto each_change = [](const std::string& message, auto again) {
    std::size_t refused = 0;
    for (std::size_t size = 0; size < message.size(); ++size)
      EXPECT_EQ(again(message.substr(0, size)), std::nullopt) << size;
    EXPECT_EQ(again(message + '\0'), std::nullopt);
    for (std::size_t at = 0; at + 8 <= message.size(); ++at)
      for (const std::uint64_t number : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{9},
                                         std::uint64_t{message.size()}, ~std::uint64_t{0}}) {
        std::string changed = message;
        std::memcpy(changed.data() + at, &number, sizeof number);
        const std::optional<std::string> back = again(changed);
        refused += !back;
        EXPECT_TRUE(!back || back == changed);
      }
    return refused;
  };
  const std::string message = encoded(subjects(), {"--fill x=1"});
  EXPECT_GT(each_change(message,
                        [](const std::string& bytes) {
                          const auto back = decoded_repairs(bytes);
                          return back ? std::optional(encoded(back->subjects, back->unused))
                                      : std::nullopt;
                        }),
            message.size());
  const std::string digests = encoded(kDigests);
  EXPECT_GT(each_change(digests,
                        [](const std::string& bytes) {
                          const auto back = decoded_digests(bytes);
                          return back ? std::optional(encoded(*back)) : std::nullopt;
                        }),
            digests.size());
}

}  // namespace
}  // namespace hepcheck
