#include "validator/formats/hep001/judge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <format>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "validator/format.h"
#include "validator/formats/hep001/judges.h"
#include "validator/formats/hep001/table_conveyor.h"
#include "validator/formats/hep001/testing/build.h"
#include "validator/isolate/worker.h"
#include "validator/worker_position.h"

namespace hepcheck::hep001 {
namespace {

// 5,000 columns; every seventh has rank 2, and every eleventh has no fill value of its own.
TableBuilder wide_table() {
  TableBuilder t("/t", 2);
  for (int i = 0; i < 5000; ++i) {
    Dataset& column = t.add_column(std::format("c{}", i), integer_type(4, false), {1, 2}, 9);
    if (i % 7 == 0) column.space = simple_space({2, 1});
    if (i % 11 == 0) column.storage.fill_state = FillState::kDefault;
  }
  t.list_columns();
  return t;
}

SubjectReport judged(unsigned jobs, std::uint64_t max_findings) {
  TableBuilder t = wide_table();
  return examine(t.finish(), t.values, older_revision(),
                 {.depth = Depth::kStructure, .max_findings = max_findings, .jobs = jobs});
}

TEST(TableJudge, NumberOfThreadsDoesNotMatterForAWideTable) {
  for (const std::uint64_t most : {3u, 1000000u}) {
    const SubjectReport alone = judged(1, most);
    EXPECT_EQ(alone.verdict, SubjectVerdict::kFail);
    for (const unsigned jobs : {2u, 3u, 8u})
      EXPECT_TRUE(std::ranges::equal(alone.clauses, judged(jobs, most).clauses)) << jobs;
  }
}

TEST(TableJudge, ColumnsAreDescribedOnlyOnRequest) {
  TableBuilder t = good_table();
  const Table& table = t.finish();
  const SubjectReport seen = examine(table, t.values, older_revision(), {});
  const SubjectReport not_seen =
      examine(table, t.values, older_revision(), {.describe_columns = false});
  EXPECT_EQ(seen.parts.size(), table.columns.size());
  EXPECT_EQ(not_seen.parts.size(), 0u);
  EXPECT_EQ(seen.figure("columns")->value, table.columns.size());
  EXPECT_EQ(not_seen.figure("columns")->value, table.columns.size());
  EXPECT_TRUE(std::ranges::equal(seen.clauses, not_seen.clauses));
}

TEST(TableJudge, AtMostTwentyListColumnsAreNoted) {
  for (const std::size_t count : {19u, 20u, 21u, 22u}) {
    TableBuilder t = newer_table();
    const std::size_t there = 2;
    for (std::size_t i = there; i < count; ++i) {
      const std::string path = std::format("list{:02}", i);
      t.add_group(path);
      t.set(path, ascii("CLASS", "LIST_COLUMN"));
      t.set(path, ascii("KIND", "OFFSETS"));
      t.add_dataset(path + "/OFFSETS", integer_type(8, false), {11}, Cells(11, Cell(0)));
      t.add_dataset(path + "/VALUES", integer_type(2, true), {0}, {});
    }
    const SubjectReport report =
        examine(t.finish(default_specification()), t.values, default_specification(), {});
    ASSERT_EQ(report.notes.size(), std::min<std::size_t>(count, 21));
    EXPECT_EQ(report.notes.back(), count == 22   ? "2 more list columns"
                                   : count == 21 ? "1 more list column"
                                                 : report.notes.back());
    for (std::size_t i = 0; i < std::min<std::size_t>(count, 20); ++i)
      EXPECT_TRUE(report.notes[i].contains(" entries, ")) << report.notes[i];
  }
}

// A table of the older revision, with this many properties that only the newest revision rejects.
TableBuilder older_table(int mutations) {
  TableBuilder t = good_table();
  if (mutations > 0) t.set("ts", attribute("MASK", integer_type(8, false), Cell(1)));
  if (mutations > 1) {
    t.add_group("list");
    t.set("list", ascii("CLASS", "LIST_COLUMN"));
  }
  if (mutations > 2) t.add_dataset("list/OFFSETS", integer_type(2, true), {11}, Cells(11, Cell(0)));
  if (mutations > 3) t.set("list", ascii("KIND", "offsets"));
  return t;
}

std::vector<std::string> errors_of(int mutations, const Specification& spec) {
  TableBuilder t = older_table(mutations);
  std::vector<std::string> ids;
  for (const ClauseResult& each :
       examine(t.finish(spec), t.values, spec, {.depth = Depth::kStructure}).clauses)
    if (each.open_severity() == Severity::kError) ids.emplace_back(each.clause->id);
  return ids;
}

// Five of the clauses that it would violate under the newest revision are named.
TEST(TableJudge, ViolationsOfTheNewerRevisionAreCounted) {
  const ExamineOptions options{.depth = Depth::kStructure};
  const TableJudges judges(options);
  std::set<std::size_t> counts;
  for (int mutations = 0; mutations < 5; ++mutations) {
    std::vector<std::string> more = errors_of(mutations, default_specification());
    for (const std::string& id : errors_of(mutations, older_revision())) std::erase(more, id);
    counts.insert(more.size());
    std::string words = " it would violate ";
    for (std::size_t i = 0; i < std::min<std::size_t>(more.size(), 5); ++i)
      words += (i == 0 ? "" : ", ") + more[i];
    if (more.size() > 5) words += std::format(" and {} more", more.size() - 5);
    TableBuilder t = older_table(mutations);
    const SubjectReport report = judges.judge(
        t.finish(), std::nullopt, {.by = ChosenBy::kSign, .sign = "a sign", .path = "/x"}, nullptr);
    ASSERT_FALSE(report.notes.empty());
    EXPECT_TRUE(report.notes.back().contains(words + ';')) << report.notes.back() << words;
  }
  EXPECT_EQ(counts, (std::set<std::size_t>{4, 5, 7, 9}));
}

// --- Parts that a rule sees: a clause does not pass if one of them could not be read -------------

void looks_at_table(const Table&, Probe& probe) { probe.looked(); }
template <class Subject>
void looks_at(const Table&, const Subject&, Probe& probe) {
  probe.looked();
}
constexpr Rule kLooking[] = {
    {"nrows-present", looks_at_table, Sees::kTableAttributes},
    {"equal-extents", looks_at_table, Sees::kColumns},
    {"categories-referenced", looks_at_table, Sees::kCategories},
    {"index-referenced", looks_at_table, Sees::kIndexes},
    {"no-soft-link", looks_at_table, Sees::kEverything},
    {"extent-ge-nrows", looks_at<Column>},
    {"boolean-prefer-bitmap", looks_at<IndexedColumn>},
};

// A rule over a whole table does not compile unless its row states what it sees; a rule over the
// subjects of its signature does not have this field.
using OverTable = void (*)(const Table&, Probe&);
using OverColumns = void (*)(const Table&, const Column&, Probe&);
static_assert(std::is_constructible_v<Rule, ClauseId, OverTable, Sees>);
static_assert(!std::is_constructible_v<Rule, ClauseId, OverTable>);
static_assert(std::is_constructible_v<Rule, ClauseId, OverColumns>);
static_assert(!std::is_constructible_v<Rule, ClauseId, OverColumns, Sees>);

using Ids = std::set<std::string_view>;

// The clauses of kLooking that are not checked for a table that can be read only in part.
template <class Damage>
Ids unseen(Damage damage) {
  TableBuilder t = newer_table();
  damage(t);
  const TableJudge judge(default_specification(), {}, kLooking);
  Ids ids;
  for (const ClauseResult& each : judge.judge(t.finish(default_specification()), {}).clauses)
    if (std::ranges::contains(kLooking, each.clause->id,
                              [](const Rule& rule) { return rule.id.str(); }) &&
        each.verdict != Verdict::kPass) {
      EXPECT_EQ(each.verdict, Verdict::kNotChecked) << each.clause->id;
      EXPECT_TRUE(each.reason.contains("damaged")) << each.clause->id << ": " << each.reason;
      ids.insert(each.clause->id);
    }
  return ids;
}

TEST(PartsSeenByRules, AreCompleteInAReadableTable) {
  EXPECT_EQ(unseen([](TableBuilder&) {}), Ids{});
}

TEST(PartsSeenByRules, UnreadableColumn) {
  EXPECT_EQ(unseen([](TableBuilder& t) {
              t.dataset("passed") = {
                  .name = "passed", .path = "/t/passed", .unreadable = "damaged"};
            }),
            (Ids{"equal-extents", "categories-referenced", "index-referenced", "no-soft-link",
                 "extent-ge-nrows", "boolean-prefer-bitmap"}));
}

TEST(PartsSeenByRules, UnreadableListColumn) {
  EXPECT_EQ(unseen([](TableBuilder& t) { t.group("tracks").attributes_unreadable = "damaged"; }),
            (Ids{"equal-extents", "no-soft-link"}));
}

TEST(PartsSeenByRules, UnreadableCategories) {
  EXPECT_EQ(unseen([](TableBuilder& t) {
              t.dataset("CATEGORIES/label__CATEGORIES").attributes_unreadable = "damaged";
            }),
            (Ids{"categories-referenced", "no-soft-link"}));
}

TEST(PartsSeenByRules, UnreadableIndex) {
  EXPECT_EQ(unseen([](TableBuilder& t) {
              t.attribute("SEARCH_INDEXES/ts__minmax", "KIND").unreadable = "damaged";
            }),
            (Ids{"index-referenced", "no-soft-link", "boolean-prefer-bitmap"}));
}

TEST(PartsSeenByRules, UnreadableReference) {
  EXPECT_EQ(
      unseen([](TableBuilder& t) { t.attribute("label", "CATEGORIES").unreadable = "damaged"; }),
      (Ids{"categories-referenced", "index-referenced", "no-soft-link"}));
}

// --- A fault in a rule is reported with its clause and table, in any thread ----------------------
// ------------

// The table or column in which the fault occurs.
std::string fatal_path;

void fatal_in_table(const Table& table, Probe&) {
  if (table.path() == fatal_path) std::abort();
}
void fatal_in_column(const Table&, const Column& column, Probe&) {
  if (column.path() == fatal_path) std::abort();
}
constexpr Rule kFatalInTable[] = {{"nrows-present", fatal_in_table, Sees::kTableAttributes}};
constexpr Rule kFatalInColumn[] = {{"column-rank-1", fatal_in_column}};

std::optional<Stop> stop_in_worker(const std::function<void()>& work) {
  return isolate::run_in_worker(
             -1, [&](const isolate::Send&, WorkerPosition&) { work(); }, [](std::string_view) {},
             {})
      .stop;
}

TEST(TableJudge, FaultInTheTwentiethTableNamesClauseAndTable) {
  fatal_path = "/t20";
  const auto stop = stop_in_worker([] {
    const TableJudges judges({.depth = Depth::kStructure}, kFatalInTable);
    std::vector<SubjectReport> reports;
    const FileOptions options;
    const TableConveyor::Prepare prepare;  // these tables are
    TableConveyor tables(judges, options, prepare, reports);
    for (int i = 0; i < 40; ++i) {
      now_at(Stage::kReading, std::format("/t{}", i));
      tables.add(Table(TableBuilder(std::format("/t{}", i), 2).finish()), std::nullopt, Choice{});
    }
    tables.finish();
  });
  ASSERT_TRUE(stop);
  EXPECT_EQ(stop->stage, "checking");
  EXPECT_EQ(stop->object, "nrows-present");
  EXPECT_EQ(stop->subject, "/t20");
}

TEST(TableJudge, FaultInAThreadOfAWideTableNamesClauseAndTable) {
  for (const char* column : {"/t/c1", "/t/c2500", "/t/c4999"}) {
    fatal_path = column;
    const auto stop = stop_in_worker([] {
      TableBuilder t = wide_table();
      const TableJudge judge(older_revision(), {.depth = Depth::kStructure, .jobs = 4},
                             kFatalInColumn);
      judge.judge(t.finish(), std::nullopt);
    });
    ASSERT_TRUE(stop) << column;
    EXPECT_EQ(stop->object, "column-rank-1") << column;
    EXPECT_EQ(stop->subject, "/t") << column;
  }
}

}  // namespace
}  // namespace hepcheck::hep001
