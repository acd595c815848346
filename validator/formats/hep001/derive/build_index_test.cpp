#include "validator/formats/hep001/derive/build_index.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <deque>
#include <memory>
#include <random>

#include "validator/formats/hep001/judge.h"
#include "validator/formats/hep001/testing/build.h"

namespace hepcheck::hep001 {

namespace {

constexpr std::uint64_t kMemory = 1 << 20;

std::unique_ptr<ValueStream> rows_of(TableBuilder& t, const std::string& column) {
  const std::uint64_t rows = *unsigned_value(t.attribute("", "NROWS"));
  return *t.values.stream(t.dataset(column), rows);
}

std::vector<OwnedValue> stored(const Datatype& type, const Cells& cells) {
  std::vector<OwnedValue> all;
  for (const Cell& cell : cells) all.push_back(cell.stored_as(type));
  return all;
}

// Adds a built index to the table as a dataset, and lists it with its column.
class Installer {
 public:
  Installer(TableBuilder& t, std::string column) : t_(t), column_(std::move(column)) {
    if (!t.has("SEARCH_INDEXES")) t.add_group("SEARCH_INDEXES");
  }

  void minmax() {
    const auto entries = build_chunk_minmax(column(), *rows_of(t_, column_));
    ASSERT_TRUE(entries);
    const Datatype count = integer_type(8, false);
    std::vector<std::byte> bytes;
    const auto append = [&](const std::vector<std::byte>& more) {
      bytes.insert(bytes.end(), more.begin(), more.end());
    };
    for (const ChunkMinmax& entry : *entries) {
      append(element(entry.min));
      append(element(entry.max));
      for (const std::uint64_t n : {entry.nan_count, entry.fill_count, entry.n})
        append(Cell(n).stored_as(count));
    }
    add("CHUNK_MINMAX", chunk_minmax_type(column().type), {entries->size()}, bytes);
  }

  void sorted() {
    const auto sorted = build_sorted_rows(column(), *rows_of(t_, column_), kMemory);
    ASSERT_TRUE(sorted);
    const Datatype count = integer_type(8, false);
    const std::string path = add("SORTED_ROWS", count, {sorted->rows.size()},
                                 stored_as(count, Cells(sorted->rows.begin(), sorted->rows.end())));
    t_.set(path, attribute("nan_tail_length", count, Cell(sorted->nan_tail_length)));
    t_.set(path, attribute("fill_tail_length", count, Cell(sorted->fill_tail_length)));
    t_.set(path, boolean("ordered", true));
  }

  void bitmap() {
    const auto bitmap = build_bitmap(column(), *rows_of(t_, column_), 1000, kMemory);
    ASSERT_TRUE(bitmap);
    const std::string path = add("BITMAP", integer_type(1, false),
                                 {bitmap->values.size(), bitmap->row_bytes}, bitmap->bits);
    const std::string values = path + "_values";
    const Dataset& made = t_.add_dataset(values, column().type, {bitmap->values.size()});
    std::vector<std::byte> bytes;
    std::vector<std::string> strings;
    for (const OwnedValue& value : bitmap->values) {
      bytes.insert(bytes.end(), value.begin(), value.end());
      strings.emplace_back(reinterpret_cast<const char*>(value.data()), value.size());
    }
    if (column().type.variable_string())
      t_.values.set_strings(made.token, std::move(strings));
    else
      t_.values.set(made.token, std::move(bytes));
    t_.set(path, reference("VALUES", t_.to(values)));
    t_.set(path, boolean("ordered", bitmap->ordered));
  }

  void bloom(const BloomParameters& p) {
    const auto filters = build_chunk_bloom(column(), *rows_of(t_, column_), p);
    ASSERT_TRUE(filters);
    const std::uint64_t m_bytes = p.m_bits / 8;
    const std::string path =
        add("CHUNK_BLOOM", integer_type(1, false), {filters->size() / m_bytes, m_bytes}, *filters);
    t_.set(path, attribute("k", integer_type(2, false), Cell(p.k)));
    t_.set(path, attribute("m_bits", integer_type(8, false), Cell(p.m_bits)));
    t_.set(path, attribute("seed", integer_type(4, false), Cell(p.seed)));
    t_.set(path, ascii("hash_family", "murmur3_x64_128_double"));
  }

 private:
  const Dataset& column() { return t_.dataset(column_); }

  // A stored value as an element in memory: for a variable-length string, a pointer to it.
  std::vector<std::byte> element(const OwnedValue& value) {
    if (!column().type.variable_string()) return value;
    const char* text =
        texts_.emplace_back(reinterpret_cast<const char*>(value.data()), value.size()).c_str();
    const auto pointer = std::as_bytes(std::span(&text, 1));
    return {pointer.begin(), pointer.end()};
  }

  std::string add(const std::string& kind, const Datatype& type, std::vector<std::uint64_t> extent,
                  std::vector<std::byte> bytes) {
    const std::string path = "SEARCH_INDEXES/" + column_ + "__" + kind;
    t_.values.set(t_.add_dataset(path, type, std::move(extent)).token, std::move(bytes));
    t_.set(path, ascii("KIND", kind));
    t_.set(path, utf8("description", "built by a test"));
    std::vector<Reference> listed;
    if (t_.attributes(column_).contains("SEARCH_INDEX_LIST"))
      listed = t_.attribute(column_, "SEARCH_INDEX_LIST").references;
    listed.push_back(t_.to(path));
    t_.set(column_, references("SEARCH_INDEX_LIST", std::move(listed)));
    return path;
  }

  TableBuilder& t_;
  std::string column_;
  static inline std::deque<std::string> texts_{};  // must outlive every table of the tests
};

// Errors, warnings, and mandatory clauses that were not checked; a built index has none of them.
std::vector<std::string> complaints(TableBuilder& t) {
  std::vector<std::string> all;
  for (const ClauseResult& result : examine(t.finish(), t.values, older_revision(), {}).clauses) {
    for (const Finding& f : result.findings)
      if (f.severity > Severity::kInfo)
        all.push_back(std::string(result.clause->id) + ' ' + f.object + ' ' + f.where + ": " +
                      f.observed + "; expected " + f.expected);
    if (result.verdict == Verdict::kNotChecked && result.clause->mandatory())
      all.push_back(std::string(result.clause->id) + " not checked: " + result.reason);
  }
  return all;
}

// A table of one column, of which `nrows` rows are logical.
TableBuilder table_of(const Datatype& type, const Cells& cells, const Cell& fill,
                      std::uint64_t chunk, std::uint64_t nrows) {
  TableBuilder t("/t", nrows);
  t.add_column("x", type, cells, fill, chunk);
  return t;
}

struct Family {
  Datatype type;
  Cells domain;  // values that occur
  Cell fill;     // also occurs
};

std::vector<Family> families() {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const double nan = std::nan("");
  std::vector<Family> all;
  for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig}) {
    for (const std::size_t bytes : {1, 2, 3, 4, 5, 6, 7, 8}) {
      all.push_back({integer_type(bytes, true, order), {-128, -1, 0, 1, 2, 3, 100, 127}, -127});
      all.push_back({integer_type(bytes, false, order), {0, 1, 2, 128, 254}, 255});
    }
    for (const std::size_t bytes : {4, 8})
      for (const double fill : {1e36, nan, 0.0})
        all.push_back({ieee_float_type(bytes, order),
                       {-kInf, -1.5, -0.0, 0.0, 1.0, 1.25, 8.5, kInf, nan},
                       fill});
    all.push_back({enum_type(integer_type(2, true, order),
                             {{"LOW", -300}, {"MID", 0}, {"HIGH", 300}, {"MISSING", 7}}),
                   {-300, 0, 300},
                   7});
  }
  for (const StringPadding padding :
       {StringPadding::kNullTerm, StringPadding::kNullPad, StringPadding::kSpacePad})
    all.push_back({fixed_string_type(5, padding, CharacterSet::kUtf8),
                   {"a", "a b", "ab", "Z", "\xc3\xa9", "z"},
                   ""});
  all.push_back({variable_string_type(CharacterSet::kUtf8),
                 {"a", "a ", "a longer text than fits into a short string", "\xc3\xa9", "z"},
                 ""});
  all.push_back(
      {opaque_type(3, "tag"), {std::string("\0\1\2", 3), "abc", "\xff\xfe\xfd"}, "\xff\xff\xff"});
  return all;
}

// Columns without rows, chunks with missing rows only, last chunks partly or entirely in the tail.
TEST(BuildIndex, BuiltIndexesHaveNoFindings) {
  std::mt19937 random(1);
  for (const Family& family : families())
    for (const std::uint64_t nrows : {0, 1, 7, 8, 9, 40})
      for (const std::uint64_t chunk : {0, 1, 3, 8, 64}) {
        Cells cells;
        // Every third column has only missing rows, so chunks have no value.
        const bool only_fill = random() % 3 == 0;
        for (std::uint64_t i = 0; i < nrows + 5; ++i) {
          const auto pick = random() % (2 * family.domain.size());
          cells.push_back(only_fill || pick >= family.domain.size() ? family.fill
                                                                    : family.domain[pick]);
        }
        TableBuilder t = table_of(family.type, cells, family.fill, chunk, nrows);
        Installer install(t, "x");
        install.minmax();
        install.sorted();
        install.bitmap();
        if (has_canonical_bytes(family.type))
          install.bloom(bloom_parameters(std::max<std::uint64_t>(1, chunk), 10, {}, 42));
        EXPECT_EQ(complaints(t), std::vector<std::string>())
            << describe(family.type) << ", " << nrows << " rows, chunks of " << chunk;
      }
}

TEST(BuildIndex, OverBooleans) {
  TableBuilder t = table_of(boolean_type(), {1, 0, 0, 1, 1}, 2, 2, 5);
  Installer install(t, "x");
  install.minmax();
  install.sorted();
  install.bitmap();
  install.bloom({.k = 2, .m_bits = 64, .seed = 0});
  EXPECT_EQ(complaints(t), std::vector<std::string>());
}

// The check that has no findings above has findings here.
TEST(BuildIndex, StaleIndexesHaveFindings) {
  const Cells cells{5, 4, 3, 2, 1};
  for (const int which : {0, 1, 2, 3}) {
    TableBuilder t = table_of(integer_type(4, true), cells, -1, 2, 5);
    Installer install(t, "x");
    if (which == 0) install.minmax();
    if (which == 1) install.sorted();
    if (which == 2) install.bitmap();
    if (which == 3) install.bloom({.k = 4, .m_bits = 128, .seed = 0});
    EXPECT_EQ(complaints(t), std::vector<std::string>());
    t.store("x", {7, 4, 3, 2, 6});
    EXPECT_NE(complaints(t), std::vector<std::string>()) << which;
  }
}

TEST(BuildChunkMinmax, EntriesOfEveryKindOfChunk) {
  const Datatype type = ieee_float_type(8);
  const double nan = std::nan("");
  TableBuilder t = table_of(type, {2.0, -0.0, 0.0, nan, 9.0, nan, 9.0, 1.0, 5.0}, 9.0, 3, 8);
  const auto entries = build_chunk_minmax(t.dataset("x"), *rows_of(t, "x"));
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 3u);
  const auto expect = [&](const ChunkMinmax& e, double min, double max, std::uint64_t nans,
                          std::uint64_t fills, std::uint64_t n) {
    EXPECT_EQ(e.min, Cell(min).stored_as(type));
    EXPECT_EQ(e.max, Cell(max).stored_as(type));
    EXPECT_EQ(e.nan_count, nans);
    EXPECT_EQ(e.fill_count, fills);
    EXPECT_EQ(e.n, n);
  };
  expect((*entries)[0], -0.0, 2.0, 0, 0, 3);
  expect((*entries)[1], 9.0, 9.0, 2, 1, 3);  // no value: the fill value
  expect((*entries)[2], 1.0, 1.0, 0, 1, 2);
}

TEST(BuildSortedRows, TiesByRowThenFillThenNan) {
  const double nan = std::nan("");
  TableBuilder t =
      table_of(ieee_float_type(4), {2.0, nan, -1.0, 9.0, 2.0, -0.0, 0.0, nan}, 9.0, 3, 8);
  const auto sorted = build_sorted_rows(t.dataset("x"), *rows_of(t, "x"), kMemory);
  ASSERT_TRUE(sorted);
  EXPECT_EQ(sorted->rows, (std::vector<std::uint64_t>{2, 5, 6, 0, 4, 3, 1, 7}));
  EXPECT_EQ(sorted->nan_tail_length, 2u);
  EXPECT_EQ(sorted->fill_tail_length, 1u);
}

TEST(BuildSortedRows, ObeysTheMemoryLimit) {
  TableBuilder t = table_of(integer_type(4, true), Cells(100, Cell(1)), 0, 10, 100);
  const auto sorted = build_sorted_rows(t.dataset("x"), *rows_of(t, "x"), 1000);
  ASSERT_FALSE(sorted);
  EXPECT_EQ(sorted.error().text(),
            "/t/x: building the index exceeds the memory limit of 1000 bytes");
}

TEST(BuildBitmap, ValuesInOrderWithoutMissingAndNan) {
  const Datatype type = integer_type(2, true, ByteOrder::kBig);
  TableBuilder t = table_of(type, {3, -2, 7, 3, 7, 7, -2, 3, 3}, 7, 0, 9);
  const auto bitmap = build_bitmap(t.dataset("x"), *rows_of(t, "x"), 2, kMemory);
  ASSERT_TRUE(bitmap);
  EXPECT_EQ(bitmap->values, stored(type, {-2, 3}));
  EXPECT_TRUE(bitmap->ordered);
  EXPECT_EQ(bitmap->row_bytes, 2u);
  EXPECT_EQ(bitmap->bits, stored_as(integer_type(1, false), {0x42, 0, 0x89, 1}));
}

TEST(BuildBitmap, InOrderOfOccurrenceWithoutAnOrder) {
  const Datatype type{.cls = TypeClass::kArray, .size = 2};
  TableBuilder t = table_of(type, {"zz", "aa", "zz"}, "--", 0, 3);
  const auto bitmap = build_bitmap(t.dataset("x"), *rows_of(t, "x"), 2, kMemory);
  ASSERT_TRUE(bitmap);
  EXPECT_EQ(bitmap->values, stored(type, {"zz", "aa"}));
  EXPECT_FALSE(bitmap->ordered);
}

TEST(BuildBitmap, RefusesTooManyValues) {
  TableBuilder t = table_of(integer_type(2, true), {1, 2, 3}, 7, 0, 3);
  const auto bitmap = build_bitmap(t.dataset("x"), *rows_of(t, "x"), 2, kMemory);
  ASSERT_FALSE(bitmap);
  EXPECT_EQ(bitmap.error().text(), "/t/x: more than 2 distinct values");
}

TEST(BuildBitmap, ObeysTheMemoryLimit) {
  Cells cells;
  for (int i = 0; i < 100; ++i) cells.push_back(i);
  TableBuilder t = table_of(integer_type(2, true), cells, -1, 10, 100);
  EXPECT_FALSE(build_bitmap(t.dataset("x"), *rows_of(t, "x"), 1000, 500));
}

TEST(BuildChunkBloom, SetsTheBitsOfEachChunk) {
  const Datatype type = integer_type(4, true);
  const BloomParameters p{.k = 3, .m_bits = 104, .seed = 9};
  TableBuilder t = table_of(type, {1, 2, -1, 3}, -1, 2, 4);
  const auto filters = build_chunk_bloom(t.dataset("x"), *rows_of(t, "x"), p);
  ASSERT_TRUE(filters);
  std::vector<std::byte> expected(2 * 13);
  const auto insert = [&](int value, std::size_t chunk) {
    const auto bytes = Cell(value).stored_as(type);
    const Hash128 h = murmur3_x64_128(bytes.data(), bytes.size(), 9);
    for (std::uint64_t i = 0; i < 3; ++i) {
      const std::uint64_t g = (h.a + i * h.b) % 104;
      expected[13 * chunk + g / 8] |= std::byte{1} << (g % 8);
    }
  };
  insert(1, 0);
  insert(2, 0);
  insert(3, 1);
  EXPECT_EQ(*filters, expected);
}

TEST(BuildChunkBloom, RefusesBadParameters) {
  TableBuilder t = table_of(integer_type(4, true), {1}, -1, 2, 1);
  for (const BloomParameters& p :
       {BloomParameters{.k = 0, .m_bits = 8}, BloomParameters{.k = 1, .m_bits = 0},
        BloomParameters{.k = 1, .m_bits = 12}})
    EXPECT_FALSE(build_chunk_bloom(t.dataset("x"), *rows_of(t, "x"), p));
}

TEST(BloomParameters, PowersOfTwoAndTheBestNumberOfHashes) {
  EXPECT_EQ(bloom_parameters(100, 10, {}, 0).m_bits, 1024u);
  EXPECT_EQ(bloom_parameters(100, 10, {}, 0).k, 7u);
  EXPECT_EQ(bloom_parameters(0, 10, {}, 0).m_bits, 8u);
  EXPECT_EQ(bloom_parameters(1 << 20, 10, 3, 5).k, 3u);
  EXPECT_EQ(bloom_parameters(1 << 20, 10, 3, 5).m_bits, std::uint64_t{1} << 24);
  EXPECT_EQ(bloom_parameters(1, 10, 3, 5).seed, 5u);
  EXPECT_EQ(bloom_parameters(100, 0.1, {}, 0).k, 1u);
  EXPECT_NEAR(bloom_bits_per_value(0.01), 9.585, 0.001);
}

// With references or sequences at any depth, or without.
TEST(IndexRefusal, OfBitmapsOverNestedTypes) {
  const Datatype number = integer_type(4, true);
  const auto array_of = [](const Datatype& base) {
    return Datatype{.cls = TypeClass::kArray,
                    .size = 2 * base.size,
                    .base = std::make_shared<const Datatype>(base),
                    .dims = {2}};
  };
  const auto compound_of = [&](const Datatype& member) {
    return compound_type(
        number.size + member.size,
        {{.name = "a", .type = std::make_shared<const Datatype>(number)},
         {.name = "b", .offset = number.size, .type = std::make_shared<const Datatype>(member)}});
  };
  const auto refused = [](const Datatype& type) {
    const auto why = index_refusal(IndexKind::kBitmap, type, all_revisions().back());
    return why &&
           why->ends_with("contains references or sequences, whose comparison is not supported");
  };
  const Datatype sequence{
      .cls = TypeClass::kVlen, .size = 16, .base = std::make_shared<const Datatype>(number)};
  for (const auto& [leaf, expected] :
       {std::pair{number, false}, {standard_reference_type(), true}, {sequence, true}}) {
    EXPECT_EQ(refused(leaf), expected);
    EXPECT_EQ(refused(array_of(leaf)), expected);
    EXPECT_EQ(refused(compound_of(leaf)), expected);
    EXPECT_EQ(refused(array_of(compound_of(leaf))), expected);
    EXPECT_EQ(refused(compound_of(array_of(leaf))), expected);
  }
}

TEST(IndexRefusal, ByFamilyAndDatatype) {
  using enum IndexKind;
  const Datatype grade = enum_type(integer_type(1, true), {{"A", 0}});
  const Datatype array{.cls = TypeClass::kArray, .size = 2};
  const Datatype sequence{.cls = TypeClass::kVlen, .size = 16};
  const Revision* revision = &all_revisions().front();
  const auto permitted = [&](const Datatype& type) {
    std::string kinds;
    for (const auto& [kind, letter] :
         {std::pair{kChunkMinmax, 'm'}, {kSortedRows, 's'}, {kBitmap, 'b'}, {kChunkBloom, 'f'}})
      if (!index_refusal(kind, type, *revision)) kinds += letter;
    return kinds;
  };
  EXPECT_EQ(permitted(integer_type(8, true)), "msbf");
  EXPECT_EQ(permitted(integer_type(3, true)), "msb");
  EXPECT_EQ(permitted(boolean_type()), "msbf");
  EXPECT_EQ(permitted(grade), "msb");
  EXPECT_EQ(permitted(variable_string_type(CharacterSet::kUtf8)), "msbf");
  EXPECT_EQ(permitted(array), "b");
  EXPECT_EQ(permitted(compound_type(4, {})), "b");
  EXPECT_EQ(permitted(sequence), "");
  EXPECT_EQ(permitted(standard_reference_type()), "");
  EXPECT_EQ(permitted({.cls = TypeClass::kFloat, .size = 16, .order = ByteOrder::kLittle}), "");
  const Datatype wide = enum_type(integer_type(8, false), {{"A", 0}}),
                 odd = enum_type(integer_type(3, true), {{"A", 0}});
  EXPECT_EQ(permitted(wide), "msb");
  revision = &all_revisions().back();
  EXPECT_EQ(permitted(grade), "msbf");
  EXPECT_EQ(permitted(wide), "msbf");
  EXPECT_EQ(permitted(odd), "msb");
  EXPECT_EQ(permitted(boolean_type()), "msbf");
  EXPECT_EQ(permitted(array), "b");
  TableBuilder t = table_of(array, {"ab"}, "--", 0, 1);
  EXPECT_FALSE(build_sorted_rows(t.dataset("x"), *rows_of(t, "x"), kMemory));
  EXPECT_TRUE(index_refusal(kUnknown, integer_type(8, true), *revision));
}

}  // namespace

}  // namespace hepcheck::hep001
