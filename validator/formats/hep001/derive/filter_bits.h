// The bits of a Bloom filter (10.7), for any k: the cost of a query is bounded by the size of the
// filter, not by the 65535 bits per value that its attribute may claim.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "validator/formats/hep001/derive/bloom.h"

namespace hepcheck::hep001 {

// A position has a bit that is set in the combination of the rows of bits, all of one length.
template <class Combine, class... Rows>
bool any_bit(Combine combine, std::span<const std::byte> first, const Rows&... rows) {
  const auto word = [](std::span<const std::byte> row, std::size_t at, std::size_t bytes) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, row.data() + at, bytes);
    return bits;
  };
  std::uint64_t any = 0;
  std::size_t at = 0;
  for (; at + 8 <= first.size(); at += 8) any |= combine(word(first, at, 8), word(rows, at, 8)...);
  const std::size_t rest = first.size() - at;
  std::uint64_t there = 0;  // the bits of the last few bytes
  std::memset(&there, 0xFF, rest);
  any |= combine(word(first, at, rest), word(rows, at, rest)...) & there;
  return any != 0;
}

inline bool all_set(std::span<const std::byte> bits) {
  return !any_bit([](auto set) { return ~set; }, bits);
}

// A small cache of results for hashes.
class Remembered {
 public:
  // ask(), or its cached result for this hash.
  template <class Ask>
  bool operator()(const Hash128& hash, Ask ask) {
    if (known_.empty()) known_.resize(kPlaces);
    std::optional<Known>& place = known_[hash.a % kPlaces];
    if (!place || place->hash != hash) place = Known{hash, ask()};
    return place->answer;
  }
  void clear() { known_.clear(); }

 private:
  static constexpr std::size_t kPlaces = 1024;
  struct Known {
    Hash128 hash;
    bool answer;
  };
  std::vector<std::optional<Known>> known_{};
};

// The bits of these hashes if m_bits is a power of two: both sums agree, and a mask replaces the
// remainder. If k is small and constant, the compiler needs no inner loop.
template <std::uint32_t kHashes = 0>
void insert_masked(std::span<const Hash128> hashes, std::span<std::byte> row,
                   const BloomParameters& p) {
  constexpr std::uint32_t kMost = 16;
  if constexpr (kHashes < kMost)
    if (p.k > kHashes) return insert_masked<kHashes + 1>(hashes, row, p);
  const std::uint32_t k = kHashes < kMost ? kHashes : p.k;
  const std::uint64_t mask = p.m_bits - 1;
  std::byte* const bits = row.data();
  for (const Hash128& hash : hashes) {
    std::uint64_t g = hash.a;
#pragma GCC unroll 16
    for (std::uint32_t i = 0; i < k; ++i, g += hash.b)
      bits[(g & mask) >> 3] |= std::byte{1} << (g & 7);
  }
}

// The bits that hashes set, under one interpretation of the sums.
class FilterBits {
 public:
  explicit FilterBits(BloomSum sum) : sum_(sum) {}

  // The bits of no hash.
  void clear(const BloomParameters& p) {
    bits_.assign(p.m_bits / 8, std::byte{0});
    full_ = false;
    set_ = 0;
    seen_.clear();
  }

  void add(std::span<const Hash128> hashes, const BloomParameters& p) {
    if (p.k > kManyHashes) {
      for (const Hash128& hash : hashes)
        full_ = full_ || seen_(hash, [&] { return add_many(hash, p); });
    } else if (std::has_single_bit(p.m_bits)) {
      insert_masked(hashes, bits_, p);
    } else {
      for (const Hash128& hash : hashes) bloom_insert(bits_, hash, p, sum_);
    }
  }

  std::span<const std::byte> bits() const { return bits_; }

 private:
  // Whether all bits are set, in which case it stops; tests that as often as the test is cheaper.
  bool add_many(const Hash128& hash, const BloomParameters& p) {
    bool full = false;
    for_each_bloom_bit(hash, p, sum_, [&](std::uint64_t g) {
      set_bit(bits_, g);
      if (++set_ < p.m_bits) return true;
      set_ = 0;
      full = all_set(bits_);
      return !full;
    });
    return full;
  }

  BloomSum sum_;
  std::vector<std::byte> bits_{};
  bool full_ = false;
  std::uint64_t set_ = 0;  // since the last test
  Remembered seen_{};
};

// Determines which hashes have all their bits in a filter, with sums of exact integers.
class FilterMembers {
 public:
  FilterMembers(std::span<const std::byte> filter, const BloomParameters& p)
      : filter_(filter), p_(p) {
    if (p.k > kManyHashes) find_clear_bits();
  }

  bool has(const Hash128& hash) {
    if (p_.k <= kManyHashes) return bloom_contains(filter_, hash, p_, BloomSum::kExact);
    return known_(hash, [&] {
      return few_are_clear_ ? !meets_clear_bit(hash)
                            : bloom_contains(filter_, hash, p_, BloomSum::kExact);
    });
  }

 private:
  // Few enough that testing each of them is cheaper than enumerating the bits of a hash.
  void find_clear_bits() {
    for (std::uint64_t byte = 0; byte < filter_.size(); ++byte) {
      if (filter_[byte] == std::byte{0xFF}) continue;
      for (std::uint64_t g = 8 * byte; g < 8 * byte + 8; ++g)
        if (!test_bit(filter_, g)) clear_.push_back(g);
      if (clear_.size() > p_.k / 32) return;
    }
    few_are_clear_ = true;
  }

  // The step i at which h_a + i * h_b first reaches a clear bit is the solution of a congruence.
  bool meets_clear_bit(const Hash128& hash) const {
    const std::uint64_t m = p_.m_bits, start = hash.a % m, step = hash.b % m;
    const std::uint64_t common = std::gcd(step, m), period = m / common;
    const std::uint64_t inverse = inverse_of(step / common, period);
    return std::ranges::any_of(clear_, [&](std::uint64_t g) {
      const std::uint64_t distance = g >= start ? g - start : g + (m - start);
      if (distance % common != 0) return false;
      const auto product = static_cast<unsigned __int128>(distance / common) * inverse;
      return static_cast<std::uint64_t>(product % period) < p_.k;
    });
  }

  // The x below n with a * x = 1 modulo n, where a and n have no common divisor.
  static std::uint64_t inverse_of(std::uint64_t a, std::uint64_t n) {
    __int128 x = 0, next_x = 1;
    for (std::uint64_t r = n, next_r = a; next_r != 0;) {
      const std::uint64_t quotient = r / next_r;
      r = std::exchange(next_r, r % next_r);
      x = std::exchange(next_x, x - static_cast<__int128>(quotient) * next_x);
    }
    return static_cast<std::uint64_t>(x < 0 ? x + n : x);
  }

  std::span<const std::byte> filter_;
  BloomParameters p_;
  std::vector<std::uint64_t> clear_{};
  bool few_are_clear_ = false;
  Remembered known_{};
};

}  // namespace hepcheck::hep001
