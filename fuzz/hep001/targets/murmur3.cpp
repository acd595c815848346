// Compares MurmurHash3_x64_128 with libmurmurhash: the first four bytes are the seed, the rest the
// key.
#include "validator/formats/hep001/derive/murmur3.h"

#include <murmurhash.h>

#include "fuzz/targets/target.h"

using namespace hepcheck;
using namespace hepcheck::hep001;

FUZZ_TARGET(murmur3) {
  if (size < 4) return 0;
  std::uint32_t seed;
  std::memcpy(&seed, data, sizeof seed);
  const std::byte* key = fuzz::input(data, size).data() + 4;
  std::uint64_t wanted[2];
  lmmh_x64_128(key, static_cast<unsigned>(size - 4), seed, wanted);
  const Hash128 hash = murmur3_x64_128(key, size - 4, seed);
  fuzz::require(hash == Hash128{wanted[0], wanted[1]}, "another hash than libmurmurhash");
  return 0;
}
