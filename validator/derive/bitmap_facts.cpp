// BITMAP against its column (10.6).
#include <algorithm>
#include <format>
#include <unordered_map>

#include "validator/derive/codec.h"
#include "validator/derive/fold.h"
#include "validator/derive/order.h"

namespace hepcheck {

namespace {

constexpr std::byte reversed(std::byte byte) {
  auto b = std::to_integer<unsigned>(byte);
  b = (b & 0xF0) >> 4 | (b & 0x0F) << 4;
  b = (b & 0xCC) >> 2 | (b & 0x33) << 2;
  b = (b & 0xAA) >> 1 | (b & 0x55) << 1;
  return static_cast<std::byte>(b);
}

template <class Codec>
class BitmapFold : public Fold {
 public:
  using Key = typename Codec::Key;

  BitmapFold(Codec codec, const FoldContext& context, const SearchIndex& index, BitmapFacts& into)
      : codec_(codec), column_(context.column), rows_(context.rows), index_(*index.data),
        source_(context.values), into_(into) {}

  // Reads the indexed values; false with the obstacle set if they cannot be had.
  bool read_values(const Dataset& values) {
    values_ = &values;
    Result<std::unique_ptr<ValueStream>> stream = source_.stream(values, *values.extent());
    if (!stream) return refuse(stream.error());
    while (true) {
      Result<std::optional<Block>> next = (*stream)->next();
      if (!next) return refuse(next.error());
      if (!*next) break;
      for (std::uint64_t i = 0; i < (*next)->rows; ++i) add_value(**next, i);
    }
    into_.values = shown_.size();
    return true;
  }

  void block(const Block& block) override {
    into_.rows += block.rows;
    // So many rows at a time that the bits of all values stay within a few MiB.
    const std::uint64_t k = std::max<std::uint64_t>(1, shown_.size());
    const std::uint64_t step = std::max<std::uint64_t>(8, (std::uint64_t{1} << 25) / k);
    for (std::uint64_t i = 0; i < block.rows && !into_.obstacle; i += step)
      compare_rows(block, i, std::min(step, block.rows - i));
  }

  void finish() override {
    const bool wrong = into_.missing_bit.count + into_.extra_bit.count > 0;
    into_.reversed = wrong && !reversed_differs_;
  }

  void fail(const Error& error) override { into_.obstacle = broken(error.text()); }

 private:
  bool refuse(const Error& error) {
    into_.obstacle = broken(error.text());
    return false;
  }

  void add_value(const Block& block, std::uint64_t i) {
    const Key key = codec_key(block, i, values_->type);
    const std::uint64_t k = shown_.size();
    shown_.push_back(has_variable_part(values_->type) && !values_->type.variable_string()
                         ? std::format("value {}", k)  // its bytes are addresses
                         : text_of(block, i, values_->type));
    if (is_nan_key<Codec>(key)) return;  // equal to nothing
    std::vector<std::uint64_t>& rows = rows_of_[owned_key(key)];
    rows.push_back(k);
    if (rows.size() > 1)
      note(into_.duplicate_value, k, [&] {
        return Difference{.stored = shown_.back(),
                          .computed = std::format("listed at {} already", rows.front()),
                          .witness = "none: either bitmap row answers a query for it"};
      });
  }

  Key codec_key(const Block& block, std::uint64_t i, const Datatype& type) {
    if constexpr (!std::is_same_v<Codec, VariableStringCodec>)
      if (type.size <= 8 && compare(type, column_.type) == Sameness::kByteOrderOnly) {
        const std::byte* at = block.bytes.data() + i * type.size;
        std::reverse_copy(at, at + type.size, scratch_);
        return codec_.key(scratch_);
      }
    return key_at(codec_, block, type.size, i);
  }

  static std::string text_of(const Block& block, std::uint64_t i, const Datatype& type) {
    if constexpr (std::is_same_v<Codec, VariableStringCodec>)
      return format_string(block.strings[i]);
    else
      return format_value(type, block.bytes.subspan(i * type.size, type.size));
  }

  void compare_rows(const Block& block, std::uint64_t from, std::uint64_t count) {
    const std::uint64_t first = block.first_row + from;
    const std::uint64_t first_byte = first / 8;
    const std::uint64_t bytes = (first + count - 1) / 8 - first_byte + 1;
    const std::uint64_t k = shown_.size();
    const std::uint64_t start[] = {0, first_byte}, size[] = {k, bytes};
    Result<std::vector<std::byte>> stored = source_.read(index_, start, size);
    if (!stored) {
      refuse(stored.error());
      return;
    }
    expected_.assign(k * bytes, std::byte{0});
    counted_.assign(bytes, std::byte{0});  // the rows that count: not NaN, in this run
    for (std::uint64_t i = 0; i < count; ++i) {
      const Key key = key_at(codec_, block, column_.type.size, from + i);
      if (is_nan_key<Codec>(key)) continue;
      const std::uint64_t bit = first + i - 8 * first_byte;
      const std::byte mask = std::byte{1} << (bit & 7);
      counted_[bit >> 3] |= mask;
      const auto it = rows_of_.find(owned_key(key));
      if (it == rows_of_.end()) continue;  // a value that is not indexed
      for (const std::uint64_t row : it->second) expected_[row * bytes + (bit >> 3)] |= mask;
    }
    for (std::uint64_t row = 0; row < k; ++row)
      for (std::uint64_t b = 0; b < bytes; ++b) {
        const std::byte is = (*stored)[row * bytes + b], should = expected_[row * bytes + b];
        const std::byte wrong = (is ^ should) & counted_[b];
        if (((reversed(is) ^ should) & counted_[b]) != std::byte{0}) reversed_differs_ = true;
        if (wrong != std::byte{0}) note_bits(row, 8 * (first_byte + b), wrong, should);
      }
  }

  void note_bits(std::uint64_t value, std::uint64_t first_row, std::byte wrong, std::byte should) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      const std::byte mask = std::byte{1} << bit;
      if ((wrong & mask) == std::byte{0}) continue;
      const std::uint64_t row = first_row + bit;
      const bool lost = (should & mask) != std::byte{0};
      note(lost ? into_.missing_bit : into_.extra_bit, row, [&] {
        return Difference{
            .stored = std::format("the bit of {} is {}", shown_[value], lost ? "clear" : "set"),
            .computed = lost ? "set" : "clear",
            .witness = std::format("{} == {}: row {} {}", column_.name, shown_[value], row,
                                   lost ? "has the value, but the index does not show it"
                                        : "is returned, but has another value")};
      });
    }
  }

  Codec codec_;
  const Dataset& column_;
  std::uint64_t rows_;
  const Dataset& index_;
  ValueSource& source_;
  BitmapFacts& into_;
  const Dataset* values_ = nullptr;

  std::unordered_map<OwnedKey<Key>, std::vector<std::uint64_t>> rows_of_{};  // of equal values
  std::vector<std::string> shown_{};
  std::vector<std::byte> expected_{}, counted_{};
  std::byte scratch_[8]{};
  bool reversed_differs_ = false;
};

std::optional<Obstacle> obstacle(const FoldContext& context, const SearchIndex& index) {
  const Dataset& data = *index.data;
  if (data.space.rank() != 2) return broken("the bitmap is not of rank 2 (bitmap-rank-2)");
  if (!is_unsigned_integer(data.type, 1)) return broken("the bitmap is not uint8 (bitmap-uint8)");
  const Attribute* link = data.attribute("VALUES");
  if (!index.values || (link && !link->space.scalar()))
    return broken("VALUES does not lead to a values dataset (bitmap-values-resolves)");
  const Dataset& values = *index.values;
  if (values.unreadable) return broken(values.path + ": " + *values.unreadable);
  if (!values.space.one_dimensional())
    return broken("the values dataset is not of rank 1 (bitmap-values-rank-1)");
  if (compare(values.type, context.column.type) == Sameness::kDifferent)
    return broken("the values dataset has another datatype (bitmap-values-type)");
  if (data.space.extent[0] != values.space.extent[0])
    return broken("the bitmap has another number of rows than values (bitmap-rows-equal-k)");
  if (data.space.extent[1] < (context.rows + 7) / 8)
    return broken("the bitmap is too narrow (bitmap-row-bytes)");
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

}  // namespace hepcheck
