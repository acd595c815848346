// Small indexes with every content: the facts about each equal the golden file, which has a line
// for each datatype and family with the number of contents and a digest, and do not depend on how
// the work is divided.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <format>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "validator/formats/hep001/derive/facts.h"
#include "validator/formats/hep001/testing/build.h"
#include "validator/formats/hep001/testing/facts_as_text.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hep001 {

namespace {

using Bytes = std::vector<std::byte>;

constexpr std::uint64_t kSmallRows = 6;  // logical ones; two others follow
constexpr const char* kIndex = "SEARCH_INDEXES/c";

struct SmallColumn {
  const char* name;
  Datatype type;
  Cells cells;  // the last two are beyond NROWS
  Cell fill;
};

std::vector<SmallColumn> small_columns() {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const Datatype text = fixed_string_type(3, StringPadding::kSpacePad, CharacterSet::kUtf8);
  return {
      {"float64 with NaN", ieee_float_type(8), {0.0, kNan, -0.0, 9.0, kNan, kInf, 1.0, 9.0}, 9.0},
      {"float64 with infinities",
       ieee_float_type(8),
       {-kInf, kNan, 2.0, 9.0, kInf, 2.0, kInf, kNan},
       9.0},
      {"float32 without NaN",
       ieee_float_type(4, ByteOrder::kBig),
       {-1.5, 9.0, -1.5, 9.0, -kInf, 2.0, kNan, 9.0},
       9.0},
      {"int16", integer_type(2, true, ByteOrder::kBig), {3, -2, 3, -9, -2, 300, 1, -9}, -9},
      {"uint8", integer_type(1, false), {200, 200, 7, 200, 7, 0, 255, 1}, 255},
      {"text", text, {"b", "a\x01", "a", "", "b", "", "a", "z"}, ""}};
}

// Why there are none.
std::optional<std::string> obstacle_of(const TableFacts& facts) {
  return std::visit(
      [](const auto& each) -> std::optional<std::string> {
        if constexpr (requires { each.obstacle; }) {
          if (each.obstacle) return each.obstacle->reason;
        }
        return std::nullopt;
      },
      facts.indexes.at(0));
}

// A table of one column with one index.
class Indexed {
 public:
  Indexed(const SmallColumn& column, std::uint64_t chunk, const char* kind, const Datatype& type,
          std::vector<std::uint64_t> extent)
      : t_("/t", kSmallRows) {
    t_.add_column("c", column.type, column.cells, column.fill, chunk);
    t_.add_group("SEARCH_INDEXES");
    t_.add_dataset(kIndex, type, std::move(extent));
    t_.set(kIndex, ascii("KIND", kind));
    t_.set("c", references("SEARCH_INDEX_LIST", {t_.to(kIndex)}));
    const Datatype count = integer_type(8, false);
    t_.set("", attribute("GENERATION", count, Cell(1)));
    t_.set(kIndex, attribute("SOURCE_GENERATION", count, Cell(1)));
    t_.set(kIndex, attribute("SOURCE_NROWS", count, Cell(kSmallRows)));
  }

  void set(Attribute attribute) { t_.set(kIndex, std::move(attribute)); }
  void add_values(const Datatype& type, const Cells& values) {
    t_.add_dataset("SEARCH_INDEXES/values", type, {values.size()}, values);
    set(reference("VALUES", t_.to("SEARCH_INDEXES/values")));
  }

  // To be called after the last change of the structure.
  void begin() { t_.finish(*find_specification("hep001-2026-07-09")); }
  void add(Bytes contents) {
    ++count_;
    t_.values.set(t_.dataset(kIndex).token, std::move(contents));
    t_.values.block_rows = 100;
    const TableFacts found =
        collect_facts(t_.table, t_.values, {.memory_limit = std::uint64_t{1} << 30, .jobs = 1});
    EXPECT_EQ(obstacle_of(found), std::nullopt);
    const std::string facts = facts_as_text(found);
    t_.values.block_rows = 2;
    t_.values.blocks_are_chunks = false;
    const FactOptions divided{
        .memory_limit = 1,
        .jobs = 1,
        .cuts = {
            .run_bytes = 1, .run_rows = 2, .run_chunks = 1, .least_window = 4, .bitmap_bits = 8}};
    EXPECT_EQ(facts_as_text(collect_facts(t_.table, t_.values, divided)), facts);
    t_.values.blocks_are_chunks = true;
    all_ += facts;
  }
  // Whether there is a reason why it has no facts.
  bool obstructed(Bytes contents, std::uint64_t block_rows) {
    t_.values.set(t_.dataset(kIndex).token, std::move(contents));
    t_.values.block_rows = block_rows;
    const TableFacts found =
        collect_facts(t_.table, t_.values, {.memory_limit = std::uint64_t{1} << 30, .jobs = 1});
    return obstacle_of(found).has_value();
  }
  std::string line(const SmallColumn& column, const char* what) const {
    return std::format("{} {}: {} {}\n", column.name, what, count_, golden::digest_of(all_));
  }

 private:
  TableBuilder t_;
  std::size_t count_ = 0;
  std::string all_{};
};

// --- SORTED_ROWS ---------------------------------------------------------------------------------

Bytes rows_as_bytes(const std::vector<std::uint8_t>& rows) {
  const auto bytes = std::as_bytes(std::span(rows));
  return {bytes.begin(), bytes.end()};
}

// Every permutation of the rows.
std::string permutations(const SmallColumn& column) {
  Indexed table(column, 4, "SORTED_ROWS", integer_type(1, false), {kSmallRows});
  table.begin();
  std::vector<std::uint8_t> rows(kSmallRows);
  std::iota(rows.begin(), rows.end(), std::uint8_t{0});
  do table.add(rows_as_bytes(rows));
  while (std::ranges::next_permutation(rows).found);
  return table.line(column, "permutations");
}

// Numbers of no row before, between and behind the rows, and in place of one; rows twice.
std::string residue(const SmallColumn& column) {
  Indexed table(column, 0, "SORTED_ROWS", integer_type(1, false), {kSmallRows + 2});
  table.set(attribute("nan_tail_length", integer_type(8, false), Cell(1)));
  table.set(attribute("fill_tail_length", integer_type(8, false), Cell(3)));
  table.begin();
  for (std::uint8_t first = 0; first < kSmallRows; ++first)
    for (const unsigned other : {0u, 4u, 6u, 7u, 255u})
      for (std::size_t i = 0; i <= kSmallRows; ++i)
        for (std::size_t j = i; j <= kSmallRows + 1; ++j) {
          std::vector<std::uint8_t> rows(kSmallRows);
          std::iota(rows.begin(), rows.end(), std::uint8_t{0});
          std::ranges::rotate(rows, rows.begin() + first);
          rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(i), 6);
          rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(j),
                      static_cast<std::uint8_t>(other));
          table.add(rows_as_bytes(rows));
        }
  return table.line(column, "rows and others");
}

std::string tails(const SmallColumn& column) {
  std::string text;
  for (const int nan : {0, 1, 2, 3, 6, 7})
    for (const int fill : {0, 1, 2, 3, 6, 7}) {
      Indexed table(column, 4, "SORTED_ROWS", integer_type(1, false), {kSmallRows});
      table.set(attribute("nan_tail_length", integer_type(8, false), Cell(nan)));
      table.set(attribute("fill_tail_length", integer_type(8, false), Cell(fill)));
      table.begin();
      for (const std::vector<std::uint8_t>& rows :
           {std::vector<std::uint8_t>{0, 1, 2, 3, 4, 5}, {2, 0, 5, 3, 1, 4}, {0, 0, 0, 0, 0, 0}})
        table.add(rows_as_bytes(rows));
      text += table.line(column, "");
    }
  return std::format("{} tails: {}\n", column.name, golden::digest_of(text));
}

// --- CHUNK_MINMAX --------------------------------------------------------------------------------

// Every pair of extremes, and all counts, in each entry, while the other is all zeros.
std::string entries(const SmallColumn& column) {
  const std::size_t size = column.type.size;
  const Datatype type = chunk_minmax_type(column.type);
  std::string text;
  for (const std::uint64_t chunk : {4, 3, 0}) {
    const std::size_t chunks = chunk == 0 ? 1 : 2;
    Indexed table(column, chunk, "CHUNK_MINMAX", type, {chunks});
    table.begin();
    for (std::size_t at = 0; at < chunks; ++at) {
      const auto add = [&](const Cell& min, const Cell& max, unsigned nan, unsigned fill,
                           unsigned n) {
        Bytes bytes(chunks * type.size);
        const auto entry = std::span(bytes).subspan(at * type.size);
        std::ranges::copy(min.stored_as(column.type), entry.begin());
        std::ranges::copy(max.stored_as(column.type), entry.subspan(size).begin());
        entry[2 * size] = static_cast<std::byte>(nan);
        entry[2 * size + 8] = static_cast<std::byte>(fill);
        entry[2 * size + 16] = static_cast<std::byte>(n);
        table.add(std::move(bytes));
      };
      for (const Cell& min : column.cells)
        for (const Cell& max : column.cells) add(min, max, 1, 1, 4);
      for (unsigned nan = 0; nan < 3; ++nan)
        for (unsigned fill = 0; fill < 3; ++fill)
          for (unsigned n = 1; n < 7; ++n) add(column.fill, column.cells[0], nan, fill, n);
    }
    text += table.line(column, std::format("entries for chunks of {}", chunk).c_str());
  }
  return text;
}

// --- BITMAP --------------------------------------------------------------------------------------

// Every byte of the bits of three values, one of which is the fill value, and of one listed twice.
std::string bits(const SmallColumn& column) {
  std::string text;
  for (const bool exhaustive : {false, true})
    for (const Cells& values : {Cells{column.cells[0], column.fill, column.cells[4]},
                                Cells{column.cells[1], column.cells[1], column.cells[5]}}) {
      Indexed table(column, 4, "BITMAP", integer_type(1, false), {values.size(), 1});
      table.add_values(column.type, values);
      table.set(boolean("exhaustive", exhaustive));
      table.begin();
      for (std::size_t at = 0; at < values.size(); ++at)
        for (unsigned byte = 0; byte < 256; ++byte) {
          Bytes all(values.size(), std::byte{0x15});
          all[at] = static_cast<std::byte>(byte);
          table.add(std::move(all));
        }
      text += table.line(column, exhaustive ? "bits, exhaustive" : "bits");
    }
  return text;
}

// The right bits of every value, packed from the highest bit, or with a bit of a row that counts or
// does not, or with bits of one value more.
std::string reversed_bits(const SmallColumn& column) {
  const Cells values{column.cells[0], column.cells[1], column.cells[4], column.cells[5]};
  Indexed table(column, 4, "BITMAP", integer_type(1, false), {values.size(), 1});
  table.add_values(column.type, values);
  table.begin();
  Bytes right(values.size());
  for (std::size_t value = 0; value < values.size(); ++value)
    for (std::size_t row = 0; row < kSmallRows; ++row)
      if (column.cells[row].stored_as(column.type) == values[value].stored_as(column.type))
        right[value] |= std::byte{0x80} >> row;
  table.add(right);
  for (std::size_t value = 0; value < values.size(); ++value)
    for (unsigned bits = 0; bits < 256; ++bits) {
      Bytes changed = right;
      changed[value] ^= static_cast<std::byte>(bits);
      table.add(std::move(changed));
    }
  return table.line(column, "bits in reverse");
}

// --- CHUNK_BLOOM ---------------------------------------------------------------------------------

// Every first byte of each filter of two bytes, besides a second one with few and with many bits.
std::string filters(const SmallColumn& column) {
  std::string text;
  for (const int k : {1, 2}) {
    Indexed table(column, 4, "CHUNK_BLOOM", integer_type(1, false), {2, 2});
    table.set(ascii("hash_family", "murmur3_x64_128_double"));
    table.set(attribute("k", integer_type(2, false), Cell(k)));
    table.set(attribute("m_bits", integer_type(8, false), Cell(16)));
    table.set(attribute("seed", integer_type(4, false), Cell(5)));
    table.begin();
    for (std::size_t chunk = 0; chunk < 2; ++chunk)
      for (const unsigned second : {0x81u, 0xFFu})
        for (unsigned byte = 0; byte < 256; ++byte) {
          Bytes all(4, std::byte{0xFF});
          all[2 * chunk] = static_cast<std::byte>(byte);
          all[2 * chunk + 1] = static_cast<std::byte>(second);
          table.add(std::move(all));
        }
    text += table.line(column, std::format("filters, k = {}", k).c_str());
  }
  return text;
}

// An index of which the end cannot be read has no facts, whatever was read before.
TEST(EveryIndex, HasNoFactsIfItsEndCannotBeRead) {
  for (const SmallColumn& column : small_columns()) {
    const std::size_t entry = chunk_minmax_type(column.type).size;
    const Cells values{column.cells[0], column.cells[4]};
    Indexed sorted(column, 4, "SORTED_ROWS", integer_type(1, false), {kSmallRows}),
        extremes(column, 4, "CHUNK_MINMAX", chunk_minmax_type(column.type), {2}),
        bitmap(column, 4, "BITMAP", integer_type(1, false), {values.size(), 1});
    bitmap.add_values(column.type, values);
    for (auto& [table, size] :
         {std::pair(&sorted, kSmallRows), {&extremes, 2 * entry}, {&bitmap, values.size()}}) {
      table->begin();
      for (std::size_t there = 0; there < size; ++there) {
        std::vector<std::uint8_t> contents(there);
        std::iota(contents.begin(), contents.end(), std::uint8_t{0});
        for (const std::uint64_t rows : {1, 2, 100})
          EXPECT_TRUE(table->obstructed(rows_as_bytes(contents), rows)) << column.name << there;
      }
    }
  }
}

TEST(EveryIndex, HasTheFactsOfTheGoldenFile) {
  std::string text;
  for (const SmallColumn& column : small_columns())
    for (const auto family : {permutations, residue, tails, entries, bits, reversed_bits, filters})
      text += family(column);
  EXPECT_TRUE(golden::equals(text, "validator/formats/hep001/golden/every_index.txt"));
}

}  // namespace

}  // namespace hepcheck::hep001
