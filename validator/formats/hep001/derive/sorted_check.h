// The fast check of a SORTED_ROWS index whose column is in memory: it is correct.
//
// All threads examine runs of the index. If every element names a row below NROWS and is strictly
// after the previous one in the order of (tail, value, row), then no row occurs twice, and the
// index
// is the only correct permutation.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "validator/formats/hep001/derive/index_elements.h"
#include "validator/formats/hep001/derive/kept_values.h"
#include "validator/parallel.h"

namespace hepcheck::hep001 {

template <class Codec>
class SortedCheck {
 public:
  using Key = typename Codec::Key;

  SortedCheck(const Codec& codec, const FoldContext& context, const Dataset& index,
              const KeptValues& values)
      : codec_(codec), context_(context), index_(index), values_(values),
        missing_(codec, context.column) {}

  // The first NROWS elements are the only correct permutation.
  bool is_right() const {
    const Runs runs(index_, context_.rows, context_.cuts);
    std::vector<Ends> ends(runs.count());
    std::atomic<bool> right = true;
    const std::function<void(std::uint64_t)> check = [&](std::uint64_t i) {
      if (!right) return;
      if (const auto found = run_in_order(runs[i]))
        ends[i] = *found;
      else
        right = false;
    };
    parallel_for(runs.count(), context_.jobs, check);
    for (std::uint64_t i = 1; right && i < ends.size(); ++i)
      right = place(ends[i - 1].last).before(place(ends[i].first));
    return right;
  }

 private:
  // The position of an element in the order.
  struct Place {
    int tail;  // 0 a value, 1 missing, 2 NaN
    Key key;
    std::uint64_t row;

    // Strict: rows break ties.
    bool before(const Place& other) const {
      if (tail != other.tail) return tail < other.tail;
      if (tail != 0) return row < other.row;
      // Equality of neighbours is unpredictable; numbers are compared without the branch.
      if constexpr (std::is_arithmetic_v<Key>)
        return (key < other.key) | ((key == other.key) & (row < other.row));
      else
        return key == other.key ? row < other.row : key < other.key;
    }
  };
  Place place(std::uint64_t row) const {
    const Key key = values_.key(codec_, row);
    return {is_nan_key<Codec>(key) ? 2 : missing_(key) ? 1 : 0, key, row};
  }

  // The rows that the first and the last element of a run of the index name.
  struct Ends {
    std::uint64_t first, last;
  };
  // Nothing if the run is not in order.
  std::optional<Ends> run_in_order(const Run& run) const {
    bool right = true;
    std::optional<Place> last;
    Ends ends{};
    const auto trouble =
        for_each_element_group(context_, index_, run, [&](std::span<const std::uint64_t> rows) {
          // Values are accessed in random order: the memory is prefetched, as many values ahead as
          // processors have outstanding reads for.
          constexpr std::size_t kAhead = 192;
          if (!std::ranges::all_of(rows, [&](std::uint64_t row) { return row < context_.rows; }))
            return right = false;
          for (std::size_t i = 0; i < std::min(kAhead, rows.size()); ++i)
            values_.template prefetch<Codec>(rows[i]);
          std::size_t i = 0;
          if (!last) {
            last = place(rows[i++]);
            ends.first = last->row;
          }
          Place before = *last;
          for (; i < rows.size(); ++i) {
            if (i + kAhead < rows.size()) values_.template prefetch<Codec>(rows[i + kAhead]);
            const Place next = place(rows[i]);
            right &= before.before(next);
            before = next;
          }
          last = before;
          return right;
        });
    if (trouble || !right || !last) return std::nullopt;
    ends.last = last->row;
    return ends;
  }

  Codec codec_;
  const FoldContext& context_;
  const Dataset& index_;
  const KeptValues& values_;
  Missing<Codec> missing_;
};

}  // namespace hepcheck::hep001
