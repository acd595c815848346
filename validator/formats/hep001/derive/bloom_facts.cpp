// Compares a CHUNK_BLOOM index with its column (10.7).
#include <algorithm>
#include <array>
#include <bit>
#include <format>

#include "validator/formats/hep001/derive/bloom.h"
#include "validator/formats/hep001/derive/bloom_explanation.h"
#include "validator/formats/hep001/derive/chunk_stats.h"
#include "validator/formats/hep001/derive/filter_bits.h"
#include "validator/formats/hep001/derive/fold.h"
#include "validator/formats/hep001/derive/order.h"
#include "validator/shortage.h"

namespace hepcheck::hep001 {

namespace {

// The hashes of some rows.
struct Hashes {
  static constexpr std::uint64_t kMost = 256;
  std::array<Hash128, kMost> of_values, of_excluded;
  std::size_t values = 0, excluded = 0;
};

// Hashes the rows of a column.
class Hasher {
 public:
  virtual ~Hasher() = default;
  // Rows [from, from + count) of a block, at most Hashes::kMost of them. Missing ones have no hash;
  // NaN and missing values of enumerations are hashed as a producer would that includes them by
  // mistake.
  virtual void hash(const Block& block, std::uint64_t from, std::uint64_t count,
                    Hashes& into) const = 0;
  // The canonical bytes of row `i`; nothing if it is missing or NaN. `scratch` may hold them.
  virtual std::optional<std::span<const std::byte>> canonical(const Block& block, std::uint64_t i,
                                                              std::byte (&scratch)[8]) const = 0;
};

template <class Codec>
class HasherOf : public Hasher {
 public:
  // `no_missing`: missing values are hashed as well, although they must not be in the filter.
  HasherOf(const Codec& codec, const Dataset& column, std::uint32_t seed, bool no_missing)
      : codec_(codec), element_bytes_(column.type.size), missing_(codec, column), seed_(seed),
        no_missing_(no_missing) {}

  void hash(const Block& block, std::uint64_t from, std::uint64_t count,
            Hashes& into) const override {
    into.values = into.excluded = 0;
    if constexpr (WordCodec<Codec>) return hash_words(block, from, count, into);
    for (std::uint64_t i = from; i < from + count; ++i) {
      const auto key = key_at(codec_, block, element_bytes_, i);
      const bool missing = missing_(key);
      if (is_nan_key<Codec>(key) || (missing && no_missing_))
        into.of_excluded[into.excluded++] = hash_of(block, i);
      else if (!missing)
        into.of_values[into.values++] = hash_of(block, i);
    }
  }

  std::optional<std::span<const std::byte>> canonical(const Block& block, std::uint64_t i,
                                                      std::byte (&scratch)[8]) const override {
    const auto key = key_at(codec_, block, element_bytes_, i);
    if (is_nan_key<Codec>(key) || missing_(key)) return std::nullopt;
    return canonical_bytes_at(codec_, block, element_bytes_, i, scratch);
  }

 private:
  void hash_words(const Block& block, std::uint64_t from, std::uint64_t count, Hashes& into) const {
    Words values, excluded;
    for (std::uint64_t i = from; i < from + count; ++i) {
      const std::byte* const at = block.bytes.data() + i * element_bytes_;
      const auto key = codec_.key(at);
      const bool missing = missing_(key);
      if (is_nan_key<Codec>(key) || (missing && no_missing_))
        excluded[into.excluded++] = canonical_word(codec_, at);
      else if (!missing)
        values[into.values++] = canonical_word(codec_, at);
    }
    hash_all(values, into.values, into.of_values);
    hash_all(excluded, into.excluded, into.of_excluded);
  }

  using Words = std::array<std::uint64_t, Hashes::kMost>;
  static_assert(Hashes::kMost % kWordsTogether == 0);

  void hash_all(Words& words, std::size_t count, std::array<Hash128, Hashes::kMost>& into) const {
    const std::size_t whole = (count + kWordsTogether - 1) / kWordsTogether * kWordsTogether;
    std::fill(words.begin() + static_cast<std::ptrdiff_t>(count),
              words.begin() + static_cast<std::ptrdiff_t>(whole), 0);
    murmur3_of_words(std::span(words).first(whole), word_bytes(codec_), seed_,
                     std::span(into).first(whole));
  }

  Hash128 hash_of(const Block& block, std::uint64_t i) const {
    std::byte scratch[8];
    const auto bytes = canonical_bytes_at(codec_, block, element_bytes_, i, scratch);
    return murmur3_x64_128(bytes.data(), bytes.size(), seed_);
  }

  Codec codec_;
  std::size_t element_bytes_;
  Missing<Codec> missing_;
  std::uint32_t seed_;
  bool no_missing_;
};

// The properties of the index and its column that the parts and the fold share.
struct BloomSubject {
  const FoldContext context;
  const Dataset& column = context.column;
  const Dataset& index;
  BloomParameters p;
  std::unique_ptr<const Hasher> hasher;
  // If the column is not chunked, all rows form one chunk.
  std::uint64_t chunk_rows =
      column.storage.layout == StorageLayout::kChunked ? hep001::chunk_rows(column) : context.rows;
  bool power_of_two = std::has_single_bit(p.m_bits);

  // Calls use(canonical bytes) for row `i` of a block unless it is missing or NaN.
  template <class Use>
  void with_value(const Block& block, std::uint64_t i, Use use) const {
    std::byte scratch[8];
    if (const auto bytes = hasher->canonical(block, i, scratch)) use(*bytes);
  }
};

// The bits of a chunk under one interpretation of the sums: those of its values, and those that the
// values to be excluded would have.
struct ChunkBits {
  FilterBits required, of_excluded;
  bool has_excluded = false;

  explicit ChunkBits(BloomSum sum) : required(sum), of_excluded(sum) {}

  void clear(const BloomParameters& p) {
    required.clear(p);
    has_excluded = false;
  }
  void add_excluded(std::span<const Hash128> hashes, const BloomParameters& p) {
    if (hashes.empty()) return;
    if (!has_excluded) of_excluded.clear(p);
    has_excluded = true;
    of_excluded.add(hashes, p);
  }
  // The filter has every bit that the values need.
  bool all_in(std::span<const std::byte> filter) const {
    return !any_bit([](auto need, auto set) { return need & ~set; }, required.bits(), filter);
  }
  // No bit of the filter is set without a value.
  bool explain(std::span<const std::byte> filter) const {
    if (!has_excluded)
      return !any_bit([](auto need, auto set) { return set & ~need; }, required.bits(), filter);
    return !any_bit([](auto need, auto other, auto set) { return set & ~(need | other); },
                    required.bits(), of_excluded.bits(), filter);
  }
  // All bits of the excluded values are set in the filter, some of which no value needs; with
  // `nothing_else` no other bit is.
  bool set_in(std::span<const std::byte> filter, bool nothing_else) const {
    if (any_bit([](auto other, auto set) { return other & ~set; }, of_excluded.bits(), filter))
      return false;
    if (nothing_else &&
        any_bit([](auto need, auto other, auto set) { return set ^ (need | other); },
                required.bits(), of_excluded.bits(), filter))
      return false;
    return any_bit([](auto need, auto other) { return other & ~need; }, required.bits(),
                   of_excluded.bits());
  }
};

class BloomPart : public FoldPart {
 public:
  BloomPart(const BloomSubject& subject, const Run& run)
      : s_(subject), end_(run.first + run.rows), chunk_bits_{ChunkBits(BloomSum::kExact)} {
    if (!s_.power_of_two) chunk_bits_.emplace_back(BloomSum::kWrapped);
    const std::uint64_t chunk = run.first / s_.chunk_rows;
    auto filters =
        s_.context.values.stream_rows(s_.index, chunk, (end_ - 1) / s_.chunk_rows + 1 - chunk);
    if (filters)
      filters_ = std::move(*filters);
    else
      facts.obstacle = broken(filters.error().text());
  }

  void block(const Block& block) override {
    for_each_chunk_run(block, s_.chunk_rows, [&](std::uint64_t from, std::uint64_t count) {
      const std::uint64_t row = block.first_row + from;
      if (facts.obstacle || (row % s_.chunk_rows == 0 && !next_filter())) return;
      take(block, from, count);
      if ((row + count) % s_.chunk_rows == 0 || row + count == end_)
        finish_chunk(row / s_.chunk_rows);
    });
  }

  BloomFacts facts{};
  std::vector<std::uint64_t> lost_chunks{};  // whose filter lacks a bit of some value

 private:
  bool next_filter() {
    if (filter_in_block_ == filter_block_.rows) {
      Result<std::optional<Block>> next = filters_->next();
      if (!next || !*next) {
        facts.obstacle = broken(next ? "the index ends early" : next.error().text());
        return false;
      }
      filter_block_ = **next;
      filter_in_block_ = 0;
    }
    const std::uint64_t m_bytes = s_.p.m_bits / 8;
    filter_ = filter_block_.bytes.subspan(filter_in_block_++ * m_bytes, m_bytes);
    for (ChunkBits& bits : chunk_bits_) bits.clear(s_.p);
    return true;
  }

  // Some rows of the chunk. Hashing and setting bits are separate loops, which keeps both short
  // enough for the processor to work on many values at once.
  void take(const Block& block, std::uint64_t from, std::uint64_t count) {
    Hashes hashes;
    for (const std::uint64_t end = from + count; from < end; from += Hashes::kMost) {
      s_.hasher->hash(block, from, std::min(end - from, Hashes::kMost), hashes);
      for (ChunkBits& bits : chunk_bits_) {
        bits.required.add(std::span(hashes.of_values).first(hashes.values), s_.p);
        bits.add_excluded(std::span(hashes.of_excluded).first(hashes.excluded), s_.p);
      }
    }
  }

  void finish_chunk(std::uint64_t chunk) {
    ++facts.chunks;
    if (!chunk_bits_[0].all_in(filter_)) lost_chunks.push_back(chunk);
    facts.superset_chunks += std::ranges::none_of(
        chunk_bits_, [&](const ChunkBits& bits) { return bits.explain(filter_); });
    if (!chunk_bits_[0].has_excluded) return;
    ++facts.excluded_chunks;
    bool inserted = false, perhaps = false;
    for (const ChunkBits& bits : chunk_bits_) {
      inserted |= bits.set_in(filter_, true);
      perhaps |= bits.set_in(filter_, false);
    }
    if (!perhaps) return;
    note(inserted ? facts.excluded_inserted : facts.excluded_perhaps, chunk, [&] {
      const char* what = s_.column.type.is(TypeClass::kEnum) ? "missing" : "NaN";
      return Difference{
          .stored = std::format("the filter bits of the chunk's {} values are set", what),
          .computed = std::format("no bits for {}", what),
          .witness = std::format("none: no query is for {}, and no row is lost", what)};
    });
  }

  const BloomSubject& s_;
  std::uint64_t end_;
  std::unique_ptr<ValueStream> filters_{};
  Block filter_block_{};
  std::uint64_t filter_in_block_ = 0;
  std::span<const std::byte> filter_{};
  std::vector<ChunkBits> chunk_bits_;  // an m_bits for which both interpretations agree
};

class BloomFold : public Fold {
 public:
  BloomFold(BloomSubject subject, BloomFacts& into) : s_(std::move(subject)), into_(into) {}

  std::unique_ptr<FoldPart> part(const Run& run) override {
    return std::make_unique<BloomPart>(s_, run);
  }

  void join(FoldPart& part) override {
    BloomFacts& later = static_cast<BloomPart&>(part).facts;
    if (!into_.obstacle) into_.obstacle = std::move(later.obstacle);
    into_.chunks += later.chunks;
    into_.excluded_chunks += later.excluded_chunks;
    into_.superset_chunks += later.superset_chunks;
    for (const std::uint64_t chunk : static_cast<BloomPart&>(part).lost_chunks)
      lost_chunks_.push_back(chunk);
    hep001::join(into_.excluded_inserted, std::move(later.excluded_inserted));
    hep001::join(into_.excluded_perhaps, std::move(later.excluded_perhaps));
  }

  // Only an index that lost a value is examined again, to determine how it was built.
  void finish() override {
    for (const std::uint64_t chunk : lost_chunks_) {
      if (into_.obstacle) return;
      if (const auto error = find_lost(chunk)) into_.obstacle = broken(error->text());
    }
    if (into_.obstacle || into_.lost.count == 0) return;
    if (const auto error = explain()) into_.obstacle = broken(error->text());
  }

  void fail(const Error& error) override { into_.obstacle = broken(error.text()); }
  bool whole_chunks() const override { return true; }

 private:
  // The values that the filter of a chunk excludes.
  std::optional<Error> find_lost(std::uint64_t chunk) {
    const Result<std::vector<std::byte>> filter = filter_of(chunk);
    if (!filter) return filter.error();
    FilterMembers members(*filter, s_.p);
    const std::uint64_t first = chunk * s_.chunk_rows;
    return for_each_row(first, std::min(s_.chunk_rows, s_.context.rows - first),
                        [&](const Block& block, std::uint64_t i) {
                          s_.with_value(block, i, [&](std::span<const std::byte> bytes) {
                            const Hash128 hash =
                                murmur3_x64_128(bytes.data(), bytes.size(), s_.p.seed);
                            if (members.has(hash)) return;
                            const std::uint64_t row = block.first_row + i;
                            note(into_.lost, row, [&] { return describe_lost(block, i, row); });
                          });
                          return true;
                        });
  }

  Difference describe_lost(const Block& block, std::uint64_t i, std::uint64_t row) const {
    const std::string shown = format_value(s_.column.type, stored_at(block, s_.column.type, i));
    const std::uint64_t chunk = row / s_.chunk_rows;
    return {.stored = std::format("the filter of chunk {} rules out {}", chunk, shown),
            .computed = "all filter bits of every value of the chunk",
            .witness = std::format("{} == {}: row {} lies in chunk {}, which the index rules out",
                                   s_.column.name, shown, row, chunk)};
  }

  std::optional<Error> explain() {
    if (!s_.power_of_two) {
      const Result<bool> wrapped = wrapped_sums_fit();
      if (!wrapped) return wrapped.error();
      if (*wrapped) {
        into_.only_wrapped_fits = true;
        return std::nullopt;
      }
    }
    // The first chunk that lost a value shows which interpretation explains its bits.
    const std::uint64_t chunk = into_.lost.first / s_.chunk_rows;
    const Result<std::vector<std::byte>> filter = filter_of(chunk);
    if (!filter) return filter.error();
    const Result<std::vector<BloomSample>> samples = samples_of(chunk);
    if (!samples) return samples.error();
    into_.explanation = bloom_explanation(*samples, *filter, s_.p, s_.column.type);
    return std::nullopt;
  }

  Result<std::vector<std::byte>> filter_of(std::uint64_t chunk) const {
    const std::uint64_t start[] = {chunk, 0}, count[] = {1, s_.p.m_bits / 8};
    return s_.context.values.read(s_.index, start, count);
  }

  // Calls use(block, i) for the rows [first, first + count) until it returns false.
  template <class Use>
  std::optional<Error> for_each_row(std::uint64_t first, std::uint64_t count, Use use) const {
    return for_each_block(s_.context.values.stream_rows(s_.column, first, count),
                          [&](const Block& block) {
                            std::uint64_t i = 0;
                            while (i < block.rows && use(block, i)) ++i;
                            return i == block.rows;
                          });
  }

  Result<bool> wrapped_sums_fit() const {
    bool fit = true;
    for (std::uint64_t first = 0; fit && first < s_.context.rows; first += s_.chunk_rows) {
      const Result<std::vector<std::byte>> filter = filter_of(first / s_.chunk_rows);
      if (!filter) return std::unexpected(filter.error());
      if (all_set(*filter)) continue;
      const auto test = [&](const Block& block, std::uint64_t i) {
        s_.with_value(block, i, [&](std::span<const std::byte> bytes) {
          const Hash128 hash = murmur3_x64_128(bytes.data(), bytes.size(), s_.p.seed);
          fit = bloom_contains(*filter, hash, s_.p, BloomSum::kWrapped);
        });
        return fit;
      };
      if (auto error = for_each_row(first, std::min(s_.chunk_rows, s_.context.rows - first), test))
        return std::unexpected(std::move(*error));
    }
    return fit;
  }

  // The first values of a chunk.
  Result<std::vector<BloomSample>> samples_of(std::uint64_t chunk) const {
    constexpr std::size_t kMost = 4096;
    std::vector<BloomSample> samples;
    const auto take = [&](const Block& block, std::uint64_t i) {
      s_.with_value(block, i, [&](std::span<const std::byte> bytes) {
        BloomSample sample{.canonical = {bytes.begin(), bytes.end()}};
        if (!s_.column.type.variable_string()) {
          const StoredValue stored = stored_at(block, s_.column.type, i);
          sample.stored.assign(stored.begin(), stored.end());
        }
        samples.push_back(std::move(sample));
      });
      return samples.size() < kMost;
    };
    const std::uint64_t first = chunk * s_.chunk_rows;
    if (auto error = for_each_row(first, std::min(s_.chunk_rows, s_.context.rows - first), take))
      return std::unexpected(std::move(*error));
    return samples;
  }

  const BloomSubject s_;
  std::vector<std::uint64_t> lost_chunks_{};
  BloomFacts& into_;
};

std::optional<std::uint64_t> scalar_number(const Dataset& index, const char* name) {
  const Attribute* a = index.attribute(name);
  return a && a->space.scalar() ? unsigned_value(*a) : std::nullopt;
}

std::optional<Obstacle> obstacle(const FoldContext& context, const Dataset& data,
                                 BloomParameters& into) {
  if (!has_canonical_bytes(context.column.type, *context.table.revision))
    return Obstacle{.reason = "the column's datatype has no canonical bytes",
                    .by = {"bloom-type", "bloom-no-reference-column",
                           context.table.revision->composite_clause}};
  if (!missing_rows_are_known(context)) return no_fill(context.table);
  if (data.space.rank() != 2) return broken("the filter is not of rank 2", {"bloom-rank-2"});
  if (!is_unsigned_integer(data.type, 1)) return broken("the filter is not uint8", {"bloom-uint8"});
  if (data.space.extent[0] < data_bearing_chunks(context.table, context.column))
    return broken("the index is too short", {"bloom-rows-chunked", "bloom-rows-contiguous"});
  const std::uint64_t m_bytes = data.space.extent[1];
  if (m_bytes > std::max(std::uint64_t{64} << 20, context.memory_limit / 16)) {
    record_memory_shortage();
    return broken("a filter is too large for the memory limit");
  }
  if (m_bytes == 0 || m_bytes > (std::uint64_t{1} << 40))
    return broken("the filter has no bytes, or too many", {"bloom-m-bytes-positive"});
  const auto m_bits = scalar_number(data, "m_bits");
  if (!m_bits || *m_bits != 8 * m_bytes)
    return broken("m_bits does not fit", {"bloom-m-bits-present", "bloom-m-bits-equals-8-m-bytes"});
  const auto k = scalar_number(data, "k");
  if (!k || *k > 0xFFFF) return broken("k cannot be used", {"bloom-k-present", "bloom-k-uint16"});
  if (*k == 0) return Obstacle{.reason = "k is 0", .broken = false};
  const auto seed = scalar_number(data, "seed");
  if (!seed || *seed > 0xFFFFFFFF)
    return broken("the seed cannot be used",
                  {"bloom-seed-present", "bloom-seed-scalar", "bloom-seed-uint32"});
  const Attribute* family = data.attribute("hash_family");
  if (!family || string_value(*family) != "murmur3_x64_128_double")
    return broken("an unknown hash family", {"bloom-hash-family-value"});
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
  const bool no_missing =
      context.table.revision->bloom_enums && context.column.type.is(TypeClass::kEnum);
  auto hasher =
      visit_fast_codec(context.column.type, [&](auto codec) -> std::unique_ptr<const Hasher> {
        if constexpr (!std::is_same_v<decltype(codec), FormCodec>)
          return std::make_unique<HasherOf<decltype(codec)>>(codec, context.column, parameters.seed,
                                                             no_missing);
        return nullptr;  // has no canonical bytes
      });
  return std::make_unique<BloomFold>(
      BloomSubject{.context = context, .index = data, .p = parameters, .hasher = std::move(hasher)},
      into);
}

}  // namespace hepcheck::hep001
