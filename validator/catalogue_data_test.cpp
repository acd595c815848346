// What is compiled into the library is what the catalogues of the project say.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "validator/catalogue/ambiguity.h"
#include "validator/catalogue/clause.h"
#include "validator/catalogue/parse.h"
#include "validator/testing/golden_files.h"

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

}  // namespace
}  // namespace hepcheck
