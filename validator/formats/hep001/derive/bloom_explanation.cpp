#include "validator/formats/hep001/derive/bloom_explanation.h"

#include <algorithm>
#include <array>
#include <functional>

namespace hepcheck::hep001 {

namespace {

using TestBit = std::function<bool(std::uint64_t)>;

// Other interpretations of the specification that producers have used; `bits` hashes a sample and
// calls test(g) for the bits that such a producer would have set, until it returns false.
struct Alternative {
  const char* name;
  void (*bits)(const BloomSample&, const BloomParameters&, const Datatype&, const TestBit&);
};

void wrapped_bits(std::span<const std::byte> bytes, const BloomParameters& p, const TestBit& test) {
  for_each_bloom_bit(murmur3_x64_128(bytes.data(), bytes.size(), p.seed), p, BloomSum::kWrapped,
                     test);
}

const std::array<Alternative, 9> kAlternatives{{
    {"bits are packed from the most significant one",
     [](const BloomSample& s, const BloomParameters& p, const Datatype&, const TestBit& test) {
       wrapped_bits(s.canonical, p, [&](std::uint64_t g) { return test(g ^ 7); });
     }},
    {"i counts from 1 to k instead of 0 to k - 1",
     [](const BloomSample& s, const BloomParameters& p, const Datatype&, const TestBit& test) {
       Hash128 h = murmur3_x64_128(s.canonical.data(), s.canonical.size(), p.seed);
       h.a += h.b;
       for_each_bloom_bit(h, p, BloomSum::kWrapped, test);
     }},
    {"h_a and h_b are swapped",
     [](const BloomSample& s, const BloomParameters& p, const Datatype&, const TestBit& test) {
       const Hash128 h = murmur3_x64_128(s.canonical.data(), s.canonical.size(), p.seed);
       for_each_bloom_bit({h.b, h.a}, p, BloomSum::kWrapped, test);
     }},
    {"the seed 0 was used instead of the attribute's",
     [](const BloomSample& s, const BloomParameters& p, const Datatype&, const TestBit& test) {
       wrapped_bits(s.canonical, {p.k, p.m_bits, 0}, test);
     }},
    {"big-endian bytes were hashed instead of canonical ones",
     [](const BloomSample& s, const BloomParameters& p, const Datatype&, const TestBit& test) {
       std::vector<std::byte> bytes(s.canonical.rbegin(), s.canonical.rend());
       wrapped_bits(bytes, p, test);
     }},
    {"strings were hashed with their padding, or stored bytes unchanged",
     [](const BloomSample& s, const BloomParameters& p, const Datatype&, const TestBit& test) {
       wrapped_bits(s.stored, p, test);
     }},
    {"strings were hashed with a terminating NUL",
     [](const BloomSample& s, const BloomParameters& p, const Datatype&, const TestBit& test) {
       std::vector<std::byte> bytes = s.canonical;
       bytes.push_back(std::byte{0});
       wrapped_bits(bytes, p, test);
     }},
    {"integers were widened to 8 bytes before hashing",
     [](const BloomSample& s, const BloomParameters& p, const Datatype& type, const TestBit& test) {
       std::vector<std::byte> bytes = s.canonical;
       const bool negative =
           type.is_signed && !bytes.empty() && (bytes.back() & std::byte{0x80}) != std::byte{0};
       bytes.resize(std::max<std::size_t>(8, bytes.size()),
                    negative ? std::byte{0xFF} : std::byte{0});
       wrapped_bits(bytes, p, test);
     }},
    {"the sums were taken at 32 bits",
     [](const BloomSample& s, const BloomParameters& p, const Datatype&, const TestBit& test) {
       const Hash128 h = murmur3_x64_128(s.canonical.data(), s.canonical.size(), p.seed);
       for (std::uint32_t i = 0; i < p.k; ++i)
         if (!test(static_cast<std::uint32_t>(h.a + i * h.b) % p.m_bits)) return;
     }},
}};

}  // namespace

std::string_view bloom_explanation(std::span<const BloomSample> samples,
                                   std::span<const std::byte> filter, const BloomParameters& p,
                                   const Datatype& type) {
  const auto explains = [&](const Alternative& alternative) {
    return std::ranges::all_of(samples, [&](const BloomSample& sample) {
      bool all = true;
      alternative.bits(sample, p, type,
                       [&](std::uint64_t g) { return all = g < p.m_bits && test_bit(filter, g); });
      return all;
    });
  };
  const auto it = std::ranges::find_if(kAlternatives, explains);
  return it == kAlternatives.end() ? std::string_view() : it->name;
}

}  // namespace hepcheck::hep001
