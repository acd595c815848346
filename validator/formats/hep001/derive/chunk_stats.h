// Statistics of one chunk of a column, as CHUNK_MINMAX holds them (10.4): what its builder
// stores and what its verification compares with.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>

#include "validator/formats/hep001/derive/codec.h"
#include "validator/formats/hep001/derive/order.h"

namespace hepcheck::hep001 {

// Calls use(from, count) for the runs of rows of a block that lie in one chunk each.
template <class Use>
void for_each_chunk_run(const Block& block, std::uint64_t chunk_rows, Use use) {
  for (std::uint64_t i = 0; i < block.rows;) {
    const std::uint64_t left = chunk_rows - (block.first_row + i) % chunk_rows;
    const std::uint64_t count = std::min(left, block.rows - i);
    use(i, count);
    i += count;
  }
}

// A value that outlives its block: the element as stored; of a variable-length string, its text.
template <class Codec>
class HeldValue {
 public:
  using Key = typename Codec::Key;

  void hold(const Block& block, std::size_t element_bytes, std::uint64_t i) {
    if constexpr (std::is_same_v<Codec, VariableStringCodec>) {
      const auto text = std::as_bytes(std::span(block.strings[i]));
      stored_.assign(text.begin(), text.end());
    } else {
      const auto element = block.bytes.subspan(i * element_bytes, element_bytes);
      stored_.assign(element.begin(), element.end());
    }
  }
  Key key(const Codec& codec) const {
    if constexpr (std::is_same_v<Codec, VariableStringCodec>)
      return {reinterpret_cast<const char*>(stored_.data()), stored_.size()};
    else
      return codec.key(stored_.data());
  }
  StoredValue stored() const { return stored_; }

 private:
  std::vector<std::byte> stored_{};
};

template <class Codec>
class ChunkStats {
 public:
  using Key = typename Codec::Key;

  ChunkStats(const Codec& codec, const Dataset& column)
      : codec_(codec), element_bytes_(column.type.size), missing_(codec, column) {}

  // Some more rows of the chunk. min and max are taken over the values that are neither missing
  // nor NaN; of equal ones (the zeros) the first is kept.
  void take(const Block& block, std::uint64_t from, std::uint64_t count) {
    // The extremes of this run stay in registers; they are held once a run.
    Extreme least, greatest;
    for (const std::uint64_t end = from + count; from < end;) {
      if constexpr (std::is_arithmetic_v<Key>)
        if (end - from >= kGroup) {
          take_group(block, from, least, greatest);
          from += kGroup;
          continue;
        }
      for (const std::uint64_t stop = std::min(end, from + kGroup); from < stop; ++from) {
        const Key key = key_at(codec_, block, element_bytes_, from);
        const bool nan = is_nan_key<Codec>(key);
        if (nan && nan_count_++ == 0) first_nan_ = block.first_row + from;
        if (missing_(key)) {
          if (fill_count_++ == 0) first_missing_ = block.first_row + from;
          continue;
        }
        if (nan) continue;
        if (!least.key || key < *least.key) least = {key, from};
        if (!greatest.key || *greatest.key < key) greatest = {key, from};
      }
    }
    rows_ += count;
    if (!least.key) return;
    if (!has_value_ || *least.key < min()) hold(min_, min_row_, block, least.at);
    if (!has_value_ || max() < *greatest.key) hold(max_, max_row_, block, greatest.at);
    has_value_ = true;
  }

  // The rows of the same chunk that follow.
  void take(const ChunkStats& later) {
    if (nan_count_ == 0) first_nan_ = later.first_nan_;
    if (fill_count_ == 0) first_missing_ = later.first_missing_;
    rows_ += later.rows_;
    nan_count_ += later.nan_count_;
    fill_count_ += later.fill_count_;
    if (!later.has_value_) return;
    if (!has_value_ || later.min() < min()) min_ = later.min_, min_row_ = later.min_row_;
    if (!has_value_ || max() < later.max()) max_ = later.max_, max_row_ = later.max_row_;
    has_value_ = true;
  }

  // Makes ready for the next chunk.
  void clear() {
    rows_ = nan_count_ = fill_count_ = 0;
    has_value_ = false;
  }

  std::uint64_t rows() const { return rows_; }
  std::uint64_t nan_count() const { return nan_count_; }
  std::uint64_t fill_count() const { return fill_count_; }
  // The first such rows of the chunk, if the counts are not 0.
  std::uint64_t first_nan_row() const { return first_nan_; }
  std::uint64_t first_missing_row() const { return first_missing_; }
  // Without a value there is neither min nor max; both fields then hold the fill value.
  bool has_value() const { return has_value_; }
  Key min() const { return min_.key(codec_); }
  Key max() const { return max_.key(codec_); }
  StoredValue stored_min() const { return min_.stored(); }
  StoredValue stored_max() const { return max_.stored(); }
  std::uint64_t min_row() const { return min_row_; }
  std::uint64_t max_row() const { return max_row_; }
  const Missing<Codec>& missing() const { return missing_; }

 private:
  struct Extreme {
    std::optional<Key> key{};
    std::uint64_t at = 0;  // in the block
  };
  static constexpr std::uint64_t kGroup = 256;

  // The kGroup rows from `from` on, without a branch for each: where something stands is looked up
  // afterwards, if it has to be known.
  void take_group(const Block& block, std::uint64_t from, Extreme& least, Extreme& greatest) {
    using Limits = std::numeric_limits<Key>;
    constexpr Key kTop = Limits::has_infinity ? Limits::infinity() : Limits::max();
    constexpr Key kBottom = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    const Missing<Codec> missing = missing_;
    Key low = kTop, high = kBottom;
    std::uint64_t nans = 0, missed = 0, plain = 0;
    for (std::uint64_t i = from; i < from + kGroup; ++i) {
      const Key key = key_at(codec_, block, element_bytes_, i);
      const bool nan = is_nan_key<Codec>(key), gone = missing(key);
      nans += nan;
      missed += gone;
      plain += !(nan | gone);
      const Key below = nan | gone ? kTop : key, above = nan | gone ? kBottom : key;
      low = below < low ? below : low;
      high = high < above ? above : high;
    }
    const auto find = [&](auto wanted) {
      std::uint64_t i = from;
      while (!wanted(key_at(codec_, block, element_bytes_, i))) ++i;
      return i;
    };
    if (nans > 0 && nan_count_ == 0) first_nan_ = block.first_row + find(is_nan_key<Codec>);
    if (missed > 0 && fill_count_ == 0) first_missing_ = block.first_row + find(missing);
    nan_count_ += nans;
    fill_count_ += missed;
    if (plain == 0) return;
    const auto is = [](Key wanted) { return [=](Key key) { return key == wanted; }; };
    if (!least.key || low < *least.key) least = {low, find(is(low))};
    if (!greatest.key || *greatest.key < high) greatest = {high, find(is(high))};
  }

  void hold(HeldValue<Codec>& into, std::uint64_t& row, const Block& block, std::uint64_t i) {
    into.hold(block, element_bytes_, i);
    row = block.first_row + i;
  }

  Codec codec_;
  std::size_t element_bytes_;
  Missing<Codec> missing_;
  std::uint64_t rows_ = 0, nan_count_ = 0, fill_count_ = 0;
  std::uint64_t min_row_ = 0, max_row_ = 0, first_nan_ = 0, first_missing_ = 0;
  bool has_value_ = false;
  HeldValue<Codec> min_{}, max_{};
};

}  // namespace hepcheck::hep001
