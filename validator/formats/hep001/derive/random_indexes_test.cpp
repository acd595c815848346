// Random columns with random indexes, of which a few places are wrong: all facts, texts included,
// and what the rules say of them equal the golden file, which has a line for each datatype and
// family. Neither facts nor what is built of a column depend on how the work is divided.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <format>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "validator/formats/hep001/derive/build_index.h"
#include "validator/formats/hep001/derive/order.h"
#include "validator/formats/hep001/judge.h"
#include "validator/formats/hep001/testing/build.h"
#include "validator/formats/hep001/testing/facts_as_text.h"
#include "validator/formats/hep001/testing/said.h"
#include "validator/testing/golden_files.h"
#include "validator/testing/random.h"

namespace hepcheck::hep001::random_indexes {

namespace {

using Bytes = std::vector<std::byte>;

constexpr int kRounds = 60;  // of each datatype and family
constexpr const char* kIndex = "SEARCH_INDEXES/c";
constexpr std::uint64_t kMuch = std::uint64_t{1} << 30;  // bytes

struct Values {
  const char* name;
  Datatype type;
  Cells domain;
  std::optional<Cell> fill;  // none for booleans
};

const std::vector<Values>& all_values() {
  static const std::vector<Values> all = [] {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    constexpr double kInf = std::numeric_limits<double>::infinity();
    const auto big = ByteOrder::kBig;
    return std::vector<Values>{
        {"float64", ieee_float_type(8), {0.0, -0.0, 1.5, kInf, -kInf, kNan, -8.0, 3.0}, 9.0},
        {"float64, NaN is missing", ieee_float_type(8, big), {0.0, -0.0, 2.0, kInf, kNan}, kNan},
        {"float32", ieee_float_type(4, big), {-0.0, 1.5, kInf, -kInf, kNan, kNan, kInf}, -1.0},
        {"int8", integer_type(1, true), {-128, -1, 0, 1, 100, 127}, -127},
        {"int16", integer_type(2, true, big), {-300, -1, 0, 2, 255, 256, 300}, 7},
        {"uint24", integer_type(3, false), {0, 1, 255, 256, 65536, 70000}, 65535},
        {"uint64", integer_type(8, false, big), {0, 1, 2, 255, -1, -2}, 3},
        {"grade",
         enum_type(integer_type(2, true), {{"LOW", -3}, {"MID", 0}, {"HIGH", 300}, {"MISSING", 7}}),
         {-3, 0, 300, 0},
         7},
        {"boolean", boolean_type(), {0, 1}, std::nullopt},
        {"short text",
         fixed_string_type(4, StringPadding::kNullTerm, CharacterSet::kUtf8),
         {"a", "b", "ab", "\xc3\xa9", "a\x01", "abcd"},
         ""},
        {"long text",
         fixed_string_type(11, StringPadding::kSpacePad, CharacterSet::kUtf8),
         {"a", "a\x01", "b", "ab", "a longer one"},
         "-"},
        {"variable text",
         variable_string_type(CharacterSet::kUtf8),
         {"a", "", "b", "a text that is longer than most are", "\xc3\xa9"},
         "-"},
        {"opaque", opaque_type(2, "tag"), {"ab", "ba", "\xff\xff", "aa"}, "--"}};
  }();
  return all;
}

bool has_nan(const Values& values) { return values.type.is(TypeClass::kFloat); }

// A type of the other byte order, and a number in it.
Datatype turned(Datatype type) {
  const auto turn = [](Datatype& one) {
    one.order = one.order == ByteOrder::kBig ? ByteOrder::kLittle : ByteOrder::kBig;
  };
  turn(type);
  if (type.base) {
    Datatype base = *type.base;
    turn(base);
    type.base = std::make_shared<const Datatype>(std::move(base));
  }
  return type;
}
bool can_turn(const Datatype& type) {
  return type.size > 1 && (type.is(TypeClass::kInteger) || type.is(TypeClass::kFloat));
}
void turn(std::span<std::byte> number) { std::ranges::reverse(number); }

// A table of one column and one index.
class Trial {
 public:
  Trial(const Values& values, Random& random) : values_(values), random_(random) {
    constexpr std::uint64_t kManyRows[] = {1, 2, 7, 64, 65, 128, 200, 255, 256, 257, 300};
    constexpr std::uint64_t kChunks[] = {0, 0, 1, 3, 8, 50, 64, 100};
    rows = random.once_in(2) ? random.one_of(kManyRows) : 1 + random.below(40);
    chunk_rows = random.one_of(kChunks);
    t = TableBuilder("/t", rows);
    const Cells cells = column_cells();
    Dataset& column = t.add_column("c", values.type, cells, values.fill.value_or(0), chunk_rows);
    if (!values.fill) {
      column.storage.fill_state = FillState::kDefault;
      column.storage.fill.clear();
    }
    t.add_group("SEARCH_INDEXES");
  }

  void add_index(const char* kind, const Datatype& type, std::vector<std::uint64_t> extent,
                 Bytes contents) {
    t.values.set(t.add_dataset(kIndex, type, std::move(extent)).token, std::move(contents));
    t.set(kIndex, ascii("KIND", kind));
    t.set("c", references("SEARCH_INDEX_LIST", {t.to(kIndex)}));
    const Datatype count = integer_type(8, false);
    t.set("", attribute("GENERATION", count, Cell(1)));
    t.set(kIndex, attribute("SOURCE_GENERATION", count, Cell(1)));
    t.set(kIndex, attribute("SOURCE_NROWS", count, Cell(rows)));
  }

  // What build() makes of the rows, which come in blocks of any length.
  template <class Build>
  auto built(Build build) {
    const auto make = [&] {
      const auto stream = t.values.stream(column(), rows);
      return build(**stream).value();
    };
    t.values.block_rows = 1000;
    t.values.blocks_are_chunks = true;
    auto made = make();
    t.values.block_rows = 1 + random_.below(20);
    t.values.blocks_are_chunks = false;
    EXPECT_TRUE(same(make(), made)) << rows << " rows in chunks of " << chunk_rows;
    return made;
  }

  // The facts, and what is said about the index because of them.
  std::string facts(Said& said) {
    static const Specification& spec = *find_specification("hep001-2026-07-09");
    static const TableJudge judge(spec, {.jobs = 1});
    t.finish(spec);
    t.values.block_rows = 1000;
    t.values.blocks_are_chunks = true;
    const TableFacts found = collect_facts(t.table, t.values, {.memory_limit = kMuch, .jobs = 1});
    said.add(judge.judge(t.table, found));
    const std::string text = facts_as_text(found);
    for (const std::uint64_t memory : {kMuch, std::uint64_t{1}}) {
      t.values.block_rows = 1 + random_.below(20);
      t.values.blocks_are_chunks = false;
      Cuts cuts;
      cuts.run_bytes = 1 + random_.below(200);
      cuts.run_rows = 1 + random_.below(100);
      cuts.run_chunks = 1 + random_.below(3);
      cuts.least_window = 1 + random_.below(20);
      cuts.bitmap_bits = 8 + random_.below(100);
      const FactOptions options{.memory_limit = memory, .jobs = 1, .cuts = cuts};
      EXPECT_EQ(facts_as_text(collect_facts(t.table, t.values, options)), text)
          << rows << " rows in chunks of " << chunk_rows;
    }
    return text;
  }

  const Dataset& column() { return t.dataset("c"); }
  std::uint64_t chunks() const {
    return chunk_rows == 0 ? 1 : (rows + chunk_rows - 1) / chunk_rows;
  }
  // The value of a row as it is stored.
  Bytes value_of(std::uint64_t row) {
    const std::uint64_t start[] = {row}, one[] = {1};
    return t.values.read(column(), start, one).value();
  }
  Cell any_value() {
    if (values_.fill && random_.once_in(4)) return *values_.fill;
    return values_.domain[random_.below(values_.domain.size())];
  }

  TableBuilder t;
  std::uint64_t rows = 0, chunk_rows = 0;

 private:
  static bool same(const std::vector<ChunkMinmax>& a, const std::vector<ChunkMinmax>& b) {
    return std::ranges::equal(a, b, [](const ChunkMinmax& one, const ChunkMinmax& other) {
      return one.min == other.min && one.max == other.max && one.nan_count == other.nan_count &&
             one.fill_count == other.fill_count && one.n == other.n;
    });
  }
  static bool same(const SortedRows& a, const SortedRows& b) {
    return a.rows == b.rows && a.nan_tail_length == b.nan_tail_length &&
           a.fill_tail_length == b.fill_tail_length;
  }
  static bool same(const Bitmap& a, const Bitmap& b) {
    return a.values == b.values && a.bits == b.bits && a.row_bytes == b.row_bytes;
  }
  static bool same(const Bytes& a, const Bytes& b) { return a == b; }

  // Stretches of any value, of few values, and of missing ones. Some rows follow the logical ones.
  Cells column_cells() {
    Cells cells;
    const std::uint64_t all = rows + random_.below(3);
    std::uint64_t few = 0, from = 0;
    while (cells.size() < all) {
      if (cells.size() % 16 == 0) {
        few = 1 + random_.below(values_.domain.size());
        from = random_.below(values_.domain.size());
      }
      const bool missing = random_.below(10) < (few == 1 ? 8 : 1);
      const std::uint64_t which = (from + random_.below(few)) % values_.domain.size();
      cells.push_back(missing && values_.fill ? *values_.fill : values_.domain[which]);
    }
    return cells;
  }

  const Values& values_;
  Random& random_;
};

// --- SORTED_ROWS ---------------------------------------------------------------------------------

// Elements that are moved, repeated or of no row, infinities behind the NaNs, the tails in front.
void disorder(Trial& trial, std::vector<std::uint64_t>& index, std::uint64_t nans, Random& random) {
  const auto place = [&] { return static_cast<std::ptrdiff_t>(random.below(index.size())); };
  const auto begin = index.begin();
  switch (random.below(8)) {
    case 0: {
      const std::ptrdiff_t at = place();
      std::swap(begin[at], begin[std::max<std::ptrdiff_t>(at - 1, 0)]);
      break;
    }
    case 1: {
      const std::ptrdiff_t one = place();
      const std::ptrdiff_t other = place();
      std::swap(begin[one], begin[other]);
      break;
    }
    case 2: {
      const std::ptrdiff_t from = place();
      const std::ptrdiff_t to = place();
      begin[to] = begin[from];
      break;
    }
    case 3: begin[place()] = trial.rows + random.below(2); break;
    case 4: std::rotate(begin, begin + place(), index.end()); break;
    case 5: std::rotate(begin, index.end() - static_cast<std::ptrdiff_t>(nans), index.end()); break;
    case 6: std::reverse(index.end() - static_cast<std::ptrdiff_t>(nans), index.end()); break;
    default:
      std::stable_partition(begin, index.end(), [&](std::uint64_t row) {
        if (row >= trial.rows || trial.column().type.variable_string()) return true;
        const double value = float_value(trial.column().type, trial.value_of(row));
        return std::abs(value) <= std::numeric_limits<double>::max() || value != value;
      });
  }
}

std::string sorted_trial(const Values& values, Random& random, Said& said) {
  Trial trial(values, random);
  const SortedRows right = trial.built(
      [&](ValueStream& rows) { return build_sorted_rows(trial.column(), rows, kMuch); });
  std::vector<std::uint64_t> index = right.rows;
  for (std::uint64_t n = random.below(4); n > 0; --n)
    disorder(trial, index, right.nan_tail_length, random);
  if (random.once_in(4))
    for (std::uint64_t n = 1 + random.below(3); n > 0; --n)
      index.insert(index.begin() + static_cast<std::ptrdiff_t>(random.below(index.size() + 1)),
                   trial.rows + random.below(2));
  constexpr std::size_t kSizes[] = {1, 2, 3, 4, 8};
  std::size_t size = random.one_of(kSizes);
  if (size == 1 && std::ranges::max(index) > 255) size = 2;
  const Datatype type =
      integer_type(size, false, random.once_in(2) ? ByteOrder::kBig : ByteOrder::kLittle);
  trial.add_index("SORTED_ROWS", type, {index.size()},
                  stored_as(type, Cells(index.begin(), index.end())));
  const auto length = [&](const char* name, std::uint64_t is) {
    if (random.once_in(3)) is = random.below(trial.rows + 2);
    trial.t.set(kIndex, attribute(name, integer_type(8, false), Cell(is)));
  };
  length("nan_tail_length", right.nan_tail_length);
  length("fill_tail_length", right.fill_tail_length);
  return trial.facts(said);
}

// --- CHUNK_MINMAX --------------------------------------------------------------------------------

std::string minmax_trial(const Values& values, Random& random, Said& said) {
  static std::deque<std::string> texts;  // of variable length; they outlive the tables
  Trial trial(values, random);
  std::vector<ChunkMinmax> entries =
      trial.built([&](ValueStream& rows) { return build_chunk_minmax(trial.column(), rows); });
  const bool variable = values.type.variable_string();
  const auto stored = [&](const Cell& cell) {
    if (!variable) return cell.stored_as(values.type);
    const std::string text = cell.text();
    const auto bytes = std::as_bytes(std::span(text));
    return Bytes(bytes.begin(), bytes.end());
  };
  for (std::uint64_t n = random.below(4); n > 0; --n) {
    ChunkMinmax& entry = entries[random.below(entries.size())];
    const std::uint64_t counts[] = {0, entry.n, entry.n - 1, entry.n + 1, std::uint64_t{1} << 32};
    const Cell value = trial.any_value();
    const std::uint64_t count = random.one_of(counts);
    switch (random.below(6)) {
      case 0: entry.min = stored(value); break;
      case 1: entry.max = stored(value); break;
      case 2: std::swap(entry.min, entry.max); break;
      case 3: entry.nan_count = count; break;
      case 4: entry.fill_count = count; break;
      default: entry.n = count; break;
    }
  }
  const bool other_order = can_turn(values.type) && random.once_in(3);
  const Datatype count = integer_type(8, false);
  Bytes bytes;
  const auto append = [&](Bytes more, bool value) {
    if (value && other_order) turn(more);
    if (value && variable) {
      const char* text =
          texts.emplace_back(reinterpret_cast<const char*>(more.data()), more.size()).c_str();
      const auto pointer = std::as_bytes(std::span(&text, 1));
      more.assign(pointer.begin(), pointer.end());
    }
    bytes.insert(bytes.end(), more.begin(), more.end());
  };
  for (const ChunkMinmax& entry : entries) {
    append(entry.min, true);
    append(entry.max, true);
    for (const std::uint64_t n : {entry.nan_count, entry.fill_count, entry.n})
      append(Cell(n).stored_as(count), false);
  }
  trial.add_index("CHUNK_MINMAX",
                  chunk_minmax_type(other_order ? turned(values.type) : values.type),
                  {entries.size()}, bytes);
  return trial.facts(said);
}

// --- BITMAP --------------------------------------------------------------------------------------

std::string bitmap_trial(const Values& values, Random& random, Said& said) {
  Trial trial(values, random);
  Bitmap bitmap = trial.built(
      [&](ValueStream& rows) { return build_bitmap(trial.column(), rows, 100, kMuch); });
  // Values that are listed again, or that no row has, or NaN, with right bits or others.
  for (std::uint64_t n = random.below(3); n > 0; --n) {
    const Cell value = trial.any_value();
    Bytes bits = random.bytes(bitmap.row_bytes);
    if (!bitmap.values.empty() && random.once_in(2)) {
      const std::uint64_t which = random.below(bitmap.values.size());
      const auto from = std::span(bitmap.bits).subspan(which * bitmap.row_bytes, bitmap.row_bytes);
      bits.assign(from.begin(), from.end());
      bitmap.values.push_back(bitmap.values[which]);
    } else if (values.type.variable_string()) {
      const std::string text = value.text();
      const auto of = std::as_bytes(std::span(text));
      bitmap.values.emplace_back(of.begin(), of.end());
    } else {
      bitmap.values.push_back(value.stored_as(values.type));
    }
    bitmap.bits.insert(bitmap.bits.end(), bits.begin(), bits.end());
  }
  for (std::uint64_t n = random.below(4); n > 0 && !bitmap.bits.empty(); --n)
    bitmap.bits[random.below(bitmap.bits.size())] ^= std::byte{1} << random.below(8);
  if (random.once_in(4))
    for (std::byte& byte : bitmap.bits) {
      std::byte reversed{};
      for (int bit = 0; bit < 8; ++bit)
        if ((byte >> bit & std::byte{1}) != std::byte{0}) reversed |= std::byte{0x80} >> bit;
      byte = reversed;
    }
  trial.add_index("BITMAP", integer_type(1, false), {bitmap.values.size(), bitmap.row_bytes},
                  bitmap.bits);
  const bool other_order = can_turn(values.type) && random.once_in(3);
  const Dataset& listed =
      trial.t.add_dataset("SEARCH_INDEXES/values", other_order ? turned(values.type) : values.type,
                          {bitmap.values.size()});
  Bytes bytes;
  std::vector<std::string> strings;
  for (OwnedValue& value : bitmap.values) {
    if (other_order) turn(value);
    bytes.insert(bytes.end(), value.begin(), value.end());
    strings.emplace_back(reinterpret_cast<const char*>(value.data()), value.size());
  }
  if (values.type.variable_string())
    trial.t.values.set_strings(listed.token, std::move(strings));
  else
    trial.t.values.set(listed.token, std::move(bytes));
  trial.t.set(kIndex, reference("VALUES", trial.t.to("SEARCH_INDEXES/values")));
  trial.t.set(kIndex, boolean("exhaustive", random.once_in(2)));
  return trial.facts(said);
}

// --- CHUNK_BLOOM ---------------------------------------------------------------------------------

// Filters built with exact or with wrapped sums, or by a mistaken producer, in each chunk another;
// with the bits of NaN or of missing values of enumerations; full, or with other bits.
std::string bloom_trial(const Values& values, Random& random, Said& said) {
  Trial trial(values, random);
  constexpr std::uint64_t kSizes[] = {1, 2, 3, 8, 25, 125, 128};
  constexpr std::uint32_t kHashes[] = {1, 2, 3, 7, 17, 300, 1000};
  BloomParameters p;
  p.k = random.one_of(kHashes);
  p.m_bits = 8 * random.one_of(kSizes);
  p.seed = random.number(3);
  const std::uint64_t m_bytes = p.m_bits / 8;
  Bytes filters =
      trial.built([&](ValueStream& rows) { return build_chunk_bloom(trial.column(), rows, p); });
  const bool alike = random.once_in(2);
  std::uint64_t way = random.below(8);
  for (std::uint64_t chunk = 0; chunk < trial.chunks(); ++chunk) {
    const auto filter = std::span(filters).subspan(chunk * m_bytes, m_bytes);
    if (!alike) way = random.below(8);
    const std::uint64_t begin = chunk * trial.chunk_rows;
    const std::uint64_t end =
        trial.chunk_rows == 0 ? trial.rows : std::min(begin + trial.chunk_rows, trial.rows);
    if (way != 0) std::ranges::fill(filter, std::byte{0});
    for (std::uint64_t row = begin; row < end && way != 0; ++row) {
      Bytes bytes;
      if (values.type.variable_string()) {
        const auto stream = trial.t.values.stream_rows(trial.column(), row, 1);
        const auto text = std::as_bytes(std::span((*(*stream)->next())->strings[0]));
        bytes.assign(text.begin(), text.end());
      } else {
        bytes = trial.value_of(row);
      }
      const bool nan = has_nan(values) && is_nan(values.type, bytes);
      const bool missing = values.fill && bytes == (values.type.variable_string()
                                                        ? Bytes{std::byte{'-'}}
                                                        : values.fill->stored_as(values.type));
      if ((nan || missing) && way != 5 && way != 6) continue;
      if (values.type.fixed_string()) {
        const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        bytes.resize(strip_padding(text, values.type.padding).size());
      }
      if (values.type.order == ByteOrder::kBig) turn(bytes);
      if (has_nan(values) && float_value(values.type, trial.value_of(row)) == 0)
        std::ranges::fill(bytes, std::byte{0});
      if (way == 4 && bytes.size() < 8) bytes.push_back(std::byte{0});
      Hash128 hash = murmur3_x64_128(bytes.data(), bytes.size(), way == 3 ? 0 : p.seed);
      if (way == 2) hash.a += hash.b;
      if (way == 7) std::swap(hash.a, hash.b);
      bloom_insert(filter, hash, p, BloomSum::kExact);
    }
    if (random.once_in(4)) std::ranges::fill(filter, std::byte{0xFF});
    if (random.once_in(8)) filter[random.below(m_bytes)] ^= std::byte{1} << random.below(8);
    // A bit that a value may need.
    const std::uint64_t from = random.below(m_bytes);
    if (random.once_in(4))
      for (std::byte& byte : filter.subspan(from))
        if (byte != std::byte{0}) {
          byte &= static_cast<std::byte>(std::to_integer<unsigned>(byte) - 1);
          break;
        }
  }
  trial.add_index("CHUNK_BLOOM", integer_type(1, false), {trial.chunks(), m_bytes}, filters);
  trial.t.set(kIndex, ascii("hash_family", "murmur3_x64_128_double"));
  trial.t.set(kIndex, attribute("k", integer_type(2, false), Cell(p.k)));
  trial.t.set(kIndex, attribute("m_bits", integer_type(8, false), Cell(p.m_bits)));
  trial.t.set(kIndex, attribute("seed", integer_type(4, false), Cell(p.seed)));
  return trial.facts(said);
}

TEST(RandomIndexes, HaveTheFactsOfTheGoldenFile) {
  struct Family {
    const char* name;
    IndexKind kind;
    std::string (*trial)(const Values&, Random&, Said&);
  };
  constexpr Family kFamilies[] = {{"SORTED_ROWS", IndexKind::kSortedRows, sorted_trial},
                                  {"CHUNK_MINMAX", IndexKind::kChunkMinmax, minmax_trial},
                                  {"BITMAP", IndexKind::kBitmap, bitmap_trial},
                                  {"CHUNK_BLOOM", IndexKind::kChunkBloom, bloom_trial}};
  Random random(5101);
  std::string text;
  for (const Values& values : all_values())
    for (const Family& family : kFamilies) {
      if (index_refusal(family.kind, values.type, all_revisions().back())) continue;
      SCOPED_TRACE(std::format("{} of {}", family.name, values.name));
      std::string all;
      Said said;
      for (int round = 0; round < kRounds; ++round) all += family.trial(values, random, said);
      text +=
          said.line(std::format("{} of {}: {}", family.name, values.name, golden::digest_of(all)));
      if (testing::Test::HasFailure()) return;
    }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hep001/golden/random_indexes.txt"));
}

}  // namespace

}  // namespace hepcheck::hep001::random_indexes
