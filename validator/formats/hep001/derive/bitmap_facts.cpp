// Compares a BITMAP with its column (10.6).
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <format>
#include <functional>
#include <unordered_map>

#include "validator/formats/hep001/derive/codec.h"
#include "validator/formats/hep001/derive/fold.h"
#include "validator/formats/hep001/derive/order.h"

namespace hepcheck::hep001 {

namespace {

// Up to 8 bytes of a bitmap as a number: bit i belongs to the i-th row. Missing bytes are zero.
std::uint64_t load_bits(const std::byte* at, std::uint64_t bytes) {
  std::uint64_t word = 0;
  if (bytes >= 8)
    std::memcpy(&word, at, 8);
  else
    std::memcpy(&word, at, bytes);
  return std::endian::native == std::endian::big ? std::byteswap(word) : word;
}

// Each byte's bits in the opposite order.
constexpr std::uint64_t reversed_in_bytes(std::uint64_t word) {
  word = (word & 0xF0F0F0F0F0F0F0F0) >> 4 | (word & 0x0F0F0F0F0F0F0F0F) << 4;
  word = (word & 0xCCCCCCCCCCCCCCCC) >> 2 | (word & 0x3333333333333333) << 2;
  return (word & 0xAAAAAAAAAAAAAAAA) >> 1 | (word & 0x5555555555555555) << 1;
}

// The indexed values, and the rows of the bitmap that belong to a key.
class IndexedValues {
 public:
  virtual ~IndexedValues() = default;

  // Reads them; an error if that fails.
  std::optional<Error> read(const Dataset& column, const Dataset& values, ValueSource& source,
                            Difference& duplicates) {
    const Datatype& type = values.type;
    const bool swapped = compare(type, column.type) == Sameness::kByteOrderOnly;
    const bool addresses = has_variable_part(type) && !type.variable_string();
    return for_each_block(source.stream(values, *values.extent()), [&](const Block& block) {
      for (std::uint64_t i = 0; i < block.rows; ++i) {
        const StoredValue stored = stored_at(block, type, i);
        shown_.push_back(addresses ? std::format("value {}", shown_.size())
                                   : format_value(type, stored));
        // Comparable forms are independent of the byte order; a value without such a form is a
        // number.
        std::string form;
        std::vector<std::byte> turned;
        std::string_view view;
        Block one{.first_row = 0, .rows = 1, .bytes = stored, .strings = {}};
        if (!block.strings.empty()) {
          one.strings = block.strings.subspan(i, 1);
        } else if (is_told_by_form(type)) {
          view = form = comparable_form(type, stored);
          one.strings = {&view, 1};
        } else if (swapped) {
          turned.assign(stored.rbegin(), stored.rend());
          one.bytes = turned;
        }
        add(place_or_add(one), duplicates);
      }
    });
  }

  std::uint64_t size() const { return shown_.size(); }
  const std::string& shown(std::uint64_t value) const { return shown_[value]; }

  // A value that occurred earlier in the list.
  struct Twin {
    std::uint64_t value, first;
  };
  const std::vector<Twin>& twins() const { return twins_; }

  // A value that is NaN, or has a part that is.
  bool is_nan(std::uint64_t value) const { return nan_[value]; }

  // The row of a block is missing.
  virtual bool is_missing(const Block& block, std::uint64_t i) const = 0;

  // Sets the bits of rows [begin, end) of a block, in each word with that of row `row` lowest: in
  // the word of the first position that lists the row's value, in the last word if none does.
  // Returns the bits of the rows that are NaN, or have a part that is.
  virtual std::uint64_t expect(const Block& block, std::uint64_t begin, std::uint64_t end,
                               std::uint64_t row, std::span<std::uint64_t> words) const = 0;

 private:
  // The first position of the newest value, the only one of a block; nothing if it is NaN, which
  // equals nothing.
  virtual std::optional<std::uint64_t> place_or_add(const Block& block) = 0;

  void add(std::optional<std::uint64_t> first, Difference& duplicates) {
    const std::uint64_t value = size() - 1;
    nan_.push_back(!first);
    if (!first || *first == value) return;
    twins_.push_back({value, *first});
    note(duplicates, value, [&] {
      return Difference{.stored = shown_.back(),
                        .computed = std::format("listed at {} already", *first),
                        .witness = "none: either bitmap row answers a query for it"};
    });
  }

  std::vector<std::string> shown_{};
  std::vector<bool> nan_{};
  std::vector<Twin> twins_{};
};

template <class Codec>
class IndexedValuesOf : public IndexedValues {
 public:
  using Key = typename Codec::Key;

  IndexedValuesOf(const Codec& codec, const Dataset& column)
      : codec_(codec), element_bytes_(column.type.size), missing_(codec, column) {}

  bool is_missing(const Block& block, std::uint64_t i) const override {
    return missing_(key_at(codec_, block, element_bytes_, i));
  }

  std::uint64_t expect(const Block& block, std::uint64_t begin, std::uint64_t end,
                       std::uint64_t row, std::span<std::uint64_t> words) const override {
    std::uint64_t nan = 0;
    for (std::uint64_t r = begin; r < end; ++r) {
      const Key key = key_at(codec_, block, element_bytes_, r - block.first_row);
      const std::uint64_t bit = std::uint64_t{1} << (r - row);
      if (is_nan_key(key))
        nan |= bit;
      else
        words[place_of(key, words.size() - 1)] |= bit;
    }
    return nan;
  }

 private:
  static constexpr bool kSmall = std::is_integral_v<Key> && sizeof(Key) == 1;

  // Values with a NaN, even in a part, are never equal.
  static bool is_nan_key(const Key& key) {
    if constexpr (std::is_same_v<Codec, FormCodec>)
      return holds_nan(key);
    else
      return hep001::is_nan_key<Codec>(key);
  }

  std::optional<std::uint64_t> place_or_add(const Block& block) override {
    const Key key = key_at(codec_, block, element_bytes_, 0);
    if (is_nan_key(key)) return std::nullopt;
    const std::uint64_t first = first_.try_emplace(owned_key(key), size() - 1).first->second;
    if constexpr (kSmall) table_[static_cast<std::uint8_t>(key)] = static_cast<std::int64_t>(first);
    return first;
  }

  std::uint64_t place_of(const Key& key, std::uint64_t otherwise) const {
    if constexpr (kSmall) {
      const std::int64_t place = table_[static_cast<std::uint8_t>(key)];
      return place < 0 ? otherwise : static_cast<std::uint64_t>(place);
    } else {
      const auto it = find(key);
      return it == first_.end() ? otherwise : it->second;
    }
  }
  auto find(const Key& key) const {
    if constexpr (std::is_same_v<Key, std::string_view>)
      return first_.find(key);
    else
      return first_.find(owned_key(key));
  }

  Codec codec_;
  std::size_t element_bytes_;
  Missing<Codec> missing_;
  std::unordered_map<OwnedKey<Key>, std::uint64_t, OwnedKeyHash, std::equal_to<>> first_{};
  // place_of() for keys of one byte.
  std::array<std::int64_t, 256> table_ = [] {
    std::array<std::int64_t, 256> none{};
    none.fill(-1);
    return none;
  }();
};

class BitmapPart : public FoldPart {
 public:
  BitmapPart(const Dataset& column, const Dataset& index, ValueSource& source,
             const IndexedValues& values, std::uint64_t most_bits, bool exhaustive)
      : column_(column), index_(index), source_(source), values_(values), most_bits_(most_bits) {
    if (exhaustive) facts.unlisted.emplace();
  }

  void block(const Block& block) override {
    // The number of rows at a time, so that the bits of all values need only a few MiB.
    const std::uint64_t k = std::max<std::uint64_t>(1, values_.size());
    const std::uint64_t step = std::max<std::uint64_t>(8, most_bits_ / k);
    for (std::uint64_t i = 0; i < block.rows && !facts.obstacle; i += step)
      compare_rows(block, i, std::min(step, block.rows - i));
  }

  BitmapFacts facts{};
  bool reversed_differs = false;

 private:
  void compare_rows(const Block& block, std::uint64_t from, std::uint64_t count) {
    const std::uint64_t first = block.first_row + from;
    const std::uint64_t first_byte = first / 8;
    const std::uint64_t bytes = (first + count - 1) / 8 - first_byte + 1;
    const std::uint64_t k = values_.size();
    const std::uint64_t start[] = {0, first_byte}, size[] = {k, bytes};
    Result<std::vector<std::byte>> stored = source_.read(index_, start, size);
    if (!stored) {
      facts.obstacle = broken(stored.error().text());
      return;
    }
    for (std::uint64_t byte = 0; byte < bytes; byte += 8) {
      const std::uint64_t row = 8 * (first_byte + byte);  // of the lowest bit of the word
      const std::uint64_t begin = std::max(first, row), end = std::min(first + count, row + 64);
      expected_.assign(k + 1, 0);
      const std::uint64_t rows = ~std::uint64_t{0} >> (64 - (end - begin)) << (begin - row);
      const std::uint64_t nan = values_.expect(block, begin, end, row, expected_);
      if (facts.unlisted) note_unlisted(block, row, expected_[k]);
      for (const auto& twin : values_.twins()) expected_[twin.value] = expected_[twin.first];
      for (std::uint64_t value = 0; value < k; ++value) {
        const std::uint64_t bits = load_bits(stored->data() + value * bytes + byte, bytes - byte);
        // Whether NaN equals NaN does not matter here.
        const std::uint64_t counted = values_.is_nan(value) ? rows & ~nan : rows;
        const std::uint64_t wrong = (bits ^ expected_[value]) & counted;
        reversed_differs |= ((reversed_in_bytes(bits) ^ expected_[value]) & counted) != 0;
        if (wrong != 0) note_bits(value, row, wrong, expected_[value], nan);
      }
    }
  }

  // The rows of a word whose value is not listed; missing rows do not have to be listed.
  void note_unlisted(const Block& block, std::uint64_t first_row, std::uint64_t rows) {
    for (; rows != 0; rows &= rows - 1) {
      const std::uint64_t row = first_row + static_cast<std::uint64_t>(std::countr_zero(rows));
      const std::uint64_t i = row - block.first_row;
      if (values_.is_missing(block, i)) continue;
      note(*facts.unlisted, row, [&] {
        const bool addresses = has_variable_part(column_.type) && !column_.type.variable_string();
        const std::string shown =
            addresses ? "a value" : format_value(column_.type, stored_at(block, column_.type, i));
        return Difference{
            .stored = shown + ", which the values dataset does not list",
            .computed = "every value of the column in the values dataset",
            .witness = std::format("{} == {}: row {} has the value, but the index denies it",
                                   column_.name, shown, row)};
      });
    }
  }

  void note_bits(std::uint64_t value, std::uint64_t first_row, std::uint64_t wrong,
                 std::uint64_t should, std::uint64_t nan) {
    for (; wrong != 0; wrong &= wrong - 1) {
      const int bit = std::countr_zero(wrong);
      const std::uint64_t row = first_row + static_cast<std::uint64_t>(bit);
      const bool lost = (should >> bit & 1) != 0;
      note_lowest(lost ? facts.missing_bit : facts.extra_bit, row, [&] {
        return Difference{
            .stored =
                std::format("the bit of {} is {}", values_.shown(value), lost ? "clear" : "set"),
            .computed = lost ? "set" : "clear",
            .witness = std::format("{} == {}: row {} {}", column_.name, values_.shown(value), row,
                                   lost ? "has the value, but the index does not show it"
                                   : (nan >> bit & 1) != 0
                                       ? "is returned, but is NaN, which equals nothing"
                                       : "is returned, but has another value")};
      });
    }
  }

  const Dataset &column_, &index_;
  ValueSource& source_;
  const IndexedValues& values_;
  std::uint64_t most_bits_;
  std::vector<std::uint64_t>
      expected_{};  // bits of 64 rows, one word for each value and one for others
};

// The values that readers treat as TRUE.
bool claims_to_be_exhaustive(const Dataset& index) {
  const Attribute* exhaustive = index.attribute("exhaustive");
  return exhaustive && exhaustive->space.scalar() && is_boolean_enum(exhaustive->type) &&
         signed_value(*exhaustive) == 1;
}

class BitmapFold : public Fold {
 public:
  BitmapFold(const FoldContext& context, const SearchIndex& index, BitmapFacts& into)
      : column_(context.column), index_(*index.data), source_(context.values), rows_(context.rows),
        most_bits_(context.cuts.bitmap_bits),
        exhaustive_(context.table.revision->exhaustive && missing_rows_are_known(context) &&
                    claims_to_be_exhaustive(*index.data)),
        into_(into) {
    if (exhaustive_) into_.unlisted.emplace();
  }

  // False, with the obstacle set, if the indexed values cannot be read.
  bool read_values(const Dataset& values) {
    values_ = visit_fast_codec(column_.type, [&](auto codec) -> std::unique_ptr<IndexedValues> {
      return std::make_unique<IndexedValuesOf<decltype(codec)>>(codec, column_);
    });
    const auto error = values_->read(column_, values, source_, into_.duplicate_value);
    into_.values = values_->size();
    if (error) fail(*error);
    return !error;
  }

  std::unique_ptr<FoldPart> part(const Run&) override {
    return std::make_unique<BitmapPart>(column_, index_, source_, *values_, most_bits_,
                                        exhaustive_);
  }

  void join(FoldPart& part) override {
    auto& later = static_cast<BitmapPart&>(part);
    if (!into_.obstacle) into_.obstacle = std::move(later.facts.obstacle);
    hep001::join(into_.missing_bit, std::move(later.facts.missing_bit));
    hep001::join(into_.extra_bit, std::move(later.facts.extra_bit));
    if (exhaustive_) hep001::join(*into_.unlisted, std::move(*later.facts.unlisted));
    reversed_differs_ |= later.reversed_differs;
  }

  void finish() override {
    const bool wrong = into_.missing_bit.count + into_.extra_bit.count > 0;
    into_.reversed = wrong && !reversed_differs_;
    if (rows_ % 8 != 0 && !into_.obstacle)
      if (const auto error = look_at_pad_bits()) into_.obstacle = broken(error->text());
  }

  void fail(const Error& error) override { into_.obstacle = broken(error.text()); }

 private:
  // In the byte of the last row, for this many values at a time.
  std::optional<Error> look_at_pad_bits() {
    constexpr std::uint64_t kAtOnce = 1 << 16;
    for (std::uint64_t value = 0; value < into_.values; value += kAtOnce) {
      const std::uint64_t start[] = {value, rows_ / 8},
                          size[] = {std::min(kAtOnce, into_.values - value), 1};
      const Result<std::vector<std::byte>> bytes = source_.read(index_, start, size);
      if (!bytes) return bytes.error();
      for (std::uint64_t i = 0; i < size[0]; ++i)
        if (const auto pad = std::to_integer<unsigned>((*bytes)[i]) >> (rows_ % 8); pad != 0)
          note(into_.pad_bits, value + i, [&] {
            return Difference{
                .stored = std::format("bits above row {} are set for {}", rows_ - 1,
                                      values_->shown(value + i)),
                .computed =
                    std::format("0 in the highest {} bits of byte {}", 8 - rows_ % 8, rows_ / 8),
                .witness =
                    "none: readers stop at NROWS; readers that count whole bytes count too many"};
          });
    }
    return std::nullopt;
  }

  const Dataset &column_, &index_;
  ValueSource& source_;
  std::uint64_t rows_, most_bits_;
  bool exhaustive_;
  BitmapFacts& into_;
  std::unique_ptr<IndexedValues> values_{};
  bool reversed_differs_ = false;
};

std::optional<Obstacle> obstacle(const FoldContext& context, const SearchIndex& index) {
  const Dataset& data = *index.data;
  if (data.space.rank() != 2) return broken("the bitmap is not of rank 2", {"bitmap-rank-2"});
  if (!is_unsigned_integer(data.type, 1))
    return broken("the bitmap is not uint8", {"bitmap-uint8"});
  const Attribute* link = data.attribute("VALUES");
  if (!index.values || (link && !link->space.scalar()))
    return broken("VALUES does not refer to a values dataset", {"bitmap-values-resolves"});
  const Dataset& values = *index.values;
  if (values.unreadable) return broken(values.path + ": " + *values.unreadable);
  if (!values.space.one_dimensional())
    return broken("the values dataset is not of rank 1", {"bitmap-values-rank-1"});
  if (compare(values.type, context.column.type) == Sameness::kDifferent)
    return broken("the values dataset has another datatype", {"bitmap-values-type"});
  if (auto why = incomparable(context.column.type)) return broken(std::move(*why));
  if (data.space.extent[0] != values.space.extent[0])
    return broken("the bitmap has another number of rows than values", {"bitmap-rows-equal-k"});
  if (data.space.extent[1] < (context.rows + 7) / 8)
    return broken("the bitmap is too narrow", {"bitmap-row-bytes"});
  constexpr std::uint64_t kMostValues = 1 << 24;
  if (values.space.extent[0] > kMostValues)
    return broken(std::format("more than {} indexed values", kMostValues));
  return std::nullopt;
}

}  // namespace

std::unique_ptr<Fold> bitmap_fold(const FoldContext& context, const SearchIndex& index,
                                  BitmapFacts& into) {
  into.obstacle = obstacle(context, index);
  if (into.obstacle) return nullptr;
  auto fold = std::make_unique<BitmapFold>(context, index, into);
  if (!fold->read_values(*index.values)) return nullptr;
  return fold;
}

}  // namespace hepcheck::hep001
