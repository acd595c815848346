// Canonical bytes, MurmurHash3 and Bloom filters (10.7).
#include <murmurhash.h>

#include <cmath>
#include <cstring>
#include <format>
#include <functional>
#include <random>

#include "fuzz/hep001/properties/cases.h"
#include "validator/formats/hep001/derive/bloom.h"
#include "validator/formats/hep001/derive/bloom_explanation.h"
#include "validator/formats/hep001/derive/build_index.h"
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
  for (const BloomSum sum : {BloomSum::kExact, BloomSum::kWrapped}) {
    Bytes wanted(p.m_bits / 8);
    FilterBits bits(sum);
    bits.clear(parameters);
    bits.add(hashes, parameters);
    for (const Hash128& hash : hashes)
      for (std::uint64_t i = 0; i < p.k; ++i) {
        const auto exact = static_cast<unsigned __int128>(hash.b) * i + hash.a;
        set_bit(wanted,
                static_cast<std::uint64_t>(sum == BloomSum::kExact
                                               ? exact % p.m_bits
                                               : static_cast<std::uint64_t>(exact) % p.m_bits));
      }
    RC_ASSERT(std::ranges::equal(bits.bits(), wanted));
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
