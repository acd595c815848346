// CHUNK_BLOOM against its column (10.7).
#include <algorithm>
#include <array>
#include <format>
#include <functional>

#include "validator/derive/bloom.h"
#include "validator/derive/fold.h"
#include "validator/derive/order.h"

namespace hepcheck {

namespace {

// A value of the chunk under way, kept to find out how a filter was really made.
struct Sample {
  std::vector<std::byte> canonical{}, stored{};
};

// Readings of section 10.7 that producers have taken instead; `hashes` a sample and calls
// set(g) for the bits that the producer would have set.
struct Alternative {
  const char* name;
  void (*bits)(const Sample&, const BloomParameters&, const Datatype&,
               const std::function<void(std::uint64_t)>&);
};

using SetBit = std::function<void(std::uint64_t)>;

void wrapped_bits(std::span<const std::byte> bytes, const BloomParameters& p, const SetBit& set) {
  for_each_bloom_bit(murmur3_x64_128(bytes.data(), bytes.size(), p.seed), p, BloomSum::kWrapped, set);
}

const std::array<Alternative, 9> kAlternatives{{
    {"bits are packed from the most significant one (10.7, bit packing)",
     [](const Sample& s, const BloomParameters& p, const Datatype&, const SetBit& set) {
       wrapped_bits(s.canonical, p, [&](std::uint64_t g) { set(g ^ 7); });
     }},
    {"i counts from 1 to k instead of 0 to k - 1 (10.7, hash scheme)",
     [](const Sample& s, const BloomParameters& p, const Datatype&, const SetBit& set) {
       Hash128 h = murmur3_x64_128(s.canonical.data(), s.canonical.size(), p.seed);
       h.a += h.b;
       for_each_bloom_bit(h, p, BloomSum::kWrapped, set);
     }},
    {"h_a and h_b are swapped (10.7, hash scheme)",
     [](const Sample& s, const BloomParameters& p, const Datatype&, const SetBit& set) {
       const Hash128 h = murmur3_x64_128(s.canonical.data(), s.canonical.size(), p.seed);
       for_each_bloom_bit({h.b, h.a}, p, BloomSum::kWrapped, set);
     }},
    {"the seed 0 was used instead of the attribute's (10.7, seed)",
     [](const Sample& s, const BloomParameters& p, const Datatype&, const SetBit& set) {
       wrapped_bits(s.canonical, {p.k, p.m_bits, 0}, set);
     }},
    {"big-endian bytes were hashed instead of canonical ones (10.7)",
     [](const Sample& s, const BloomParameters& p, const Datatype&, const SetBit& set) {
       std::vector<std::byte> bytes(s.canonical.rbegin(), s.canonical.rend());
       wrapped_bits(bytes, p, set);
     }},
    {"strings were hashed with their padding, or stored bytes as they are (10.7)",
     [](const Sample& s, const BloomParameters& p, const Datatype&, const SetBit& set) {
       wrapped_bits(s.stored, p, set);
     }},
    {"strings were hashed with a terminating NUL (10.7)",
     [](const Sample& s, const BloomParameters& p, const Datatype&, const SetBit& set) {
       std::vector<std::byte> bytes = s.canonical;
       bytes.push_back(std::byte{0});
       wrapped_bits(bytes, p, set);
     }},
    {"integers were widened to 8 bytes before hashing (10.7)",
     [](const Sample& s, const BloomParameters& p, const Datatype& type, const SetBit& set) {
       std::vector<std::byte> bytes = s.canonical;
       const bool negative = type.is_signed && !bytes.empty() &&
                             (bytes.back() & std::byte{0x80}) != std::byte{0};
       bytes.resize(std::max<std::size_t>(8, bytes.size()), negative ? std::byte{0xFF} : std::byte{0});
       wrapped_bits(bytes, p, set);
     }},
    {"the sums were taken at 32 bits (10.7, hash scheme)",
     [](const Sample& s, const BloomParameters& p, const Datatype&, const SetBit& set) {
       const Hash128 h = murmur3_x64_128(s.canonical.data(), s.canonical.size(), p.seed);
       for (std::uint32_t i = 0; i < p.k; ++i)
         set(static_cast<std::uint32_t>(h.a + i * h.b) % p.m_bits);
     }},
}};

template <class Codec>
class BloomFold : public Fold {
 public:
  using Key = typename Codec::Key;

  BloomFold(Codec codec, const FoldContext& context, BloomParameters parameters,
            std::unique_ptr<ValueStream> filters, BloomFacts& into)
      : codec_(codec), column_(context.column), rows_(context.rows),
        chunk_rows_(chunk_rows(context.column)), p_(parameters), filters_(std::move(filters)),
        into_(into), missing_(codec, context.column) {
    if (column_.storage.layout != Layout::kChunked) chunk_rows_ = rows_;
    const std::vector<std::byte> none(p_.m_bits / 8);
    chunk_bits_.push_back({BloomSum::kExact, none, none});
    if (!power_of_two_) chunk_bits_.push_back({BloomSum::kWrapped, none, none});
  }

  void block(const Block& block) override {
    for (std::uint64_t i = 0; i < block.rows && !into_.obstacle; ++i) {
      const std::uint64_t row = block.first_row + i;
      if (row % chunk_rows_ == 0 && !next_filter()) return;
      look_at(block, i, row);
      if ((row + 1) % chunk_rows_ == 0 || row + 1 == rows_) finish_chunk();
    }
  }

  void finish() override {
    into_.only_wrapped_fits = lost_.count > 0 && wrapped_lost_ == 0;
    into_.lost = std::move(lost_);
  }

  void fail(const Error& error) override { into_.obstacle = broken(error.text()); }

 private:
  bool next_filter() {
    if (filter_in_block_ == filter_block_.rows) {
      Result<std::optional<Block>> next = filters_->next();
      if (!next || !*next) {
        into_.obstacle = broken(next ? "the index ends early" : next.error().text());
        return false;
      }
      filter_block_ = **next;
      filter_in_block_ = 0;
    }
    filter_ = filter_block_.bytes.subspan(filter_in_block_++ * (p_.m_bits / 8), p_.m_bits / 8);
    for (ChunkBits& bits : chunk_bits_) bits.clear();
    has_nan_ = false;
    chunk_lost_ = 0;
    samples_.clear();
    return true;
  }

  void look_at(const Block& block, std::uint64_t i, std::uint64_t row) {
    const Key key = key_at(codec_, block, column_.type.size, i);
    if constexpr (Codec::kFloat) {
      if (std::isnan(key)) return remember_nan(block.bytes.data() + i * column_.type.size);
    }
    if (missing_(key)) return;
    std::byte scratch[8];
    const auto bytes = canonical_bytes_at(codec_, block, column_.type.size, i, scratch);
    ++into_.values;
    const Hash128 hash = murmur3_x64_128(bytes.data(), bytes.size(), p_.seed);
    for (ChunkBits& bits : chunk_bits_) bloom_insert(bits.required, hash, p_, bits.sum);
    const bool exact = bloom_contains(filter_, hash, p_, BloomSum::kExact);
    const bool wrapped = exact && power_of_two_ ? true
                                                : bloom_contains(filter_, hash, p_, BloomSum::kWrapped);
    if (!wrapped) ++wrapped_lost_;
    keep_sample(block, i, bytes);
    if (exact) return;
    ++chunk_lost_;
    note(lost_, row, [&] {
      std::string shown;
      if constexpr (std::is_same_v<Codec, VariableStringCodec>)
        shown = format_string(key);
      else
        shown = format_value(column_.type, block.bytes.subspan(i * column_.type.size,
                                                               column_.type.size));
      const std::uint64_t chunk = row / chunk_rows_;
      return Difference{.stored = std::format("the filter of chunk {} rules out {}", chunk, shown),
                        .computed = "all filter bits of every value of the chunk",
                        .witness = std::format("{} == {}: row {} lies in chunk {}, which the "
                                               "index rules out",
                                               column_.name, shown, row, chunk)};
    });
  }

  void remember_nan(const std::byte* at) {
    has_nan_ = true;
    std::byte scratch[8];
    // The bytes that a producer would have hashed.
    const auto bytes = canonical_bytes(codec_, at, scratch);
    const Hash128 hash = murmur3_x64_128(bytes.data(), bytes.size(), p_.seed);
    for (ChunkBits& bits : chunk_bits_) bloom_insert(bits.of_nan, hash, p_, bits.sum);
  }

  void keep_sample(const Block& block, std::uint64_t i, std::span<const std::byte> canonical) {
    constexpr std::size_t kMost = 4096;
    if (!into_.explanation.empty() || explained_ || samples_.size() >= kMost) return;
    Sample sample{.canonical = {canonical.begin(), canonical.end()}};
    if constexpr (!std::is_same_v<Codec, VariableStringCodec>) {
      const auto stored = block.bytes.subspan(i * column_.type.size, column_.type.size);
      sample.stored.assign(stored.begin(), stored.end());
    }
    samples_.push_back(std::move(sample));
  }

  void finish_chunk() {
    ++into_.chunks;
    if (chunk_lost_ > 0 && !explained_) explain();
    if constexpr (Codec::kFloat) judge_nan();
    into_.superset_chunks += std::ranges::none_of(
        chunk_bits_, [&](const ChunkBits& bits) { return bits.explain(filter_); });
  }

  // The first chunk with a lost value tells how the filter was made.
  void explain() {
    explained_ = true;
    for (const Alternative& alternative : kAlternatives) {
      const bool fits = std::ranges::all_of(samples_, [&](const Sample& sample) {
        bool all = true;
        alternative.bits(sample, p_, column_.type, [&](std::uint64_t g) {
          all = all && g < p_.m_bits && test_bit(filter_, g);
        });
        return all;
      });
      if (fits) {
        into_.explanation = alternative.name;
        return;
      }
    }
  }

  void judge_nan() {
    if (!has_nan_) return;
    ++into_.nan_chunks;
    bool inserted = false, perhaps = false;
    for (const ChunkBits& bits : chunk_bits_) {
      inserted |= bits.set_in(filter_, true);
      perhaps |= bits.set_in(filter_, false);
    }
    if (!perhaps) return;
    note(inserted ? into_.nan_inserted : into_.nan_perhaps, into_.chunks - 1, [&] {
      return Difference{.stored = "the filter bits of the chunk's NaN values are set",
                        .computed = "no bits for NaN",
                        .witness = "none: no query asks for NaN, and no row is lost"};
    });
  }

  // The bits of a chunk under one reading of the sums: of its values, and of its NaNs had they
  // been hashed.
  struct ChunkBits {
    BloomSum sum;
    std::vector<std::byte> required, of_nan;

    void clear() {
      std::ranges::fill(required, std::byte{0});
      std::ranges::fill(of_nan, std::byte{0});
    }
    // No bit of the filter is set without reason.
    bool explain(std::span<const std::byte> filter) const {
      for (std::size_t b = 0; b < required.size(); ++b)
        if ((filter[b] & ~(required[b] | of_nan[b])) != std::byte{0}) return false;
      return true;
    }
    // All bits of the NaNs are set in the filter, some of which no value needs; with
    // `nothing_else` no other bit is.
    bool set_in(std::span<const std::byte> filter, bool nothing_else) const {
      bool differs = false;
      for (std::size_t b = 0; b < required.size(); ++b) {
        if ((of_nan[b] & ~filter[b]) != std::byte{0}) return false;
        if (nothing_else && filter[b] != (required[b] | of_nan[b])) return false;
        differs |= (of_nan[b] & ~required[b]) != std::byte{0};
      }
      return differs;
    }
  };

  Codec codec_;
  const Dataset& column_;
  std::uint64_t rows_, chunk_rows_;
  BloomParameters p_;
  std::unique_ptr<ValueStream> filters_;
  BloomFacts& into_;
  Missing<Codec> missing_;
  const bool power_of_two_ = (p_.m_bits & (p_.m_bits - 1)) == 0;

  Block filter_block_{};
  std::uint64_t filter_in_block_ = 0;
  std::span<const std::byte> filter_{};
  Difference lost_{};
  std::uint64_t wrapped_lost_ = 0, chunk_lost_ = 0;
  bool has_nan_ = false, explained_ = false;
  std::vector<Sample> samples_{};
  std::vector<ChunkBits> chunk_bits_{};  // one where both readings agree
};

std::optional<std::uint64_t> scalar_number(const Dataset& index, const char* name) {
  const Attribute* a = index.attribute(name);
  return a && a->space.scalar() ? unsigned_value(*a) : std::nullopt;
}

std::optional<Obstacle> obstacle(const FoldContext& context, const Dataset& data,
                                 BloomParameters& into) {
  if (!has_canonical_bytes(context.column.type))
    return broken("the column's datatype has no canonical bytes (bloom-type, bloom-no-*)");
  if (!has_user_fill(context.column)) return broken(kNoFill);
  if (data.space.rank() != 2) return broken("the filter is not of rank 2 (bloom-rank-2)");
  if (!is_unsigned_integer(data.type, 1)) return broken("the filter is not uint8 (bloom-uint8)");
  if (data.space.extent[0] < data_bearing_chunks(context.table, context.column))
    return broken("the index is too short (bloom-rows-chunked, bloom-rows-contiguous)");
  const std::uint64_t m_bytes = data.space.extent[1];
  if (m_bytes == 0 || m_bytes > (std::uint64_t{1} << 40))
    return broken("the filter has no bytes, or too many (bloom-m-bytes-positive)");
  const auto m_bits = scalar_number(data, "m_bits");
  if (!m_bits || *m_bits != 8 * m_bytes)
    return broken("m_bits does not fit (bloom-m-bits-present, bloom-m-bits-equals-8-m-bytes)");
  const auto k = scalar_number(data, "k");
  if (!k || *k > 0xFFFF) return broken("k cannot be used (bloom-k-present, bloom-k-uint16)");
  if (*k == 0) return Obstacle{.reason = "k is 0", .broken = false};
  const auto seed = scalar_number(data, "seed");
  if (!seed || *seed > 0xFFFFFFFF)
    return broken("the seed cannot be used (bloom-seed-present, -scalar, -uint32)");
  const Attribute* family = data.attribute("hash_family");
  if (!family || string_value(*family) != "murmur3_x64_128_double")
    return broken("an unknown hash family (bloom-hash-family-value)");
  into = {.k = static_cast<std::uint32_t>(*k),
          .m_bits = *m_bits,
          .seed = static_cast<std::uint32_t>(*seed)};
  return std::nullopt;
}

}  // namespace

std::unique_ptr<Fold> bloom_fold(const FoldContext& context, const SearchIndex& index,
                                 BloomFacts& into) {
  const Dataset& data = *index.data;
  BloomParameters parameters;
  into.obstacle = obstacle(context, data, parameters);
  if (into.obstacle) return nullptr;
  Result<std::unique_ptr<ValueStream>> filters =
      context.values.stream(data, data_bearing_chunks(context.table, context.column));
  if (!filters) {
    into.obstacle = broken(filters.error().text());
    return nullptr;
  }
  return visit_codec(context.column.type, [&](auto codec) -> std::unique_ptr<Fold> {
    if constexpr (decltype(codec)::kOrdered)
      return std::make_unique<BloomFold<decltype(codec)>>(codec, context, parameters,
                                                          std::move(*filters), into);
    return nullptr;
  });
}

}  // namespace hepcheck
