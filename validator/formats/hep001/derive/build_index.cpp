#include "validator/formats/hep001/derive/build_index.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <format>
#include <numbers>
#include <unordered_map>

#include "validator/counted.h"
#include "validator/formats/hep001/derive/chunk_stats.h"

namespace hepcheck::hep001 {

namespace {

Error too_large(const Dataset& column, std::uint64_t memory_limit) {
  return {column.path,
          "building the index exceeds the memory limit of " + counted(memory_limit, "byte")};
}

OwnedValue fill_of(const Dataset& column) {
  if (const auto fill = stored_fill(column)) return {fill->begin(), fill->end()};
  return OwnedValue(column.type.variable_string() ? 0 : column.type.size);  // the default fill
}

// The incomplete entries of CHUNK_MINMAX.
template <class Codec>
class MinmaxBuilder {
 public:
  MinmaxBuilder(const Codec& codec, const Dataset& column)
      : column_(column), chunk_rows_(chunk_rows(column)), scan_(codec, column) {}

  std::optional<Error> take(const Block& block) {
    for_each_chunk_run(block, chunk_rows_, [&](std::uint64_t from, std::uint64_t count) {
      scan_.take(block, from, count, stats_);
      if ((block.first_row + from + count) % chunk_rows_ == 0) finish_chunk();
    });
    return std::nullopt;
  }

  std::vector<ChunkMinmax> finish() {
    if (stats_.rows > 0) finish_chunk();
    return std::move(entries_);
  }

 private:
  void finish_chunk() {
    if (!stats_.has_value) stats_.min = stats_.max = fill_of(column_);
    entries_.push_back({.min = std::move(stats_.min),
                        .max = std::move(stats_.max),
                        .nan_count = stats_.nan_count,
                        .fill_count = stats_.fill_count,
                        .n = stats_.rows});
    stats_ = {};
  }

  const Dataset& column_;
  std::uint64_t chunk_rows_;
  ChunkScan<Codec> scan_;
  ChunkStats stats_{};
  std::vector<ChunkMinmax> entries_{};
};

template <class Codec>
class SortedBuilder {
 public:
  using Key = typename Codec::Key;

  SortedBuilder(const Codec& codec, const Dataset& column, std::uint64_t memory_limit)
      : codec_(codec), column_(column), missing_(codec, column), memory_limit_(memory_limit) {}

  std::optional<Error> take(const Block& block) {
    const std::uint64_t text = kept_bytes(block);
    // Entries are sorted in place and then copied out as rows.
    bytes_ += text + block.rows * (sizeof(Entry) + sizeof(std::uint64_t));
    if (bytes_ > memory_limit_) return too_large(column_, memory_limit_);
    for (std::uint64_t i = 0; i < block.rows; ++i) {
      const Key key = key_at(codec_, block, column_.type.size, i);
      const std::uint64_t row = block.first_row + i;
      if (is_nan_key<Codec>(key))
        nan_rows_.push_back(row);
      else if (missing_(key))
        fill_rows_.push_back(row);
      else
        entries_.push_back({keep(key), row});
    }
    return std::nullopt;
  }

  SortedRows finish() {
    // Rows break ties, so the order is total.
    std::ranges::sort(entries_, [](const Entry& a, const Entry& b) {
      return a.key < b.key || (a.key == b.key && a.row < b.row);
    });
    SortedRows sorted{.nan_tail_length = nan_rows_.size(), .fill_tail_length = fill_rows_.size()};
    sorted.rows.reserve(entries_.size() + fill_rows_.size() + nan_rows_.size());
    for (const Entry& entry : entries_) sorted.rows.push_back(entry.row);
    sorted.rows.insert(sorted.rows.end(), fill_rows_.begin(), fill_rows_.end());
    sorted.rows.insert(sorted.rows.end(), nan_rows_.begin(), nan_rows_.end());
    return sorted;
  }

 private:
  static constexpr bool kText = std::is_same_v<Key, std::string_view>;
  struct Entry {
    Key key;
    std::uint64_t row;
  };

  // Reserves memory for the texts of a block; returns the number of their bytes.
  std::uint64_t kept_bytes(const Block& block) {
    if constexpr (kText) {
      std::uint64_t bytes = 0;
      for (std::uint64_t i = 0; i < block.rows; ++i)
        bytes += key_at(codec_, block, column_.type.size, i).size();
      texts_.emplace_back().reserve(bytes);  // never grows, because keys point into it
      return bytes;
    } else if constexpr (std::is_same_v<Key, std::string>) {
      return block.rows *
             (column_.type.size + 32);  // the comparable form, and the cost of its allocation
    }
    return 0;
  }
  Key keep(const Key& key) {
    if constexpr (kText) {
      const std::size_t at = texts_.back().size();
      texts_.back() += key;
      return Key(texts_.back()).substr(at);
    } else {
      return key;
    }
  }

  Codec codec_;
  const Dataset& column_;
  Missing<Codec> missing_;
  std::uint64_t memory_limit_, bytes_ = 0;
  std::deque<std::string> texts_{};  // one per block; their addresses are stable
  std::vector<Entry> entries_{};
  std::vector<std::uint64_t> fill_rows_{}, nan_rows_{};
};

template <class Codec>
class BitmapBuilder {
 public:
  using Key = typename Codec::Key;

  BitmapBuilder(const Codec& codec, const Dataset& column, std::uint64_t most_values,
                std::uint64_t memory_limit)
      : codec_(codec), column_(column), missing_(codec, column), most_values_(most_values),
        memory_limit_(memory_limit) {}

  std::optional<Error> take(const Block& block) {
    rows_ = block.first_row + block.rows;
    // The bits of all values exist twice while they are put in order.
    if (values_.size() * row_bytes() > memory_limit_ / 2) return too_large(column_, memory_limit_);
    for (std::uint64_t i = 0; i < block.rows; ++i) {
      const Key key = key_at(codec_, block, column_.type.size, i);
      if (is_nan_key<Codec>(key) || missing_(key)) continue;
      const auto [at, is_new] = position_.try_emplace(owned_key(key), values_.size());
      if (is_new) {
        if (values_.size() == most_values_)
          return Error{column_.path, std::format("more than {} distinct values", most_values_)};
        const StoredValue stored = stored_at(block, column_.type, i);
        values_.push_back({.stored = {stored.begin(), stored.end()}});
      }
      set_bit(values_[at->second].bits, block.first_row + i);
    }
    return std::nullopt;
  }

  Bitmap finish() {
    const bool ordered = has_order(column_.type);
    if (ordered)
      std::ranges::sort(values_, {}, [&](const Value& v) { return key_of(codec_, v.stored); });
    Bitmap bitmap{.ordered = ordered, .row_bytes = row_bytes()};
    bitmap.bits.reserve(values_.size() * row_bytes());
    for (Value& v : values_) {
      bitmap.values.push_back(std::move(v.stored));
      v.bits.resize(row_bytes());
      bitmap.bits.insert(bitmap.bits.end(), v.bits.begin(), v.bits.end());
      v.bits = {};
    }
    return bitmap;
  }

 private:
  struct Value {
    OwnedValue stored{};
    std::vector<std::byte> bits{};  // up to the last row that has the value
  };

  static void set_bit(std::vector<std::byte>& bits, std::uint64_t row) {
    if (bits.size() <= row >> 3) bits.resize((row >> 3) + 1);
    hep001::set_bit(bits, row);
  }
  std::uint64_t row_bytes() const { return (rows_ + 7) / 8; }

  Codec codec_;
  const Dataset& column_;
  Missing<Codec> missing_;
  std::uint64_t most_values_, memory_limit_, rows_ = 0;
  std::unordered_map<OwnedKey<Key>, std::size_t, OwnedKeyHash> position_{};
  std::vector<Value> values_{};
};

template <class Codec>
class BloomBuilder {
 public:
  BloomBuilder(const Codec& codec, const Dataset& column, const BloomParameters& parameters)
      : codec_(codec), column_(column), missing_(codec, column), p_(parameters),
        chunk_rows_(chunk_rows(column)) {}

  std::optional<Error> take(const Block& block) {
    for_each_chunk_run(block, chunk_rows_, [&](std::uint64_t from, std::uint64_t count) {
      const std::uint64_t m_bytes = p_.m_bits / 8;
      const std::uint64_t chunk = (block.first_row + from) / chunk_rows_;
      filters_.resize((chunk + 1) * m_bytes);
      const std::span<std::byte> filter = std::span(filters_).subspan(chunk * m_bytes);
      for (std::uint64_t i = from; i < from + count; ++i) insert(block, i, filter);
    });
    return std::nullopt;
  }

  std::vector<std::byte> finish() { return std::move(filters_); }

 private:
  void insert(const Block& block, std::uint64_t i, std::span<std::byte> filter) {
    const auto key = key_at(codec_, block, column_.type.size, i);
    if (is_nan_key<Codec>(key) || missing_(key)) return;
    std::byte scratch[8];
    const auto bytes = canonical_bytes_at(codec_, block, column_.type.size, i, scratch);
    bloom_insert(filter, murmur3_x64_128(bytes.data(), bytes.size(), p_.seed), p_,
                 BloomSum::kWrapped);
  }

  Codec codec_;
  const Dataset& column_;
  Missing<Codec> missing_;
  BloomParameters p_;
  std::uint64_t chunk_rows_;
  std::vector<std::byte> filters_{};
};

// Feeds the rows to the builder that make(codec) gives.
template <class Made, class Make>
Result<Made> build(IndexKind kind, const Dataset& column, ValueStream& rows, Make make) {
  if (auto reason = index_refusal(kind, column.type, all_revisions().back()))
    return failure(column.path, std::move(*reason));
  return visit_codec(column.type, [&](auto codec) -> Result<Made> {
    auto builder = make(codec);
    std::optional<Error> trouble;
    const auto take = [&](const Block& block) {
      trouble = builder.take(block);
      return !trouble;
    };
    if (auto error = for_each_block(rows, take)) trouble = std::move(error);
    if (trouble) return std::unexpected(std::move(*trouble));
    return builder.finish();
  });
}

}  // namespace

std::optional<std::string> index_refusal(IndexKind kind, const Datatype& type,
                                         const Revision& revision) {
  const std::string what = describe(type);
  switch (kind) {
    case IndexKind::kChunkMinmax:
    case IndexKind::kSortedRows:
      if (!has_order(type)) return what + " has no order that HEP001 defines";
      return std::nullopt;
    case IndexKind::kBitmap:
      // 10.6 excludes no datatype, but equality of these cannot be decided.
      if (contains_class(type, TypeClass::kReference) ||
          (has_variable_part(type) && !type.variable_string()))
        return what + " contains references or sequences, whose comparison is not supported";
      return incomparable(type);
    case IndexKind::kChunkBloom:
      if (!has_canonical_bytes(type, revision)) return what + " has no canonical bytes";
      return std::nullopt;
    case IndexKind::kUnknown: break;
  }
  return "an unknown kind of index";
}

Result<std::vector<ChunkMinmax>> build_chunk_minmax(const Dataset& column, ValueStream& rows) {
  return build<std::vector<ChunkMinmax>>(IndexKind::kChunkMinmax, column, rows, [&](auto codec) {
    return MinmaxBuilder<decltype(codec)>(codec, column);
  });
}

Result<SortedRows> build_sorted_rows(const Dataset& column, ValueStream& rows,
                                     std::uint64_t memory_limit) {
  return build<SortedRows>(IndexKind::kSortedRows, column, rows, [&](auto codec) {
    return SortedBuilder<decltype(codec)>(codec, column, memory_limit);
  });
}

Result<Bitmap> build_bitmap(const Dataset& column, ValueStream& rows, std::uint64_t most_values,
                            std::uint64_t memory_limit) {
  return build<Bitmap>(IndexKind::kBitmap, column, rows, [&](auto codec) {
    return BitmapBuilder<decltype(codec)>(codec, column, most_values, memory_limit);
  });
}

Result<std::vector<std::byte>> build_chunk_bloom(const Dataset& column, ValueStream& rows,
                                                 const BloomParameters& parameters) {
  if (parameters.m_bits == 0 || parameters.m_bits % 8 != 0 || parameters.k == 0)
    return failure(column.path, "m_bits must be a positive multiple of 8 and k positive");
  return build<std::vector<std::byte>>(IndexKind::kChunkBloom, column, rows, [&](auto codec) {
    return BloomBuilder<decltype(codec)>(codec, column, parameters);
  });
}

BloomParameters bloom_parameters(std::uint64_t values, double bits_per_value,
                                 std::optional<std::uint32_t> hashes, std::uint32_t seed) {
  constexpr double kMostBits = 0x1p43;  // a filter of 1 TiB
  const double wanted = std::ceil(static_cast<double>(values) * bits_per_value);
  const double best = std::round(bits_per_value * std::numbers::ln2);
  return {.k = hashes.value_or(static_cast<std::uint32_t>(std::clamp(best, 1.0, 65535.0))),
          .m_bits = std::bit_ceil(static_cast<std::uint64_t>(std::clamp(wanted, 8.0, kMostBits))),
          .seed = seed};
}

double bloom_bits_per_value(double false_positive_rate) {
  return -std::log(false_positive_rate) / (std::numbers::ln2 * std::numbers::ln2);
}

}  // namespace hepcheck::hep001
