// Facts depend neither on the number of threads nor on whether a column fits into memory.
#include "validator/formats/hep001/derive/facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <format>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "validator/formats/hep001/derive/build_index.h"
#include "validator/formats/hep001/derive/codec.h"
#include "validator/formats/hep001/derive/fold.h"
#include "validator/formats/hep001/testing/build.h"

namespace hepcheck::hep001 {

namespace {

std::string show(const char* name, const Difference& d) {
  if (d.count == 0) return "";
  return std::format("{}: {} from {}: {} | {} | {}\n", name, d.count, d.first, d.stored, d.computed,
                     d.witness);
}

std::string show(const SortedFacts& f) {
  std::string text = f.obstacle ? "obstacle: " + f.obstacle->reason + "\n" : "";
  text += std::format("{} rows, {} NaN, {} missing, {}\n", f.rows, f.nan_rows, f.fill_rows,
                      f.order.count > 0 && f.order_by_padding);
  return text + show("permutation", f.permutation) + show("order", f.order) + show("ties", f.ties) +
         show("zero_ties", f.zero_ties) + show("nan_placement", f.nan_placement) +
         show("fill_placement", f.fill_placement) + show("nan_order", f.nan_order) +
         show("fill_order", f.fill_order);
}

// A column of many rows and chunks with a SORTED_ROWS index.
class Sorted {
 public:
  static constexpr std::uint64_t kRows = 10'000;

  Sorted(const Datatype& type, const std::function<Cell(std::mt19937&)>& value, const Cell& fill,
         Datatype stored_as)
      : index_type(std::move(stored_as)) {
    std::mt19937 random(7);
    Cells cells;
    for (std::uint64_t row = 0; row < kRows; ++row)
      cells.push_back(random() % 50 == 0 ? fill : value(random));
    t.add_column("c", type, cells, fill, 64);
    t.add_group("SEARCH_INDEXES");
    t.add_dataset("SEARCH_INDEXES/c__sorted", index_type, {kRows});
    t.set("SEARCH_INDEXES/c__sorted", ascii("KIND", "SORTED_ROWS"));
    t.set("c", references("SEARCH_INDEX_LIST", {t.to("SEARCH_INDEXES/c__sorted")}));
    auto rows = t.values.stream(t.dataset("c"), kRows);
    index = build_sorted_rows(t.dataset("c"), **rows, 1 << 30).value().rows;
    t.finish();
  }

  SortedFacts facts(std::uint64_t memory_limit, unsigned jobs) {
    Dataset& data = t.dataset("SEARCH_INDEXES/c__sorted");
    data.space = simple_space({index.size()});
    t.values.set(data.token, stored_as(index_type, {index.begin(), index.end()}));
    t.values.block_rows = jobs == 1 ? 2 * kRows : 100;
    return std::get<SortedFacts>(
        collect_facts(t.table, t.values, {.memory_limit = memory_limit, .jobs = jobs})
            .indexes.at(0));
  }

  // One thread with much memory; then many threads, or almost no memory.
  std::string agreed() {
    const std::string text = show(facts(1 << 30, 1));
    EXPECT_EQ(show(facts(1 << 30, 4)), text);
    EXPECT_EQ(show(facts(1, 1)), text);
    EXPECT_EQ(show(facts(1, 4)), text);
    return text;
  }

  TableBuilder t{"/t", kRows};
  Datatype index_type;
  std::vector<std::uint64_t> index{};
};

Cell small_number(std::mt19937& random) { return static_cast<int>(random() % 3000); }

std::deque<Sorted> columns() {
  const auto big = ByteOrder::kBig;
  const Datatype index_types[] = {integer_type(8, false), integer_type(4, false),
                                  integer_type(2, false), integer_type(2, false, big),
                                  integer_type(4, false, big)};
  std::deque<Sorted> made;
  const auto add = [&](const Datatype& type, const std::function<Cell(std::mt19937&)>& value,
                       const Cell& fill) {
    made.emplace_back(type, value, fill, index_types[made.size() % std::size(index_types)]);
  };
  add(integer_type(2, true, big), small_number, -32767);
  add(
      ieee_float_type(8),
      [](std::mt19937& random) -> Cell {
        const auto number = static_cast<double>(random() % 3000) - 1500;
        return random() % 40 == 0 ? std::nan("") : random() % 2 ? number : -number;
      },
      1e30);
  const auto word = [](std::mt19937& random) -> Cell {
    return std::format("{:x}", random() % 5000);
  };
  using enum StringPadding;
  for (const StringPadding padding : {kNullTerm, kNullPad, kSpacePad})
    for (const std::size_t size : {5, 11})
      add(fixed_string_type(size, padding, CharacterSet::kAscii), word, "");
  add(variable_string_type(CharacterSet::kUtf8), word, "");
  return made;
}

TEST(SortedFacts, FindNothingInACorrectIndex) {
  for (Sorted& column : columns()) {
    SCOPED_TRACE(describe(column.t.dataset("c").type));
    const std::string text = column.agreed();
    EXPECT_EQ(std::ranges::count(text, '\n'), 1) << text;
    EXPECT_TRUE(text.starts_with("10000 rows")) << text;
  }
}

// Each kind of error, at any position, is found in the same way; also on both sides of the end of a
// group of 4096 elements, which are decoded at a time.
TEST(SortedFacts, AgreeAboutEveryError) {
  for (Sorted& column : columns()) {
    SCOPED_TRACE(describe(column.t.dataset("c").type));
    const std::vector<std::uint64_t> right = column.index;
    for (const std::size_t at : {std::size_t{0}, std::size_t{63}, std::size_t{4095},
                                 std::size_t{5000}, right.size() - 2}) {
      SCOPED_TRACE(at);
      const auto expect_more_lines = [&] {
        const std::string text = column.agreed();
        EXPECT_GT(std::ranges::count(text, '\n'), 1) << text;
        column.index = right;
      };
      std::swap(column.index[at], column.index[at + 1]);
      expect_more_lines();
      column.index[at] = column.index[at + 1];
      expect_more_lines();
      column.index[at] = Sorted::kRows;
      expect_more_lines();
      std::rotate(column.index.begin(), column.index.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                  column.index.end());
      expect_more_lines();
    }
  }
}

// Entries beyond NROWS, after the permutation or within it, do not count.
TEST(SortedFacts, AgreeAboutResidue) {
  for (Sorted& column : columns()) {
    SCOPED_TRACE(describe(column.t.dataset("c").type));
    const std::vector<std::uint64_t> right = column.index;
    for (const std::ptrdiff_t at : {0, 5000, 10'000}) {
      column.index = right;
      column.index.insert(column.index.begin() + at, 3, Sorted::kRows + 5);
      const std::string text = column.agreed();
      EXPECT_EQ(std::ranges::count(text, '\n'), 1) << text;
    }
  }
}

// Verification sets the bits of few hash functions differently from the builder.
TEST(BloomFacts, AgreeWithTheBuilderForAnyNumberOfHashes) {
  constexpr std::uint64_t kRows = 1000, kChunk = 256, kBits = 4096;
  std::mt19937_64 random(3);
  Cells cells;
  for (std::uint64_t row = 0; row < kRows; ++row)
    cells.push_back(static_cast<std::int64_t>(random()));
  for (std::uint32_t k = 1; k <= 20; ++k) {
    TableBuilder t("/t", kRows);
    t.add_column("c", integer_type(8, true), cells, -1, kChunk);
    t.add_group("SEARCH_INDEXES");
    const std::string path = "SEARCH_INDEXES/c__bloom";
    Dataset& filters = t.add_dataset(path, integer_type(1, false), {4, kBits / 8});
    t.set(path, ascii("KIND", "CHUNK_BLOOM"));
    t.set(path, ascii("hash_family", "murmur3_x64_128_double"));
    t.set(path, attribute("k", integer_type(2, false), k));
    t.set(path, attribute("m_bits", integer_type(8, false), kBits));
    t.set(path, attribute("seed", integer_type(4, false), 9));
    t.set("c", references("SEARCH_INDEX_LIST", {t.to(path)}));
    auto rows = t.values.stream(t.dataset("c"), kRows);
    std::vector<std::byte> bits = build_chunk_bloom(t.dataset("c"), **rows, {k, kBits, 9}).value();
    const auto facts = [&] {
      t.values.set(filters.token, bits);
      return std::get<BloomFacts>(collect_facts(t.table, t.values, {.jobs = 1}).indexes.at(0));
    };
    t.finish();
    const BloomFacts right = facts();
    EXPECT_FALSE(right.obstacle) << right.obstacle->reason;
    EXPECT_EQ(right.lost.count, 0u) << k;
    EXPECT_EQ(right.superset_chunks, 0u) << k;
    const auto set = std::ranges::find_if(bits, [](std::byte b) { return b != std::byte{0}; });
    const std::byte before = std::exchange(*set, std::byte{0});
    EXPECT_GT(facts().lost.count, 0u) << k;
    *set = before;
    const auto clear = std::ranges::find_if(bits, [](std::byte b) { return b != std::byte{0xFF}; });
    *clear = std::byte{0xFF};
    EXPECT_EQ(facts().superset_chunks, 1u) << k;
  }
}

// With each pair of bounds, or one or none: the rows outside of them are those that a comparison of
// numbers finds. NaN or an inverted pair is no range (valid-range-ordered).
TEST(ColumnFacts, HaveTheRowsOutsideOfAnyBounds) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const std::vector<double> rows{3.0, kNan, -kInf, 0.0, 7.0, -0.0, kInf, 9.0, kNan, -2.0};
  constexpr double kFill = 9.0;
  const std::vector<std::optional<double>> bounds{std::nullopt, -kInf, -2.0, -0.0, 0.0,
                                                  3.0,          8.0,   kInf, kNan};
  for (const Datatype& type : {ieee_float_type(8), ieee_float_type(4, ByteOrder::kBig)})
    for (const auto& min : bounds)
      for (const auto& max : bounds) {
        TableBuilder t("/t", rows.size());
        t.add_column("c", type, Cells(rows.begin(), rows.end()), kFill, 3);
        if (min) t.set("c", attribute("valid_min", type, Cell(*min)));
        if (max) t.set("c", attribute("valid_max", type, Cell(*max)));
        const TableFacts facts = collect_facts(t.finish(), t.values, {.jobs = 1});
        const std::optional<Difference>& found = facts.columns.at(0).outside_range;
        const bool asked = (min || max) && !(min && max && !(*min <= *max));
        ASSERT_EQ(found.has_value(), asked) << min.value_or(99) << ' ' << max.value_or(99);
        if (!asked) continue;
        std::vector<std::uint64_t> outside;
        for (std::uint64_t row = 0; row < rows.size(); ++row)
          if (rows[row] != kFill && ((min && rows[row] < *min) || (max && rows[row] > *max)))
            outside.push_back(row);
        EXPECT_EQ(found->count, outside.size()) << min.value_or(99) << ' ' << max.value_or(99);
        if (!outside.empty()) {
          EXPECT_EQ(found->first, outside.front());
        }
      }
}

// Every bit of a bitmap counts, for any number of rows, chunks and blocks; none beyond the rows.
TEST(BitmapFacts, HaveEveryBit) {
  constexpr std::uint64_t kValues = 3;
  std::mt19937_64 random(4);
  for (const std::uint64_t rows : {1, 8, 63, 64, 65, 127, 128, 129, 200}) {
    Cells cells;
    std::vector<std::byte> bits(kValues * ((rows + 7) / 8));
    const std::uint64_t stride = (rows + 7) / 8;
    std::vector<std::uint64_t> value_of;
    for (std::uint64_t row = 0; row < rows; ++row) {
      value_of.push_back(random() % kValues);
      cells.push_back(static_cast<int>(value_of.back()));
      bits[value_of.back() * stride + row / 8] |= static_cast<std::byte>(1U << row % 8);
    }
    TableBuilder t("/t", rows);
    t.add_column("c", integer_type(1, false), cells, 99, 64);
    t.add_group("SEARCH_INDEXES");
    Dataset& values = t.add_dataset("SEARCH_INDEXES/c__values", integer_type(1, false), {kValues});
    t.values.set(values.token, {std::byte{0}, std::byte{1}, std::byte{2}});
    Dataset& bitmap =
        t.add_dataset("SEARCH_INDEXES/c__bitmap", integer_type(1, false), {kValues, stride});
    t.set("SEARCH_INDEXES/c__bitmap", ascii("KIND", "BITMAP"));
    t.set("SEARCH_INDEXES/c__bitmap", reference("VALUES", t.to("SEARCH_INDEXES/c__values")));
    t.set("c", references("SEARCH_INDEX_LIST", {t.to("SEARCH_INDEXES/c__bitmap")}));
    t.finish();
    for (const std::uint64_t block_rows : {rows, std::uint64_t{50}}) {
      t.values.block_rows = block_rows;
      const auto facts = [&] {
        t.values.set(bitmap.token, bits);
        return std::get<BitmapFacts>(collect_facts(t.table, t.values, {.jobs = 1}).indexes.at(0));
      };
      const BitmapFacts right = facts();
      ASSERT_FALSE(right.obstacle) << right.obstacle->reason;
      EXPECT_EQ(right.values, kValues);
      EXPECT_EQ(right.missing_bit.count + right.extra_bit.count + right.pad_bits.count, 0u);
      for (std::uint64_t value = 0; value < kValues; ++value)
        for (std::uint64_t row = 0; row < 8 * stride; ++row) {
          std::byte& changed = bits[value * stride + row / 8];
          const std::byte before = changed;
          changed ^= static_cast<std::byte>(1U << row % 8);
          const BitmapFacts wrong = facts();
          changed = before;
          if (row >= rows) {
            EXPECT_EQ(wrong.missing_bit.count + wrong.extra_bit.count, 0u);
            EXPECT_EQ(wrong.pad_bits.count, 1u);
            continue;
          }
          const bool set = value_of[row] == value;
          EXPECT_EQ(wrong.missing_bit.count, set ? 1u : 0u) << rows << ' ' << row;
          EXPECT_EQ(wrong.extra_bit.count, set ? 0u : 1u) << rows << ' ' << row;
          EXPECT_EQ((set ? wrong.missing_bit : wrong.extra_bit).first, row);
        }
      if (HasFailure()) return;
    }
  }
}

// What is said of a wrong bit names its value, wherever a block of values ends. A sequence is named
// by its position.
TEST(BitmapFacts, NameTheValueOfAWrongBit) {
  constexpr std::uint64_t kValues = 6, kRows = 8;
  const std::int8_t numbers[kValues] = {10, 11, 12, 13, 14, 15};
  std::vector<std::byte> sequences(kValues * 16), bytes(kValues);
  for (std::size_t i = 0; i < kValues; ++i) {
    const std::uint64_t length = 1;
    const std::int8_t* const begin = numbers + i;
    std::memcpy(sequences.data() + 16 * i, &length, sizeof length);
    std::memcpy(sequences.data() + 16 * i + 8, &begin, sizeof begin);
    bytes[i] = static_cast<std::byte>(numbers[i]);
  }
  Datatype sequence{.cls = TypeClass::kVlen, .size = 16};
  sequence.base = std::make_shared<const Datatype>(integer_type(1, true));
  for (const bool sequences_indexed : {false, true}) {
    const Datatype type = sequences_indexed ? sequence : integer_type(1, true);
    const std::vector<std::byte>& stored = sequences_indexed ? sequences : bytes;
    TableBuilder t("/t", kRows);
    const Cell none = std::string(type.size, '\0');
    t.add_column("c", type, Cells(kRows, none), none);
    // The rows have the values 0 to 5, and 0 and 1 again.
    std::vector<std::byte> rows = stored;
    rows.insert(rows.end(), stored.begin(),
                stored.begin() + static_cast<std::ptrdiff_t>(2 * type.size));
    t.values.set(t.dataset("c").token, rows);
    t.add_group("SEARCH_INDEXES");
    Dataset& values = t.add_dataset("SEARCH_INDEXES/c__values", type, {kValues});
    t.values.set(values.token, stored);
    Dataset& bitmap =
        t.add_dataset("SEARCH_INDEXES/c__bitmap", integer_type(1, false), {kValues, 1});
    t.set("SEARCH_INDEXES/c__bitmap", ascii("KIND", "BITMAP"));
    t.set("SEARCH_INDEXES/c__bitmap", reference("VALUES", t.to("SEARCH_INDEXES/c__values")));
    t.set("c", references("SEARCH_INDEX_LIST", {t.to("SEARCH_INDEXES/c__bitmap")}));
    t.finish();
    std::vector<std::byte> bits;
    for (std::uint64_t value = 0; value < kValues; ++value)
      bits.push_back(static_cast<std::byte>(1U << value | (value < 2 ? 1U << (value + 6) : 0)));
    for (const std::uint64_t block_rows : {1, 2, 4, 5, 8})
      for (std::uint64_t value = 0; value < kValues; ++value) {
        std::vector<std::byte> wrong = bits;
        wrong[value] ^= std::byte{1};
        t.values.set(bitmap.token, wrong);
        t.values.block_rows = block_rows;
        const auto facts =
            std::get<BitmapFacts>(collect_facts(t.table, t.values, {.jobs = 1}).indexes.at(0));
        ASSERT_FALSE(facts.obstacle) << facts.obstacle->reason;
        const Difference& found = value == 0 ? facts.missing_bit : facts.extra_bit;
        ASSERT_EQ(found.count, 1u) << value;
        const std::string name =
            sequences_indexed ? std::format("value {}", value) : std::to_string(numbers[value]);
        const std::string text = found.stored + '|' + found.computed + '|' + found.witness;
        EXPECT_TRUE(text.contains(name)) << value << ' ' << block_rows << ' ' << text;
      }
  }
}

// Numbers instead of strings: the same order, the same equality.
TEST(ShortStringCodec, OrdersLikeTheStrings) {
  std::vector<std::string> words;
  for (const char first : {'\0', 'a', ' ', '\x01', '\xFF'})
    for (const char second : {'\0', 'a', ' ', '\x01', '\xFF'})
      for (const char third : {'\0', 'b', '\x01'}) words.push_back({first, second, third});
  for (const StringPadding padding : {StringPadding::kNullTerm, StringPadding::kNullPad}) {
    const Datatype type = fixed_string_type(3, padding, CharacterSet::kAscii);
    const ShortStringCodec codec = ShortStringCodec::of(type).value();
    const auto bytes = [](const std::string& word) {
      return reinterpret_cast<const std::byte*>(word.data());
    };
    for (const std::string& a : words)
      for (const std::string& b : words)
        EXPECT_EQ(codec.key(bytes(a)) <=> codec.key(bytes(b)),
                  strip_padding(a, padding) <=> strip_padding(b, padding))
            << testing::PrintToString(a) << testing::PrintToString(b);
  }
}

// The ids are data, those of the family of the index, and not part of the text.
TEST(Obstacles, NameTheFailedClauses) {
  const std::vector<std::pair<std::string, std::string>> families{
      {"CHUNK_MINMAX", "minmax-one-column"},
      {"SORTED_ROWS", "sorted-one-column"},
      {"BITMAP", "bitmap-one-column"},
      {"CHUNK_BLOOM", "bloom-one-column"}};
  for (const auto& [kind, one_column] : families) {
    TableBuilder t("/t", 3);
    t.add_column("c", integer_type(8, true), {1, 2, 3}, -1);
    t.add_group("SEARCH_INDEXES");
    t.add_dataset("SEARCH_INDEXES/i", integer_type(8, false), {3});
    t.set("SEARCH_INDEXES/i", ascii("KIND", kind));
    const TableFacts facts = collect_facts(t.finish(), t.values, {});
    const std::optional<Obstacle> obstacle = std::visit(
        [](const auto& each) -> std::optional<Obstacle> {
          if constexpr (requires { each.obstacle; }) return each.obstacle;
          return std::nullopt;
        },
        facts.indexes.at(0));
    ASSERT_TRUE(obstacle) << kind;
    EXPECT_TRUE(obstacle->broken) << kind;
    EXPECT_EQ(obstacle->reason, "not exactly one column lists the index");
    EXPECT_EQ(obstacle->by, (std::vector<std::string_view>{"index-referenced", one_column}));
  }
}

TEST(Runs, CoverAllRowsInWholeChunks) {
  Dataset d;
  d.type = integer_type(8, false);
  for (const std::uint64_t chunk : {0, 1, 7, 1000, 1'000'000}) {
    d.storage.layout = chunk ? StorageLayout::kChunked : StorageLayout::kContiguous;
    d.storage.chunk = {chunk};
    for (const std::uint64_t rows : {0, 1, 999'999, 5'000'000}) {
      d.space = simple_space({rows});
      const Runs runs(d, rows, {});
      std::uint64_t next = 0;
      for (std::uint64_t i = 0; i < runs.count(); ++i) {
        EXPECT_EQ(runs[i].first, next);
        EXPECT_EQ(runs.holding(next), i);
        EXPECT_EQ(chunk > 0 ? next % chunk : 0, 0u);
        next += runs[i].rows;
      }
      EXPECT_EQ(next, rows);
    }
  }
}

}  // namespace

}  // namespace hepcheck::hep001
