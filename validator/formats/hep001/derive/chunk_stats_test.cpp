// Rows that are processed together and one by one have the same statistics.
#include "validator/formats/hep001/derive/chunk_stats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <format>
#include <limits>
#include <random>

#include "validator/formats/hep001/testing/build.h"

namespace hepcheck::hep001 {

namespace {

std::string show(const ChunkStats& stats, const Datatype& type) {
  std::string text = std::format("{} rows", stats.rows);
  if (stats.nan_count > 0)
    text += std::format(", {} NaN from {}", stats.nan_count, stats.first_nan);
  if (stats.fill_count > 0)
    text += std::format(", {} missing from {}", stats.fill_count, stats.first_missing);
  // Zeros are distinguished here: the first of equal values is kept.
  if (stats.has_value)
    text += std::format(", {} at {} to {} at {}", format_value(type, stats.min), stats.min_row,
                        format_value(type, stats.max), stats.max_row);
  return text;
}

// Each row is one of `values`, usually the first.
void expect_alike(const Datatype& type, const Cells& values, const Cell& fill) {
  SCOPED_TRACE(describe(type));
  constexpr std::uint64_t kRows = 2000, kFirst = 3;
  std::mt19937 random(static_cast<unsigned>(type.size));
  TableBuilder t;
  Cells cells;
  for (std::uint64_t row = 0; row < kRows; ++row)
    cells.push_back(values[random() % 3 == 0 ? random() % values.size() : 0]);
  const Dataset& column = t.add_column("c", type, cells, fill);
  const std::vector<std::byte> bytes = stored_as(type, cells);
  const Block block{.first_row = 100, .rows = kRows, .bytes = bytes, .strings = {}};
  const auto agree = [&](auto codec) {
    const ChunkScan<decltype(codec)> scan(codec, column);
    const ColumnOrder order(column);
    ChunkStats single, many, pieces, joined;
    for (std::uint64_t row = kFirst; row < kRows; ++row) scan.take(block, row, 1, single);
    scan.take(block, kFirst, kRows - kFirst, many);
    for (std::uint64_t row = kFirst; row < kRows; row += 700) {
      const std::uint64_t count = std::min<std::uint64_t>(700, kRows - row);
      scan.take(block, row, count, pieces);
      ChunkStats piece;
      scan.take(block, row, count, piece);
      joined.join(piece, order);
    }
    EXPECT_EQ(show(many, type), show(single, type));
    EXPECT_EQ(show(pieces, type), show(single, type));
    EXPECT_EQ(show(joined, type), show(single, type));
    return show(single, type);
  };
  EXPECT_EQ(visit_fast_codec(type, agree), visit_codec(type, agree));
}

constexpr ByteOrder kByteOrders[] = {ByteOrder::kLittle, ByteOrder::kBig};

TEST(ChunkStats, BatchedIntegersEqualSingleOnes) {
  for (const ByteOrder order : kByteOrders)
    for (const std::size_t bytes : {1u, 2u, 4u, 8u}) {
      const std::int64_t top = bytes == 8 ? std::numeric_limits<std::int64_t>::max()
                                          : (std::int64_t{1} << (8 * bytes - 1)) - 1;
      const Cells ends{5, 0, -1, top, -top - 1, 9};
      for (const Cell& fill : ends) {
        expect_alike(integer_type(bytes, true, order), ends, fill);
        expect_alike(integer_type(bytes, false, order), ends, fill);
      }
      expect_alike(integer_type(bytes, true, order), {7}, 7);  // only missing rows
    }
}

TEST(ChunkStats, BatchedFloatsEqualSingleOnes) {
  const double infinite = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const ByteOrder order : kByteOrders)
    for (const std::size_t bytes : {4u, 8u}) {
      const Datatype type = ieee_float_type(bytes, order);
      const Cells all{1.5, 0.0, -0.0, nan, infinite, -infinite, -2.0};
      for (const Cell& fill : all) expect_alike(type, all, fill);
      expect_alike(type, {-0.0, 0.0}, 1.0);
      expect_alike(type, {0.0, -0.0}, 1.0);
      expect_alike(type, {infinite}, 1.0);
      expect_alike(type, {-infinite, nan}, 1.0);
      expect_alike(type, {nan}, 1.0);
      expect_alike(type, {nan}, nan);
      expect_alike(type, {nan, 1.0}, 1.0);
    }
}

}  // namespace

}  // namespace hepcheck::hep001
