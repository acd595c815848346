#include "fuzz/hep001/grammar/judge.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "validator/formats/hep001/derive/murmur3.h"

namespace hepcheck::hep001::grammar {

namespace {

// Clauses about the contents of indexes.
bool about_contents(std::string_view id) {
  for (const char* prefix : {"minmax-", "sorted-", "bitmap-", "bloom-"})
    if (id.starts_with(prefix)) return true;
  return false;
}

// The orders of the datatype families go by one name here, and so do their ties.
std::string simplified(std::string_view id) {
  if (id.starts_with("sorted-string-") ||
      (id.starts_with("sorted-") && id.ends_with("-order") && !id.contains("tail")))
    return "sorted-order";
  if (id == "sorted-negative-zero") return "sorted-ties";
  if (id == "minmax-nan-count-zero-non-float") return "minmax-nan-count-value";
  return std::string(id);
}

}  // namespace

const ExamineOptions& content_options() {
  static const ExamineOptions made = [] {
    ExamineOptions o{.jobs = 1};
    for (const Clause& clause : default_revision("hep001").clauses)
      if (about_contents(clause.id)) o.only.emplace(clause.id);
    return o;
  }();
  return made;
}

Ids complaints(TestTable& table) {
  Ids ids;
  for (const ClauseResult& result :
       examine(table.finish(), table.values, default_revision("hep001"), content_options())
           .clauses) {
    if (!about_contents(result.clause->id)) continue;
    if (result.verdict == Verdict::kFail)
      ids.insert(simplified(result.clause->id) +
                 (result.severity == Severity::kError ? "" : " (warning)"));
    if (result.verdict == Verdict::kNotChecked && result.clause->file_checkable())
      ids.insert(std::string(result.clause->id) + " not checked: " + result.reason);
  }
  return ids;
}

Ids wrong_minmax(const RandomColumn& column, const std::vector<ExpectedChunk>& stored,
                 const Value& place) {
  Ids ids;
  const std::vector<ExpectedChunk> wanted = expected_minmax(column);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const ExpectedChunk &is = stored[i], &should = wanted[i];
    if (is.nan_count != should.nan_count) ids.insert("minmax-nan-count-value");
    if (is.fill_count != should.fill_count) ids.insert("minmax-fill-count-value");
    if (is.n != should.n)
      ids.insert(i + 1 == wanted.size() ? "minmax-n-last-chunk" : "minmax-n-full-chunk");
    const auto extreme = [&](const std::optional<Value>& held, const std::optional<Value>& right,
                             const std::string& name) {
      const Value value = held.value_or(place);
      if (!right) {
        if (column.fill && !column.missing(value))
          ids.insert("minmax-all-missing-" + name + "-fill");
      } else if (is_nan(value)) {
        ids.insert("minmax-nan-excluded");
      } else if (column.missing(value)) {
        ids.insert("minmax-fill-excluded");
      } else if (!equal(value, *right)) {
        ids.insert("minmax-" + name + "-value");
      }
    };
    extreme(is.min, should.min, "min");
    extreme(is.max, should.max, "max");
  }
  return ids;
}

Ids wrong_order(const RandomColumn& column, const ExpectedOrder& stored) {
  Ids ids;
  const ExpectedOrder wanted = expected_order(column);
  if (column.nrows == 0) return ids;
  if (stored.nan_tail != wanted.nan_tail) ids.insert("sorted-nan-tail-length-value");
  if (stored.fill_tail != wanted.fill_tail) ids.insert("sorted-fill-tail-length-value");
  auto sorted = stored.rows;
  std::ranges::sort(sorted);
  for (std::uint64_t row = 0; row < column.nrows; ++row)
    if (sorted[row] != row) {
      ids.insert("sorted-permutation");
      return ids;
    }
  const std::uint64_t nan_start = column.nrows - wanted.nan_tail;
  const std::uint64_t fill_start = nan_start - wanted.fill_tail;
  std::optional<std::uint64_t> last, last_nan, last_fill;
  std::uint64_t nans = 0;
  bool after_nan = false, infinite_behind_nan = false, finite_behind_nan = false;
  for (std::uint64_t at = 0; at < column.nrows; ++at) {
    const std::uint64_t row = stored.rows[at];
    const Value& value = column.rows[row];
    if (is_nan(value)) {
      if (at < nan_start) ids.insert("sorted-nan-tail-last");
      if (last_nan > row) ids.insert("sorted-nan-tail-order");
      last_nan = row;
      ++nans;
      after_nan = true;
    } else if (column.missing(row)) {
      // NaN rows in front of all values shift the fill tail, which is right for itself.
      const bool shifted = at - nans >= fill_start && !after_nan;
      if (at < fill_start || (at >= nan_start && !shifted))
        ids.insert("sorted-fill-tail-placement");
      if (last_fill > row) ids.insert("sorted-fill-tail-order");
      last_fill = row;
    } else {
      const auto* number = std::get_if<double>(&value);
      if (nans > 0)
        (number && std::isinf(*number) ? infinite_behind_nan : finite_behind_nan) = true;
      after_nan = false;
      if (last && less(value, column.rows[*last])) ids.insert("sorted-order");
      if (last && equal(value, column.rows[*last]) && row < *last) ids.insert("sorted-ties");
      last = row;
    }
  }
  // Infinities taken for NaN are a defect of the order; the tails are shifted by them alone.
  if (infinite_behind_nan && !finite_behind_nan && !ids.contains("sorted-order")) {
    ids.insert("sorted-order");
    ids.erase("sorted-nan-tail-last");
    ids.erase("sorted-fill-tail-placement");
  }
  // One defect each: rows that are out of place have no order among themselves.
  if (ids.contains("sorted-order")) ids.erase("sorted-ties");
  if (ids.contains("sorted-nan-tail-last")) ids.erase("sorted-nan-tail-order");
  if (ids.contains("sorted-fill-tail-placement")) ids.erase("sorted-fill-tail-order");
  return ids;
}

Ids wrong_bits(const RandomColumn& column, const std::vector<Value>& values,
               const std::vector<std::byte>& stored) {
  const std::uint64_t row_bytes = (column.nrows + 7) / 8;
  const auto is_set = [&](std::size_t k, std::uint64_t bit) {
    return (stored[k * row_bytes + bit / 8] >> (bit % 8) & std::byte{1}) != std::byte{0};
  };
  Ids ids;
  bool reversed = true;
  for (std::size_t k = 0; k < values.size(); ++k)
    for (std::uint64_t row = 0; row < column.nrows; ++row) {
      if (is_nan(column.rows[row]) && is_nan(values[k])) continue;  // open
      const bool should = equal(column.rows[row], values[k]);
      if (is_set(k, row) != should) ids.insert(should ? "bitmap-bit-set" : "bitmap-bit-clear");
      if (is_set(k, row / 8 * 8 + 7 - row % 8) != should) reversed = false;
    }
  return !ids.empty() && reversed ? Ids{"bitmap-lsb-first"} : ids;
}

Ids lost_values(const RandomColumn& column, const Filter& filter,
                const std::vector<std::byte>& stored) {
  bool exact = true, wrapped = true;
  for (std::uint64_t row = 0; row < column.nrows; ++row) {
    if (!column.plain(row)) continue;
    const auto is_set = [&](std::uint64_t bit) {
      const std::uint64_t at = row / column.chunk_rows() * filter.m_bits + bit;
      return (stored[at / 8] >> (at % 8) & std::byte{1}) != std::byte{0};
    };
    for (const std::uint64_t bit : bloom_bits(column.type, column.rows[row], filter))
      exact = exact && is_set(bit);
    const auto bytes = canonical(column.type, column.rows[row]);
    const Hash128 hash = murmur3_x64_128(bytes.data(), bytes.size(), filter.seed);
    for (std::uint32_t i = 0; i < filter.k; ++i)
      wrapped = wrapped && is_set((hash.a + i * hash.b) % filter.m_bits);
  }
  if (exact) return {};
  return {wrapped ? "bloom-membership (warning)" : "bloom-membership"};
}

Ids without_blocked(Ids ids) {
  const bool permuted = ids.contains("sorted-permutation");
  std::erase_if(ids, [&](const std::string& id) {
    return id.contains(permuted ? "not checked" : "not checked: the rows are out of place");
  });
  return ids;
}

Ids without_nan_guess(Ids ids) {
  std::erase_if(ids,
                [](const std::string& id) { return id.starts_with("bloom-nan-not-inserted"); });
  return ids;
}

}  // namespace hepcheck::hep001::grammar
