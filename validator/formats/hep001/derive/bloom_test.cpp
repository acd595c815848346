#include "validator/formats/hep001/derive/bloom.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "validator/formats/hep001/derive/filter_bits.h"
#include "validator/formats/hep001/testing/build.h"

namespace hepcheck::hep001 {

namespace {

using Words = std::vector<int>;

Words ints(std::span<const std::byte> bytes) {
  Words values;
  for (const std::byte b : bytes) values.push_back(std::to_integer<int>(b));
  return values;
}

Words canonical(const Datatype& type, const std::vector<std::byte>& stored) {
  EXPECT_TRUE(has_canonical_bytes(type)) << describe(type);
  return visit_codec(type, [&](auto codec) {
    std::byte scratch[8];
    return ints(canonical_bytes(codec, stored.data(), scratch));
  });
}
Words canonical(const Datatype& type, const Cell& cell) {
  return canonical(type, cell.stored_as(type));
}

constexpr ByteOrder kBothOrders[] = {ByteOrder::kLittle, ByteOrder::kBig};

TEST(CanonicalBytes, IntegersAreLittleEndianAtStorageWidth) {
  for (const ByteOrder order : kBothOrders) {
    EXPECT_EQ(canonical(integer_type(1, true, order), -2), (Words{0xfe}));
    EXPECT_EQ(canonical(integer_type(1, false, order), 254), (Words{0xfe}));
    EXPECT_EQ(canonical(integer_type(2, true, order), -2), (Words{0xfe, 0xff}));
    EXPECT_EQ(canonical(integer_type(2, false, order), 0x1234), (Words{0x34, 0x12}));
    EXPECT_EQ(canonical(integer_type(4, true, order), -256), (Words{0, 0xff, 0xff, 0xff}));
    EXPECT_EQ(canonical(integer_type(4, false, order), 0x80000001), (Words{1, 0, 0, 0x80}));
    EXPECT_EQ(canonical(integer_type(8, true, order), -2),
              (Words{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}));
    EXPECT_EQ(canonical(integer_type(8, false, order), 0x0102030405060708),
              (Words{8, 7, 6, 5, 4, 3, 2, 1}));
  }
}

TEST(CanonicalBytes, FloatsKeepTheirBitsExceptNegativeZero) {
  for (const ByteOrder order : kBothOrders) {
    const auto half = [&](int bits) { return Cell(bits).stored_as(integer_type(2, false, order)); };
    EXPECT_EQ(canonical(ieee_float_type(2, order), half(0x3c01)), (Words{1, 0x3c}));
    EXPECT_EQ(canonical(ieee_float_type(2, order), half(0x8001)), (Words{1, 0x80}));
    EXPECT_EQ(canonical(ieee_float_type(2, order), half(0x8000)), (Words{0, 0}));
    EXPECT_EQ(canonical(ieee_float_type(4, order), 1.0), (Words{0, 0, 0x80, 0x3f}));
    EXPECT_EQ(canonical(ieee_float_type(4, order), -0.0), (Words(4, 0)));
    EXPECT_EQ(canonical(ieee_float_type(8, order), -1.5), (Words{0, 0, 0, 0, 0, 0, 0xf8, 0xbf}));
    EXPECT_EQ(canonical(ieee_float_type(8, order), -0.0), (Words(8, 0)));
  }
}

TEST(CanonicalBytes, BooleansAreOneByte) {
  EXPECT_EQ(canonical(boolean_type(), 0), Words{0});
  EXPECT_EQ(canonical(boolean_type(), 1), Words{1});
}

TEST(CanonicalBytes, StringsLoseTheirPadding) {
  const auto fixed = [](StringPadding padding) {
    return fixed_string_type(5, padding, CharacterSet::kAscii);
  };
  const Words expected{'a', ' ', 'b'};
  EXPECT_EQ(canonical(fixed(StringPadding::kNullTerm), "a b"), expected);
  EXPECT_EQ(canonical(fixed(StringPadding::kNullPad), "a b"), expected);
  EXPECT_EQ(canonical(fixed(StringPadding::kSpacePad), "a b"), expected);
  EXPECT_EQ(canonical(fixed(StringPadding::kNullPad), "a b  "), (Words{'a', ' ', 'b', ' ', ' '}));
  EXPECT_EQ(canonical(fixed(StringPadding::kSpacePad), ""), Words{});
  const char* text = "a b";  // a stored element of this datatype is a pointer
  const auto pointer = std::as_bytes(std::span(&text, 1));
  EXPECT_EQ(canonical(variable_string_type(CharacterSet::kUtf8), {pointer.begin(), pointer.end()}),
            expected);
}

TEST(CanonicalBytes, OpaqueIsUnchanged) {
  for (const char* tag : {"", "a tag"})
    EXPECT_EQ(canonical(opaque_type(3, tag), std::string("\0\xff\0", 3)), (Words{0, 0xff, 0}));
}

TEST(CanonicalBytes, OtherDatatypesHaveNone) {
  Datatype narrow = integer_type(2, true);
  narrow.precision = 12;
  for (const Datatype& type :
       {integer_type(3, true), integer_type(6, false), narrow, standard_reference_type(),
        enum_type(integer_type(1, true), {{"A", 0}, {"B", 1}}), compound_type(4, {}),
        Datatype{.cls = TypeClass::kArray, .size = 4},
        Datatype{.cls = TypeClass::kVlen, .size = 16},
        Datatype{.cls = TypeClass::kBitfield, .size = 1},
        Datatype{.cls = TypeClass::kFloat, .size = 16, .order = ByteOrder::kLittle}})
    EXPECT_FALSE(has_canonical_bytes(type)) << describe(type);
}

__extension__ using Wide = unsigned __int128;

std::vector<std::uint64_t> filter_bits(const Hash128& hash, const BloomParameters& p,
                                       BloomSum sum) {
  std::vector<std::uint64_t> all;
  for_each_bloom_bit(hash, p, sum, [&](std::uint64_t g) { all.push_back(g); });
  return all;
}

TEST(BloomBits, AreTheSumsByTheirDefinition) {
  std::mt19937_64 random(11);
  for (const std::uint64_t m_bits : {8ul, 24ul, 64ul, 1000ul, 1ul << 40, ~0ul - 7})
    for (const std::uint32_t k : {1u, 7u, 65535u}) {
      const Hash128 hash{random() | 1ul << 63, random() | 1ul << 63};
      const BloomParameters p{.k = k, .m_bits = m_bits};
      std::vector<std::uint64_t> exact, wrapped;
      for (std::uint32_t i = 0; i < k; ++i) {
        exact.push_back(static_cast<std::uint64_t>((Wide{hash.a} + Wide{i} * hash.b) % m_bits));
        wrapped.push_back((hash.a + i * hash.b) % m_bits);
      }
      const auto found = filter_bits(hash, p, BloomSum::kExact);
      if (k <= kManyHashes) {
        EXPECT_EQ(found, exact) << m_bits;
      }
      EXPECT_LE(found.size(), std::max<std::uint64_t>(k, m_bits));
      EXPECT_EQ(std::set(found.begin(), found.end()), std::set(exact.begin(), exact.end()));
      EXPECT_EQ(filter_bits(hash, p, BloomSum::kWrapped), wrapped) << m_bits;
      // The interpretations differ unless m_bits divides 2^64.
      EXPECT_EQ(exact == wrapped, k == 1 || std::has_single_bit(m_bits)) << m_bits << ' ' << k;
    }
}

TEST(BloomBits, ArePackedFromTheLeastSignificant) {
  std::vector<std::byte> row(3);
  for (const std::uint64_t g : {0, 7, 9, 23}) set_bit(row, g);
  EXPECT_EQ(ints(row), (Words{0x81, 0x02, 0x80}));
  for (std::uint64_t g = 0; g < 24; ++g)
    EXPECT_EQ(test_bit(row, g), g == 0 || g == 7 || g == 9 || g == 23) << g;
}

// All bits except the one that the next hash would set.
TEST(FilterMembers, TheLastBitOfManyCounts) {
  for (const std::uint64_t m_bits : {1024, 1000}) {
    const Hash128 hash{.a = 5, .b = 7};
    for (const std::uint32_t k : {kManyHashes + 1, kManyHashes + 2, 999u}) {
      std::vector<std::byte> filter(m_bits / 8, std::byte{0xFF});
      const std::uint64_t next = (hash.a + k * hash.b) % m_bits;
      filter[next / 8] &= ~(std::byte{1} << (next % 8));
      for (const std::uint32_t more : {0, 1})
        EXPECT_EQ(FilterMembers(filter, {.k = k + more, .m_bits = m_bits}).has(hash), more == 0)
            << m_bits << ' ' << k;
    }
  }
}

TEST(Remembered, DistinguishesHashesWithAnEqualHalf) {
  Remembered known;
  const auto answered = [&](Hash128 hash, bool answer) {
    return known(hash, [=] { return answer; });
  };
  EXPECT_TRUE(answered({.a = 1, .b = 2}, true));
  EXPECT_FALSE(answered({.a = 1, .b = 3}, false));
  EXPECT_FALSE(answered({.a = 1025, .b = 3}, false));
  EXPECT_TRUE(answered({.a = 1, .b = 3}, true));
  EXPECT_TRUE(answered({.a = 1, .b = 3}, false));  // it was remembered
}

TEST(BloomFilter, ContainsWhatWasInserted) {
  const BloomParameters p{.k = 3, .m_bits = 1000, .seed = 5};
  for (const BloomSum sum : {BloomSum::kExact, BloomSum::kWrapped}) {
    std::vector<std::byte> row(p.m_bits / 8);
    const auto hash = [&](int value) {
      return murmur3_x64_128(reinterpret_cast<const std::byte*>(&value), sizeof value, p.seed);
    };
    for (int value = 0; value < 50; ++value) {
      EXPECT_FALSE(bloom_contains(row, hash(1000), p, sum));
      bloom_insert(row, hash(value), p, sum);
      for (int before = 0; before <= value; ++before)
        EXPECT_TRUE(bloom_contains(row, hash(before), p, sum));
    }
  }
}

}  // namespace

}  // namespace hepcheck::hep001
