// BITMAP against its column (10.6).
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

// Up to 8 bytes of a bitmap as a number: bit i is that of the i-th row. Short ones are filled up.
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

// The indexed values, and which rows of the bitmap belong to a key.
template <class Codec>
class IndexedValues {
 public:
  using Key = typename Codec::Key;

  // Reads them; an error if they cannot be had.
  std::optional<Error> read(const Codec& codec, const Dataset& column, const Dataset& values,
                            ValueSource& source, Difference& duplicates) {
    Result<std::unique_ptr<ValueStream>> stream = source.stream(values, *values.extent());
    if (!stream) return stream.error();
    const bool swapped = compare(values.type, column.type) == Sameness::kByteOrderOnly;
    while (true) {
      Result<std::optional<Block>> next = (*stream)->next();
      if (!next) return next.error();
      if (!*next) break;
      for (std::uint64_t i = 0; i < (*next)->rows; ++i) {
        std::byte scratch[8];
        add(key_of(codec, **next, i, values.type, swapped, scratch),
            has_variable_part(values.type) && !values.type.variable_string()
                ? std::format("value {}", shown_.size())  // its bytes are addresses
                : text_of(**next, i, values.type),
            duplicates);
      }
    }
    table_.fill(size());
    if constexpr (kSmall)
      for (const auto& [key, value] : first_) table_[static_cast<std::uint8_t>(key)] = value;
    return std::nullopt;
  }

  std::uint64_t size() const { return shown_.size(); }
  const std::string& shown(std::uint64_t value) const { return shown_[value]; }

  // Which of them this is, the first one if it is listed several times; size() if it is not
  // indexed.
  std::uint64_t place_of(const Key& key) const {
    if constexpr (kSmall) {
      return table_[static_cast<std::uint8_t>(key)];
    } else if constexpr (std::is_same_v<Key, std::string_view>) {
      const auto it = first_.find(key);
      return it == first_.end() ? size() : it->second;
    } else {
      const auto it = first_.find(owned_key(key));
      return it == first_.end() ? size() : it->second;
    }
  }

  // A value that was listed before.
  struct Twin {
    std::uint64_t value, first;
  };
  const std::vector<Twin>& twins() const { return twins_; }

 private:
  static constexpr bool kSmall = std::is_integral_v<Key> && sizeof(Key) == 1;
  // Lets a string_view look up a string.
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(const Key& key) const { return std::hash<Key>()(key); }
  };

  static Key key_of(const Codec& codec, const Block& block, std::uint64_t i, const Datatype& type,
                    bool swapped, std::byte (&scratch)[8]) {
    if constexpr (!std::is_same_v<Codec, VariableStringCodec>)
      if (swapped && type.size <= 8) {
        const std::byte* at = block.bytes.data() + i * type.size;
        std::reverse_copy(at, at + type.size, scratch);
        return codec.key(scratch);
      }
    return key_at(codec, block, type.size, i);
  }

  static std::string text_of(const Block& block, std::uint64_t i, const Datatype& type) {
    if constexpr (std::is_same_v<Codec, VariableStringCodec>)
      return format_string(block.strings[i]);
    else
      return format_value(type, block.bytes.subspan(i * type.size, type.size));
  }

  void add(const Key& key, std::string text, Difference& duplicates) {
    const std::uint64_t value = shown_.size();
    shown_.push_back(std::move(text));
    if (is_nan_key<Codec>(key)) return;  // equal to nothing
    const auto [it, is_new] = first_.emplace(owned_key(key), value);
    if (is_new) return;
    twins_.push_back({value, it->second});
    note(duplicates, value, [&] {
      return Difference{.stored = shown_.back(),
                        .computed = std::format("listed at {} already", it->second),
                        .witness = "none: either bitmap row answers a query for it"};
    });
  }

  std::vector<std::string> shown_{};
  std::unordered_map<OwnedKey<Key>, std::uint64_t, Hash, std::equal_to<>> first_{};
  std::vector<Twin> twins_{};
  std::array<std::uint64_t, 256> table_{};  // place_of() for keys of one byte
};

template <class Codec>
class BitmapPart : public Part {
 public:
  using Key = typename Codec::Key;

  BitmapPart(Codec codec, const Dataset& column, const Dataset& index, ValueSource& source,
             const IndexedValues<Codec>& values)
      : codec_(codec), column_(column), index_(index), source_(source), values_(values) {}

  void block(const Block& block) override {
    facts.rows += block.rows;
    // So many rows at a time that the bits of all values stay within a few MiB.
    const std::uint64_t k = std::max<std::uint64_t>(1, values_.size());
    const std::uint64_t step = std::max<std::uint64_t>(8, (std::uint64_t{1} << 25) / k);
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
      const std::uint64_t row = 8 * (first_byte + byte);  // that of the word's lowest bit
      const std::uint64_t begin = std::max(first, row), end = std::min(first + count, row + 64);
      expected_.assign(k + 1, 0);
      std::uint64_t counted = 0;  // the rows that count: not NaN, in this run
      for (std::uint64_t r = begin; r < end; ++r) {
        const Key key = key_at(codec_, block, column_.type.size, r - block.first_row);
        if (is_nan_key<Codec>(key)) continue;
        const std::uint64_t bit = std::uint64_t{1} << (r - row);
        counted |= bit;
        expected_[values_.place_of(key)] |= bit;
      }
      for (const auto& twin : values_.twins()) expected_[twin.value] = expected_[twin.first];
      for (std::uint64_t value = 0; value < k; ++value) {
        const std::uint64_t bits = load_bits(stored->data() + value * bytes + byte, bytes - byte);
        const std::uint64_t wrong = (bits ^ expected_[value]) & counted;
        reversed_differs |= ((reversed_in_bytes(bits) ^ expected_[value]) & counted) != 0;
        if (wrong != 0) note_bits(value, row, wrong, expected_[value]);
      }
    }
  }

  void note_bits(std::uint64_t value, std::uint64_t first_row, std::uint64_t wrong,
                 std::uint64_t should) {
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
                                        : "is returned, but has another value")};
      });
    }
  }

  Codec codec_;
  const Dataset &column_, &index_;
  ValueSource& source_;
  const IndexedValues<Codec>& values_;
  std::vector<std::uint64_t> expected_{};  // bits of 64 rows, a word for each value and for others
};

template <class Codec>
class BitmapFold : public Fold {
 public:
  BitmapFold(Codec codec, const FoldContext& context, const SearchIndex& index, BitmapFacts& into)
      : codec_(codec), column_(context.column), index_(*index.data), source_(context.values),
        into_(into) {}

  // False with the obstacle set if the indexed values cannot be had.
  bool read_values(const Dataset& values) {
    if (auto error = values_.read(codec_, column_, values, source_, into_.duplicate_value)) {
      fail(*error);
      return false;
    }
    into_.values = values_.size();
    return true;
  }

  std::unique_ptr<Part> part(const Run&) override {
    return std::make_unique<BitmapPart<Codec>>(codec_, column_, index_, source_, values_);
  }

  void join(Part& part) override {
    auto& later = static_cast<BitmapPart<Codec>&>(part);
    if (!into_.obstacle) into_.obstacle = std::move(later.facts.obstacle);
    into_.rows += later.facts.rows;
    hep001::join(into_.missing_bit, std::move(later.facts.missing_bit));
    hep001::join(into_.extra_bit, std::move(later.facts.extra_bit));
    reversed_differs_ |= later.reversed_differs;
  }

  void finish() override {
    const bool wrong = into_.missing_bit.count + into_.extra_bit.count > 0;
    into_.reversed = wrong && !reversed_differs_;
  }

  void fail(const Error& error) override { into_.obstacle = broken(error.text()); }

 private:
  Codec codec_;
  const Dataset &column_, &index_;
  ValueSource& source_;
  BitmapFacts& into_;
  IndexedValues<Codec> values_{};
  bool reversed_differs_ = false;
};

std::optional<Obstacle> obstacle(const FoldContext& context, const SearchIndex& index) {
  const Dataset& data = *index.data;
  if (data.space.rank() != 2) return broken("the bitmap is not of rank 2", {"bitmap-rank-2"});
  if (!is_unsigned_integer(data.type, 1))
    return broken("the bitmap is not uint8", {"bitmap-uint8"});
  const Attribute* link = data.attribute("VALUES");
  if (!index.values || (link && !link->space.scalar()))
    return broken("VALUES does not lead to a values dataset", {"bitmap-values-resolves"});
  const Dataset& values = *index.values;
  if (values.unreadable) return broken(values.path + ": " + *values.unreadable);
  if (!values.space.one_dimensional())
    return broken("the values dataset is not of rank 1", {"bitmap-values-rank-1"});
  if (compare(values.type, context.column.type) == Sameness::kDifferent)
    return broken("the values dataset has another datatype", {"bitmap-values-type"});
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
  return visit_codec(context.column.type, [&](auto codec) -> std::unique_ptr<Fold> {
    auto fold = std::make_unique<BitmapFold<decltype(codec)>>(codec, context, index, into);
    if (!fold->read_values(*index.values)) return nullptr;
    return fold;
  });
}

}  // namespace hepcheck::hep001
