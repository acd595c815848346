// Properties of reports beyond the failing clause: the row that a reader would lose, and the
// pictures; and boundaries that the grammar cannot reach: the lengths of indexes, and the default
// sizes by which work is divided.
#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>

#include "fuzz/hep001/properties/cases.h"

namespace hepcheck::hep001::grammar {

namespace {

// --- Witnesses ----------------------------------------------------------------------------------

// The number after a word, as in "row 7 lies in chunk 1".
std::optional<std::uint64_t> number_behind(std::string_view text, std::string_view word) {
  const std::size_t at = text.find(word);
  if (at == text.npos) return std::nullopt;
  std::uint64_t number = 0;
  const std::string_view digits = text.substr(at + word.size());
  if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ec != std::errc())
    return std::nullopt;
  return number;
}

// The first finding of a clause; nothing if it has none.
std::optional<Finding> first_finding(const SubjectReport& report, std::string_view clause) {
  for (const ClauseResult& result : report.clauses)
    if (result.clause->id == clause && !result.findings.empty()) return result.findings.front();
  return std::nullopt;
}

// The first such row of a chunk.
template <class Is>
std::optional<std::uint64_t> first_row(const RandomColumn& column, std::uint64_t chunk, Is is) {
  const std::uint64_t first = chunk * column.chunk_rows();
  for (std::uint64_t row = first; row < std::min(column.nrows, first + column.chunk_rows()); ++row)
    if (is(row)) return row;
  return std::nullopt;
}

// The row lost by a reader that trusts the entry of a chunk, by the clause that it violates.
std::optional<std::uint64_t> lost_by_entry(const RandomColumn& column, std::string_view clause,
                                           std::uint64_t chunk, const ExpectedChunk& is,
                                           const ExpectedChunk& should, const Value& place) {
  const auto value_row = [&](const Value& value) {
    return first_row(column, chunk,
                     [&](auto row) { return column.plain(row) && equal(column.rows[row], value); });
  };
  const auto by_count = [&](std::uint64_t stored, std::uint64_t right,
                            auto counted) -> std::optional<std::uint64_t> {
    if (right > 0 && stored == 0) return first_row(column, chunk, counted);
    if (should.min && stored >= should.n) return value_row(*should.min);
    return std::nullopt;
  };
  if (clause == "minmax-nan-count-value" || clause == "minmax-nan-count-zero-non-float")
    return by_count(is.nan_count, should.nan_count,
                    [&](auto row) { return is_nan(column.rows[row]); });
  if (clause == "minmax-fill-count-value")
    return by_count(is.fill_count, should.fill_count,
                    [&](auto row) { return column.missing(row); });
  const Value min = is.min.value_or(place), max = is.max.value_or(place);
  const bool by_min = clause == "minmax-min-value" ||
                      (clause == "minmax-nan-excluded" && is_nan(min)) ||
                      (clause == "minmax-fill-excluded" && !is_nan(min) && column.missing(min));
  if (clause == "minmax-nan-excluded") return value_row(by_min ? *should.min : *should.max);
  if (by_min && less(*should.min, min)) return value_row(*should.min);
  if (!by_min && less(max, *should.max)) return value_row(*should.max);
  return std::nullopt;
}

// Each clause about the entries of an index names a row that a reader loses.
void expect_lost_rows(const Case& of, const std::vector<ExpectedChunk>& entries,
                      const Value& place) {
  const RandomColumn& column = of.column;
  NoChoice plain;
  TestTable table = table_of(column, plain);
  add_minmax(table, "c", column, entries);
  const SubjectReport report = report_of(table, of.cut);
  const auto wanted = expected_minmax(column);
  for (const char* clause :
       {"minmax-nan-count-value", "minmax-nan-count-zero-non-float", "minmax-fill-count-value",
        "minmax-min-value", "minmax-max-value", "minmax-nan-excluded", "minmax-fill-excluded"}) {
    const auto finding = first_finding(report, clause);
    if (!finding) continue;
    const std::uint64_t chunk = number_behind(finding->where, "chunk ").value();
    const auto lost = lost_by_entry(column, clause, chunk, entries[chunk], wanted[chunk], place);
    RC_ASSERT(number_behind(finding->witness, "row ") == lost);
    RC_ASSERT(finding->witness.starts_with("none: ") == !lost);
    if (lost) RC_ASSERT(number_behind(finding->witness, "chunk ") == chunk);
  }
}

RC_GTEST_PROP(Witnesses, OfEntriesNameTheLostRow, ()) {
  const Case of = draw_case();
  const RandomColumn& column = of.column;
  RC_PRE(column.chunks() > 0);
  auto entries = expected_minmax(column);
  const Value place = placeholder(column);
  for (std::uint64_t n = 1 + draw_below("further entries", 2); n > 0; --n) {
    ExpectedChunk& entry = entries[draw_below("chunk", entries.size())];
    switch (draw_below("field", 4)) {
      case 0: entry.min = draw_value("min", column.type); break;
      case 1: entry.max = draw_value("max", column.type); break;
      case 2: entry.nan_count = draw_below("nan_count", 2) * column.chunk_rows(); break;
      default: entry.fill_count = draw_below("fill_count", 2) * column.chunk_rows(); break;
    }
  }
  expect_lost_rows(of, entries, place);
}

// Many rows of a chunk are missing or NaN, and its entry does not count them.
RC_GTEST_PROP(Witnesses, OfCountsNameTheFirstRow, ()) {
  Case of = draw_case(draw("family", [](Choices& c) {
    constexpr Family kSome[] = {Family::kFloat, Family::kFloat, Family::kSigned,
                                Family::kFixedString};
    return c.of(kSome);
  }));
  RandomColumn& column = of.column;
  RC_PRE(column.chunks() > 0 && column.fill.has_value());
  Noise noise(*rc::gen::arbitrary<std::uint64_t>().as("rows"));
  const std::uint64_t from = draw_below("first such row", column.nrows);
  for (std::uint64_t row = from; row < column.nrows; ++row)
    if (noise.one_in(3))
      column.rows[row] = *column.fill;
    else if (noise.one_in(3) && column.type.is(TypeClass::kFloat))
      column.rows[row] = std::numeric_limits<double>::quiet_NaN();
  auto entries = expected_minmax(column);
  for (ExpectedChunk& entry : entries) entry.nan_count = entry.fill_count = 0;
  expect_lost_rows(of, entries, placeholder(column));
}

RC_GTEST_PROP(Witnesses, OfBitsAndFiltersNameTheFirstRow, ()) {
  const Case of = draw_hashable_case();
  const std::vector<Value> values = distinct(of.column);
  auto bits = expected_bitmap(of.column, values);
  const Filter filter = draw_filter();
  auto filters = expected_bloom(of.column, filter);
  draw_flips(bits);
  draw_flips(filters);
  NoChoice plain;
  TestTable table = table_of(of.column, plain);
  add_bitmap(table, "c", of.column, values, bits);
  add_bloom(table, "c", filter, filters);
  const SubjectReport report = report_of(table, of.cut);
  const Complaints found = complaints(report);
  for (const char* clause :
       {"bitmap-bit-set", "bitmap-bit-clear", "bitmap-lsb-first", "bloom-membership"}) {
    const auto finding = first_finding(report, clause);
    if (!finding || finding->severity != Severity::kError) continue;
    const std::uint64_t row = number_behind(finding->where, "row ").value();
    RC_ASSERT(row == found.at(clause).first);
    RC_ASSERT(number_behind(finding->witness, ": row ") == row);
    if (std::string_view(clause) == "bloom-membership")
      RC_ASSERT(number_behind(finding->witness, "chunk ") == row / of.column.chunk_rows());
  }
}

// Integers of one value, and missing ones among them.
RandomColumn plain_column(const Datatype& type, std::uint64_t rows, std::uint64_t chunk) {
  RandomColumn column{.type = type, .nrows = rows, .fill = Integer{0}, .chunk = chunk};
  for (std::uint64_t row = 0; row < rows; ++row)
    column.rows.push_back(row % 97 == 0 ? Integer{0} : Integer{5});
  return column;
}

// --- Pictures -----------------------------------------------------------------------------------

// The widest cells that are still few enough, and their contents.
Spread slow_spread(const std::vector<std::uint64_t>& positions) {
  for (std::uint64_t width = 1;; width *= 2) {
    std::map<std::uint64_t, std::uint64_t> counts;
    for (const std::uint64_t position : positions) ++counts[position / width];
    if (counts.size() > 256) continue;
    std::vector<Spread::Cell> cells;
    for (const auto& [at, count] : counts) cells.push_back({at, count});
    return Spread::of(width, cells);
  }
}

const Strip& strip_of(const SubjectReport& report, std::string_view kind) {
  for (const Strip& strip : report.parts.at(0).strips)
    if (strip.kind == kind) return strip;
  throw std::out_of_range("no such strip");
}

RC_GTEST_PROP(Pictures, ShowEveryDifference, ()) {
  const Case of = draw_hashable_case();
  const RandomColumn& column = of.column;
  RC_PRE(column.nrows > 0);
  auto entries = expected_minmax(column);
  const std::vector<Value> values = distinct(column);
  auto bits = expected_bitmap(column, values);
  const Filter filter = draw_filter();
  auto filters = expected_bloom(column, filter);
  // All of them, or every n-th.
  const std::uint64_t step = 1 + draw_below("step", 3);
  for (std::uint64_t i = 0; i < entries.size(); i += step) entries[i].n += 1;
  for (std::uint64_t i = 0; i < bits.size(); i += step) bits[i] = ~bits[i];
  for (std::uint64_t i = 0; i < filters.size(); i += step) filters[i] = std::byte{0};
  NoChoice plain;
  TestTable table = table_of(column, plain);
  add_minmax(table, "c", column, entries);
  add_bitmap(table, "c", column, values, bits);
  add_bloom(table, "c", filter, filters);
  const SubjectReport report = report_of(table, of.cut);

  std::vector<std::uint64_t> chunks;
  for (const auto& [id, at] : wrong_minmax(column, entries, placeholder(column)))
    chunks.insert(chunks.end(), at.begin(), at.end());
  RC_ASSERT(strip_of(report, "CHUNK_MINMAX").differences == slow_spread(chunks));
  WrongBits rows = wrong_bit_rows(column, values, bits);
  rows.set.insert(rows.set.end(), rows.clear.begin(), rows.clear.end());
  RC_ASSERT(strip_of(report, "BITMAP").differences == slow_spread(rows.set));
  // Lost rows are recorded by cells: if these are single rows, so are the chunks.
  const Wrong wrong = wrong_filters(column, filter, filters, stored_rows(table));
  if (const auto lost = wrong.find("bloom-membership"); lost != wrong.end() &&
                                                        slow_spread(lost->second).width() == 1 &&
                                                        !wrong.contains("bloom-nan-not-inserted")) {
    std::vector<std::uint64_t> of_rows;
    for (const std::uint64_t row : lost->second) of_rows.push_back(row / column.chunk_rows());
    RC_ASSERT(strip_of(report, "CHUNK_BLOOM").differences == slow_spread(of_rows));
  }
}

// The expected cells.
MissingCells slow_cells(const RandomColumn& column) {
  // Whole chunks per cell, as few as give at most 256 cells.
  std::uint64_t chunks_per_cell = 1;
  while ((column.chunks() + chunks_per_cell - 1) / chunks_per_cell > 256) ++chunks_per_cell;
  const std::uint64_t rows_per_cell =
      chunks_per_cell * (column.chunk > 0 ? column.chunk : column.extent());
  std::vector<std::uint64_t> wanted((column.nrows - 1) / rows_per_cell + 1);
  for (std::uint64_t row = 0; row < column.nrows; ++row)
    wanted[row / rows_per_cell] += column.missing(row);
  return {.rows_per_cell = rows_per_cell, .missing = std::move(wanted)};
}
MissingCells cells_of(const RandomColumn& column, const Cut& cut) {
  NoChoice plain;
  TestTable table = table_of(column, plain);
  return report_of(table, cut).parts.at(0).missing;
}

RC_GTEST_PROP(Pictures, CountMissingRows, ()) {
  const Case of = draw_case();
  RC_PRE(of.column.nrows > 0);
  RC_ASSERT(cells_of(of.column, of.cut) == slow_cells(of.column));
}

TEST(Pictures, HaveTheMaximumNumberOfCells) {
  for (const std::uint64_t chunks : {255, 256, 257, 511, 512, 513})
    for (const std::uint64_t chunk : {1, 2}) {
      const RandomColumn column = plain_column(integer_type(1, true), chunks * chunk, chunk);
      EXPECT_TRUE(cells_of(column, {}) == slow_cells(column)) << chunks << ' ' << chunk;
    }
}

// --- Lengths ------------------------------------------------------------------------------------

// The failing clauses, and whether the contents were examined.
std::set<std::string> failures(TestTable& table, const Cut& cut) {
  std::set<std::string> ids;
  for (const ClauseResult& result : report_of(table, cut).clauses)
    if (result.verdict == Verdict::kFail) ids.emplace(result.clause->id);
  return ids;
}
ClauseResult result_of(TestTable& table, std::string_view clause, const Cut& cut = {}) {
  const SubjectReport report = report_of(table, cut);
  return *std::ranges::find_if(
      report.clauses, [&](const ClauseResult& result) { return result.clause->id == clause; });
}
Verdict verdict_of(TestTable& table, std::string_view clause) {
  return result_of(table, clause).verdict;
}

RC_GTEST_PROP(Lengths, ShorterIndexesAreFoundAndLongerOnesAreResidue, ()) {
  const Case of = draw_hashable_case();
  const RandomColumn& column = of.column;
  RC_PRE(column.nrows > 0);
  const std::uint64_t length = draw_below("length", 3);  // one less, right, one more
  const auto resized = [&](auto& items, std::uint64_t item) {
    items.resize(items.size() + (length == 2 ? item : 0) - (length == 0 ? item : 0));
  };
  const bool wrong = column.chunk > 0 ? length == 0 : length != 1;
  const std::string layout = column.chunk > 0 ? "chunked" : "contiguous";
  NoChoice plain;
  const auto table = [&] { return table_of(column, plain); };

  TestTable minmax = table();
  auto entries = expected_minmax(column);
  resized(entries, 1);
  add_minmax(minmax, "c", column, entries);
  RC_ASSERT(failures(minmax, of.cut) ==
            (wrong ? std::set{"minmax-length-" + layout} : std::set<std::string>{}));
  RC_ASSERT((verdict_of(minmax, "minmax-fill-count-value") == Verdict::kNotChecked) ==
            (length == 0));

  TestTable sorted = table();
  ExpectedOrder order = expected_order(column);
  if (length == 2) order.rows.push_back(column.nrows);
  if (length == 0) order.rows.pop_back();
  add_sorted(sorted, "c", order);
  RC_ASSERT(failures(sorted, of.cut) ==
            (length == 0 ? std::set<std::string>{"sorted-length"} : std::set<std::string>{}));
  RC_ASSERT((verdict_of(sorted, "sorted-permutation") == Verdict::kNotChecked) == (length == 0));

  TestTable bloom = table();
  const Filter filter{};
  auto filters = expected_bloom(column, filter);
  resized(filters, filter.m_bits / 8);
  add_bloom(bloom, "c", filter, filters);
  RC_ASSERT(failures(bloom, of.cut) ==
            (wrong ? std::set{"bloom-rows-" + layout} : std::set<std::string>{}));
  RC_ASSERT((verdict_of(bloom, "bloom-membership") == Verdict::kNotChecked) == (length == 0));

  const std::vector<Value> values = distinct(column);
  if (values.empty()) return;
  TestTable bitmap = table();
  const std::uint64_t row_bytes = (column.nrows + 7) / 8 + length - 1;
  add_bitmap(bitmap, "c", column, values,
             length == 0 ? std::vector<std::byte>(values.size() * row_bytes)
                         : expected_bitmap(column, values, length - 1));
  bitmap.dataset("SEARCH_INDEXES/c__bitmap").space = simple_space({values.size(), row_bytes});
  RC_ASSERT(failures(bitmap, of.cut) ==
            (length == 0 ? std::set<std::string>{"bitmap-row-bytes"} : std::set<std::string>{}));
}

// An element type can distinguish as many rows as it has values.
TEST(Lengths, ElementsAreWideEnough) {
  for (const std::size_t size : {1, 2})
    for (const int more : {-1, 0, 1}) {
      RandomColumn column{.type = integer_type(1, true), .fill = Integer{-1}};
      column.nrows = (std::uint64_t{1} << (8 * size)) + static_cast<std::uint64_t>(more);
      column.rows.assign(column.nrows, Integer{5});
      NoChoice plain;
      TestTable table = table_of(column, plain);
      table.values.block_rows = 1000;
      add_sorted(table, "c", expected_order(column), integer_type(size, false));
      EXPECT_EQ(failures(table, {.block_rows = 1000}),
                more > 0 ? std::set<std::string>{"sorted-wide-enough"} : std::set<std::string>{})
          << size << ' ' << more;
    }
}

// The maximum number of values and size of filters that are examined. There are no contents.
TEST(Lengths, ValuesOfABitmap) {
  constexpr std::uint64_t kMost = 1 << 24;
  const RandomColumn column = plain_column(integer_type(4, true), 10, 0);
  for (const std::uint64_t values : {kMost - 1, kMost, kMost + 1}) {
    NoChoice plain;
    TestTable table = table_of(column, plain);
    add_bitmap(table, "c", column, {Integer{5}}, expected_bitmap(column, {Integer{5}}));
    table.dataset("SEARCH_INDEXES/c__values").space = simple_space({values});
    table.dataset("SEARCH_INDEXES/c__bitmap").space = simple_space({values, 2});
    const std::string reason = result_of(table, "bitmap-bit-set").reason;
    EXPECT_EQ(reason.contains("more than 16777216 indexed values"), values > kMost) << reason;
  }
}

TEST(Lengths, BytesOfAFilter) {
  constexpr std::uint64_t kMiB = 1 << 20;
  const RandomColumn column = plain_column(integer_type(4, true), 10, 0);
  // At least 64 MiB, otherwise a sixteenth of the memory for columns.
  for (const std::uint64_t most : {64 * kMiB, 100 * kMiB})
    for (const std::uint64_t bytes : {most - 1, most, most + 1}) {
      NoChoice plain;
      TestTable table = table_of(column, plain);
      const Filter filter{};
      add_bloom(table, "c", filter, expected_bloom(column, filter));
      table.dataset("SEARCH_INDEXES/c__bloom").space = simple_space({1, bytes});
      table.set("SEARCH_INDEXES/c__bloom",
                attribute("m_bits", integer_type(8, false), Cell(8 * bytes)));
      const std::uint64_t rest = 34 * kMiB;  // which the program itself uses
      const Cut cut{.memory_limit = most == 64 * kMiB ? 100 * kMiB : 16 * most + rest};
      const std::string reason = result_of(table, "bloom-membership", cut).reason;
      EXPECT_EQ(reason.contains("too large for the memory limit"), bytes > most) << reason;
    }
}

TEST(Lengths, LargestParametersOfFilters) {
  const RandomColumn column = plain_column(integer_type(4, true), 10, 0);
  const auto judged = [&](const Filter& filter) {
    NoChoice plain;
    TestTable table = table_of(column, plain);
    add_bloom(table, "c", filter, expected_bloom(column, filter));
    return verdict_of(table, "bloom-membership");
  };
  EXPECT_EQ(judged({.k = 0xFFFF, .m_bits = 64}), Verdict::kPass);
  EXPECT_EQ(judged({.m_bits = 64, .seed = 0xFFFFFFFF}), Verdict::kPass);
  for (const char* name : {"k", "seed"}) {
    NoChoice plain;
    TestTable table = table_of(column, plain);
    add_bloom(table, "c", {}, expected_bloom(column, {}));
    const std::uint64_t beyond = *name == 'k' ? 0x10000 : 0x100000000;
    table.set("SEARCH_INDEXES/c__bloom", attribute(name, integer_type(8, false), Cell(beyond)));
    EXPECT_EQ(verdict_of(table, "bloom-membership"), Verdict::kNotChecked) << name;
  }
}

// --- Default sizes -------------------------------------------------------------------------------

// Columns that end at the boundaries of runs of that many rows, bytes or chunks, and of windows:
// one exception on each side of a boundary, and an index that ignores it.
void expect_alike(RandomColumn column, std::uint64_t boundary, std::uint64_t memory_limit = 0) {
  const Cut cut{.jobs = 2, .memory_limit = memory_limit, .block_rows = 1 << 14};
  const RandomColumn before = column;
  for (const std::uint64_t row : {boundary - 1, boundary, boundary + 1})
    if (row < column.nrows) column.rows[row] = Integer{9};
  NoChoice plain;
  const auto judged = [&](const auto& add_index) {
    TestTable table = table_of(column, plain);
    add_index(table);
    return without_blocked(complaints(table, cut));
  };
  const auto entries = expected_minmax(before);
  EXPECT_EQ(judged([&](TestTable& t) { add_minmax(t, "c", column, entries); }),
            summary(wrong_minmax(column, entries, placeholder(column))));
  ExpectedOrder order = expected_order(before);
  std::swap(order.rows[boundary - 1], order.rows.back());
  EXPECT_EQ(judged([&](TestTable& t) { add_sorted(t, "c", order); }),
            summary(wrong_order(column, order)));
  const std::vector<Value> values = distinct(before);
  const auto bits = expected_bitmap(before, values);
  EXPECT_EQ(judged([&](TestTable& t) { add_bitmap(t, "c", column, values, bits); }),
            summary(wrong_bits(column, values, bits)));
}

TEST(UsedSizes, RunsOfRowsBytesAndChunks) {
  struct Boundary {
    std::size_t element_bytes;
    std::uint64_t chunk, rows;
  };
  for (const Boundary boundary : {Boundary{1, 0, 1 << 17}, Boundary{8, 0, (512 << 10) / 8},
                                  Boundary{8, 1000, 65'000}, Boundary{1, 1, 1 << 12}})
    for (const std::uint64_t more : {0, 1})
      expect_alike(plain_column(integer_type(boundary.element_bytes, true), boundary.rows + more,
                                boundary.chunk),
                   boundary.rows);
}

// Far beyond the column, where nothing can be looked up, and one row beyond it.
TEST(UsedSizes, GroupsOfElementsWithAnInvalidRow) {
  const RandomColumn column = plain_column(integer_type(4, true), 1100, 0);
  const ExpectedOrder right = expected_order(column);
  for (const std::uint64_t at : {0, 510, 511, 512, 1023, 1024, 1099})
    for (const std::uint64_t element : {std::uint64_t{1} << 45, column.nrows}) {
      ExpectedOrder order = right;
      order.rows[at] = element;
      NoChoice plain;
      TestTable table = table_of(column, plain);
      add_sorted(table, "c", order);
      EXPECT_EQ(without_blocked(complaints(table, {.block_rows = 1 << 14})),
                summary(wrong_order(column, order)))
          << at << ' ' << element;
    }
}

// Rows are processed in groups of 256: one group and more of a single value, even the greatest or
// the least.
TEST(UsedSizes, GroupsOfOneValue) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const auto expect_right = [](const Datatype& type, const Value& value, const Value& fill) {
    for (const std::uint64_t rows : {255, 256, 257, 512, 600}) {
      RandomColumn column{.type = type, .nrows = rows, .fill = fill, .chunk = 300};
      column.rows.assign(rows, value);
      if (type.is(TypeClass::kFloat))
        column.rows[rows / 2] = std::numeric_limits<double>::quiet_NaN();
      column.rows[rows / 3] = fill;
      NoChoice plain;
      TestTable table = table_of(column, plain);
      table.values.block_rows = 600;
      const auto entries = expected_minmax(column);
      add_minmax(table, "c", column, entries);
      EXPECT_EQ(failures(table, {.block_rows = 600, .blocks_are_chunks = false}),
                std::set<std::string>{})
          << describe(type) << ' ' << show(value) << ' ' << rows;
    }
  };
  for (const std::size_t size : {2, 4, 8})
    for (const double value : {kInf, -kInf, 0.0, size == 2 ? 65504.0 : 1e30, -60000.0})
      expect_right(ieee_float_type(size), value, 7.0);
  for (const std::size_t size : {1, 2, 4, 8})
    for (const bool is_signed : {false, true}) {
      const Integer end = Integer{1} << (8 * size - (is_signed ? 1 : 0));
      const Integer least = is_signed ? -end : 0;
      for (const Integer value : {least, end - 1})
        expect_right(integer_type(size, is_signed), value, Integer{7});
    }
}

// The same for hashes: any number of missing and NaN rows in each group, with filters that include
// the NaN rows or lack bits.
TEST(UsedSizes, GroupsOfHashes) {
  Noise random(4101);
  constexpr std::uint64_t kRows[] = {255, 256, 257, 512, 513, 700, 1000};
  constexpr std::uint64_t kShares[] = {0, 1, 8, 200};
  for (int round = 0; round < 60; ++round) {
    const bool numbers = random.one_in(3);
    const Datatype type =
        numbers ? integer_type(4, true) : ieee_float_type(std::size_t{2} << random.below(3));
    RandomColumn column{.type = type, .nrows = random.of(kRows)};
    column.fill = numbers ? Value(Integer{7}) : Value(7.0);
    column.chunk = random.maybe() ? 0 : 300;
    std::uint64_t nan = 0, missing = 0;
    for (std::uint64_t row = 0; row < column.nrows; ++row) {
      // Groups differ in what they contain.
      if (row % 128 == 0) {
        nan = random.of(kShares);
        missing = random.of(kShares);
      }
      const auto number = static_cast<int>(random.below(50));
      if (!numbers && random.below(201) < nan)
        column.rows.emplace_back(std::numeric_limits<double>::quiet_NaN());
      else if (random.below(201) < missing)
        column.rows.push_back(*column.fill);
      else
        column.rows.push_back(numbers ? Value(Integer{number}) : Value(number * 0.25));
    }
    const Filter filter{.k = static_cast<std::uint32_t>(1 + random.below(5)),
                        .m_bits = random.maybe() ? std::uint64_t{2048} : std::uint64_t{2000},
                        .seed = static_cast<std::uint32_t>(random.bits())};
    TestTable table = table_of(column, random);
    auto bits = expected_bloom(column, filter);
    if (random.maybe()) insert_nans(column, filter, stored_rows(table), bits);
    for (std::uint64_t n = random.below(3); n > 0; --n) {
      const std::uint64_t bit = random.below(8 * bits.size());
      bits[bit / 8] ^= std::byte{1} << (bit % 8);
    }
    add_bloom(table, "c", filter, bits);
    EXPECT_EQ(complaints(table, {.block_rows = 1000, .blocks_are_chunks = false}),
              summary(wrong_filters(column, filter, bits, stored_rows(table))))
        << round;
  }
}

TEST(UsedSizes, WindowsOfElements) {
  for (const std::uint64_t rows : {1023, 1024, 1025, 2048, 2049})
    expect_alike(plain_column(integer_type(4, true), rows, 0), 1023, 1);
}

}  // namespace

}  // namespace hepcheck::hep001::grammar
