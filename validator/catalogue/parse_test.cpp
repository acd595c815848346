#include "validator/catalogue/parse.h"

#include <gtest/gtest.h>

#include <string>

namespace hepcheck {

namespace {

constexpr const char* kTwoClauses = R"(
[specification]
format = "f"
id = "s"
title = "t"
revision = "r"
url = "u"
[[clause]]
id = "stated"
section = "1"
level = "MUST"
subject = "file"
object = "table"
basis = "keyword"
statement = "."
check = "."
default_severity = "error"
[[clause]]
id = "defined"
section = "1"
level = "MUST NOT"
subject = "file"
object = "table"
basis = "definition"
statement = "."
check = "."
default_severity = "error"
)";

std::string ambiguity(const std::string& id, const std::string& rest) {
  return "[[ambiguity]]\nid = \"" + id +
         "\"\nsection = \"1\"\nquestion = \"?\"\nreading = \"a\"\nalternative = \"b\"\n"
         "why = \"c\"\neffect = \"d\"\n" +
         rest + "\n";
}

std::string complaint(const std::string& entries) {
  const Result<ParsedSpecification> spec = parse_catalogue(kTwoClauses + entries);
  return spec ? "" : spec.error().text();
}

TEST(ParseAmbiguity, NamesItsClauses) {
  const auto spec = parse_catalogue(kTwoClauses + ambiguity("open", R"(clauses = ["stated"])"));
  ASSERT_TRUE(spec) << spec.error().text();
  ASSERT_EQ(spec->ambiguities.size(), 1U);
  EXPECT_EQ(spec->ambiguities[0].id, "open");
  EXPECT_EQ(spec->ambiguities[0].reading, "a");
  EXPECT_EQ(spec->ambiguities[0].alternative, "b");
  EXPECT_EQ(spec->ambiguities[0].clauses, std::vector<std::string>{"stated"});
}

TEST(ParseAmbiguity, BasisImpliesItsClauses) {
  const auto spec =
      parse_catalogue(kTwoClauses + ambiguity("open", "clauses = []\nbasis = \"definition\""));
  ASSERT_TRUE(spec) << spec.error().text();
  EXPECT_EQ(spec->ambiguities[0].clauses, std::vector<std::string>{"defined"});
}

TEST(ParseAmbiguity, RejectsInvalidInput) {
  EXPECT_EQ(complaint(ambiguity("open", R"(clauses = ["no-such"])")),
            "ambiguity \"open\": clauses names no clause: no-such");
  EXPECT_EQ(complaint(ambiguity("open", "")), "ambiguity \"open\": no clause depends on it");
  EXPECT_EQ(complaint(ambiguity("Open", R"(clauses = ["stated"])")),
            "ambiguity \"Open\": the id is not in kebab case");
  EXPECT_EQ(complaint(ambiguity("open", "clauses = [\"stated\"]\nanswer = \"x\"")),
            "ambiguity \"open\": unknown key answer");
  const std::string good = ambiguity("open", R"(clauses = ["stated"])");
  EXPECT_EQ(complaint(good + good), "ambiguity \"open\": the id occurs twice");
  EXPECT_EQ(complaint(ambiguity("stated", R"(clauses = ["stated"])")),
            "ambiguity \"stated\": the id occurs twice");
}

TEST(ParseAmbiguity, RejectsMissingFields) {
  for (const std::string field :
       {"section", "question", "reading", "alternative", "why", "effect"}) {
    std::string entry = ambiguity("open", R"(clauses = ["stated"])");
    const std::size_t line = entry.find(field + " = ");
    entry.erase(line, entry.find('\n', line) - line);
    EXPECT_EQ(complaint(entry), "ambiguity \"open\": " + field + " is missing");
  }
}

}  // namespace

}  // namespace hepcheck
