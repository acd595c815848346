// What is compiled into the library is what the catalogues of the project say.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <toml++/toml.hpp>
#include <vector>

#include "validator/catalogue/ambiguity.h"
#include "validator/catalogue/clause.h"
#include "validator/catalogue/explanation.h"
#include "validator/catalogue/parse.h"
#include "validator/testing/golden_files.h"
#include "validator/wildcard.h"

namespace hepcheck {
namespace {

TEST(CatalogueData, HasEveryFieldOfEveryClause) {
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
      EXPECT_EQ(spec->find(one.id), &other);
    }
    const auto readings = ambiguities(*spec);
    ASSERT_EQ(read.ambiguities.size(), readings.size());
    for (std::size_t i = 0; i < readings.size(); ++i) {
      const ParsedAmbiguity& one = read.ambiguities[i];
      const Ambiguity& other = readings[i];
      EXPECT_EQ(one.id, other.id);
      EXPECT_EQ(one.section, other.section) << one.id;
      EXPECT_EQ(one.question, other.question) << one.id;
      EXPECT_EQ(one.reading, other.reading) << one.id;
      EXPECT_EQ(one.alternative, other.alternative) << one.id;
      EXPECT_EQ(one.why, other.why) << one.id;
      EXPECT_EQ(one.effect, other.effect) << one.id;
      EXPECT_TRUE(std::ranges::equal(one.clauses, other.clauses)) << one.id;
      EXPECT_EQ(find_ambiguity(*spec, one.id), &other);
      for (const Clause& clause : spec->clauses)
        EXPECT_EQ(other.concerns(clause.id), std::ranges::contains(one.clauses, clause.id));
    }
  }
}

std::string value_of(const toml::table& table, std::string_view key) {
  return table[key].value_or<std::string>("");
}

// The entry of a list that names this clause; empty if none does. An asterisk stands for any text.
toml::table entry_of(const toml::table& document, std::string_view list, std::string_view clause) {
  if (const toml::array* const entries = document[list].as_array())
    for (const toml::node& entry : *entries)
      for (const toml::node& name : *(*entry.as_table())["clauses"].as_array())
        if (fits(std::string(clause), name.value_or<std::string>(""))) return *entry.as_table();
  return {};
}

TEST(CatalogueData, HasEveryTextOfEveryExplanation) {
  for (const Specification& spec : all_specifications()) {
    const std::filesystem::path folder =
        std::filesystem::path(HEPCHECK_SOURCE "/conformance/explain") / spec.format;
    const toml::table words = toml::parse_file((folder / "words.toml").string());
    const toml::table examples = toml::parse_file((folder / "examples.toml").string());
    std::map<std::string, toml::table> example_of;
    for (const toml::node& each : *examples["example"].as_array())
      example_of[value_of(*each.as_table(), "clause")] = *each.as_table();
    for (const Clause& clause : spec.clauses) {
      const Explanation* const found = explanation(clause.id);
      ASSERT_TRUE(found) << clause.id;
      EXPECT_EQ(found->clause, clause.id);
      const std::string own = value_of(*words["why"].as_table(), clause.id);
      EXPECT_EQ(found->why, own.empty() ? value_of(entry_of(words, "same", clause.id), "why") : own)
          << clause.id;
      const toml::table fix = entry_of(words, "fix", clause.id);
      EXPECT_EQ(found->fix, value_of(fix, "text")) << clause.id;
      const toml::table example = example_of[std::string(clause.id)];
      const auto text = [&](std::string_view key) {
        const std::string given = value_of(example, key);
        return given.empty() ? value_of(fix, key) : given;
      };
      EXPECT_EQ(found->fixture, text("fixture")) << clause.id;
      EXPECT_EQ(found->shows, text("shows")) << clause.id;
      EXPECT_EQ(found->bad, text("bad")) << clause.id;
      EXPECT_EQ(found->good, text("good")) << clause.id;
      EXPECT_EQ(found->hepcheck, text("hepcheck")) << clause.id;
      EXPECT_EQ(found->effects, text("effects")) << clause.id;
      EXPECT_EQ(found->python, text("python")) << clause.id;
      EXPECT_EQ(found->c, text("c")) << clause.id;
    }
  }
  EXPECT_EQ(explanation("no-clause"), nullptr);
}

}  // namespace
}  // namespace hepcheck
