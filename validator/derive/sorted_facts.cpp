// SORTED_ROWS against its column (10.5).
//
// While the column passes by, its rows are kept as stored if they fit into the memory limit;
// the index is then streamed once and each element's row looked up. A larger column is
// verified out of core: the index is taken in windows, and for each window one more pass over
// the column gathers the window's values. Either way a bitset of NROWS bits proves that the
// index is a permutation.
#include <algorithm>
#include <bit>
#include <cmath>
#include <format>
#include <numeric>

#include "validator/derive/codec.h"
#include "validator/derive/fold.h"
#include "validator/derive/order.h"

namespace hepcheck {

namespace {

class Bitset {
 public:
  explicit Bitset(std::uint64_t bits) : words_((bits + 63) / 64) {}
  // Sets the bit; tells whether it was set before.
  bool test_and_set(std::uint64_t bit) {
    std::uint64_t& word = words_[bit >> 6];
    const std::uint64_t mask = std::uint64_t{1} << (bit & 63);
    const bool was = (word & mask) != 0;
    word |= mask;
    return was;
  }
  // The first clear bit; at or beyond the size if there is none.
  std::uint64_t first_clear() const {
    const auto word = std::ranges::find_if(words_, [](std::uint64_t w) { return ~w != 0; });
    if (word == words_.end()) return 64 * words_.size();
    return 64 * static_cast<std::uint64_t>(word - words_.begin()) +
           static_cast<std::uint64_t>(std::countr_one(*word));
  }

 private:
  std::vector<std::uint64_t> words_;
};

// Rows by number, as stored: a slab of fixed-size elements or of strings.
template <class Codec>
class Rows {
 public:
  using Key = typename Codec::Key;
  static constexpr bool kStrings = std::is_same_v<Codec, VariableStringCodec>;

  explicit Rows(std::size_t element_bytes) : element_bytes_(element_bytes) {}

  void reserve(std::uint64_t rows) {
    if constexpr (!kStrings) bytes_.reserve(rows * element_bytes_);
  }
  void append(const Block& block, std::uint64_t from, std::uint64_t count) {
    if constexpr (kStrings) {
      for (std::uint64_t i = from; i < from + count; ++i) {
        text_ += block.strings[i];
        ends_.push_back(text_.size());
      }
    } else {
      const auto run = block.bytes.subspan(from * element_bytes_, count * element_bytes_);
      bytes_.insert(bytes_.end(), run.begin(), run.end());
    }
  }
  std::uint64_t bytes() const { return bytes_.size() + text_.size() + 8 * ends_.size(); }
  void clear() {
    bytes_ = {};
    text_ = {};
    ends_ = {};
  }
  std::span<const std::byte> stored(std::uint64_t i) const {
    if constexpr (kStrings) {
      const std::uint64_t start = i ? ends_[i - 1] : 0;
      return std::as_bytes(std::span(text_).subspan(start, ends_[i] - start));
    } else {
      return {bytes_.data() + i * element_bytes_, element_bytes_};
    }
  }
  Key key(const Codec& codec, std::uint64_t i) const {
    if constexpr (kStrings) {
      const auto bytes = stored(i);
      return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    } else {
      return codec.key(bytes_.data() + i * element_bytes_);
    }
  }
  void prefetch(std::uint64_t i) const {
    if constexpr (!kStrings) __builtin_prefetch(bytes_.data() + i * element_bytes_);
  }

 private:
  std::size_t element_bytes_;
  std::vector<std::byte> bytes_{};
  std::string text_{};
  std::vector<std::uint64_t> ends_{};
};

template <class Codec>
class SortedFold : public Fold {
 public:
  using Key = typename Codec::Key;

  SortedFold(Codec codec, const FoldContext& context, const Dataset& index, SortedFacts& into)
      : codec_(codec), context_(context), column_(context.column), index_(index), into_(into),
        missing_(codec, context.column), rows_(context.column.type.size) {
    into_.rows = context.rows;
    into_.floating = column_.type.is(TypeClass::kFloat);
    in_core_ = Rows<Codec>::kStrings || context.rows <= context.memory_limit / element_cost();
    if (in_core_) rows_.reserve(context.rows);
  }

  void block(const Block& block) override {
    for (std::uint64_t i = 0; i < block.rows; ++i) {
      const Key key = key_at(codec_, block, column_.type.size, i);
      if (is_nan_key<Codec>(key))
        ++into_.nan_rows;
      else if (missing_(key))
        ++into_.fill_rows;
    }
    if (!in_core_) return;
    rows_.append(block, 0, block.rows);
    if (rows_.bytes() > context_.memory_limit) {
      in_core_ = false;
      rows_.clear();
    }
  }

  void finish() override {
    const std::uint64_t entries = index_.space.extent[0];
    // Residue beyond NROWS may follow the permutation or be interleaved with it.
    interleaved_ = entries > into_.rows && !first_elements_are_rows();
    if (into_.obstacle) return;
    if (in_core_)
      verify_in_core();
    else
      verify_in_windows();
    attribute_infinities();
    const std::uint64_t nan_start = into_.rows - into_.nan_rows;
    into_.nan_tail_witness =
        wrong_tail(into_.nan_tail_length, into_.nan_rows, into_.rows, "NaN");
    into_.fill_tail_witness =
        wrong_tail(into_.fill_tail_length, into_.fill_rows, nan_start, "missing");
  }

  void fail(const Error& error) override { into_.obstacle = broken(error.text()); }

 private:
  // A row that a reader who trusts the stored length of a tail, which ends before element `end`,
  // loses or wrongly returns: the one where the longer of both tails begins.
  std::string wrong_tail(std::optional<std::uint64_t> stored, std::uint64_t counted,
                         std::uint64_t end, const char* what) {
    if (!stored || *stored == counted || into_.permutation.count > 0) return {};
    const std::uint64_t start[] = {end - std::min(end, std::max(*stored, counted))};
    const std::uint64_t one[] = {1};
    const std::string query = std::format("{} is {}: ", column_.name, what);
    if (start[0] == end) return "none: no row can be in the tail";
    const auto element = context_.values.read(index_, start, one);
    if (interleaved_ || !element) return query + "rows are lost or wrongly returned";
    const std::uint64_t row = load_unsigned(element->data(), index_.type);
    return query + std::format("row {} is {}", row,
                               *stored < counted ? "lost" : "returned, and is not");
  }

  std::uint64_t element_cost() const {
    return std::max<std::uint64_t>(1, column_.type.size);
  }

  // Calls use(row) for the elements of the index that count, in order; stops when it
  // returns false. False (and the obstacle set) if the index cannot be read.
  template <class Use>
  bool for_each_element(std::uint64_t entries, bool skip_residue, Use use) {
    Result<std::unique_ptr<ValueStream>> stream = context_.values.stream(index_, entries);
    if (!stream) return refuse(stream.error());
    while (true) {
      Result<std::optional<Block>> next = (*stream)->next();
      if (!next) return refuse(next.error());
      if (!*next) return true;
      const std::size_t size = index_.type.size;
      for (std::uint64_t i = 0; i < (*next)->rows; ++i) {
        const std::uint64_t row = load_unsigned((*next)->bytes.data() + i * size, index_.type);
        if (skip_residue && row >= into_.rows) continue;
        if (!use(row)) return true;
      }
    }
  }

  bool refuse(const Error& error) {
    into_.obstacle = broken(error.text());
    return false;
  }

  bool first_elements_are_rows() {
    Bitset seen(into_.rows);
    bool all = true;
    for_each_element(into_.rows, false, [&](std::uint64_t row) {
      all = row < into_.rows && !seen.test_and_set(row);
      return all;
    });
    return all;
  }

  std::uint64_t entries() const { return interleaved_ ? index_.space.extent[0] : into_.rows; }

  void verify_in_core() {
    Bitset seen(into_.rows);
    // Rows lie anywhere: a short queue lets the memory fetch them ahead.
    constexpr std::size_t kAhead = 32;
    std::uint64_t queue[kAhead];
    std::uint64_t taken = 0, done = 0;
    const auto verify_next = [&] {
      const std::uint64_t row = queue[done++ % kAhead];
      verify(row, rows_.key(codec_, row), rows_.stored(row));
    };
    const bool read = for_each_element(entries(), interleaved_, [&](std::uint64_t row) {
      if (!admit(row, seen)) return true;
      if (taken - done == kAhead) verify_next();
      queue[taken++ % kAhead] = row;
      rows_.prefetch(row);
      return true;
    });
    while (done < taken) verify_next();
    if (!read) return;
    complete(taken);
    if (const std::optional<std::uint64_t> row = unlisted_row(seen))
      into_.permutation.witness =
          std::format("{}: row {} is not in the index, and lost", query_for(*row), *row);
  }

  std::optional<std::uint64_t> unlisted_row(const Bitset& seen) const {
    if (into_.permutation.count == 0) return std::nullopt;
    const std::uint64_t row = seen.first_clear();
    return row < into_.rows ? std::optional(row) : std::nullopt;
  }

  std::string query_for(std::uint64_t row) const {
    const Key key = rows_.key(codec_, row);
    if (missing_(key)) return column_.name + " is missing";
    if (is_nan_key<Codec>(key)) return column_.name + " is NaN";
    return column_.name + " == " + text(rows_.stored(row));
  }

  // The element names a row, for the first time.
  bool admit(std::uint64_t row, Bitset& seen) {
    const std::uint64_t at = admitted_++;
    if (row < into_.rows && !seen.test_and_set(row)) return true;
    note(into_.permutation, at, [&] {
      return Difference{
          .stored = row < into_.rows ? std::format("row {} a second time", row)
                                     : std::format("{}, which is no row", row),
          .computed = std::format("each of the {} rows once", into_.rows),
          .witness = row < into_.rows
                         ? std::format("a search that meets it returns row {} twice", row)
                         : std::format("a search that meets it returns row {}, which does not exist",
                                       row)};
    });
    return false;
  }

  void complete(std::uint64_t taken) {
    if (taken == into_.rows || into_.permutation.count > 0 || into_.obstacle) return;
    note(into_.permutation, taken, [&] {
      return Difference{.stored = std::format("{} rows", taken),
                        .computed = std::format("each of the {} rows once", into_.rows)};
    });
  }

  void verify_in_windows() {
    Bitset seen(into_.rows);
    const std::uint64_t cost = column_.type.size + 24 + (Rows<Codec>::kStrings ? 64 : 0);
    const std::uint64_t capacity = std::max<std::uint64_t>(1024, context_.memory_limit / cost);
    std::vector<std::uint64_t> window;
    std::uint64_t taken = 0;
    bool good = true;
    const bool read = for_each_element(entries(), interleaved_, [&](std::uint64_t row) {
      if (!admit(row, seen)) return true;
      ++taken;
      if (into_.permutation.count > 0) return true;  // order means nothing any more
      window.push_back(row);
      if (window.size() < capacity) return true;
      good = verify_window(window);
      window.clear();
      return good;
    });
    if (!read || !good) return;
    complete(taken);
    if (into_.permutation.count == 0 && !window.empty()) verify_window(window);
    if (const std::optional<std::uint64_t> row = unlisted_row(seen))
      into_.permutation.witness =
          std::format("row {} is not in the index, and lost to every search through it", *row);
  }

  // One pass over the column gathers the rows of the window.
  bool verify_window(const std::vector<std::uint64_t>& window) {
    std::vector<std::uint32_t> by_row(window.size());
    std::iota(by_row.begin(), by_row.end(), 0u);
    std::ranges::sort(by_row, {}, [&](std::uint32_t slot) { return window[slot]; });
    Rows<Codec> gathered(column_.type.size);
    Result<std::unique_ptr<ValueStream>> stream =
        context_.values.stream(column_, into_.rows);
    if (!stream) return refuse(stream.error());
    std::size_t wanted = 0;
    while (wanted < by_row.size()) {
      Result<std::optional<Block>> next = (*stream)->next();
      if (!next) return refuse(next.error());
      if (!*next) return refuse({column_.path, "ends early"});
      const Block& block = **next;
      for (; wanted < by_row.size() && window[by_row[wanted]] < block.first_row + block.rows;
           ++wanted)
        gathered.append(block, window[by_row[wanted]] - block.first_row, 1);
    }
    std::vector<std::uint32_t> place(window.size());
    for (std::uint32_t i = 0; i < by_row.size(); ++i) place[by_row[i]] = i;
    for (std::size_t slot = 0; slot < window.size(); ++slot)
      verify(window[slot], gathered.key(codec_, place[slot]), gathered.stored(place[slot]));
    return true;
  }

  // The next element of the index: its row and the row's value.
  void verify(std::uint64_t row, const Key& key, std::span<const std::byte> stored) {
    const std::uint64_t at = position_++;
    const std::uint64_t nan_start = into_.rows - into_.nan_rows;
    const std::uint64_t fill_start = nan_start - into_.fill_rows;
    if (is_nan_key<Codec>(key)) {
      if (at < nan_start)
        note(into_.nan_placement, at, [&] {
          return Difference{
              .stored = std::format("row {} with NaN", row),
              .computed = std::format("such rows in elements [{}, {})", nan_start, into_.rows),
              .witness = at < fill_start ? returned_by_ranges(row, "NaN")
                                         : std::format("{0} is missing: row {1} is returned, which "
                                                       "is NaN", column_.name, row)};
        });
      in_row_order(last_nan_, into_.nan_order, at, row, "NaN rows");
      ++nans_passed_;
      after_nan_ = true;
    } else if (missing_(key)) {
      // With NaN rows in front of all values (sorted-nan-tail-last) the fill tail is shifted, and
      // right for itself; not so directly behind NaN rows.
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
      if constexpr (Codec::kFloat) look_behind_nan(at, row, key);
      after_nan_ = false;
      compare_with_last(at, row, key, stored);
    }
  }

  std::string returned_by_ranges(std::uint64_t row, const char* what) const {
    return std::format("a range of {0} over all values takes the elements in front of the tails, "
                       "and returns row {1}, which is {2}", column_.name, row, what);
  }

  // Values behind a NaN row. If all of them are infinite, infinities were taken for NaN.
  void look_behind_nan(std::uint64_t at, std::uint64_t row, const Key& key) {
    if (nans_passed_ == 0) return;
    if (!std::isinf(key)) {
      finite_behind_nan_ = true;
      return;
    }
    note(infinite_behind_nan_, at, [&] {
      return Difference{.stored = std::format("row {} ({}) behind NaN rows", row, key),
                        .computed = "infinities in numerical order with the other values",
                        .witness = std::format("{0} == {1}: row {2} is lost, which stands among "
                                               "the NaN rows", column_.name, key, row)};
    });
  }

  // Infinities in the NaN tail are a defect of the order; the tails are shifted by them alone.
  void attribute_infinities() {
    if (infinite_behind_nan_.count == 0 || finite_behind_nan_ || into_.order.count > 0) return;
    into_.order = infinite_behind_nan_;
    into_.nan_placement = into_.fill_placement = {};
  }

  void in_row_order(std::optional<std::uint64_t>& last, Difference& into, std::uint64_t at,
                    std::uint64_t row, const char* what) {
    if (last && *last > row)
      note(into, at, [&] {
        return Difference{.stored = std::format("row {} after row {}", row, *last),
                          .computed = std::string(what) + " in increasing row order",
                          .witness = "none: no query depends on the order of these rows"};
      });
    last = row;
  }

  void compare_with_last(std::uint64_t at, std::uint64_t row, const Key& key,
                         std::span<const std::byte> stored) {
    if (last_row_) {
      const Key last = last_key();
      if (key < last) {
        note(into_.order, at, [&] {
          return Difference{
              .stored = std::format("row {} ({}) after row {} ({})", row, text(stored), *last_row_,
                                    text(last_stored_)),
              .computed = "values in increasing order",
              .witness = std::format("{0} <= {1}: the rows are taken from the front of the index, "
                                     "which loses row {2} or wrongly returns row {3} ({4})",
                                     column_.name, text(stored), row, *last_row_,
                                     text(last_stored_))};
        });
      } else if (key == last && row < *last_row_) {
        // -0 in front of +0 is their order by sign; the other way round it is an ordinary tie.
        const bool zeros = is_negative_zero(last) && !is_negative_zero(key);
        note(zeros ? into_.zero_ties : into_.ties, at, [&] {
          return Difference{.stored = std::format("row {} after row {}, both {}", row, *last_row_,
                                                  text(stored)),
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

  static bool is_negative_zero([[maybe_unused]] const Key& key) {
    if constexpr (Codec::kFloat)
      return key == Key(0) && std::signbit(key);
    else
      return false;
  }

  Key last_key() const {
    if constexpr (Rows<Codec>::kStrings)
      return {reinterpret_cast<const char*>(last_stored_.data()), last_stored_.size()};
    else
      return codec_.key(last_stored_.data());
  }

  std::string text(std::span<const std::byte> stored) const {
    return format_value(column_.type, stored);
  }

  Codec codec_;
  FoldContext context_;
  const Dataset& column_;
  const Dataset& index_;
  SortedFacts& into_;
  Missing<Codec> missing_;
  Rows<Codec> rows_;
  bool in_core_ = true, interleaved_ = false, padding_explains_ = true;
  std::uint64_t position_ = 0, admitted_ = 0, nans_passed_ = 0;
  bool after_nan_ = false, finite_behind_nan_ = false;
  Difference infinite_behind_nan_{};
  std::optional<std::uint64_t> last_row_{}, last_nan_{}, last_fill_{};
  std::vector<std::byte> last_stored_{};
};

std::optional<Obstacle> obstacle(const FoldContext& context, const Dataset& data) {
  // Floats beyond the closed list of 10.5 only draw a warning, and no look at the contents.
  if (context.column.type.is(TypeClass::kFloat) && !is_ieee_float(context.column.type))
    return Obstacle{.reason = "the float has no order", .broken = false};
  if (!has_order(context.column.type))
    return broken("the column's datatype has no order (sorted-orderable-type, sorted-excluded-type)");
  if (!has_user_fill(context.column)) return broken(kNoFill);
  if (!data.space.one_dimensional()) return broken("the index is not of rank 1 (sorted-rank-1)");
  if (!data.type.is(TypeClass::kInteger) || data.type.is_signed || data.type.size > 8 ||
      data.type.precision != 8 * data.type.size)
    return broken("the index is not of an unsigned integer type (sorted-unsigned)");
  if (data.type.precision < 64 && context.rows > std::uint64_t{1} << data.type.precision)
    return broken("the index type is too narrow (sorted-wide-enough)");
  if (data.space.extent[0] < context.rows)
    return broken("the index is too short (sorted-length)");
  return std::nullopt;
}

std::optional<std::uint64_t> tail_length(const Dataset& data, const char* name) {
  const Attribute* a = data.attribute(name);
  return a && a->space.scalar() ? unsigned_value(*a) : std::nullopt;
}

}  // namespace

std::unique_ptr<Fold> sorted_fold(const FoldContext& context, const SearchIndex& index,
                                  SortedFacts& into) {
  const Dataset& data = *index.data;
  into.nan_tail_length = tail_length(data, "nan_tail_length");
  into.fill_tail_length = tail_length(data, "fill_tail_length");
  into.obstacle = obstacle(context, data);
  if (into.obstacle) return nullptr;
  return visit_codec(context.column.type, [&](auto codec) -> std::unique_ptr<Fold> {
    if constexpr (decltype(codec)::kOrdered)
      return std::make_unique<SortedFold<decltype(codec)>>(codec, context, data, into);
    return nullptr;
  });
}

}  // namespace hepcheck
