// The four index families (10.4 to 10.7): what is built verifies, and what is then changed is
// found, exactly where a count value by value says that it should be.
#include <algorithm>

#include "fuzz/hep001/grammar/judge.h"
#include "fuzz/hep001/properties/draw.h"
#include "validator/formats/hep001/derive/build_index.h"
#include "validator/formats/hep001/derive/order.h"
#include "validator/formats/hep001/judge.h"

namespace hepcheck::hep001::grammar {

namespace {

TestTable table_of(const RandomColumn& column, Choices& noise) {
  TestTable table("/t", column.nrows);
  add(table, "c", column, noise);
  return table;
}

RandomColumn draw_any_column() { return draw_column(draw_family(), 30); }

// The column with another value in one of its rows, the tail included.
RandomColumn draw_change(RandomColumn column) {
  RC_PRE(column.extent() > 0);
  const std::uint64_t extent = column.extent();  // shrinking draws again, after the return
  const auto row = draw("changed row", [extent](Choices& c) { return c.below(extent); });
  column.rows[row] = draw_value("new value", column.type);
  return column;
}

std::uint64_t draw_below(const std::string& name, std::uint64_t n) {
  return draw(name, [n](Choices& c) { return c.below(n); });
}

// --- CHUNK_MINMAX -------------------------------------------------------------------------------

RC_GTEST_PROP(ChunkMinmax, BuiltAsExpectedAndVerified, ()) {
  const RandomColumn column = draw_any_column();
  Noise noise = draw_noise();
  TestTable table = table_of(column, noise);
  const auto wanted = expected_minmax(column);
  const auto built = build_chunk_minmax(table.dataset("c"),
                                        **table.values.stream(table.dataset("c"), column.nrows));
  RC_ASSERT(built.has_value());
  RC_ASSERT(built->size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    RC_ASSERT((*built)[i].nan_count == wanted[i].nan_count);
    RC_ASSERT((*built)[i].fill_count == wanted[i].fill_count);
    RC_ASSERT((*built)[i].n == wanted[i].n);
    for (const auto& [is, should] :
         {std::pair((*built)[i].min, wanted[i].min), std::pair((*built)[i].max, wanted[i].max)})
      if (should)
        RC_ASSERT(std::is_eq(compare_values(column.type, is, encode(column.type, *should))));
  }
  add_minmax(table, "c", column, wanted);
  RC_ASSERT(complaints(table) == Ids{});
}

RC_GTEST_PROP(ChunkMinmax, ChangedEntryIsFound, ()) {
  const RandomColumn column = draw_any_column();
  RC_PRE(column.chunks() > 0);
  auto entries = expected_minmax(column);
  const Value place = placeholder(column);
  ExpectedChunk& entry = entries[draw_below("chunk", entries.size())];
  const auto other_count = [&](std::uint64_t& count) { count += 1 + draw_below("more", 3); };
  switch (draw_below("field", 5)) {
    case 0: entry.min = draw_value("min", column.type); break;
    case 1: entry.max = draw_value("max", column.type); break;
    case 2: other_count(entry.nan_count); break;
    case 3: other_count(entry.fill_count); break;
    default: other_count(entry.n); break;
  }
  Noise noise = draw_noise();
  TestTable table = table_of(column, noise);
  add_minmax(table, "c", column, entries);
  RC_ASSERT(complaints(table) == wrong_minmax(column, entries, place));
}

RC_GTEST_PROP(ChunkMinmax, ChangedValueIsFound, ()) {
  const RandomColumn column = draw_any_column();
  const RandomColumn changed = draw_change(column);
  const auto entries = expected_minmax(column);
  Noise noise = draw_noise();
  TestTable table = table_of(changed, noise);
  add_minmax(table, "c", column, entries);
  RC_ASSERT(complaints(table) == wrong_minmax(changed, entries, placeholder(column)));
}

// --- SORTED_ROWS --------------------------------------------------------------------------------

RC_GTEST_PROP(SortedRows, BuiltAsExpectedAndVerified, ()) {
  const RandomColumn column = draw_any_column();
  Noise noise = draw_noise();
  TestTable table = table_of(column, noise);
  const ExpectedOrder wanted = expected_order(column);
  const auto built = build_sorted_rows(
      table.dataset("c"), **table.values.stream(table.dataset("c"), column.nrows), 1 << 20);
  RC_ASSERT(built.has_value());
  RC_ASSERT(built->rows == wanted.rows);
  RC_ASSERT(built->nan_tail_length == wanted.nan_tail);
  RC_ASSERT(built->fill_tail_length == wanted.fill_tail);
  add_sorted(table, "c", wanted);
  RC_ASSERT(complaints(table) == Ids{});
}

// Two elements swapped, one repeated or out of range, or a tail length changed.
RC_GTEST_PROP(SortedRows, ChangedElementIsFound, ()) {
  const RandomColumn column = draw_any_column();
  RC_PRE(column.nrows > 0);
  ExpectedOrder order = expected_order(column);
  const std::uint64_t at = draw_below("element", column.nrows);
  switch (draw_below("change", 6)) {
    case 0: std::swap(order.rows[at], order.rows[(at + 1) % column.nrows]); break;
    case 1: std::swap(order.rows[at], order.rows[draw_below("with", column.nrows)]); break;
    case 2: order.rows[at] = order.rows[draw_below("repeated", column.nrows)]; break;
    case 3: order.rows[at] = column.nrows + draw_below("beyond", 3); break;
    case 4: order.nan_tail += 1; break;
    default: order.fill_tail += 1; break;
  }
  Noise noise = draw_noise();
  TestTable table = table_of(column, noise);
  add_sorted(table, "c", order);
  RC_ASSERT(without_blocked(complaints(table)) == wrong_order(column, order));
}

RC_GTEST_PROP(SortedRows, ChangedValueIsFound, ()) {
  const RandomColumn column = draw_any_column();
  const RandomColumn changed = draw_change(column);
  const ExpectedOrder order = expected_order(column);
  Noise noise = draw_noise();
  TestTable table = table_of(changed, noise);
  add_sorted(table, "c", order);
  RC_ASSERT(without_blocked(complaints(table)) == wrong_order(changed, order));
}

// Out of core, with windows of 1024 rows, the same verdict as in core.
RC_GTEST_PROP(SortedRows, WindowsSeeTheSame, ()) {
  RandomColumn column = draw_any_column();
  RC_PRE(column.nrows > 0);
  // Longer than a window: the rows repeated.
  const std::vector<Value> rows(column.rows.begin(),
                                column.rows.begin() + static_cast<std::ptrdiff_t>(column.nrows));
  column.rows.clear();
  while (column.rows.size() < 1500) column.rows.insert(column.rows.end(), rows.begin(), rows.end());
  column.nrows = column.rows.size();
  ExpectedOrder order = expected_order(column);
  std::swap(order.rows[draw_below("one", 1500)], order.rows[draw_below("another", 1500)]);
  NoChoice plain;
  TestTable table = table_of(column, plain);
  add_sorted(table, "c", order);
  ExamineOptions small = content_options();
  small.memory_limit = 1;
  const auto in_windows = examine(table.finish(), table.values, default_revision("hep001"), small);
  const auto in_core =
      examine(table.table, table.values, default_revision("hep001"), content_options());
  for (std::size_t i = 0; i < in_core.clauses.size(); ++i) {
    RC_ASSERT(in_windows.clauses[i].verdict == in_core.clauses[i].verdict);
    RC_ASSERT(in_windows.clauses[i].findings.size() == in_core.clauses[i].findings.size());
  }
}

// --- BITMAP -------------------------------------------------------------------------------------

RC_GTEST_PROP(Bitmap, BuiltAsExpectedAndVerified, ()) {
  const RandomColumn column = draw_any_column();
  Noise noise = draw_noise();
  TestTable table = table_of(column, noise);
  std::vector<Value> values = distinct(column);
  const auto built = build_bitmap(
      table.dataset("c"), **table.values.stream(table.dataset("c"), column.nrows), 1000, 1 << 20);
  RC_ASSERT(built.has_value());
  RC_ASSERT(built->values.size() == values.size());
  if (built->ordered) std::ranges::sort(values, less);
  for (std::size_t k = 0; k < values.size(); ++k)
    RC_ASSERT(
        std::is_eq(compare_values(column.type, built->values[k], encode(column.type, values[k]))));
  const auto bits = expected_bitmap(column, values);
  RC_ASSERT(built->bits == bits);
  add_bitmap(table, "c", column, values, bits);
  RC_ASSERT(complaints(table) == Ids{});
}

// Any one bit, those behind the last row included, which are free.
RC_GTEST_PROP(Bitmap, FlippedBitIsFound, ()) {
  const RandomColumn column = draw_any_column();
  const std::vector<Value> values = distinct(column);
  auto bits = expected_bitmap(column, values);
  RC_PRE(!bits.empty());
  const std::uint64_t bit = draw_below("bit", 8 * bits.size());
  bits[bit / 8] ^= std::byte{1} << (bit % 8);
  Noise noise = draw_noise();
  TestTable table = table_of(column, noise);
  add_bitmap(table, "c", column, values, bits);
  RC_ASSERT(complaints(table) == wrong_bits(column, values, bits));
}

RC_GTEST_PROP(Bitmap, ReversedBytesAreNamed, ()) {
  const RandomColumn column = draw_any_column();
  const std::vector<Value> values = distinct(column);
  auto bits = expected_bitmap(column, values);
  for (std::byte& byte : bits) {
    std::byte turned{};
    for (unsigned i = 0; i < 8; ++i) turned |= ((byte >> i) & std::byte{1}) << (7 - i);
    byte = turned;
  }
  Noise noise = draw_noise();
  TestTable table = table_of(column, noise);
  add_bitmap(table, "c", column, values, bits);
  RC_ASSERT(complaints(table) == wrong_bits(column, values, bits));
}

RC_GTEST_PROP(Bitmap, ChangedValueIsFound, ()) {
  const RandomColumn column = draw_any_column();
  const RandomColumn changed = draw_change(column);
  const std::vector<Value> values = distinct(column);
  const auto bits = expected_bitmap(column, values);
  Noise noise = draw_noise();
  TestTable table = table_of(changed, noise);
  add_bitmap(table, "c", column, values, bits);
  RC_ASSERT(complaints(table) == wrong_bits(changed, values, bits));
}

// --- CHUNK_BLOOM --------------------------------------------------------------------------------

RandomColumn draw_hashable_column() {
  const RandomColumn column = draw_any_column();
  RC_PRE(hashable(column.type));
  return column;
}

Filter draw_filter() {
  return draw("filter", [](Choices& c) {
    Filter filter{.k = 1 + static_cast<std::uint32_t>(c.below(6)),
                  .m_bits = std::uint64_t{8} << c.below(6),
                  .seed = static_cast<std::uint32_t>(c.bits())};
    if (c.maybe()) filter.m_bits = 8 * (1 + c.below(20));
    return filter;
  });
}

RC_GTEST_PROP(ChunkBloom, BuiltAsExpectedAndVerified, ()) {
  const RandomColumn column = draw_hashable_column();
  Filter filter = draw_filter();
  filter.m_bits = std::bit_ceil(filter.m_bits);  // where both readings of the sums agree
  Noise noise = draw_noise();
  TestTable table = table_of(column, noise);
  const auto wanted = expected_bloom(column, filter);
  const auto built =
      build_chunk_bloom(table.dataset("c"), **table.values.stream(table.dataset("c"), column.nrows),
                        {filter.k, filter.m_bits, filter.seed});
  RC_ASSERT(built.has_value());
  RC_ASSERT(*built == wanted);
  add_bloom(table, "c", filter, wanted);
  RC_ASSERT(without_nan_guess(complaints(table)) == Ids{});
}

RC_GTEST_PROP(ChunkBloom, EitherReadingOfTheSumsIsAccepted, ()) {
  const RandomColumn column = draw_hashable_column();
  const Filter filter = draw_filter();
  Noise noise = draw_noise();
  TestTable table = table_of(column, noise);
  add_bloom(table, "c", filter, expected_bloom(column, filter));
  RC_ASSERT(without_nan_guess(complaints(table)) == Ids{});
  TestTable other = table_of(column, noise);
  const auto wrapped =
      build_chunk_bloom(other.dataset("c"), **other.values.stream(other.dataset("c"), column.nrows),
                        {filter.k, filter.m_bits, filter.seed});
  RC_ASSERT(wrapped.has_value());
  add_bloom(other, "c", filter, *wrapped);
  RC_ASSERT(complaints(other) == lost_values(column, filter, *wrapped));
  RC_ASSERT(!complaints(other).contains("bloom-membership"));
}

RC_GTEST_PROP(ChunkBloom, FlippedBitIsFoundOrImmaterial, ()) {
  const RandomColumn column = draw_hashable_column();
  const Filter filter = draw_filter();
  auto bits = expected_bloom(column, filter);
  RC_PRE(!bits.empty());
  const std::uint64_t bit = draw_below("bit", 8 * bits.size());
  bits[bit / 8] ^= std::byte{1} << (bit % 8);
  Noise noise = draw_noise();
  TestTable table = table_of(column, noise);
  add_bloom(table, "c", filter, bits);
  RC_ASSERT(without_nan_guess(complaints(table)) == lost_values(column, filter, bits));
}

RC_GTEST_PROP(ChunkBloom, ChangedValueIsFound, ()) {
  const RandomColumn column = draw_hashable_column();
  const RandomColumn changed = draw_change(column);
  const Filter filter = draw_filter();
  const auto bits = expected_bloom(column, filter);
  Noise noise = draw_noise();
  TestTable table = table_of(changed, noise);
  add_bloom(table, "c", filter, bits);
  RC_ASSERT(without_nan_guess(complaints(table)) == lost_values(changed, filter, bits));
}

}  // namespace

inline std::ostream& operator<<(std::ostream& out, const Filter& filter) {
  return out << "k " << filter.k << ", m_bits " << filter.m_bits << ", seed " << filter.seed;
}

}  // namespace hepcheck::hep001::grammar
