// The four index families (10.4 to 10.7): a built index verifies, and changes are found exactly at
// the places that a count value by value gives, for any division of the work.
#include <algorithm>
#include <limits>
#include <span>

#include "fuzz/hep001/properties/cases.h"
#include "validator/formats/hep001/derive/build_index.h"
#include "validator/formats/hep001/derive/order.h"

namespace hepcheck::hep001::grammar {

namespace {

std::unique_ptr<ValueStream> rows_of(TestTable& table, const Case& of) {
  table.values.block_rows = of.cut.block_rows;
  table.values.blocks_are_chunks = of.cut.blocks_are_chunks;
  return *table.values.stream(table.dataset("c"), of.column.nrows);
}

// --- CHUNK_MINMAX -------------------------------------------------------------------------------

RC_GTEST_PROP(ChunkMinmax, BuiltAsExpectedAndVerified, ()) {
  const Case of = draw_case();
  const RandomColumn& column = of.column;
  Noise noise = draw_noise();
  TestTable table = table_of(column, noise);
  const auto wanted = expected_minmax(column);
  const auto built = build_chunk_minmax(table.dataset("c"), *rows_of(table, of));
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
  RC_ASSERT(complaints(table, of.cut) == Complaints{});
}

RC_GTEST_PROP(ChunkMinmax, ChangedEntriesAreFound, ()) {
  const Case of = draw_case();
  const RandomColumn& column = of.column;
  RC_PRE(column.chunks() > 0);
  auto entries = expected_minmax(column);
  const Value place = placeholder(column);
  for (std::uint64_t n = 1 + draw_below("further entries", 3); n > 0; --n) {
    ExpectedChunk& entry = entries[draw_below("chunk", entries.size())];
    const auto other_count = [&](std::uint64_t& count) { count += 1 + draw_below("more", 3); };
    switch (draw_below("field", 5)) {
      case 0: entry.min = draw_value("min", column.type); break;
      case 1: entry.max = draw_value("max", column.type); break;
      case 2: other_count(entry.nan_count); break;
      case 3: other_count(entry.fill_count); break;
      default: other_count(entry.n); break;
    }
  }
  Noise noise = draw_noise();
  TestTable table = table_of(column, noise);
  add_minmax(table, "c", column, entries);
  RC_ASSERT(complaints(table, of.cut) == summary(wrong_minmax(column, entries, place)));
}

RC_GTEST_PROP(ChunkMinmax, ChangedValuesAreFound, ()) {
  const Case of = draw_case();
  const RandomColumn changed = draw_change(of);
  const auto entries = expected_minmax(of.column);
  Noise noise = draw_noise();
  TestTable table = table_of(changed, noise);
  add_minmax(table, "c", of.column, entries);
  RC_ASSERT(complaints(table, of.cut) ==
            summary(wrong_minmax(changed, entries, placeholder(of.column))));
}

// --- SORTED_ROWS --------------------------------------------------------------------------------

// The element type: wide enough for every row and for some that do not exist.
Datatype draw_element_type(const RandomColumn& column) {
  const std::uint64_t rows = column.nrows + 4;
  return draw("element type", [rows](Choices& c) {
    constexpr std::size_t kSizes[] = {8, 4, 2, 1, 3};
    Datatype type =
        integer_type(c.of(kSizes), false, c.maybe() ? ByteOrder::kBig : ByteOrder::kLittle);
    while (type.size < 8 && rows > std::uint64_t{1} << (8 * type.size))
      type = integer_type(type.size + 1, false, type.order);
    return type;
  });
}

RC_GTEST_PROP(SortedRows, BuiltAsExpectedAndVerified, ()) {
  const Case of = draw_case();
  Noise noise = draw_noise();
  TestTable table = table_of(of.column, noise);
  const ExpectedOrder wanted = expected_order(of.column);
  const auto built = build_sorted_rows(table.dataset("c"), *rows_of(table, of), 1 << 20);
  RC_ASSERT(built.has_value());
  RC_ASSERT(built->rows == wanted.rows);
  RC_ASSERT(built->nan_tail_length == wanted.nan_tail);
  RC_ASSERT(built->fill_tail_length == wanted.fill_tail);
  add_sorted(table, "c", wanted, draw_element_type(of.column));
  RC_ASSERT(complaints(table, of.cut) == Complaints{});
}

// Elements swapped, repeated or out of range, residue after or among them, other lengths of tails.
RC_GTEST_PROP(SortedRows, ChangedElementsAreFound, ()) {
  const Case of = draw_case();
  const RandomColumn& column = of.column;
  RC_PRE(column.nrows > 0);
  ExpectedOrder order = expected_order(column);
  const std::uint64_t both_tails = order.nan_tail + order.fill_tail;
  const auto place = [&](const char* name) { return draw_place(name, column.nrows, of); };
  for (std::uint64_t n = 1 + draw_below("further changes", 3); n > 0; --n) {
    const std::uint64_t at = place("element");
    switch (draw_below("change", 10)) {
      case 0: std::swap(order.rows[at], order.rows[(at + 1) % column.nrows]); break;
      case 1: std::swap(order.rows[at], order.rows[place("with")]); break;
      case 2: order.rows[at] = order.rows[place("repeated")]; break;
      case 3: order.rows[at] = column.nrows + draw_below("beyond", 3); break;
      case 4: order.nan_tail += 1; break;
      case 5: order.fill_tail += 1; break;
      case 6: order.rows.push_back(draw_below("residue", column.nrows + 3)); break;
      case 7:  // one tail, in row order
        std::ranges::sort(std::span(order.rows).first(column.nrows).last(both_tails));
        break;
      default:
        order.rows.insert(order.rows.begin() + static_cast<std::ptrdiff_t>(at),
                          column.nrows + draw_below("residue", 3));
        break;
    }
  }
  Noise noise = draw_noise();
  TestTable table = table_of(column, noise);
  add_sorted(table, "c", order, draw_element_type(column));
  RC_ASSERT(without_blocked(complaints(table, of.cut)) == summary(wrong_order(column, order)));
}

RC_GTEST_PROP(SortedRows, ChangedValuesAreFound, ()) {
  const Case of = draw_case();
  const RandomColumn changed = draw_change(of);
  const ExpectedOrder order = expected_order(of.column);
  Noise noise = draw_noise();
  TestTable table = table_of(changed, noise);
  add_sorted(table, "c", order);
  RC_ASSERT(without_blocked(complaints(table, of.cut)) == summary(wrong_order(changed, order)));
}

// --- BITMAP -------------------------------------------------------------------------------------

RC_GTEST_PROP(Bitmap, BuiltAsExpectedAndVerified, ()) {
  const Case of = draw_case();
  const RandomColumn& column = of.column;
  Noise noise = draw_noise();
  TestTable table = table_of(column, noise);
  std::vector<Value> values = distinct(column);
  const auto built = build_bitmap(table.dataset("c"), *rows_of(table, of), 1000, 1 << 20);
  RC_ASSERT(built.has_value());
  RC_ASSERT(built->values.size() == values.size());
  if (built->ordered) std::ranges::sort(values, less);
  for (std::size_t k = 0; k < values.size(); ++k)
    RC_ASSERT(
        std::is_eq(compare_values(column.type, built->values[k], encode(column.type, values[k]))));
  const auto bits = expected_bitmap(column, values);
  RC_ASSERT(built->bits == bits);
  add_bitmap(table, "c", column, values, bits);
  RC_ASSERT(complaints(table, of.cut) == Complaints{});
}

// Any bits, including those after the last row, which are free; values that are listed twice, equal
// the fill or NaN, or do not occur.
RC_GTEST_PROP(Bitmap, FlippedBitsAreFound, ()) {
  const Case of = draw_case();
  const RandomColumn& column = of.column;
  std::vector<Value> values = distinct(column);
  for (std::uint64_t n = draw_below("further values", 3); n > 0; --n) {
    Value more = draw_value("value", column.type);
    if (!values.empty() && draw_below("kind of value", 2) == 1)
      more = values[draw_below("listed twice", values.size())];
    values.insert(values.begin() + static_cast<std::ptrdiff_t>(draw_below("at", values.size() + 1)),
                  more);
  }
  auto bits = expected_bitmap(column, values, draw_below("further bytes", 3));
  draw_flips(bits);
  Noise noise = draw_noise();
  TestTable table = table_of(column, noise);
  add_bitmap(table, "c", column, values, bits);
  RC_ASSERT(complaints(table, of.cut) == summary(wrong_bits(column, values, bits)));
}

RC_GTEST_PROP(Bitmap, ReversedBytesAreNamed, ()) {
  const Case of = draw_case();
  const std::vector<Value> values = distinct(of.column);
  auto bits = expected_bitmap(of.column, values);
  for (std::byte& byte : bits) {
    std::byte turned{};
    for (unsigned i = 0; i < 8; ++i) turned |= ((byte >> i) & std::byte{1}) << (7 - i);
    byte = turned;
  }
  // One that is not a mirror image hides it.
  if (!bits.empty() && draw_below("flip a bit", 4) == 3) draw_flips(bits);
  Noise noise = draw_noise();
  TestTable table = table_of(of.column, noise);
  add_bitmap(table, "c", of.column, values, bits);
  RC_ASSERT(complaints(table, of.cut) == summary(wrong_bits(of.column, values, bits)));
}

RC_GTEST_PROP(Bitmap, ChangedValuesAreFound, ()) {
  const Case of = draw_case();
  const RandomColumn changed = draw_change(of);
  const std::vector<Value> values = distinct(of.column);
  const auto bits = expected_bitmap(of.column, values);
  Noise noise = draw_noise();
  TestTable table = table_of(changed, noise);
  add_bitmap(table, "c", of.column, values, bits);
  RC_ASSERT(complaints(table, of.cut) == summary(wrong_bits(changed, values, bits)));
}

// --- CHUNK_BLOOM --------------------------------------------------------------------------------

RC_GTEST_PROP(ChunkBloom, BuiltAsExpectedAndVerified, ()) {
  const Case of = draw_hashable_case();
  Filter filter = draw_filter();
  filter.m_bits = std::bit_ceil(filter.m_bits);  // for which both interpretations of the sums agree
  Noise noise = draw_noise();
  TestTable table = table_of(of.column, noise);
  const auto wanted = expected_bloom(of.column, filter);
  const auto built = build_chunk_bloom(table.dataset("c"), *rows_of(table, of),
                                       {filter.k, filter.m_bits, filter.seed});
  RC_ASSERT(built.has_value());
  RC_ASSERT(*built == wanted);
  add_bloom(table, "c", filter, wanted);
  RC_ASSERT(complaints(table, of.cut) == Complaints{});
}

RC_GTEST_PROP(ChunkBloom, BothInterpretationsOfTheSumsAreAccepted, ()) {
  const Case of = draw_hashable_case();
  const Filter filter = draw_filter();
  Noise noise = draw_noise();
  TestTable table = table_of(of.column, noise);
  const auto wrapped = build_chunk_bloom(table.dataset("c"), *rows_of(table, of),
                                         {filter.k, filter.m_bits, filter.seed});
  RC_ASSERT(wrapped.has_value());
  add_bloom(table, "c", filter, *wrapped);
  const Complaints found = complaints(table, of.cut);
  RC_ASSERT(found == summary(wrong_filters(of.column, filter, *wrapped, stored_rows(table))));
  RC_ASSERT(!found.contains("bloom-membership"));
}

// Bits lost or added, or all bits of the NaN rows added.
RC_GTEST_PROP(ChunkBloom, FlippedBitsAreFoundOrImmaterial, ()) {
  const Case of = draw_hashable_case();
  const RandomColumn& column = of.column;
  const Filter filter = draw_filter();
  Noise noise = draw_noise();
  TestTable table = table_of(column, noise);
  auto bits = expected_bloom(column, filter);
  if (draw_below("NaN inserted", 3) == 2)
    insert_nans(column, filter, stored_rows(table), bits);
  else
    draw_flips(bits);
  add_bloom(table, "c", filter, bits);
  RC_ASSERT(complaints(table, of.cut) ==
            summary(wrong_filters(column, filter, bits, stored_rows(table))));
}

// So many bits per value that filters are full, or almost: there are special cases for these.
RC_GTEST_PROP(ChunkBloom, ManyHashesAreVerified, ()) {
  const RandomColumn column =
      draw_column(draw("family", [](Choices& c) { return c.of(kHashable); }), 30);
  RC_PRE(hashable(column.type));
  const Filter filter = draw("filter", [](Choices& c) {
    constexpr std::uint32_t kHashes[] = {257, 256, 288, 320, 1000};
    return Filter{.k = c.of(kHashes),
                  .m_bits = c.maybe() ? std::uint64_t{8} << c.below(8) : 8 * (1 + c.below(64)),
                  .seed = static_cast<std::uint32_t>(c.bits())};
  });
  const Cut cut = draw("cut", random_cut);
  Noise noise = draw_noise();
  TestTable table = table_of(column, noise);
  auto bits = expected_bloom(column, filter);
  const std::uint64_t change = draw_below("as expected, full, flipped, full and flipped", 4);
  if (change % 2 == 1) std::ranges::fill(bits, std::byte{0xFF});
  if (change >= 2) draw_flips(bits);
  add_bloom(table, "c", filter, bits);
  RC_ASSERT(complaints(table, cut) ==
            summary(wrong_filters(column, filter, bits, stored_rows(table))));
}

// In some chunk of several runs, certainly or possibly.
RC_GTEST_PROP(ChunkBloom, InsertedNansAreFoundInEveryRun, ()) {
  RandomColumn column = draw_column(Family::kFloat, 30);
  RC_PRE(hashable(column.type) && column.chunks() > 1);
  for (std::uint64_t n = 1 + draw_below("further NaN rows", 4); n > 0; --n)
    column.rows[draw_below("NaN row", column.nrows)] = std::numeric_limits<double>::quiet_NaN();
  Cut cut = draw("cut", random_cut);
  cut.cuts.run_chunks = 1 + draw_below("further chunks of a run", 2);
  const Filter filter = draw_filter();
  Noise noise = draw_noise();
  TestTable table = table_of(column, noise);
  auto bits = expected_bloom(column, filter);
  insert_nans(column, filter, stored_rows(table), bits);
  if (draw_below("flips", 2) == 1) draw_flips(bits);
  add_bloom(table, "c", filter, bits);
  RC_ASSERT(complaints(table, cut) ==
            summary(wrong_filters(column, filter, bits, stored_rows(table))));
}

RC_GTEST_PROP(ChunkBloom, ChangedValuesAreFound, ()) {
  const Case of = draw_hashable_case();
  const RandomColumn changed = draw_change(of);
  const Filter filter = draw_filter();
  const auto bits = expected_bloom(of.column, filter);
  Noise noise = draw_noise();
  TestTable table = table_of(changed, noise);
  add_bloom(table, "c", filter, bits);
  RC_ASSERT(complaints(table, of.cut) ==
            summary(wrong_filters(changed, filter, bits, stored_rows(table))));
}

}  // namespace

}  // namespace hepcheck::hep001::grammar
