// Rules, their tables and notes, with three clauses of a format that exists only here.
#include "validator/look.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace hepcheck {
namespace {

constexpr std::string_view kToyIds[] = {"toy-advice", "toy-size", "toy-version", "toy-zero"};

constexpr Clause clause(const char* id, Severity severity) {
  Clause made{};
  made.id = id;
  made.subject = Subject::kFile;
  made.default_severity = severity;
  return made;
}
// A revision without the clause toy-zero.
constexpr std::array kToyClauses = {clause("toy-version", Severity::kError),
                                    clause("toy-size", Severity::kError),
                                    clause("toy-advice", Severity::kInfo)};
constexpr Specification kToySpec = [] {
  Specification made{};
  made.format = "toy";
  made.id = "toy-1";
  made.clauses = kToyClauses;
  return made;
}();

struct ToyPlace {
  std::uint64_t byte = 0;
  std::string object() const { return "/"; }
  std::string where() const { return "byte " + std::to_string(byte); }
};
using ToyNotes = NotesOf<kToyIds, ToyPlace>;
using ToyLook = LookOf<ToyNotes>;
template <class Structure>
using ToyRule = LookRule<Structure, ToyLook>;

struct Header {
  unsigned version = 1, size = 8;
};

constexpr ToyRule kVersion("toy-version", [](const Header& it, ToyLook& look) {
  look.ask(it.version == 1, [&] { return std::to_string(it.version); }, "1");
});
void size_even(const Header& it, ToyLook& look) {
  look.ask(it.size % 2 == 0, "an odd size", "an even size");
}
void size_small(const Header& it, ToyLook& look) {
  look.looked(2);
  if (it.size > 10) look.fail("a large size", "a small size", "Make it smaller.", 3);
}
constexpr ToyRule kOfAFunction("toy-size", size_small);
constexpr ToyRule<Header> kSizes[] = {{"toy-advice", size_even}, {"toy-size", size_small}};
constexpr ToyRule<Header> kBoth[] = {
    {"toy-version",
     [](const Header& it, ToyLook& look) { look.ask(it.version > 0, "version 0", "more"); }},
    {"toy-size", size_small}};

TEST(Rules, TableEndsAtItsFirstError) {
  ToyNotes notes(kToySpec, 10);
  EXPECT_FALSE(judge<kBoth>({.version = 0, .size = 11}, {}, notes));
  EXPECT_EQ(notes.broken(), std::vector<std::string>{"toy-version"});
  EXPECT_EQ(notes.probe_of("toy-size").examined(), 0U);
  EXPECT_TRUE(judge<kBoth>({}, {}, notes));
  EXPECT_EQ(notes.probe_of("toy-size").examined(), 2U);
}

TEST(Rules, IndependentRulesAreAllJudged) {
  ToyNotes notes(kToySpec, 10);
  EXPECT_FALSE(judge_each<kBoth>({.version = 0, .size = 11}, {}, notes));
  EXPECT_EQ(notes.broken(), (std::vector<std::string>{"toy-size", "toy-version"}));
  EXPECT_TRUE(judge_each<kBoth>({}, {}, notes));
}

TEST(Rules, InformationIsNotAnError) {
  ToyNotes notes(kToySpec, 10);
  EXPECT_TRUE(judge<kSizes>({.size = 9}, {}, notes));
  EXPECT_EQ(notes.probe_of("toy-advice").worst(), Severity::kInfo);
  EXPECT_EQ(notes.probe_of("toy-size").examined(), 2U);
  ToyLook look(notes, "toy-advice", {});
  look.ask(false, "a", "b");
  EXPECT_TRUE(look.failed());
  EXPECT_FALSE(look.broken());
}

TEST(Rules, SingleRuleIsATableOfOne) {
  ToyNotes notes(kToySpec, 10);
  EXPECT_FALSE(judge<kOfAFunction>({.size = 12}, {}, notes));
  EXPECT_TRUE(judge<kVersion>({}, {}, notes));
  EXPECT_FALSE(judge<kVersion>({.version = 7}, {.byte = 4}, notes));
  const Probe& said = notes.probe_of("toy-version");
  EXPECT_EQ(said.examined(), 2U);
  ASSERT_EQ(said.findings().size(), 1U);
  EXPECT_EQ(said.findings()[0].object, "/");
  EXPECT_EQ(said.findings()[0].where, "byte 4");
  EXPECT_EQ(said.findings()[0].observed, "7");
  EXPECT_EQ(said.findings()[0].expected, "1");
}

TEST(Rules, AreListedWithTheirFile) {
  const std::vector<RuleHead> heads = joined({[](RuleList& list) {
                                                list.values<kSizes>();
                                                list.structure<kVersion>();
                                              },
                                              [](RuleList& list) { list.structure<kBoth>(); }});
  ASSERT_EQ(heads.size(), 5U);
  EXPECT_EQ(heads[0],
            (RuleHead{.clause = "toy-advice", .file = "look_test.cpp", .data = true, .place = 0}));
  EXPECT_EQ(heads[1].clause, "toy-size");
  EXPECT_TRUE(heads[1].data);
  EXPECT_EQ(
      heads[2],
      (RuleHead{.clause = "toy-version", .file = "look_test.cpp", .data = false, .place = 2}));
  EXPECT_EQ(heads[3].clause, "toy-version");
  EXPECT_EQ(heads[4].clause, "toy-size");
}

TEST(Rules, BlockedTablesNameTheBlockingClauses) {
  ToyNotes notes(kToySpec, 10);
  block<kVersion, kSizes>("not read", texts_of<kToyIds>({"toy-zero"}), notes);
  EXPECT_EQ(notes.probe_of("toy-version").reason(), "not read (toy-zero)");
  EXPECT_EQ(notes.probe_of("toy-advice").reason(), "not read (toy-zero)");
  EXPECT_EQ(notes.probe_of("toy-size").reason(), "not read (toy-zero)");
  EXPECT_EQ(notes.probe_of("toy-zero").reason(), "");
}

TEST(Notes, CountFindingsBeyondTheLimit) {
  ToyNotes notes(kToySpec, 1);
  EXPECT_FALSE(judge<kBoth>({.size = 11}, {.byte = 1}, notes));
  EXPECT_FALSE(judge<kBoth>({.size = 12}, {.byte = 2}, notes));
  const Probe& said = notes.probe_of("toy-size");
  EXPECT_EQ(said.total_findings(), 2U);
  ASSERT_EQ(said.findings().size(), 1U);
  EXPECT_EQ(said.findings()[0].where, "byte 1");
  EXPECT_EQ(said.findings()[0].hint, "Make it smaller.");
  EXPECT_EQ(said.findings()[0].more, 3U);
}

TEST(Notes, SilentNotesRecordNothingAndStillJudge) {
  ToyNotes notes(kToySpec, 10);
  {
    const ToyNotes::Silence outer(notes);
    {
      const ToyNotes::Silence inner(notes);
    }
    EXPECT_TRUE(notes.silent());
    EXPECT_FALSE(judge<kVersion>({.version = 2}, {}, notes));
    notes.blocked("toy-size", "because");
  }
  EXPECT_FALSE(notes.silent());
  EXPECT_EQ(notes.probe_of("toy-version").examined(), 0U);
  EXPECT_EQ(notes.probe_of("toy-version").total_findings(), 0U);
  EXPECT_EQ(notes.probe_of("toy-size").reason(), "");
}

TEST(Notes, ClauseOfAnotherRevisionHasNoSeverity) {
  ToyNotes notes(kToySpec, 10);
  EXPECT_FALSE(notes.fail("toy-zero", {}, "a", "b"));
  EXPECT_EQ(notes.probe_of("toy-zero").worst(), Severity::kNone);
  EXPECT_TRUE(notes.fail("toy-size", {}, "a", "b"));
}

}  // namespace
}  // namespace hepcheck
