#include "validator/format.h"
#include "validator/isolate/wire.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace hepcheck::isolate {
namespace {

const Specification& spec() { return default_specification(); }

TableReport example() {
  TableReport table{
      .path = "/t", .verdict = TableVerdict::kFail, .reason = "r", .notes = {"n", ""}};
  table.shape = {.nrows = 5,
                 .width = 1,
                 .columns = {{.name = std::string("x\0y", 3),
                              .datatype = "int8",
                              .extent = 6,
                              .chunk_rows = 2,
                              .chunks = 3,
                              .indexes = {"a", "b"},
                              .missing = {.rows_per_cell = 2, .missing = {0, 2, 1}},
                              .maps = {{.kind = "BITMAP",
                                        .path = "/t/b",
                                        .compared = true,
                                        .reason = "m",
                                        .unit = IndexMap::Unit::kRow,
                                        .differences = Spread::of(4, {{1, 3}, {7, 1}}),
                                        .fill_tail = 5,
                                        .nan_tail = 6}}}},
                 .categories = 1,
                 .indexes = 2};
  table.clauses = std::vector<ClauseResult>{{.clause = &spec().clauses.back(),
                                             .verdict = Verdict::kNotChecked,
                                             .severity = Severity::kWarning,
                                             .reason = "why",
                                             .examined = 9,
                                             .findings = {{.object = "/t/x",
                                                           .attribute = "A",
                                                           .where = "row 1",
                                                           .observed = "\xff",
                                                           .expected = "e",
                                                           .hint = "h",
                                                           .witness = "w",
                                                           .more = 3,
                                                           .severity = Severity::kInfo}},
                                             .suppressed = 4,
                                             .skipped_by_user = true}};
  return table;
}

// The first message about a table, and what it says.
std::string first_message(const TableReport& table) {
  Common none;
  return to_wire(table, spec(), none);
}
std::optional<TableReport> from_first_message(std::string_view bytes) {
  Common none;
  return table_from_wire(bytes, spec(), none);
}

TEST(Wire, ATableComesBack) {
  const std::string bytes = first_message(example());
  const auto back = from_first_message(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(first_message(*back), bytes);
  EXPECT_EQ(back->shape.columns.at(0).name, std::string("x\0y", 3));
  EXPECT_EQ(back->shape.nrows, 5);
  EXPECT_EQ(back->shape.width, 1u);
  EXPECT_EQ(back->shape.columns.at(0).missing, example().shape.columns.at(0).missing);
  const IndexMap& map = back->shape.columns.at(0).maps.at(0);
  EXPECT_EQ(map.differences, Spread::of(4, {{1, 3}, {7, 1}}));
  EXPECT_EQ(map.unit, IndexMap::Unit::kRow);
  EXPECT_EQ(map.nan_tail, 6u);
  const ClauseResult& result = back->clauses[0];
  EXPECT_EQ(result.clause, &spec().clauses.back());
  EXPECT_EQ(result.verdict, Verdict::kNotChecked);
  EXPECT_TRUE(result.skipped_by_user);
  EXPECT_EQ(result.findings.at(0).observed, "\xff");
  EXPECT_EQ(result.findings.at(0).more, 3u);
  EXPECT_EQ(result.findings.at(0).severity, Severity::kInfo);
}

TEST(Wire, AFileComesBackWithoutItsTables) {
  const FileReport file{
      .path = "f.h5", .error = Error{"a", "b"}, .unreadable = {{"c", "d"}}, .tables = {example()}};
  const auto back = file_from_wire(to_wire(file, spec()), spec());
  ASSERT_TRUE(back);
  EXPECT_EQ(back->path, "f.h5");
  EXPECT_EQ(back->error, file.error);
  EXPECT_EQ(back->unreadable, file.unreadable);
  EXPECT_TRUE(back->tables.empty());
}

TEST(Wire, WhatTablesHaveInCommonIsSentOnce) {
  SharedResults stored;
  std::vector<ClauseResult> results;
  for (const Clause& clause : spec().clauses) results.push_back({.clause = &clause});
  Common sent, received;
  std::size_t first = 0;
  for (int table = 0; table < 4; ++table) {
    results[7].examined = static_cast<std::uint64_t>(table);
    TableReport report = example();
    report.clauses = stored.store(results);
    const std::string bytes = to_wire(report, spec(), sent);
    if (table == 0) first = bytes.size();
    EXPECT_TRUE(table == 0 || bytes.size() < first / 10);
    const auto back = table_from_wire(bytes, spec(), received);
    ASSERT_TRUE(back);
    EXPECT_TRUE(std::ranges::equal(back->clauses, results));
    EXPECT_EQ(back->clauses[7].examined, static_cast<std::uint64_t>(table));
  }
}

TEST(Wire, NoTruncationIsTaken) {
  const std::string bytes = first_message(example());
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_FALSE(from_first_message(bytes.substr(0, length))) << length;
  EXPECT_FALSE(from_first_message(bytes + '\0'));
}

// Under the sanitizers this also shows that nothing is read or made beyond its bounds.
TEST(Wire, AnyByteMayBeWrong) {
  const std::string good = first_message(example());
  std::size_t refused = 0;
  for (std::size_t i = 0; i < good.size(); ++i)
    for (const char wrong : {'\x00', '\x01', '\x7f', '\x80', '\xff'}) {
      std::string bytes = good;
      bytes[i] = wrong;
      const auto back = from_first_message(bytes);
      if (!back) {
        ++refused;
        continue;
      }
      EXPECT_EQ(first_message(*back), bytes);
      for (const ClauseResult& result : back->clauses)
        EXPECT_TRUE(result.clause >= &spec().clauses.front() &&
                    result.clause <= &spec().clauses.back());
    }
  EXPECT_GT(refused, good.size());
}

}  // namespace
}  // namespace hepcheck::isolate
