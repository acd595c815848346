// Statistics of one chunk of a column, as stored by CHUNK_MINMAX (10.4): the builder stores them
// and the verification compares them.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "validator/formats/hep001/derive/codec.h"
#include "validator/formats/hep001/derive/order.h"

namespace hepcheck::hep001 {

// Calls use(from, count) for each run of rows of a block that belongs to one chunk.
template <class Use>
void for_each_chunk_run(const Block& block, std::uint64_t chunk_rows, Use use) {
  for (std::uint64_t i = 0; i < block.rows;) {
    const std::uint64_t left = chunk_rows - (block.first_row + i) % chunk_rows;
    const std::uint64_t count = std::min(left, block.rows - i);
    use(i, count);
    i += count;
  }
}

struct ChunkStats {
  std::uint64_t rows = 0, nan_count = 0, fill_count = 0;
  // The first such rows of the chunk, if the counts are not 0.
  std::uint64_t first_nan = 0, first_missing = 0;
  // min and max are taken over the values that are neither missing nor NaN; of equal values (the
  // zeros), the first is kept. Without such a value there are none.
  bool has_value = false;
  std::vector<std::byte> min{}, max{};  // as stored
  std::uint64_t min_row = 0, max_row = 0;

  // Adds the following rows of the same chunk.
  void join(const ChunkStats& later, const ColumnOrder& order) {
    if (nan_count == 0) first_nan = later.first_nan;
    if (fill_count == 0) first_missing = later.first_missing;
    rows += later.rows;
    nan_count += later.nan_count;
    fill_count += later.fill_count;
    if (!later.has_value) return;
    if (!has_value || order.compare(later.min, min) < 0) min = later.min, min_row = later.min_row;
    if (!has_value || order.compare(max, later.max) < 0) max = later.max, max_row = later.max_row;
    has_value = true;
  }
};

// Adds rows of a column to the statistics of their chunk.
template <class Codec>
class ChunkScan {
 public:
  using Key = typename Codec::Key;

  ChunkScan(const Codec& codec, const Dataset& column)
      : codec_(codec), column_(column), missing_(codec, column) {}

  // Some more rows of the chunk.
  void take(const Block& block, std::uint64_t from, std::uint64_t count, ChunkStats& into) const {
    // The extremes of this run stay in registers and are stored once per run.
    Extreme least, greatest;
    for (const std::uint64_t end = from + count; from < end;) {
      if constexpr (std::is_arithmetic_v<Key>)
        if (end - from >= kGroup) {
          take_group(block, from, least, greatest, into);
          from += kGroup;
          continue;
        }
      for (const std::uint64_t stop = std::min(end, from + kGroup); from < stop; ++from) {
        const Key key = key_at(codec_, block, column_.type.size, from);
        const bool nan = is_nan_key<Codec>(key);
        if (nan && into.nan_count++ == 0) into.first_nan = block.first_row + from;
        if (missing_(key)) {
          if (into.fill_count++ == 0) into.first_missing = block.first_row + from;
          continue;
        }
        if (nan) continue;
        if (!least.key || key < *least.key) least = {key, from};
        if (!greatest.key || *greatest.key < key) greatest = {key, from};
      }
    }
    into.rows += count;
    if (!least.key) return;
    if (!into.has_value || *least.key < key_of(codec_, into.min))
      hold(into.min, into.min_row, block, least.at);
    if (!into.has_value || key_of(codec_, into.max) < *greatest.key)
      hold(into.max, into.max_row, block, greatest.at);
    into.has_value = true;
  }

 private:
  struct Extreme {
    std::optional<Key> key{};
    std::uint64_t at = 0;  // in the block
  };
  static constexpr std::uint64_t kGroup = 256;

  // The kGroup rows beginning with `from`, without a branch for each: the position of an extreme is
  // searched afterwards, if it is needed.
  void take_group(const Block& block, std::uint64_t from, Extreme& least, Extreme& greatest,
                  ChunkStats& into) const {
    using Limits = std::numeric_limits<Key>;
    constexpr Key kTop = Limits::has_infinity ? Limits::infinity() : Limits::max();
    constexpr Key kBottom = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    const Missing<Codec> missing = missing_;
    Key low = kTop, high = kBottom;
    std::uint64_t nans = 0, missed = 0, plain = 0;
    for (std::uint64_t i = from; i < from + kGroup; ++i) {
      const Key key = key_at(codec_, block, column_.type.size, i);
      const bool nan = is_nan_key<Codec>(key), gone = missing(key);
      nans += nan;
      missed += gone;
      plain += !(nan | gone);
      const Key below = (nan | gone) ? kTop : key, above = (nan | gone) ? kBottom : key;
      low = below < low ? below : low;
      high = high < above ? above : high;
    }
    const auto find = [&](auto wanted) {
      std::uint64_t i = from;
      while (!wanted(key_at(codec_, block, column_.type.size, i))) ++i;
      return i;
    };
    if (nans > 0 && into.nan_count == 0) into.first_nan = block.first_row + find(is_nan_key<Codec>);
    if (missed > 0 && into.fill_count == 0) into.first_missing = block.first_row + find(missing);
    into.nan_count += nans;
    into.fill_count += missed;
    if (plain == 0) return;
    const auto is = [](Key wanted) { return [=](Key key) { return key == wanted; }; };
    if (!least.key || low < *least.key) least = {low, find(is(low))};
    if (!greatest.key || *greatest.key < high) greatest = {high, find(is(high))};
  }

  void hold(std::vector<std::byte>& into, std::uint64_t& row, const Block& block,
            std::uint64_t i) const {
    const StoredValue value = stored_at(block, column_.type, i);
    into.assign(value.begin(), value.end());
    row = block.first_row + i;
  }

  Codec codec_;
  const Dataset& column_;
  Missing<Codec> missing_;
};

}  // namespace hepcheck::hep001
