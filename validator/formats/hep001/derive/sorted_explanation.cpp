#include "validator/formats/hep001/derive/sorted_explanation.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <format>
#include <mutex>
#include <numeric>

#include "validator/formats/hep001/derive/index_elements.h"
#include "validator/parallel.h"

namespace hepcheck::hep001 {

class SortedExplanation::Bitset {
 public:
  explicit Bitset(std::uint64_t bits) : words_((bits + 63) / 64) {}
  // Sets the bit; returns whether it was set before.
  bool test_and_set(std::uint64_t bit) {
    std::uint64_t& word = words_[bit >> 6];
    const std::uint64_t mask = std::uint64_t{1} << (bit & 63);
    const bool was = (word & mask) != 0;
    word |= mask;
    return was;
  }
  // The first clear bit; at least the size if there is none.
  std::uint64_t first_clear() const {
    const auto word = std::ranges::find_if(words_, [](std::uint64_t w) { return ~w != 0; });
    if (word == words_.end()) return 64 * words_.size();
    return 64 * static_cast<std::uint64_t>(word - words_.begin()) +
           static_cast<std::uint64_t>(std::countr_one(*word));
  }

 private:
  std::vector<std::uint64_t> words_;
};

void SortedExplanation::explain_tails() {
  const std::uint64_t nan_start = into_.rows - into_.nan_rows;
  into_.nan_tail_witness = wrong_tail(into_.nan_tail_length, into_.nan_rows, into_.rows, "NaN");
  into_.fill_tail_witness =
      wrong_tail(into_.fill_tail_length, into_.fill_rows, nan_start, "missing");
}

// A row that a reader which trusts the stored length of a tail, which ends before element `end`,
// loses or wrongly returns: the one where the longer of both tails begins.
std::string SortedExplanation::wrong_tail(std::optional<std::uint64_t> stored,
                                          std::uint64_t counted, std::uint64_t end,
                                          const char* what) {
  if (!stored || *stored == counted || into_.permutation.count > 0) return {};
  const std::uint64_t start[] = {end - std::min(end, std::max(*stored, counted))};
  const std::uint64_t one[] = {1};
  const std::string query = std::format("{} is {}: ", column_.name, what);
  if (start[0] == end) return "none: no row can be in the tail";
  const auto element = context_.values.read(index_, start, one);
  if (interleaved_ || !element) return query + "rows are lost or wrongly returned";
  const std::uint64_t row = index_element(index_.type, *element);
  return query +
         std::format("row {} is {}", row, *stored < counted ? "lost" : "returned, and is not");
}

// Calls use(row) for the valid elements of the index, in order; stops when it returns false. False
// (and the obstacle is set) if the index cannot be read.
template <class Use>
bool SortedExplanation::for_each_element(std::uint64_t entries, bool skip_residue, Use use) {
  const auto trouble = for_each_element_group(
      context_, index_, {0, entries}, [&](std::span<const std::uint64_t> rows) {
        return std::ranges::all_of(rows, [&](std::uint64_t row) {
          return (skip_residue && row >= into_.rows) || use(row);
        });
      });
  return !trouble || refuse(*trouble);
}

bool SortedExplanation::refuse(const Error& error) {
  into_.obstacle = broken(error.text());
  return false;
}

bool SortedExplanation::first_elements_are_rows() {
  Bitset seen(into_.rows);
  bool all = true;
  for_each_element(into_.rows, false, [&](std::uint64_t row) {
    all = row < into_.rows && !seen.test_and_set(row);
    return all;
  });
  return all;
}

std::uint64_t SortedExplanation::entries() const {
  return interleaved_ ? index_.space.extent[0] : into_.rows;
}

// Residue beyond NROWS may follow the permutation or be interleaved with it. False if the index
// cannot be read.
bool SortedExplanation::find_residue() {
  interleaved_ = index_.space.extent[0] > into_.rows && !first_elements_are_rows();
  return !into_.obstacle;
}

void SortedExplanation::explain(const KeptValues& values) {
  if (!find_residue()) return;
  Bitset seen(into_.rows);
  std::uint64_t taken = 0;
  const bool read = for_each_element(entries(), interleaved_, [&](std::uint64_t row) {
    if (!admit(row, seen)) return true;
    ++taken;
    verify(row, values.stored(row));
    return true;
  });
  if (!read) return;
  complete(taken);
  judge_permutation(seen);
  attribute_infinities();
}

// If rows are listed twice or not at all, the order has no meaning any more.
void SortedExplanation::judge_permutation(const Bitset& seen) {
  if (into_.permutation.count == 0) return;
  if (const std::uint64_t row = seen.first_clear(); row < into_.rows)
    into_.permutation.witness =
        std::format("{}: row {} is not in the index, and lost", query_for(row), row);
  for (Difference* each : {&into_.order, &into_.ties, &into_.zero_ties, &into_.nan_placement,
                           &into_.fill_placement, &into_.nan_order, &into_.fill_order})
    *each = {};
  infinite_behind_nan_ = {};
}

// A query that finds a row; only the name if the row cannot be read.
std::string SortedExplanation::query_for(std::uint64_t row) const {
  std::string query = column_.name;
  for_each_block(context_.values.stream_rows(column_, row, 1), [&](const Block& block) {
    const StoredValue stored = stored_at(block, column_.type, 0);
    query += order_.is_missing(stored) ? " is missing"
             : order_.is_nan(stored)   ? " is NaN"
                                       : " == " + text(stored);
  });
  return query;
}

// The element names a row, for the first time.
bool SortedExplanation::admit(std::uint64_t row, Bitset& seen) {
  const std::uint64_t at = admitted_++;
  if (row < into_.rows && !seen.test_and_set(row)) return true;
  note(into_.permutation, at, [&] {
    return Difference{
        .stored = row < into_.rows       ? std::format("row {} a second time", row)
                  : row == kBeyond64Bits ? "a number of 64 bits or more, which is not a row"
                                         : std::format("{}, which is not a row", row),
        .computed = std::format("each of the {} rows once", into_.rows),
        .witness =
            row < into_.rows
                ? std::format("a search that finds it returns row {} twice", row)
                : std::format("a search that finds it returns row {}, which does not exist", row)};
  });
  return false;
}

void SortedExplanation::complete(std::uint64_t taken) {
  if (taken == into_.rows || into_.permutation.count > 0 || into_.obstacle) return;
  note(into_.permutation, taken, [&] {
    return Difference{.stored = std::format("{} rows", taken),
                      .computed = std::format("each of the {} rows once", into_.rows)};
  });
}

void SortedExplanation::explain_in_windows() {
  if (!find_residue()) return;
  Bitset seen(into_.rows);
  // A window holds row numbers, their order by run, and the values.
  const std::uint64_t text_bytes = column_.type.variable_string() ? 64 : 0;
  const std::uint64_t cost = 12 + KeptValues(column_.type).cost() + text_bytes;
  const std::uint64_t capacity =
      std::clamp<std::uint64_t>(context_.memory_limit / cost, context_.cuts.least_window, 1u << 31);
  std::vector<std::uint64_t> window;
  window.reserve(std::min(capacity, into_.rows));
  std::uint64_t taken = 0;
  bool good = true;
  const bool read = for_each_element(entries(), interleaved_, [&](std::uint64_t row) {
    if (!admit(row, seen)) return true;
    ++taken;
    if (into_.permutation.count > 0) return true;  // the order has no meaning any more
    window.push_back(row);
    if (window.size() < capacity) return true;
    good = verify_window(window);
    window.clear();
    return good;
  });
  if (!read || !good) return;
  complete(taken);
  if (into_.permutation.count == 0 && !window.empty()) verify_window(window);
  judge_permutation(seen);
  attribute_infinities();
}

// One pass over the column collects the values of the window's rows.
bool SortedExplanation::verify_window(const std::vector<std::uint64_t>& window) {
  const Runs runs(column_, into_.rows, context_.cuts);
  // The window's slots by the run that contains their rows; those of run r end at ends[r].
  std::vector<std::uint32_t> ends(runs.count() + 1), slots(window.size());
  for (const std::uint64_t row : window) ++ends[runs.holding(row) + 1];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  for (std::uint32_t slot = 0; slot < window.size(); ++slot)
    slots[ends[runs.holding(window[slot])]++] = slot;

  KeptValues gathered(column_.type);
  gathered.make_room(window.size());
  std::mutex mutex;
  std::optional<Error> trouble;
  if (context_.progress) context_.progress->expect(into_.rows * column_.type.size);
  parallel_for(runs.count(), context_.jobs, [&](std::uint64_t r) {
    const std::uint32_t begin = r == 0 ? 0 : ends[r - 1];
    const auto wanted = std::span(slots).subspan(begin, ends[r] - begin);
    const auto error = wanted.empty() ? std::nullopt : gather(runs[r], wanted, window, gathered);
    if (context_.progress) context_.progress->advance(runs[r].rows * column_.type.size);
    if (!error) return;
    const std::lock_guard lock(mutex);
    trouble = *error;
  });
  if (trouble) return refuse(*trouble);
  for (std::size_t slot = 0; slot < window.size(); ++slot)
    verify(window[slot], gathered.stored(slot));
  return true;
}

std::optional<Error> SortedExplanation::gather(const Run& run, std::span<const std::uint32_t> slots,
                                               const std::vector<std::uint64_t>& window,
                                               KeptValues& into) const {
  return for_each_block(
      context_.values.stream_rows(column_, run.first, run.rows), [&](const Block& block) {
        for (const std::uint32_t slot : slots)
          if (const std::uint64_t at = window[slot] - block.first_row; at < block.rows)
            into.set(slot, block, at, 1);
      });
}

// The next element of the index: its row and the row's value.
void SortedExplanation::verify(std::uint64_t row, StoredValue stored) {
  const std::uint64_t at = position_++;
  const std::uint64_t nan_start = into_.rows - into_.nan_rows;
  const std::uint64_t fill_start = nan_start - into_.fill_rows;
  if (order_.is_nan(stored)) {
    if (at < nan_start)
      note(into_.nan_placement, at, [&] {
        return Difference{
            .stored = std::format("row {} with NaN", row),
            .computed = std::format("such rows in elements [{}, {})", nan_start, into_.rows),
            .witness = at < fill_start ? returned_by_ranges(row, "NaN")
                                       : std::format("{0} is missing: row {1} is returned, which "
                                                     "is NaN",
                                                     column_.name, row)};
      });
    in_row_order(last_nan_, into_.nan_order, at, row, "NaN rows");
    ++nans_passed_;
    after_nan_ = true;
  } else if (order_.is_missing(stored)) {
    // With NaN rows before all values (sorted-nan-tail-last), the fill tail is shifted and correct
    // in itself; not so directly after NaN rows.
    const bool shifted = at - nans_passed_ >= fill_start && !after_nan_;
    if (at < fill_start || (at >= nan_start && !shifted))
      note(into_.fill_placement, at, [&] {
        return Difference{
            .stored = std::format("row {} with the fill value", row),
            .computed = std::format("such rows in elements [{}, {})", fill_start, nan_start),
            .witness = at < fill_start
                           ? returned_by_ranges(row, "missing")
                           : std::format("{} is missing: row {} is lost", column_.name, row)};
      });
    in_row_order(last_fill_, into_.fill_order, at, row, "missing rows");
  } else {
    look_behind_nan(at, row, stored);
    after_nan_ = false;
    compare_with_last(at, row, stored);
  }
}

std::string SortedExplanation::returned_by_ranges(std::uint64_t row, const char* what) const {
  return std::format(
      "a range of {0} over all values takes the elements before the tails, and returns row {1}, "
      "which is {2}",
      column_.name, row, what);
}

// Values after a NaN row. If all of them are infinite, infinities were treated as NaN.
void SortedExplanation::look_behind_nan(std::uint64_t at, std::uint64_t row, StoredValue stored) {
  if (nans_passed_ == 0) return;
  if (!std::isinf(float_value(column_.type, stored))) {
    finite_behind_nan_ = true;
    return;
  }
  note(infinite_behind_nan_, at, [&] {
    return Difference{
        .stored = std::format("row {} ({}) after NaN rows", row, text(stored)),
        .computed = "infinities in numerical order with the other values",
        .witness = std::format("{0} == {1}: row {2} is lost, which is among the NaN rows",
                               column_.name, text(stored), row)};
  });
}

// Infinities in the NaN tail are a defect of the order; they alone shift the tails.
void SortedExplanation::attribute_infinities() {
  if (infinite_behind_nan_.count == 0 || finite_behind_nan_ || into_.order.count > 0) return;
  into_.order = infinite_behind_nan_;
  into_.nan_placement = into_.fill_placement = {};
}

void SortedExplanation::in_row_order(std::optional<std::uint64_t>& last, Difference& into,
                                     std::uint64_t at, std::uint64_t row, const char* what) {
  if (last && *last > row)
    note(into, at, [&] {
      return Difference{.stored = std::format("row {} after row {}", row, *last),
                        .computed = std::string(what) + " in increasing row order",
                        .witness = "none: no query depends on the order of these rows"};
    });
  last = row;
}

void SortedExplanation::compare_with_last(std::uint64_t at, std::uint64_t row, StoredValue stored) {
  if (last_row_) {
    const std::partial_ordering order = order_.compare(stored, last_stored_);
    if (order < 0) {
      note(into_.order, at, [&] {
        return Difference{.stored = std::format("row {} ({}) after row {} ({})", row, text(stored),
                                                *last_row_, text(last_stored_)),
                          .computed = "values in increasing order",
                          .witness = std::format(
                              "{0} <= {1}: the rows are taken from the front of the index, "
                              "which loses row {2} or wrongly returns row {3} ({4})",
                              column_.name, text(stored), row, *last_row_, text(last_stored_))};
      });
    } else if (order == 0 && row < *last_row_) {
      // -0 before +0 is their order by sign; the reverse is an ordinary tie.
      const bool zeros = is_negative_zero(last_stored_) && !is_negative_zero(stored);
      note(zeros ? into_.zero_ties : into_.ties, at, [&] {
        return Difference{
            .stored = std::format("row {} after row {}, both {}", row, *last_row_, text(stored)),
            .computed = "equal values by increasing row",
            .witness = "none: the same rows are found, in another order"};
      });
    }
    if (column_.type.fixed_string() && std::ranges::lexicographical_compare(stored, last_stored_))
      padding_explains_ = false;
  }
  last_row_ = row;
  last_stored_.assign(stored.begin(), stored.end());
  into_.order_by_padding = column_.type.fixed_string() && padding_explains_;
}

bool SortedExplanation::is_negative_zero(StoredValue stored) const {
  if (!column_.type.is(TypeClass::kFloat)) return false;
  const double value = float_value(column_.type, stored);
  return value == 0 && std::signbit(value);
}

}  // namespace hepcheck::hep001
