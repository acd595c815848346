// Reports the defects of a SORTED_ROWS index, element by element.
//
// It needs no codec: the values are compared in stored form (order.h), which is slower but compiled
// once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "validator/formats/hep001/derive/fold.h"
#include "validator/formats/hep001/derive/kept_values.h"
#include "validator/formats/hep001/derive/order.h"

namespace hepcheck::hep001 {

class SortedExplanation {
 public:
  // `into` has the numbers of rows and the stored lengths of the tails. All arguments must outlive
  // this object.
  SortedExplanation(const FoldContext& context, const Dataset& index, SortedFacts& into)
      : context_(context), column_(context.column), index_(index), into_(into), order_(column_) {}

  // With the values of all rows in memory.
  void explain(const KeptValues& values);
  // Within the memory limit: the index is processed in windows, and for each window a pass over the
  // column collects the values of its rows.
  void explain_in_windows();
  // The witnesses of wrong lengths of the tails, also for an index that is otherwise correct.
  void explain_tails();

 private:
  class Bitset;

  bool find_residue();
  template <class Use>
  bool for_each_element(std::uint64_t entries, bool skip_residue, Use use);
  bool refuse(const Error& error);
  bool first_elements_are_rows();
  std::uint64_t entries() const;
  void judge_permutation(const Bitset& seen);
  std::string query_for(std::uint64_t row) const;
  bool admit(std::uint64_t row, Bitset& seen);
  void complete(std::uint64_t taken);
  bool verify_window(const std::vector<std::uint64_t>& window);
  std::optional<Error> gather(const Run& run, std::span<const std::uint32_t> slots,
                              const std::vector<std::uint64_t>& window, KeptValues& into) const;
  void verify(std::uint64_t row, StoredValue stored);
  std::string returned_by_ranges(std::uint64_t row, const char* what) const;
  void look_behind_nan(std::uint64_t at, std::uint64_t row, StoredValue stored);
  void attribute_infinities();
  void in_row_order(std::optional<std::uint64_t>& last, Difference& into, std::uint64_t at,
                    std::uint64_t row, const char* what);
  void compare_with_last(std::uint64_t at, std::uint64_t row, StoredValue stored);
  bool is_negative_zero(StoredValue stored) const;
  std::string wrong_tail(std::optional<std::uint64_t> stored, std::uint64_t counted,
                         std::uint64_t end, const char* what);
  std::string text(StoredValue stored) const { return format_value(column_.type, stored); }

  const FoldContext& context_;
  const Dataset& column_;
  const Dataset& index_;
  SortedFacts& into_;
  ColumnOrder order_;
  bool interleaved_ = false, padding_explains_ = true;
  std::uint64_t position_ = 0, admitted_ = 0, nans_passed_ = 0;
  bool after_nan_ = false, finite_behind_nan_ = false;
  Difference infinite_behind_nan_{};
  std::optional<std::uint64_t> last_row_{}, last_nan_{}, last_fill_{};
  std::vector<std::byte> last_stored_{};
};

}  // namespace hepcheck::hep001
