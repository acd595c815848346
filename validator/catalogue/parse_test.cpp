#include "validator/catalogue/parse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "validator/catalogue/clause.h"
#include "validator/testing/golden_files.h"

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

// The catalogues of the project, once more: every field of every clause is that of the embedded
// data.
TEST(ParseCatalogues, GivesTheEmbeddedData) {
  std::set<std::filesystem::path> paths;
  for (const auto& each :
       std::filesystem::directory_iterator(HEPCHECK_SOURCE "/conformance/clauses"))
    if (each.path().extension() == ".toml") paths.insert(each.path());
  std::vector<std::string> texts;
  for (const std::filesystem::path& path : paths) texts.push_back(golden::file_text(path));
  const auto parsed = parse_catalogues(texts);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->size(), all_specifications().size());
  for (const ParsedSpecification& read : *parsed) {
    const Specification* const spec = find_specification(read.id);
    ASSERT_TRUE(spec) << read.id;
    EXPECT_EQ(read.format, spec->format);
    EXPECT_EQ(read.title, spec->title);
    EXPECT_EQ(read.revision, spec->revision);
    EXPECT_EQ(read.url, spec->url);
    EXPECT_EQ(read.is_default, spec->is_default);
    EXPECT_TRUE(std::ranges::equal(read.chapters, spec->chapters,
                                   [](const ParsedChapter& one, const Chapter& other) {
                                     return one.number == other.number && one.title == other.title;
                                   }));
    ASSERT_EQ(read.clauses.size(), spec->clauses.size());
    for (std::size_t i = 0; i < read.clauses.size(); ++i) {
      const ParsedClause& one = read.clauses[i];
      const Clause& other = spec->clauses[i];
      EXPECT_EQ(one.id, other.id);
      EXPECT_EQ(one.section, other.section) << one.id;
      EXPECT_EQ(one.level, other.level) << one.id;
      EXPECT_EQ(one.subject, other.subject) << one.id;
      EXPECT_EQ(one.default_severity, other.default_severity) << one.id;
      EXPECT_EQ(one.object, other.object) << one.id;
      EXPECT_EQ(one.basis, other.basis) << one.id;
      EXPECT_EQ(one.statement, other.statement) << one.id;
      EXPECT_EQ(one.check, other.check) << one.id;
      EXPECT_EQ(one.valid_case, other.valid_case) << one.id;
      EXPECT_EQ(one.notes, other.notes) << one.id;
      EXPECT_TRUE(std::ranges::equal(one.broken_cases, other.broken_cases)) << one.id;
      EXPECT_TRUE(std::ranges::equal(one.emitted_as, other.emitted_as)) << one.id;
      EXPECT_TRUE(std::ranges::equal(one.also_in, other.also_in)) << one.id;
    }
  }
}

}  // namespace

}  // namespace hepcheck
