// Bloom filters (10.7) with any parameters and hashes. Oracle: the formula with integers of 128
// bits, and no false negatives.
#include "validator/formats/hep001/derive/bloom.h"

#include <vector>

#include "fuzz/targets/target.h"

using namespace hepcheck;
using namespace hepcheck::fuzz;
using namespace hepcheck::hep001;

FUZZ_TARGET(bloom) {
  InputChoices choices(input(data, size));
  const BloomParameters p{.k = static_cast<std::uint32_t>(1 + choices.below(64)),
                          .m_bits = 8 * (1 + choices.below(1 << 13)),
                          .seed = static_cast<std::uint32_t>(choices.bits())};
  for (const BloomSum sum : {BloomSum::kExact, BloomSum::kWrapped}) {
    InputChoices hashes(choices.rest());
    std::vector<std::byte> row(p.m_bits / 8);
    std::vector<Hash128> inserted;
    while (!hashes.empty() && inserted.size() < 16) {
      const Hash128 hash{hashes.bits(), hashes.bits()};
      std::uint32_t i = 0;
      for_each_bloom_bit(hash, p, sum, [&](std::uint64_t g) {
        const auto wide = static_cast<unsigned __int128>(hash.b) * i + hash.a;
        const auto wanted = sum == BloomSum::kExact ? static_cast<std::uint64_t>(wide % p.m_bits)
                                                    : static_cast<std::uint64_t>(wide) % p.m_bits;
        require(g == wanted, "filter bit ", std::to_string(i));
        ++i;
      });
      require(i == p.k, "k bits");
      bloom_insert(row, hash, p, sum);
      inserted.push_back(hash);
    }
    for (const Hash128& hash : inserted)
      require(bloom_contains(row, hash, p, sum), "no false negative");
  }
  return 0;
}
