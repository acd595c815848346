#include "fuzz/hep001/grammar/judge.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

namespace hepcheck::hep001::grammar {

namespace {

// Clauses about the contents of indexes.
bool about_contents(std::string_view id) {
  for (const char* prefix : {"minmax-", "sorted-", "bitmap-", "bloom-"})
    if (id.starts_with(prefix)) return true;
  return false;
}

bool about_values(std::string_view id) {
  for (const char* each :
       {"data-within-valid-range", "code-in-range", "sentinel-in-domain-declare-range",
        "enum-missing-member", "boolean-widen", "boolean-column-value", "boolean-column-no-fill"})
    if (id == each) return true;
  return false;
}

bool about_lists(std::string_view id) {
  return id.starts_with("list-") || id.starts_with("string-chars-") ||
         id == "string-values-only-members";
}

bool is_about(About about, std::string_view id) {
  switch (about) {
    case About::kContents: return about_contents(id);
    case About::kValues: return about_values(id);
    case About::kLists: return about_lists(id);
  }
  return false;
}

const TableJudge& judge_of(About about, const Specification& spec) {
  static std::map<std::pair<About, const Specification*>, TableJudge> judges;
  const auto key = std::pair(about, &spec);
  if (const auto made = judges.find(key); made != judges.end()) return made->second;
  ExamineOptions options{.jobs = 1};
  for (const Clause& clause : spec.clauses)
    if (is_about(about, clause.id)) options.only.emplace(clause.id);
  return judges.try_emplace(key, spec, std::move(options)).first->second;
}

// The order clauses of the datatype families share one name here, and so do their ties.
std::string simplified(std::string_view id) {
  if (id.starts_with("sorted-string-") ||
      (id.starts_with("sorted-") && id.ends_with("-order") && !id.contains("tail")))
    return "sorted-order";
  if (id == "sorted-negative-zero") return "sorted-ties";
  if (id == "minmax-nan-count-zero-non-float") return "minmax-nan-count-value";
  return std::string(id);
}

// The number in "chunk 7"; 0 if there is none.
std::uint64_t position_of(std::string_view where) {
  std::uint64_t position = 0;
  const std::string_view digits = where.substr(where.rfind(' ') + 1);
  std::from_chars(digits.data(), digits.data() + digits.size(), position);
  return position;
}

void add(Complaints& into, const std::string& id, std::uint64_t first, std::uint64_t count) {
  Place& place = into[id];
  if (place.count == 0 || first < place.first) place.first = first;
  place.count += count;
}

using Row = std::vector<std::byte>;

bool test(const Row& bits, std::uint64_t at) {
  return (bits[at / 8] >> (at % 8) & std::byte{1}) != std::byte{0};
}
void set(Row& bits, std::uint64_t at) { bits[at / 8] |= std::byte{1} << (at % 8); }

bool within(const Row& small, const Row& large) {
  for (std::size_t i = 0; i < small.size(); ++i)
    if ((small[i] & ~large[i]) != std::byte{0}) return false;
  return true;
}
Row both(Row one, const Row& other) {
  for (std::size_t i = 0; i < one.size(); ++i) one[i] |= other[i];
  return one;
}

// The bits of one chunk's values and of its NaNs, under one interpretation of the sums.
struct ChunkBits {
  Row values, nans;
  bool has_nan = false;

  bool nan_set_in(const Row& filter) const { return within(nans, filter) && !within(nans, values); }
};

// The bytes hashed by a producer that does not exclude NaN.
std::vector<std::byte> nan_bytes(const RandomColumn& column, const std::vector<std::byte>& rows,
                                 std::uint64_t row) {
  const auto at = rows.begin() + static_cast<std::ptrdiff_t>(row * column.type.size);
  std::vector<std::byte> bytes(at, at + static_cast<std::ptrdiff_t>(column.type.size));
  if (column.type.order == ByteOrder::kBig) std::ranges::reverse(bytes);
  return bytes;
}

ChunkBits chunk_bits(const RandomColumn& column, const Filter& filter,
                     const std::vector<std::byte>& rows, std::uint64_t chunk, bool wrapped) {
  ChunkBits bits{.values = Row(filter.m_bits / 8), .nans = Row(filter.m_bits / 8)};
  const std::uint64_t first = chunk * column.chunk_rows();
  for (std::uint64_t row = first; row < std::min(column.nrows, first + column.chunk_rows());
       ++row) {
    if (is_nan(column.rows[row])) {
      bits.has_nan = true;
      for (const auto g : bloom_bits(nan_bytes(column, rows, row), filter, wrapped))
        set(bits.nans, g);
    } else if (!column.missing(row)) {
      for (const auto g : bloom_bits(column.type, column.rows[row], filter, wrapped))
        set(bits.values, g);
    }
  }
  return bits;
}

// The rows of a chunk whose value the filter excludes.
void find_lost(const RandomColumn& column, const Filter& filter, const Row& stored,
               std::uint64_t chunk, bool& wrapped_fits, std::vector<std::uint64_t>& lost) {
  const std::uint64_t first = chunk * column.chunk_rows();
  for (std::uint64_t row = first; row < std::min(column.nrows, first + column.chunk_rows());
       ++row) {
    if (!column.plain(row)) continue;
    const auto is_set = [&](std::uint64_t g) { return test(stored, g); };
    if (!std::ranges::all_of(bloom_bits(column.type, column.rows[row], filter), is_set))
      lost.push_back(row);
    wrapped_fits =
        wrapped_fits &&
        std::ranges::all_of(bloom_bits(column.type, column.rows[row], filter, true), is_set);
  }
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Place& place) {
  return out << place.count << " from " << place.first << " on";
}

Complaints summary(const Wrong& wrong) {
  Complaints all;
  for (const auto& [id, positions] : wrong)
    for (const std::uint64_t position : positions) add(all, id, position, 1);
  return all;
}

std::vector<std::uint64_t> Cut::boundaries() const {
  return {block_rows, cuts.run_rows, cuts.least_window};
}

std::ostream& operator<<(std::ostream& out, const Cut& cut) {
  return out << "runs of " << cut.cuts.run_rows << " rows, " << cut.cuts.run_bytes << " bytes, "
             << cut.cuts.run_chunks << " chunks; windows of " << cut.cuts.least_window << "; "
             << cut.cuts.bitmap_bits << " bits; " << cut.jobs << " threads; memory "
             << cut.memory_limit << "; blocks of " << cut.block_rows
             << (cut.blocks_are_chunks ? " or chunks" : "");
}

Cut random_cut(Choices& choices) {
  constexpr std::uint64_t kRuns[] = {1 << 17, 8, 7, 64, 255, 256, 257, 100};
  constexpr std::uint64_t kWindows[] = {1024, 1, 2, 16, 255, 256, 257};
  constexpr std::uint64_t kBits[] = {1 << 25, 1, 64, 200, 1000};
  constexpr std::uint64_t kMemory[] = {1 << 30, 1, 64, 1000, 4000};
  constexpr std::uint64_t kBlocks[] = {4, 1, 7, 64, 255, 256, 257, 512, 1000};
  Cut cut;
  cut.cuts.run_rows = choices.of(kRuns);
  if (choices.one_in(4)) cut.cuts.run_chunks = 1 + choices.below(3);
  if (choices.one_in(4)) cut.cuts.run_bytes = 1 + choices.below(2000);
  cut.cuts.least_window = choices.of(kWindows);
  cut.cuts.bitmap_bits = choices.of(kBits);
  cut.jobs = 1 + static_cast<unsigned>(choices.below(3));
  cut.memory_limit = choices.of(kMemory);
  cut.block_rows = choices.of(kBlocks);
  cut.blocks_are_chunks = !choices.maybe();
  return cut;
}

const Specification& oldest() { return *find_specification(all_revisions().front().spec); }
const Specification& newest() { return *find_specification(all_revisions().back().spec); }

SubjectReport report_of(TestTable& table, const Cut& cut, About about, const Specification& spec) {
  table.values.block_rows = cut.block_rows;
  table.values.blocks_are_chunks = cut.blocks_are_chunks;
  const Table& finished = table.finish(spec);
  return judge_of(about, spec)
      .judge(finished,
             collect_facts(finished, table.values,
                           {.memory_limit = cut.memory_limit, .jobs = cut.jobs, .cuts = cut.cuts}));
}

Complaints complaints(const SubjectReport& report, About about) {
  Complaints all;
  for (const ClauseResult& result : report.clauses) {
    if (!is_about(about, result.clause->id)) continue;
    const std::string severity = result.severity == Severity::kError
                                     ? ""
                                     : " (" + std::string(to_string(result.severity)) + ")";
    for (const Finding& finding : result.findings)
      add(all, simplified(result.clause->id) + severity, position_of(finding.where),
          1 + finding.more);
    if (result.verdict == Verdict::kNotChecked && result.clause->file_checkable())
      add(all, std::string(result.clause->id) + " not checked: " + result.reason, 0, 1);
  }
  for (const std::string& note : report.notes)
    if (note.contains("have bits set that no value"))
      add(all, "superset", 0, position_of(note.substr(0, note.find(" of "))));
  return all;
}

Complaints complaints(TestTable& table, const Cut& cut, About about, const Specification& spec) {
  return complaints(report_of(table, cut, about, spec), about);
}

Wrong wrong_minmax(const RandomColumn& column, const std::vector<ExpectedChunk>& stored,
                   const Value& place) {
  Wrong wrong;
  const std::vector<ExpectedChunk> wanted = expected_minmax(column);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const ExpectedChunk &is = stored[i], &should = wanted[i];
    const auto blame = [&](const std::string& id) { wrong[id].push_back(i); };
    if (is.nan_count != should.nan_count) blame("minmax-nan-count-value");
    if (is.fill_count != should.fill_count) blame("minmax-fill-count-value");
    if (is.n != should.n)
      blame(i + 1 == wanted.size() ? "minmax-n-last-chunk" : "minmax-n-full-chunk");
    const Value min = is.min.value_or(place), max = is.max.value_or(place);
    if (!should.min) {
      if (column.fill && !column.missing(min)) blame("minmax-all-missing-min-fill");
      if (column.fill && !column.missing(max)) blame("minmax-all-missing-max-fill");
      continue;
    }
    // Both fields together are one place.
    if (is_nan(min) || is_nan(max)) blame("minmax-nan-excluded");
    const auto is_fill = [&](const Value& v) { return !is_nan(v) && column.missing(v); };
    if (is_fill(min) || is_fill(max)) blame("minmax-fill-excluded");
    const auto off = [&](const Value& is_there, const Value& right) {
      return !is_nan(is_there) && !is_fill(is_there) && !equal(is_there, right);
    };
    if (off(min, *should.min)) blame("minmax-min-value");
    if (off(max, *should.max)) blame("minmax-max-value");
  }
  return wrong;
}

Wrong wrong_order(const RandomColumn& column, const ExpectedOrder& stored) {
  Wrong wrong;
  const ExpectedOrder wanted = expected_order(column);
  if (column.nrows == 0) return wrong;
  if (stored.nan_tail != wanted.nan_tail) wrong["sorted-nan-tail-length-value"] = {0};
  if (stored.fill_tail != wanted.fill_tail) wrong["sorted-fill-tail-length-value"] = {0};

  const auto is_permutation = [&](const std::vector<std::uint64_t>& rows) {
    auto sorted = rows;
    std::ranges::sort(sorted);
    return std::ranges::equal(sorted, [&] {
      std::vector<std::uint64_t> all(column.nrows);
      for (std::uint64_t row = 0; row < column.nrows; ++row) all[row] = row;
      return all;
    }());
  };
  std::vector<std::uint64_t> elements(
      stored.rows.begin(), stored.rows.begin() + static_cast<std::ptrdiff_t>(column.nrows));
  // Residue may follow the permutation, or be interleaved with it.
  if (stored.rows.size() > column.nrows && !is_permutation(elements)) {
    elements = stored.rows;
    std::erase_if(elements, [&](std::uint64_t row) { return row >= column.nrows; });
  }
  if (!is_permutation(elements)) {
    std::vector<bool> seen(column.nrows);
    for (std::uint64_t at = 0; at < elements.size(); ++at) {
      const std::uint64_t row = elements[at];
      if (row >= column.nrows || seen[row])
        wrong["sorted-permutation"].push_back(at);
      else
        seen[row] = true;
    }
    // Some are not listed, and nothing else is wrong.
    if (!wrong.contains("sorted-permutation")) wrong["sorted-permutation"] = {elements.size()};
    return wrong;
  }

  const std::uint64_t nan_start = column.nrows - wanted.nan_tail;
  const std::uint64_t fill_start = nan_start - wanted.fill_tail;
  std::optional<std::uint64_t> last, last_nan, last_fill;
  std::uint64_t nans = 0;
  bool after_nan = false, finite_behind_nan = false;
  std::vector<std::uint64_t> infinite_behind_nan;
  for (std::uint64_t at = 0; at < column.nrows; ++at) {
    const std::uint64_t row = elements[at];
    const Value& value = column.rows[row];
    const auto blame = [&](const char* id) { wrong[id].push_back(at); };
    if (is_nan(value)) {
      if (at < nan_start) blame("sorted-nan-tail-last");
      if (last_nan > row) blame("sorted-nan-tail-order");
      last_nan = row;
      ++nans;
      after_nan = true;
    } else if (column.missing(row)) {
      // NaN rows before all values shift the fill tail, which is correct in itself.
      const bool shifted = at - nans >= fill_start && !after_nan;
      if (at < fill_start || (at >= nan_start && !shifted)) blame("sorted-fill-tail-placement");
      if (last_fill > row) blame("sorted-fill-tail-order");
      last_fill = row;
    } else {
      const auto* number = std::get_if<double>(&value);
      if (nans > 0 && number && std::isinf(*number))
        infinite_behind_nan.push_back(at);
      else if (nans > 0)
        finite_behind_nan = true;
      after_nan = false;
      if (last && less(value, column.rows[*last])) blame("sorted-order");
      if (last && equal(value, column.rows[*last]) && row < *last) blame("sorted-ties");
      last = row;
    }
  }
  // Infinities treated as NaN are a defect of the order; they alone shift the tails.
  if (!infinite_behind_nan.empty() && !finite_behind_nan && !wrong.contains("sorted-order")) {
    wrong["sorted-order"] = infinite_behind_nan;
    wrong.erase("sorted-nan-tail-last");
    wrong.erase("sorted-fill-tail-placement");
  }
  // One defect each: rows that are out of place have no order among themselves.
  if (wrong.contains("sorted-order")) wrong.erase("sorted-ties");
  if (wrong.contains("sorted-nan-tail-last")) wrong.erase("sorted-nan-tail-order");
  if (wrong.contains("sorted-fill-tail-placement")) wrong.erase("sorted-fill-tail-order");
  return wrong;
}

WrongBits wrong_bit_rows(const RandomColumn& column, const std::vector<Value>& values,
                         const std::vector<std::byte>& stored) {
  WrongBits wrong;
  const std::uint64_t row_bits = values.empty() ? 0 : 8 * (stored.size() / values.size());
  for (std::uint64_t row = 0; row < column.nrows; ++row) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (is_nan(column.rows[row]) && is_nan(values[k])) continue;  // open
      const bool should = equal(column.rows[row], values[k]);
      if (test(stored, k * row_bits + row) != should)
        (should ? wrong.clear : wrong.set).push_back(row);
    }
  }
  return wrong;
}

Wrong wrong_bits(const RandomColumn& column, const std::vector<Value>& values,
                 const std::vector<std::byte>& stored) {
  Wrong wrong;
  if (column.nrows == 0) return wrong;  // no query concerns an index over no rows
  for (std::size_t k = 0; k < values.size(); ++k)
    if (std::ranges::any_of(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(k),
                            [&](const Value& before) { return equal(before, values[k]); }))
      wrong["bitmap-values-distinct"].push_back(k);
  const WrongBits rows = wrong_bit_rows(column, values, stored);
  if (rows.clear.empty() && rows.set.empty()) return wrong;

  std::vector<std::byte> reversed = stored;
  for (std::byte& byte : reversed) {
    std::byte turned{};
    for (unsigned i = 0; i < 8; ++i) turned |= ((byte >> i) & std::byte{1}) << (7 - i);
    byte = turned;
  }
  const WrongBits if_reversed = wrong_bit_rows(column, values, reversed);
  if (if_reversed.clear.empty() && if_reversed.set.empty()) {
    // One defect, reported where a row is lost, if there is one.
    const auto& shown = rows.clear.empty() ? rows.set : rows.clear;
    wrong["bitmap-lsb-first"].assign(rows.clear.size() + rows.set.size(), shown.front());
    return wrong;
  }
  if (!rows.clear.empty()) wrong["bitmap-bit-set"] = rows.clear;
  if (!rows.set.empty()) wrong["bitmap-bit-clear"] = rows.set;
  return wrong;
}

Wrong wrong_filters(const RandomColumn& column, const Filter& filter,
                    const std::vector<std::byte>& stored, const std::vector<std::byte>& rows) {
  Wrong wrong;
  std::vector<std::uint64_t> lost, nan_chunks, supersets;
  bool wrapped_fits = !std::has_single_bit(filter.m_bits), certain = false;
  const std::uint64_t m_bytes = filter.m_bits / 8;
  for (std::uint64_t chunk = 0; chunk < column.chunks(); ++chunk) {
    const auto at = stored.begin() + static_cast<std::ptrdiff_t>(chunk * m_bytes);
    const Row bits(at, at + static_cast<std::ptrdiff_t>(m_bytes));
    find_lost(column, filter, bits, chunk, wrapped_fits, lost);
    bool explained = false, inserted = false, perhaps = false;
    for (const bool wrapped : {false, true}) {
      const ChunkBits due = chunk_bits(column, filter, rows, chunk, wrapped);
      const Row all = both(due.values, due.nans);
      explained |= within(bits, all);
      perhaps |= due.has_nan && due.nan_set_in(bits);
      inserted |= due.has_nan && due.nan_set_in(bits) && bits == all;
    }
    if (!explained) supersets.push_back(chunk);
    if (perhaps) nan_chunks.push_back(chunk);
    certain |= inserted;
  }
  if (!lost.empty() && wrapped_fits)
    wrong["bloom-membership (warning)"].assign(lost.size(), 0);  // its first row is not named
  else if (!lost.empty())
    wrong["bloom-membership"] = lost;
  if (!nan_chunks.empty())
    wrong[certain ? "bloom-nan-not-inserted" : "bloom-nan-not-inserted (warning)"] = nan_chunks;
  if (!supersets.empty()) wrong["superset"].assign(supersets.size(), 0);
  return wrong;
}

void insert_nans(const RandomColumn& column, const Filter& filter,
                 const std::vector<std::byte>& rows, std::vector<std::byte>& filters) {
  for (std::uint64_t row = 0; row < column.nrows; ++row)
    if (is_nan(column.rows[row]))
      for (const auto g : bloom_bits(nan_bytes(column, rows, row), filter))
        set(filters, row / column.chunk_rows() * filter.m_bits + g);
}

std::vector<std::byte> stored_rows(TestTable& table) {
  const Dataset& column = table.dataset("c");
  if (column.type.variable_string()) return {};
  const std::uint64_t start[] = {0}, count[] = {column.space.extent[0]};
  return table.values.read(column, start, count).value();
}

Complaints without_blocked(Complaints complaints) {
  const bool permuted = complaints.contains("sorted-permutation");
  std::erase_if(complaints, [&](const auto& each) {
    return each.first.contains(permuted ? "not checked" : "not checked: the rows are out of place");
  });
  return complaints;
}

}  // namespace hepcheck::hep001::grammar
