// Canonical bytes, MurmurHash3 and Bloom filters (10.7).
#include <murmurhash.h>

#include <cmath>
#include <cstring>
#include <format>
#include <functional>
#include <random>
#include <set>

#include "fuzz/hep001/properties/cases.h"
#include "validator/formats/hep001/derive/bloom.h"
#include "validator/formats/hep001/derive/bloom_explanation.h"
#include "validator/formats/hep001/derive/build_index.h"
#include "validator/formats/hep001/derive/facts.h"
#include "validator/formats/hep001/derive/filter_bits.h"
#include "validator/formats/hep001/derive/order.h"

namespace hepcheck::hep001::grammar {

namespace {

using Bytes = std::vector<std::byte>;

Bytes canonical_of(const Datatype& type, const Bytes& stored) {
  if (type.variable_string()) return stored;
  return visit_codec(type, [&](auto codec) {
    std::byte scratch[8];
    const auto bytes = canonical_bytes(codec, stored.data(), scratch);
    return Bytes(bytes.begin(), bytes.end());
  });
}

Datatype draw_hashable() {
  const Datatype type = draw_type(draw_family());
  RC_PRE(hashable(type));
  return type;
}

RC_GTEST_PROP(CanonicalBytes, ExistForTheSpecifiedFamilies, ()) {
  const Datatype type = draw_type(draw_family());
  RC_ASSERT(has_canonical_bytes(type) == hashable(type));
}

RC_GTEST_PROP(CanonicalBytes, AreThoseOfTheValue, ()) {
  const Datatype type = draw_hashable();
  const Value value = draw_value("value", type);
  RC_PRE(!is_nan(value));
  Noise noise = draw_noise();
  RC_ASSERT(canonical_of(type, encode(type, value, noise)) == canonical(type, value));
}

RC_GTEST_PROP(CanonicalBytes, AreTheSameInAnyStorage, ()) {
  const Datatype type = draw_hashable();
  const Datatype other =
      draw("other storage", [type](Choices& c) { return other_storage(c, type); });
  const Value value = draw_value("value", type);
  RC_PRE(!is_nan(value) && can_hold(other, value));
  Noise noise = draw_noise();
  RC_ASSERT(canonical_of(type, encode(type, value, noise)) ==
            canonical_of(other, encode(other, value, noise)));
}

RC_GTEST_PROP(CanonicalBytes, AreEqualExactlyForEqualValues, ()) {
  const Datatype type = draw_hashable();
  const Value a = draw_value("a", type), b = draw_value("b", type);
  RC_PRE(!is_nan(a) && !is_nan(b));
  Noise noise = draw_noise();
  const Bytes stored_a = encode(type, a, noise), stored_b = encode(type, b, noise);
  const bool same = canonical_of(type, stored_a) == canonical_of(type, stored_b);
  RC_ASSERT(same == equal(a, b));
  RC_ASSERT(same == std::is_eq(compare_values(type, stored_a, stored_b)));
}

RC_GTEST_PROP(Murmur3, AgreesWithLibmurmurhash, (std::uint32_t seed)) {
  const auto size = *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::size_t>(0, 200));
  const std::size_t offset = *rc::gen::inRange<std::size_t>(0, 8);  // need not be aligned
  Noise noise(*rc::gen::arbitrary<std::uint64_t>());
  Bytes data(offset + size);
  for (std::byte& byte : data) byte = static_cast<std::byte>(noise.bits());
  std::uint64_t reference[2];
  lmmh_x64_128(data.data() + offset, static_cast<unsigned>(size), seed, reference);
  RC_ASSERT(murmur3_x64_128(data.data() + offset, size, seed) ==
            (Hash128{reference[0], reference[1]}));
}

std::vector<std::uint64_t> bits_of(const Hash128& hash, const BloomParameters& p, BloomSum sum) {
  std::vector<std::uint64_t> bits;
  for_each_bloom_bit(hash, p, sum, [&](std::uint64_t g) { bits.push_back(g); });
  return bits;
}

RC_GTEST_PROP(Bloom, BitsFollowTheFormula, (std::uint64_t a, std::uint64_t b)) {
  const Filter filter = draw_filter();
  const BloomParameters p{filter.k, filter.m_bits, filter.seed};
  std::vector<std::uint64_t> exact, wrapped;
  for (std::uint32_t i = 0; i < p.k; ++i) {
    exact.push_back(
        static_cast<std::uint64_t>((static_cast<unsigned __int128>(b) * i + a) % p.m_bits));
    wrapped.push_back((a + i * b) % p.m_bits);
  }
  RC_ASSERT(bits_of({a, b}, p, BloomSum::kExact) == exact);
  RC_ASSERT(bits_of({a, b}, p, BloomSum::kWrapped) == wrapped);
  if (std::has_single_bit(p.m_bits)) RC_ASSERT(exact == wrapped);
}

RC_GTEST_PROP(Bloom, HasNoFalseNegatives, (std::vector<std::string> texts)) {
  const Filter filter = draw_filter();
  const BloomParameters p{filter.k, filter.m_bits, filter.seed};
  for (const BloomSum sum : {BloomSum::kExact, BloomSum::kWrapped}) {
    Bytes row(p.m_bits / 8), counted(p.m_bits / 8);
    const auto hash = [&](const std::string& text) {
      return murmur3_x64_128(std::as_bytes(std::span(text)).data(), text.size(), p.seed);
    };
    for (const std::string& text : texts) {
      bloom_insert(row, hash(text), p, sum);
      for (const std::uint64_t g : bits_of(hash(text), p, sum))
        counted[g / 8] |= std::byte{1} << (g % 8);
    }
    for (const std::string& text : texts) RC_ASSERT(bloom_contains(row, hash(text), p, sum));
    RC_ASSERT(row == counted);
  }
}

// Near the number of bits above which not all are enumerated: which filters contain a hash, and
// which bits hashes set. Few distinct hashes, so they repeat; steps with common divisors with
// m_bits.
RC_GTEST_PROP(Bloom, ManyBitsFollowTheFormula, ()) {
  const auto p = draw("k, m_bits", [](Choices& c) {
    constexpr std::uint32_t kHashes[] = {kManyHashes, kManyHashes + 1, kManyHashes - 1, 1000,
                                         65535};
    constexpr std::uint64_t kSizes[] = {8, 64, 72, 1000, 1024, 2048, 4000};
    return Filter{.k = c.of(kHashes), .m_bits = c.of(kSizes), .seed = 0};
  });
  const BloomParameters parameters{p.k, p.m_bits, 0};
  Noise noise = draw_noise();
  std::vector<Hash128> hashes;
  for (std::uint64_t n = 1 + noise.below(4); n > 0; --n)
    hashes.push_back({noise.bits(), noise.bits() << noise.below(8)});
  for (std::uint64_t n = noise.below(4); n > 0; --n)
    hashes.push_back(hashes[noise.below(hashes.size())]);
  // One after another, as for the chunks of a column, some of whose values occur again.
  std::vector<std::vector<Hash128>> chunks{hashes};
  for (std::uint64_t n = noise.below(3); n > 0; --n) {
    chunks.emplace_back();
    for (const Hash128& hash : hashes)
      if (noise.maybe()) chunks.back().push_back(hash);
  }
  for (const BloomSum sum : {BloomSum::kExact, BloomSum::kWrapped}) {
    FilterBits bits(sum);
    for (const std::vector<Hash128>& chunk : chunks) {
      Bytes wanted(p.m_bits / 8);
      bits.clear(parameters);
      bits.add(chunk, parameters);
      for (const Hash128& hash : chunk)
        for (std::uint64_t i = 0; i < p.k; ++i) {
          const auto exact = static_cast<unsigned __int128>(hash.b) * i + hash.a;
          set_bit(wanted,
                  static_cast<std::uint64_t>(sum == BloomSum::kExact
                                                 ? exact % p.m_bits
                                                 : static_cast<std::uint64_t>(exact) % p.m_bits));
        }
      RC_ASSERT(std::ranges::equal(bits.bits(), wanted));
    }
  }
  Bytes filter(p.m_bits / 8, std::byte{0xff});
  for (std::uint64_t n = noise.below(noise.maybe() ? 3 : p.m_bits); n > 0; --n) {
    const std::uint64_t g = noise.below(p.m_bits);
    filter[g / 8] &= ~(std::byte{1} << (g % 8));
  }
  FilterMembers members(filter, parameters);
  for (const Hash128& hash : hashes) {
    bool all = true;
    for (std::uint64_t i = 0; i < p.k; ++i)
      all = all &&
            test_bit(filter, static_cast<std::uint64_t>(
                                 (static_cast<unsigned __int128>(hash.b) * i + hash.a) % p.m_bits));
    RC_ASSERT(members.has(hash) == all);
  }
}

// The theoretical rate is (1 - exp(-k n / m))^k; the tolerance is five standard deviations of the
// sample, and two per cent for the cost of double hashing.
TEST(Bloom, FalsePositivesHaveTheTheoreticalRate) {
  std::mt19937_64 random(20261121);
  for (const std::uint32_t k : {1u, 3u, 7u})
    for (const std::uint64_t m_bits : {std::uint64_t{4096}, std::uint64_t{5000}}) {
      const BloomParameters p{k, m_bits, 42};
      constexpr int kInserted = 400, kProbed = 20000;
      const auto hash = [&](std::uint64_t value) {
        return murmur3_x64_128(std::as_bytes(std::span(&value, 1)).data(), 8, p.seed);
      };
      Bytes row(m_bits / 8);
      for (int i = 0; i < kInserted; ++i)
        bloom_insert(row, hash(random() | 1), p, BloomSum::kWrapped);
      int positives = 0;
      for (int i = 0; i < kProbed; ++i)
        positives += bloom_contains(row, hash(random() & ~std::uint64_t{1}), p, BloomSum::kExact);
      const double theory =
          std::pow(1 - std::exp(-1.0 * k * kInserted / static_cast<double>(m_bits)), k);
      const double slack = 5 * std::sqrt(theory * (1 - theory) / kProbed) + 0.02;
      EXPECT_NEAR(static_cast<double>(positives) / kProbed, theory, slack)
          << "k " << k << ", m_bits " << m_bits;
    }
}

// --- Filters by other interpretations ------------------------------------------------------------

using Positions = std::vector<std::uint64_t>;

// h_a + i * h_b of some bytes for i in [first, first + k), before any remainder.
Positions sums_of(const Bytes& bytes, const Filter& filter, std::uint64_t first = 0,
                  bool swapped = false) {
  std::uint64_t hash[2];
  lmmh_x64_128(bytes.data(), static_cast<unsigned>(bytes.size()), filter.seed, hash);
  if (swapped) std::swap(hash[0], hash[1]);
  Positions sums;
  for (std::uint64_t i = first; i < first + filter.k; ++i) sums.push_back(hash[0] + i * hash[1]);
  return sums;
}

struct Reading {
  const char* name;
  bool of_strings;
  std::function<Positions(const BloomSample&, const Filter&, const Datatype&)> bits;
};

Positions modulo(Positions sums, std::uint64_t m_bits, std::uint64_t turned = 0) {
  for (std::uint64_t& sum : sums) sum = sum % m_bits ^ turned;
  return sums;
}

const Reading kReadings[] = {
    {"bits are packed from the most significant one", false,
     [](auto& s, auto& f, auto&) { return modulo(sums_of(s.canonical, f), f.m_bits, 7); }},
    {"i counts from 1 to k instead of 0 to k - 1", false,
     [](auto& s, auto& f, auto&) { return modulo(sums_of(s.canonical, f, 1), f.m_bits); }},
    {"h_a and h_b are swapped", false,
     [](auto& s, auto& f, auto&) { return modulo(sums_of(s.canonical, f, 0, true), f.m_bits); }},
    {"the seed 0 was used instead of the attribute's", false,
     [](auto& s, Filter f, auto&) {
       f.seed = 0;
       return modulo(sums_of(s.canonical, f), f.m_bits);
     }},
    {"big-endian bytes were hashed instead of canonical ones", false,
     [](auto& s, auto& f, auto&) {
       return modulo(sums_of({s.canonical.rbegin(), s.canonical.rend()}, f), f.m_bits);
     }},
    {"strings were hashed with their padding, or stored bytes unchanged", true,
     [](auto& s, auto& f, auto&) { return modulo(sums_of(s.stored, f), f.m_bits); }},
    {"strings were hashed with a terminating NUL", true,
     [](auto& s, auto& f, auto&) {
       Bytes bytes = s.canonical;
       bytes.push_back(std::byte{0});
       return modulo(sums_of(bytes, f), f.m_bits);
     }},
    {"integers were widened to 8 bytes before hashing", false,
     [](auto& s, auto& f, auto& type) {
       if (type.fixed_string()) {
         Bytes bytes = s.canonical;
         bytes.resize(std::max<std::size_t>(8, bytes.size()));
         return modulo(sums_of(bytes, f), f.m_bits);
       }
       std::uint16_t bits = 0;
       std::memcpy(&bits, s.stored.data(), sizeof bits);
       const Integer value =
           type.is_signed ? Integer{static_cast<std::int16_t>(bits)} : Integer{bits};
       return modulo(sums_of(encode(integer_type(8, type.is_signed), value), f), f.m_bits);
     }},
    {"the sums were taken at 32 bits", false, [](auto& s, auto& f, auto&) {
       Positions sums = sums_of(s.canonical, f);
       for (std::uint64_t& sum : sums) sum = static_cast<std::uint32_t>(sum);
       return modulo(sums, f.m_bits);
     }}};

// No interpretation explains filters in which the bits of other values are set.
TEST(OtherInterpretations, AreIdentifiedByTheBits) {
  const Filter filter{.k = 5, .m_bits = 4088, .seed = 3};
  const std::vector<Datatype> integers = {integer_type(2, true), integer_type(2, false)};
  const std::vector<Datatype> texts = {
      fixed_string_type(8, StringPadding::kNullPad, CharacterSet::kUtf8)};
  for (const Reading& reading : kReadings)
    for (const Datatype& type : reading.of_strings ? texts : integers) {
      std::vector<BloomSample> samples;
      Bytes bits(filter.m_bits / 8);
      for (int i = -20; i < 20; ++i) {
        const int number = 100 * i + 7;
        const Value value = reading.of_strings ? Value(std::format("text {}", i))
                            : type.is_signed   ? Value(Integer{number})
                                               : Value(Integer{number & 0xFFFF});
        samples.push_back({.canonical = canonical(type, value), .stored = encode(type, value)});
        for (const std::uint64_t bit : reading.bits(samples.back(), filter, type))
          set_bit(bits, bit);
      }
      const BloomParameters p{.k = filter.k, .m_bits = filter.m_bits, .seed = filter.seed};
      EXPECT_EQ(bloom_explanation(samples, bits, p, type), reading.name) << type.is_signed;
      samples.push_back({.canonical = Bytes(2, std::byte{77}), .stored = Bytes(8, std::byte{77})});
      EXPECT_EQ(bloom_explanation(samples, bits, p, type), "") << reading.name;
    }
}

// Filters of several chunks, each of which another producer wrote: what is lost is counted, the
// sums that wrap explain it only if they explain every chunk, and any other interpretation is that
// of the first chunk that lost a value. No result depends on the blocks in which rows arrive.
TEST(OtherInterpretations, OfSeveralChunksAreNamedByTheFirstThatLostAValue) {
  constexpr std::uint64_t kSizes[] = {72, 1000, 4088, 1024};
  constexpr std::uint64_t kBlocks[] = {1, 3, 8, 100};
  constexpr std::size_t kExact = std::size(kReadings), kWrapped = kExact + 1, kFull = kExact + 2;
  std::set<std::string_view> seen;
  Noise random(4101);
  for (int round = 0; round < 300; ++round) {
    const bool text = random.one_in(3);
    RandomColumn column{
        .type = text ? fixed_string_type(8, StringPadding::kNullPad, CharacterSet::kUtf8)
                     : integer_type(2, random.maybe())};
    const auto value = [&]() -> Value {
      const std::uint64_t number = random.below(40);
      if (text) return std::format("text {}", number);
      return Integer{column.type.is_signed ? static_cast<int>(100 * number) - 2000
                                           : static_cast<int>(1500 * number)};
    };
    column.fill = value();
    column.chunk = 1 + random.below(20);
    column.nrows = 1 + random.below(60);
    for (std::uint64_t row = 0; row < column.nrows; ++row) column.rows.push_back(value());
    const Filter filter{.k = static_cast<std::uint32_t>(1 + random.below(6)),
                        .m_bits = random.of(kSizes),
                        .seed = 3};

    const std::size_t usual = random.below(kFull + 1), other = random.below(kFull + 1);
    Bytes bits(column.chunks() * filter.m_bits / 8);
    std::vector<std::vector<BloomSample>> samples(column.chunks());
    for (std::uint64_t chunk = 0; chunk < column.chunks(); ++chunk) {
      const std::size_t reading = random.one_in(4) ? other : usual;
      const auto row_bits = std::span(bits).subspan(chunk * filter.m_bits / 8, filter.m_bits / 8);
      const std::uint64_t first = chunk * column.chunk;
      for (std::uint64_t row = first; row < std::min(column.nrows, first + column.chunk); ++row) {
        if (column.missing(row)) continue;
        const Value& each = column.rows[row];
        BloomSample& sample = samples[chunk].emplace_back(BloomSample{
            .canonical = canonical(column.type, each), .stored = encode(column.type, each)});
        const Positions of_row = reading < kExact
                                     ? kReadings[reading].bits(sample, filter, column.type)
                                     : bloom_bits(column.type, each, filter, reading == kWrapped);
        for (const std::uint64_t bit : of_row) set_bit(row_bits, bit);
      }
      if (reading == kFull) std::ranges::fill(row_bits, std::byte{0xFF});
    }

    std::vector<std::uint64_t> lost;
    bool wraps = !std::has_single_bit(filter.m_bits);
    const auto has = [&](std::uint64_t chunk, const Positions& positions) {
      const auto row = std::span(bits).subspan(chunk * filter.m_bits / 8, filter.m_bits / 8);
      return std::ranges::all_of(
          positions, [&](std::uint64_t bit) { return bit < filter.m_bits && test_bit(row, bit); });
    };
    for (std::uint64_t row = 0; row < column.nrows; ++row) {
      if (column.missing(row)) continue;
      const std::uint64_t chunk = row / column.chunk;
      const Value& each = column.rows[row];
      if (!has(chunk, bloom_bits(column.type, each, filter))) lost.push_back(row);
      wraps = wraps && has(chunk, bloom_bits(column.type, each, filter, true));
    }
    std::string_view explanation;
    if (!lost.empty() && !wraps)
      for (const Reading& reading : kReadings) {
        const std::uint64_t chunk = lost[0] / column.chunk;
        if (!std::ranges::all_of(samples[chunk], [&](const BloomSample& sample) {
              return has(chunk, reading.bits(sample, filter, column.type));
            }))
          continue;
        explanation = reading.name;
        break;
      }
    seen.insert(explanation);

    NoChoice plain;
    TestTable table = table_of(column, plain);
    add_bloom(table, "c", filter, bits);
    table.values.block_rows = random.of(kBlocks);
    table.values.blocks_are_chunks = random.maybe();
    const TableFacts all = collect_facts(table.finish(), table.values, {.jobs = 1});
    const BloomFacts& facts = std::get<BloomFacts>(all.indexes.at(0));
    ASSERT_FALSE(facts.obstacle) << facts.obstacle->reason;
    EXPECT_EQ(facts.chunks, column.chunks());
    EXPECT_EQ(facts.lost.count, lost.size()) << round;
    if (!lost.empty()) {
      EXPECT_EQ(facts.lost.first, lost[0]) << round;
    }
    EXPECT_EQ(facts.only_wrapped_fits, !lost.empty() && wraps) << round;
    EXPECT_EQ(facts.explanation, explanation) << round;
  }
  EXPECT_GE(seen.size(), std::size(kReadings));
}

// A filter without bits or hashes cannot be built, and neither can one with partial bytes.
TEST(BuiltFilters, NeedBytesAndHashes) {
  const RandomColumn column{
      .type = integer_type(2, true), .rows = {Integer{5}}, .nrows = 1, .fill = Integer{0}};
  for (const std::uint64_t m_bits : {0, 4, 8, 12, 16})
    for (const std::uint32_t k : {0, 1, 2}) {
      NoChoice plain;
      TestTable table = table_of(column, plain);
      const Dataset& data = table.dataset("c");
      const auto built =
          build_chunk_bloom(data, **table.values.stream(data, 1), {.k = k, .m_bits = m_bits});
      EXPECT_EQ(built.has_value(), m_bits > 0 && m_bits % 8 == 0 && k > 0) << m_bits << ' ' << k;
      if (built) {
        EXPECT_EQ(*built, expected_bloom(column, {.k = k, .m_bits = m_bits}));
      }
    }
}

}  // namespace

}  // namespace hepcheck::hep001::grammar
