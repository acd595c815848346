// The suite: every fixture has exactly the expected result, every rule is proven by switching it
// off, and every clause is accounted for.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "conformance/accounting.h"
#include "conformance/findings_text.h"
#include "validator/catalogue/ambiguity.h"
#include "validator/format.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::conformance {
namespace {

namespace fs = std::filesystem;

// The account of each specification.
const std::vector<Account>& accounts() {
  static const std::vector<Account> taken = [] {
    std::vector<Account> made;
    for (const Specification& spec : all_specifications()) made.push_back(take_account(spec));
    return made;
  }();
  return taken;
}

// Clauses that are incomplete. The list may only shrink, and is empty when every chapter is done.
Ids pending(const Specification& spec) {
  const std::string path =
      std::string(HEPCHECK_SOURCE "/conformance/pending/").append(spec.id) + ".txt";
  std::ifstream in(path);
  EXPECT_TRUE(in) << path;
  Ids ids;
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && line[0] != '#') ids.insert(line);
  return ids;
}

TEST(Corpus, Exists) { EXPECT_GT(corpus().size(), 200u); }

TEST(Corpus, EveryFixtureHasExactlyItsExpectedFindings) {
  for (const Fixture& fixture : corpus()) {
    EXPECT_EQ(difference(fixture, observe(fixture)), "") << fixture.file;
    if (HasFailure() && GTEST_FLAG_GET(fail_fast)) return;
  }
}

TEST(Accounting, AgreesWithEveryFixture) {
  for (const Account& account : accounts())
    EXPECT_EQ(account.disagreements, std::vector<std::string>{});
}

TEST(Corpus, NamesOnlyClausesOfTheCatalogue) {
  for (const Fixture& fixture : corpus()) {
    SCOPED_TRACE(fixture.file);
    const Specification* spec = find_specification(fixture.spec);
    ASSERT_NE(spec, nullptr);
    const auto known = [&](const std::string& id) { return spec->find(id) != nullptr; };
    EXPECT_TRUE(known(fixture.clause)) << fixture.clause;
    for (const Ids* ids : {&fixture.keeps, &fixture.unchecked})
      for (const std::string& id : *ids) EXPECT_TRUE(known(id)) << id;
    for (const Expectation& table : fixture.tables)
      for (const Ids* ids : {&table.fails, &table.warns, &table.informs})
        for (const std::string& id : *ids) EXPECT_TRUE(known(id)) << id;
    if (!fixture.reported_as.empty()) {
      const Clause* clause = spec->find(fixture.clause);
      ASSERT_NE(clause, nullptr);
      EXPECT_TRUE(std::ranges::contains(clause->emitted_as, fixture.reported_as))
          << fixture.reported_as;
    }
  }
}

TEST(Corpus, NamesOnlyAmbiguitiesOfTheCatalogue) {
  std::size_t marked = 0;
  for (const Fixture& fixture : corpus()) {
    if (fixture.ambiguity.empty()) continue;
    SCOPED_TRACE(fixture.file);
    EXPECT_NE(find_ambiguity(*find_specification(fixture.spec), fixture.ambiguity), nullptr);
    ++marked;
  }
  EXPECT_GT(marked, 100u);
}

// An invalid fixture whose clause is a MUST violates it; additional findings are part of its
// expectation, and the comparison above checks them.
TEST(Corpus, InvalidFixturesExpectFindings) {
  for (const Fixture& fixture : corpus()) {
    if (fixture.valid) continue;
    bool something = !fixture.outcome.empty();
    for (const Expectation& table : fixture.tables)
      something |= !table.fails.empty() || !table.warns.empty() || !table.informs.empty();
    EXPECT_TRUE(something) << fixture.file;
  }
}

TEST(Accounting, EveryClauseHasRuleFixturesAndProof) {
  for (const Account& account : accounts()) {
    const Ids allowed = pending(*account.spec);
    Ids lacking;
    for (const std::string& id : missing(account)) lacking.insert(id);
    for (const std::string& id : lacking)
      EXPECT_TRUE(allowed.contains(id)) << id << " lacks a rule, a fixture or the proof";
    for (const std::string& id : allowed)
      EXPECT_TRUE(lacking.contains(id)) << id << " is complete: remove it from the list";
  }
}

TEST(Accounting, NoRuleForAClauseThatAFileCannotViolate) {
  const auto can_be_broken = [](std::string_view id) {
    return std::ranges::any_of(all_specifications(), [&](const Specification& spec) {
      const Clause* clause = spec.find(id);
      return clause && clause->file_checkable();
    });
  };
  for (const Format* format : all_formats())
    for (const RuleHead& rule : format->rules())
      EXPECT_TRUE(can_be_broken(rule.clause)) << rule.clause;
}

// No rule is unused: each is the only rule of its clause, which some revision of its format has.
TEST(Accounting, EveryRuleHasItsOwnClause) {
  std::set<std::string_view> seen;
  for (const Format* format : all_formats()) {
    EXPECT_EQ(find_format(format->name), format);
    EXPECT_EQ(default_revision(format->name).format, format->name);
    for (const RuleHead& rule : format->rules()) {
      EXPECT_TRUE(seen.insert(rule.clause).second) << rule.clause << " has two rules";
      EXPECT_TRUE(std::ranges::any_of(all_specifications(), [&](const Specification& spec) {
        return spec.format == format->name && spec.find(rule.clause);
      })) << rule.clause;
    }
  }
}

// Judging twice gives the same result, with any number of threads and any amount of memory.
TEST(Corpus, ObservationsAreReproducible) {
  ExamineOptions narrow;
  narrow.memory_limit = 1;
  narrow.jobs = 3;
  for (const Fixture* fixture : files_of_corpus()) {
    const Observation first = observe(*fixture), second = observe(*fixture, narrow);
    EXPECT_EQ(first.tables, second.tables) << fixture->file;
    EXPECT_EQ(first.verdicts, second.verdicts) << fixture->file;
  }
}

// The sections of a golden file: "[NAME]" and the lines below it.
std::map<std::string, std::string> by_file(const std::string& text) {
  std::map<std::string, std::string> blocks;
  std::istringstream in(text);
  std::string file;
  for (std::string line; std::getline(in, line); blocks[file] += line + '\n')
    if (line.starts_with('[')) file = line;
  return blocks;
}

// Every text reported for a fixture, and every count, equals the golden file. If a change is
// intended, the file that the test writes to the build directory replaces the golden file; the
// difference is part of the change.
TEST(Corpus, ReportsEqualTheGoldenFiles) {
  if (HEPCHECK_HDF5 < 2) GTEST_SKIP() << "HDF5 1 describes in other words what it cannot decode";
  std::map<std::string, std::string> said;  // by specification
  for (const Fixture* fixture : files_of_corpus())
    said[fixture->spec] += findings_text(examine(*fixture));
  for (const auto& [spec, text] : said) {
    const std::string name = "conformance/golden/" + spec + ".txt";
    if (golden::equals(text, name)) continue;
    ADD_FAILURE() << name << " differs; `./dev golden` shows all differences";
    auto old = by_file(golden::file_text(fs::path(HEPCHECK_SOURCE) / name));
    std::size_t shown = 0;
    for (const auto& [file, block] : by_file(text))
      if (old[file] != block && ++shown <= 5)
        ADD_FAILURE() << "was:\n" << old[file] << "is:\n" << block;
  }
}

}  // namespace
}  // namespace hepcheck::conformance
