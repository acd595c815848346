// The validity check of indexes (12.2): matching tokens reveal every defect of the contents, and
// others hide all of them. And boolean columns (8.8), which the revisions treat differently.
#include "fuzz/hep001/properties/cases.h"
#include "validator/formats/hep001/derive/build_index.h"

namespace hepcheck::hep001::grammar {

namespace {

// A column whose datatype both revisions treat in the same way.
Case draw_plain_case() {
  const Family family = draw("family", [](Choices& c) {
    constexpr Family kPlain[] = {Family::kUnsigned,    Family::kSigned,         Family::kFloat,
                                 Family::kFixedString, Family::kVariableString, Family::kOpaque};
    return c.of(kPlain);
  });
  Case of = draw_case(family);
  RC_PRE(of.column.nrows > 0);
  return of;
}

// An index of any family, with contents that may be wrong; its path.
std::string add_some_index(TestTable& table, const Case& of) {
  const RandomColumn& column = of.column;
  switch (draw_below("index", hashable(column.type) ? 4 : 3)) {
    case 0: {
      auto entries = expected_minmax(column);
      entries[draw_below("chunk", entries.size())].n += draw_below("more", 2);
      add_minmax(table, "c", column, entries);
      return "SEARCH_INDEXES/c__minmax";
    }
    case 1: {
      ExpectedOrder order = expected_order(column);
      std::swap(order.rows[draw_place("element", column.nrows, of)],
                order.rows[draw_place("with", column.nrows, of)]);
      add_sorted(table, "c", order);
      return "SEARCH_INDEXES/c__sorted";
    }
    case 2: {
      const std::vector<Value> values = distinct(column);
      auto bits = expected_bitmap(column, values);
      if (!bits.empty() && draw_below("flip a bit", 2) == 1) draw_flips(bits);
      add_bitmap(table, "c", column, values, bits);
      return "SEARCH_INDEXES/c__bitmap";
    }
    default: {
      const Filter filter = draw_filter();
      auto bits = expected_bloom(column, filter);
      if (draw_below("flip a bit", 2) == 1) draw_flips(bits);
      add_bloom(table, "c", filter, bits);
      return "SEARCH_INDEXES/c__bloom";
    }
  }
}

void put(TestTable& table, const std::string& path, const char* name, std::uint64_t value,
         ByteOrder order = ByteOrder::kLittle) {
  table.set(path, attribute(name, integer_type(8, false, order), Cell(value)));
}

void put_tokens(TestTable& table, const std::string& index, std::uint64_t generation,
                std::uint64_t nrows) {
  put(table, "", "GENERATION", generation, ByteOrder::kBig);  // the order of bytes is free
  put(table, index, "SOURCE_GENERATION", generation);
  put(table, index, "SOURCE_NROWS", nrows, ByteOrder::kBig);
}

// Requirements on contents that only the newer revision has.
Complaints without_pad_bits(Complaints all) {
  std::erase_if(all,
                [](const auto& each) { return each.first.starts_with("bitmap-pad-bits-zero"); });
  return all;
}

RC_GTEST_PROP(Gate, AgreeingTokensExposeAllContents, ()) {
  const Case of = draw_plain_case();
  Noise noise = draw_noise();
  TestTable table = table_of(of.column, noise);
  const std::string index = add_some_index(table, of);
  const Complaints older = complaints(table, of.cut);
  put_tokens(table, index, draw_below("generation", 3), of.column.nrows);
  RC_ASSERT(without_pad_bits(complaints(table, of.cut, About::kContents, newest())) == older);
}

RC_GTEST_PROP(Gate, OtherTokensHideAllContents, ()) {
  const Case of = draw_plain_case();
  Noise noise = draw_noise();
  TestTable table = table_of(of.column, noise);
  const std::string index = add_some_index(table, of);
  const std::uint64_t generation = 1 + draw_below("generation", 3), nrows = of.column.nrows;
  put_tokens(table, index, generation, nrows);
  switch (draw_below("what fails", 9)) {
    case 0: put(table, index, "SOURCE_GENERATION", generation + 1); break;
    case 1: put(table, index, "SOURCE_GENERATION", generation - 1); break;
    case 2: put(table, index, "SOURCE_NROWS", nrows + 1); break;
    case 3: put(table, index, "SOURCE_NROWS", nrows - 1); break;
    case 4: put(table, "", "GENERATION", generation + 1); break;
    case 5: table.erase(index, "SOURCE_GENERATION"); break;
    case 6: table.erase("", "GENERATION"); break;
    case 7: table.set(index, attribute("SOURCE_NROWS", integer_type(8, true), Cell(nrows))); break;
    default:
      table.set(
          index,
          shaped(attribute("SOURCE_GENERATION", integer_type(8, false), Cell(generation)), {1}));
      break;
  }
  RC_ASSERT(complaints(table, of.cut, About::kContents, newest()) == Complaints{});
}

// Both tokens and GENERATION may be any numbers, as long as they are equal.
RC_GTEST_PROP(Gate, OnlyEqualityOfTokensCounts, ()) {
  const Case of = draw_plain_case();
  Noise noise = draw_noise();
  TestTable table = table_of(of.column, noise);
  const std::string index = add_some_index(table, of);
  put_tokens(table, index, 0, of.column.nrows);
  const Complaints before = complaints(table, of.cut, About::kContents, newest());
  constexpr std::uint64_t kNumbers[] = {1, 255, 256, std::uint64_t{1} << 63, ~std::uint64_t{0}};
  put_tokens(table, index, draw("generation", [&](Choices& c) { return c.of(kNumbers); }),
             of.column.nrows);
  RC_ASSERT(complaints(table, of.cut, About::kContents, newest()) == before);
}

// Bits after the last row are 0 in the newer revision, and free in the older one.
RC_GTEST_PROP(Gate, PadBitsAreFound, ()) {
  const Case of = draw_plain_case();
  const RandomColumn& column = of.column;
  const std::vector<Value> values = distinct(column);
  auto bits = expected_bitmap(column, values);
  RC_PRE(!bits.empty() && column.nrows % 8 != 0);
  const std::uint64_t row = draw_below("row of bits", values.size()),
                      pad = column.nrows % 8 + draw_below("pad bit", 8 - column.nrows % 8),
                      bytes = bits.size() / values.size();
  bits[(row + 1) * bytes - 1] |= std::byte{1} << pad;
  Noise noise = draw_noise();
  TestTable table = table_of(column, noise);
  add_bitmap(table, "c", column, values, bits);
  RC_ASSERT(!complaints(table, of.cut).contains("bitmap-pad-bits-zero"));
  put_tokens(table, "SEARCH_INDEXES/c__bitmap", 0, column.nrows);
  const Complaints found = complaints(table, of.cut, About::kContents, newest());
  RC_ASSERT(found == (Complaints{{"bitmap-pad-bits-zero", {.first = row, .count = 1}}}));
}

// Values are processed 65536 at a time.
TEST(Gate, PadBitsOfManyValues) {
  RandomColumn column{.type = integer_type(4, true), .nrows = 1, .fill = Integer{-1}};
  column.rows.assign(1, Integer{0});
  std::vector<Value> values;
  for (std::int64_t value = 0; value <= 1 << 16; ++value) values.push_back(Integer{value});
  for (const std::uint64_t row : {65535, 65536}) {
    auto bits = expected_bitmap(column, values);
    bits[row] |= std::byte{2};
    NoChoice plain;
    TestTable table = table_of(column, plain);
    add_bitmap(table, "c", column, values, bits);
    put_tokens(table, "SEARCH_INDEXES/c__bitmap", 0, 1);
    EXPECT_EQ(complaints(table, {}, About::kContents, newest()),
              (Complaints{{"bitmap-pad-bits-zero", {.first = row, .count = 1}}}));
  }
}

// An index that declares that every value is listed is checked for that; missing rows and NaN do
// not have to be listed.
RC_GTEST_PROP(Gate, ExhaustiveBitmapsListEveryValue, ()) {
  const Case of = draw_plain_case();
  const RandomColumn& column = of.column;
  std::vector<Value> values = distinct(column);
  RC_PRE(column.fill.has_value() && !values.empty());
  for (std::uint64_t n = draw_below("left out", 4); n > 0 && values.size() > 1; --n)
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(draw_below("which", values.size())));
  std::vector<std::uint64_t> unlisted;
  for (std::uint64_t row = 0; row < column.nrows; ++row)
    if (column.plain(row) && std::ranges::none_of(values, [&](const Value& each) {
          return equal(each, column.rows[row]);
        }))
      unlisted.push_back(row);
  Noise noise = draw_noise();
  TestTable table = table_of(column, noise);
  add_bitmap(table, "c", column, values, expected_bitmap(column, values));
  put_tokens(table, "SEARCH_INDEXES/c__bitmap", 0, column.nrows);
  const auto promised = [&](bool value) {
    table.set("SEARCH_INDEXES/c__bitmap", boolean("exhaustive", value));
    return complaints(table, of.cut, About::kContents, newest());
  };
  RC_ASSERT(promised(false) == Complaints{});
  RC_ASSERT(promised(true) ==
            summary(unlisted.empty() ? Wrong{} : Wrong{{"bitmap-exhaustive-complete", unlisted}}));
}

// --- Boolean columns, and filters over enumerations ---------------------------------------------

RC_GTEST_PROP(Booleans, OtherValuesAreFound, ()) {
  Case of = draw_case(Family::kBoolean);
  RandomColumn& column = of.column;
  column.fill.reset();
  const std::uint64_t rows = column.extent();
  RC_PRE(rows > 0);
  std::vector<std::uint64_t> wrong;
  NoChoice plain;
  TestTable table = table_of(column, plain);
  std::vector<std::byte> bytes = stored_rows(table);
  for (std::uint64_t n = draw_below("changes", 4); n > 0; --n)
    bytes[draw_place("row", rows, of)] = std::byte(draw_below("byte", 5));
  for (std::uint64_t row = 0; row < column.nrows; ++row)
    if (bytes[row] > std::byte{1}) wrong.push_back(row);
  table.values.set(table.dataset("c").token, bytes);
  RC_ASSERT(complaints(table, of.cut, About::kValues, newest()) ==
            summary(wrong.empty() ? Wrong{} : Wrong{{"boolean-column-value", wrong}}));
}

// The contents of an index for a row that is neither FALSE nor TRUE do not matter.
TEST(Booleans, OtherValuesDoNotAffectIndexes) {
  RandomColumn column{.type = boolean_type(), .nrows = 3};
  column.rows = {Integer{0}, Integer{1}, Integer{1}};
  for (const bool other : {false, true}) {
    NoChoice plain;
    TestTable table = table_of(column, plain);
    auto entries = expected_minmax(column);
    entries[0].max = Integer{0};
    add_minmax(table, "c", column, entries);
    put_tokens(table, "SEARCH_INDEXES/c__minmax", 0, 3);
    if (other)
      table.values.set(table.dataset("c").token, {std::byte{0}, std::byte{2}, std::byte{1}});
    EXPECT_EQ(complaints(table, {}, About::kContents, newest()).contains("minmax-max-value"),
              !other);
  }
}

RC_GTEST_PROP(Booleans, IndexesAreBuiltAndVerified, ()) {
  const bool of_enumerations = draw("enumeration", [](Choices& c) { return c.maybe(); });
  Case of = draw_case(of_enumerations ? Family::kEnum : Family::kBoolean);
  RandomColumn& column = of.column;
  if (!of_enumerations) {
    column.fill.reset();
    for (Value& value : column.rows)  // the old representation of a missing row
      if (!equal(value, Integer{0})) value = Integer{1};
  }
  RC_PRE(column.nrows > 0);
  Noise noise = draw_noise();
  TestTable table = table_of(column, noise);
  table.values.block_rows = of.cut.block_rows;
  table.values.blocks_are_chunks = of.cut.blocks_are_chunks;
  add_minmax(table, "c", column, expected_minmax(column));
  add_sorted(table, "c", expected_order(column));
  const std::vector<Value> values = distinct(column);
  add_bitmap(table, "c", column, values, expected_bitmap(column, values));
  const auto rows = table.values.stream(table.dataset("c"), column.nrows);
  const Filter filter{.k = 3, .m_bits = 64};
  const auto built = build_chunk_bloom(table.dataset("c"), **rows, {filter.k, filter.m_bits, 0});
  RC_ASSERT(built.has_value());
  add_bloom(table, "c", filter, *built);
  for (const char* index : {"minmax", "sorted", "bitmap", "bloom"})
    put_tokens(table, std::string("SEARCH_INDEXES/c__") + index, 4, column.nrows);
  RC_ASSERT(complaints(table, of.cut, About::kContents, newest()) == Complaints{});
}

}  // namespace

}  // namespace hepcheck::hep001::grammar
