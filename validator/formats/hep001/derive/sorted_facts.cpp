// SORTED_ROWS against its column (10.5).
//
// While the column passes by, its values are kept as stored if they fit into the memory limit.
// Then runs of the index are checked on all threads: that it is in order, and names no row from
// NROWS on. If every element stands strictly behind the one before it in the order of (tail,
// value, row), no row occurs twice, so the index is the one right permutation and there is nothing
// more to say. Only if that fails is it gone through once more, one element after the other, to
// say what is wrong.
//
// A larger column is verified out of core, one element after the other: the index is taken in
// windows, and for each window one more pass over the column gathers the window's values.
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <format>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>

#include "validator/formats/hep001/derive/codec.h"
#include "validator/formats/hep001/derive/fold.h"
#include "validator/formats/hep001/derive/order.h"
#include "validator/parallel.h"

namespace hepcheck::hep001 {

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

// Uninitialised memory that will be read in no order: on large pages where there are some. Getting
// fresh pages costs as much as checking what they hold, so the next column is given the last one's.
class Slab {
 public:
  Slab() = default;
  explicit Slab(std::uint64_t bytes) {
    const std::size_t rounded = (bytes + kLargePage - 1) / kLargePage * kLargePage;
    if (spare_.size_ >= rounded && spare_.size_ <= 2 * rounded) {
      swap(spare_);
      return;
    }
    drop_spare();
    const bool large = bytes >= kLargePage;
    size_ = large ? rounded : bytes;
    bytes_.reset(static_cast<std::byte*>(large ? std::aligned_alloc(kLargePage, rounded)
                                               : std::malloc(std::max<std::uint64_t>(1, bytes))));
    if (!bytes_) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    if (large) madvise(bytes_.get(), rounded, MADV_HUGEPAGE);
#endif
  }
  Slab(Slab&& other) noexcept { swap(other); }
  Slab& operator=(Slab&& other) noexcept {
    Slab taken(std::move(other));
    swap(taken);
    return *this;
  }
  ~Slab() {
    if (size_ > spare_.size_) swap(spare_);
  }
  std::byte* get() const { return bytes_.get(); }

  // For what else needs the memory.
  static void drop_spare() {
    spare_.size_ = 0;
    spare_.bytes_.reset();
  }

 private:
  static thread_local Slab spare_;
  static constexpr std::size_t kLargePage = std::size_t{2} << 20;
  struct Free {
    void operator()(std::byte* bytes) const { std::free(bytes); }
  };
  void swap(Slab& other) noexcept {
    std::swap(size_, other.size_);
    bytes_.swap(other.bytes_);
  }

  std::size_t size_ = 0;
  std::unique_ptr<std::byte, Free> bytes_{};
};
thread_local Slab Slab::spare_;

// Values by number, as stored: a slab of fixed-size elements, or of strings.
template <class Codec>
class Values {
 public:
  using Key = typename Codec::Key;
  static constexpr bool kStrings = std::is_same_v<Codec, VariableStringCodec>;

  explicit Values(std::size_t element_bytes) : element_bytes_(element_bytes) {}

  // Room for so many values; several threads may then set different ones.
  void make_room(std::uint64_t count) {
    if constexpr (kStrings) {
      Slab::drop_spare();
      strings_.resize(count);
    } else {
      bytes_ = Slab(count * element_bytes_);
    }
  }
  void set(std::uint64_t i, const Block& block, std::uint64_t from, std::uint64_t count) {
    if constexpr (kStrings)
      std::ranges::copy(block.strings.subspan(from, count),
                        strings_.begin() + static_cast<std::ptrdiff_t>(i));
    else
      std::memcpy(bytes_.get() + i * element_bytes_, block.bytes.data() + from * element_bytes_,
                  count * element_bytes_);
  }
  void clear() {
    bytes_ = {};
    strings_ = {};
  }
  std::span<const std::byte> stored(std::uint64_t i) const {
    if constexpr (kStrings)
      return std::as_bytes(std::span(strings_[i]));
    else
      return {bytes_.get() + i * element_bytes_, element_bytes_};
  }
  Key key(const Codec& codec, std::uint64_t i) const {
    if constexpr (kStrings)
      return strings_[i];
    else
      return codec.key(bytes_.get() + i * element_bytes_);
  }
  void prefetch(std::uint64_t i) const {
    if constexpr (!kStrings) __builtin_prefetch(bytes_.get() + i * element_bytes_);
  }

 private:
  std::size_t element_bytes_;
  Slab bytes_{};
  std::vector<std::string> strings_{};
};

// Row numbers from an index of any unsigned width and byte order.
void decode_rows(const std::byte* from, std::size_t count, const Datatype& type,
                 std::uint64_t* into) {
  const auto copy = [&]<class T>(T) {
    for (std::size_t i = 0; i < count; ++i) into[i] = load<T, false>(from + i * sizeof(T));
  };
  const bool native =
      (type.order == ByteOrder::kLittle) == (std::endian::native == std::endian::little);
  if (native && type.size == 8) return copy(std::uint64_t());
  if (native && type.size == 4) return copy(std::uint32_t());
  for (std::size_t i = 0; i < count; ++i) into[i] = load_unsigned(from + i * type.size, type);
}

// Calls use(rows) for the row numbers in elements [first, first + count), a few at a time and in
// order, until it returns false.
template <class Use>
std::optional<Error> for_each_element_group(const FoldContext& context, const Dataset& index,
                                            const Run& run, Use use) {
  constexpr std::uint64_t kGroup = 512;
  std::array<std::uint64_t, kGroup> rows;
  Result<std::unique_ptr<ValueStream>> stream =
      context.values.stream_rows(index, run.first, run.rows);
  if (!stream) return stream.error();
  while (true) {
    Result<std::optional<Block>> next = (*stream)->next();
    if (!next) return next.error();
    if (!*next) return std::nullopt;
    const Block& block = **next;
    for (std::uint64_t i = 0; i < block.rows; i += kGroup) {
      const std::uint64_t count = std::min(kGroup, block.rows - i);
      decode_rows(block.bytes.data() + i * index.type.size, count, index.type, rows.data());
      if (!use(std::span<const std::uint64_t>(rows.data(), count))) return std::nullopt;
    }
    if (context.progress) context.progress->advance(block.rows * index.type.size);
  }
}

// The values of a column while it passes by, and the rows without a place in the order.
template <class Codec>
struct KeptColumn {
  Codec codec;
  const Dataset& column;
  Missing<Codec> missing{codec, column};
  std::uint64_t budget;
  Values<Codec> values{column.type.size};
  std::atomic<bool> in_core = false;
  std::atomic<std::uint64_t> text_bytes = 0;  // of variable-length strings
};

template <class Codec>
class SortedPart : public Part {
 public:
  explicit SortedPart(KeptColumn<Codec>& kept) : kept_(kept) {}

  void block(const Block& block) override {
    const std::size_t size = kept_.column.type.size;
    for (std::uint64_t i = 0; i < block.rows; ++i) {
      const auto key = key_at(kept_.codec, block, size, i);
      if (is_nan_key<Codec>(key))
        ++nan_rows;
      else if (kept_.missing(key))
        ++fill_rows;
    }
    if constexpr (Values<Codec>::kStrings) {
      std::uint64_t bytes = 0;
      for (const std::string_view text : block.strings) bytes += text.size();
      if (kept_.text_bytes.fetch_add(bytes) + bytes > kept_.budget) kept_.in_core = false;
    }
    if (kept_.in_core) kept_.values.set(block.first_row, block, 0, block.rows);
  }

  std::uint64_t nan_rows = 0, fill_rows = 0;

 private:
  KeptColumn<Codec>& kept_;
};

template <class Codec>
class SortedFold : public Fold {
 public:
  using Key = typename Codec::Key;

  SortedFold(Codec codec, const FoldContext& context, const Dataset& index, SortedFacts& into)
      : codec_(codec), context_(context), column_(context.column), index_(index), into_(into),
        kept_{.codec = codec, .column = context.column, .budget = context.memory_limit} {
    into_.rows = context.rows;
    into_.floating = column_.type.is(TypeClass::kFloat);
    kept_.in_core = context.rows <= kept_.budget / element_cost();
    if (kept_.in_core) kept_.values.make_room(context.rows);
    if (context.progress) context.progress->expect(context.rows * index.type.size);
  }

  std::unique_ptr<Part> part(const Run&) override {
    return std::make_unique<SortedPart<Codec>>(kept_);
  }

  void join(Part& part) override {
    const auto& later = static_cast<SortedPart<Codec>&>(part);
    into_.nan_rows += later.nan_rows;
    into_.fill_rows += later.fill_rows;
  }

  void finish() override {
    if (!kept_.in_core) {
      kept_.values.clear();
      Slab::drop_spare();
    }
    if (kept_.in_core && is_right()) return explain_tails();
    // Residue beyond NROWS may follow the permutation or be interleaved with it.
    const std::uint64_t entries = index_.space.extent[0];
    interleaved_ = entries > into_.rows && !first_elements_are_rows();
    if (into_.obstacle) return;
    if (kept_.in_core)
      verify_in_core();
    else
      verify_in_windows();
    attribute_infinities();
    explain_tails();
  }

  void fail(const Error& error) override { into_.obstacle = broken(error.text()); }

 private:
  void explain_tails() {
    const std::uint64_t nan_start = into_.rows - into_.nan_rows;
    into_.nan_tail_witness = wrong_tail(into_.nan_tail_length, into_.nan_rows, into_.rows, "NaN");
    into_.fill_tail_witness =
        wrong_tail(into_.fill_tail_length, into_.fill_rows, nan_start, "missing");
  }

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
    return query +
           std::format("row {} is {}", row, *stored < counted ? "lost" : "returned, and is not");
  }

  // Bytes that keeping one value takes, as far as that is known beforehand.
  std::uint64_t element_cost() const {
    return Values<Codec>::kStrings ? sizeof(std::string)
                                   : std::max<std::uint64_t>(1, column_.type.size);
  }

  // --- The quick answer

  // Where an element stands in the order.
  struct Place {
    int tail;  // 0 a value, 1 missing, 2 NaN
    Key key;
    std::uint64_t row;

    // Strictly: ties go by row.
    bool before(const Place& other) const {
      if (tail != other.tail) return tail < other.tail;
      if (tail != 0) return row < other.row;
      // Whether neighbours are equal cannot be foretold; numbers do without the branch.
      if constexpr (std::is_arithmetic_v<Key>)
        return (key < other.key) | ((key == other.key) & (row < other.row));
      else
        return key == other.key ? row < other.row : key < other.key;
    }
  };
  Place place(std::uint64_t row) const {
    const Key key = kept_.values.key(codec_, row);
    return {is_nan_key<Codec>(key) ? 2 : kept_.missing(key) ? 1 : 0, key, row};
  }

  // The first NROWS elements are the one right permutation.
  bool is_right() const {
    const Runs runs(index_, into_.rows);
    std::vector<Ends> ends(runs.count());
    std::atomic<bool> right = true;
    parallel_for(runs.count(), context_.jobs, [&](std::uint64_t i) {
      if (!right) return;
      if (const auto found = run_in_order(runs[i]))
        ends[i] = *found;
      else
        right = false;
    });
    for (std::uint64_t i = 1; right && i < ends.size(); ++i)
      right = place(ends[i - 1].last).before(place(ends[i].first));
    return right;
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
          // Values lie anywhere: the memory is asked for them ahead.
          constexpr std::size_t kAhead = 32;
          if (!std::ranges::all_of(rows, [&](std::uint64_t row) { return row < into_.rows; }))
            return right = false;
          for (std::size_t i = 0; i < std::min(kAhead, rows.size()); ++i)
            kept_.values.prefetch(rows[i]);
          std::size_t i = 0;
          if (!last) {
            last = place(rows[i++]);
            ends.first = last->row;
          }
          Place before = *last;
          for (; i < rows.size(); ++i) {
            if (i + kAhead < rows.size()) kept_.values.prefetch(rows[i + kAhead]);
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

  // --- What is wrong, one element after the other

  // Calls use(row) for the elements of the index that count, in order; stops when it
  // returns false. False (and the obstacle set) if the index cannot be read.
  template <class Use>
  bool for_each_element(std::uint64_t entries, bool skip_residue, Use use) {
    const auto trouble = for_each_element_group(
        context_, index_, {0, entries}, [&](std::span<const std::uint64_t> rows) {
          return std::ranges::all_of(rows, [&](std::uint64_t row) {
            return (skip_residue && row >= into_.rows) || use(row);
          });
        });
    return !trouble || refuse(*trouble);
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
    std::uint64_t taken = 0;
    const bool read = for_each_element(entries(), interleaved_, [&](std::uint64_t row) {
      if (!admit(row, seen)) return true;
      ++taken;
      verify(row, kept_.values.key(codec_, row), kept_.values.stored(row));
      return true;
    });
    if (!read) return;
    complete(taken);
    judge_permutation(seen);
  }

  // Where rows are listed twice or not at all, order means nothing any more.
  void judge_permutation(const Bitset& seen) {
    if (into_.permutation.count == 0) return;
    if (const std::optional<std::uint64_t> row = unlisted_row(seen))
      into_.permutation.witness =
          std::format("{}: row {} is not in the index, and lost", query_for(*row), *row);
    for (Difference* each : {&into_.order, &into_.ties, &into_.zero_ties, &into_.nan_placement,
                             &into_.fill_placement, &into_.nan_order, &into_.fill_order})
      *each = {};
    infinite_behind_nan_ = {};
  }

  std::optional<std::uint64_t> unlisted_row(const Bitset& seen) const {
    const std::uint64_t row = seen.first_clear();
    return row < into_.rows ? std::optional(row) : std::nullopt;
  }

  // What to ask for to meet a row.
  std::string query_for(std::uint64_t row) const {
    const auto stream = context_.values.stream_rows(column_, row, 1);
    const auto block = stream ? (*stream)->next() : Result<std::optional<Block>>{};
    if (!block || !*block) return column_.name;
    const Key key = key_at(codec_, **block, column_.type.size, 0);
    if (kept_.missing(key)) return column_.name + " is missing";
    if (is_nan_key<Codec>(key)) return column_.name + " is NaN";
    if constexpr (Values<Codec>::kStrings)
      return column_.name + " == " + text(std::as_bytes(std::span(key)));
    else
      return column_.name + " == " + text((*block)->bytes.first(column_.type.size));
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
                         : std::format(
                               "a search that meets it returns row {}, which does not exist", row)};
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
    // A window keeps row numbers, their order by run, and the values.
    const std::uint64_t text = Values<Codec>::kStrings ? 64 : 0;
    const std::uint64_t capacity =
        std::clamp<std::uint64_t>(kept_.budget / (12 + element_cost() + text), 1024, 1u << 31);
    std::vector<std::uint64_t> window;
    window.reserve(std::min(capacity, into_.rows));
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
    judge_permutation(seen);
  }

  // One pass over the column gathers the values of the window's rows.
  bool verify_window(const std::vector<std::uint64_t>& window) {
    const Runs runs(column_, into_.rows);
    // The window's slots by the run that their rows lie in; those of run r end at ends[r].
    std::vector<std::uint32_t> ends(runs.count() + 1), slots(window.size());
    for (const std::uint64_t row : window) ++ends[runs.holding(row) + 1];
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    for (std::uint32_t slot = 0; slot < window.size(); ++slot)
      slots[ends[runs.holding(window[slot])]++] = slot;

    Values<Codec> gathered(column_.type.size);
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
      verify(window[slot], gathered.key(codec_, slot), gathered.stored(slot));
    return true;
  }

  std::optional<Error> gather(const Run& run, std::span<const std::uint32_t> slots,
                              const std::vector<std::uint64_t>& window, Values<Codec>& into) const {
    Result<std::unique_ptr<ValueStream>> stream =
        context_.values.stream_rows(column_, run.first, run.rows);
    if (!stream) return stream.error();
    while (true) {
      Result<std::optional<Block>> next = (*stream)->next();
      if (!next) return next.error();
      if (!*next) return std::nullopt;
      const Block& block = **next;
      for (const std::uint32_t slot : slots)
        if (const std::uint64_t at = window[slot] - block.first_row; at < block.rows)
          into.set(slot, block, at, 1);
    }
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
                                                       "is NaN",
                                                       column_.name, row)};
        });
      in_row_order(last_nan_, into_.nan_order, at, row, "NaN rows");
      ++nans_passed_;
      after_nan_ = true;
    } else if (kept_.missing(key)) {
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
    return std::format(
        "a range of {0} over all values takes the elements in front of the tails, "
        "and returns row {1}, which is {2}",
        column_.name, row, what);
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
                                               "the NaN rows",
                                               column_.name, key, row)};
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
          return Difference{.stored = std::format("row {} ({}) after row {} ({})", row,
                                                  text(stored), *last_row_, text(last_stored_)),
                            .computed = "values in increasing order",
                            .witness = std::format(
                                "{0} <= {1}: the rows are taken from the front of the index, "
                                "which loses row {2} or wrongly returns row {3} ({4})",
                                column_.name, text(stored), row, *last_row_, text(last_stored_))};
        });
      } else if (key == last && row < *last_row_) {
        // -0 in front of +0 is their order by sign; the other way round it is an ordinary tie.
        const bool zeros = is_negative_zero(last) && !is_negative_zero(key);
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

  static bool is_negative_zero([[maybe_unused]] const Key& key) {
    if constexpr (Codec::kFloat)
      return key == Key(0) && std::signbit(key);
    else
      return false;
  }

  Key last_key() const {
    if constexpr (Values<Codec>::kStrings)
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
  KeptColumn<Codec> kept_;
  bool interleaved_ = false, padding_explains_ = true;
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
    return broken("the column's datatype has no order",
                  {"sorted-orderable-type", "sorted-excluded-type"});
  if (!has_user_fill(context.column)) return no_fill();
  if (!data.space.one_dimensional()) return broken("the index is not of rank 1", {"sorted-rank-1"});
  if (!data.type.is(TypeClass::kInteger) || data.type.is_signed || data.type.size > 8 ||
      data.type.precision != 8 * data.type.size)
    return broken("the index is not of an unsigned integer type", {"sorted-unsigned"});
  if (data.type.precision < 64 && context.rows > std::uint64_t{1} << data.type.precision)
    return broken("the index type is too narrow", {"sorted-wide-enough"});
  if (data.space.extent[0] < context.rows)
    return broken("the index is too short", {"sorted-length"});
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
  if (const auto codec = ShortStringCodec::of(context.column.type))
    return std::make_unique<SortedFold<ShortStringCodec>>(*codec, context, data, into);
  return visit_codec(context.column.type, [&](auto codec) -> std::unique_ptr<Fold> {
    if constexpr (decltype(codec)::kOrdered)
      return std::make_unique<SortedFold<decltype(codec)>>(codec, context, data, into);
    return nullptr;
  });
}

}  // namespace hepcheck::hep001
