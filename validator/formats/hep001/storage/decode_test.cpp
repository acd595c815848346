// Chunks behind pipelines of any filters, some of them damaged: what comes out, or what is said. It
// equals the golden file: a line for each set.
#include "validator/formats/hep001/storage/decode.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <format>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "validator/fnv1a.h"
#include "validator/formats/hep001/storage/lzf.h"
#include "validator/formats/hep001/storage/packed.h"
#include "validator/testing/golden_files.h"
#include "validator/testing/number.h"
#include "validator/testing/random.h"

namespace hepcheck::hep001 {
namespace {

using Data = std::vector<std::byte>;

constexpr int kDeflateFilter = 1, kShuffleFilter = 2, kFletcherFilter = 3;

// --- What the filters do when a chunk is written
// --------------------------------------------------

// Blocks that are stored as they are.
Data deflated(const Data& data) {
  constexpr std::size_t kMost = 50;
  Data made{std::byte{0x78}, std::byte{0x01}};
  for (std::size_t at = 0; at == 0 || at < data.size();) {
    const std::size_t size = std::min(kMost, data.size() - at);
    made.push_back(static_cast<std::byte>(at + size == data.size()));
    put_number(made, size, 2);
    put_number(made, ~size, 2);
    made.insert(made.end(), data.begin() + static_cast<std::ptrdiff_t>(at),
                data.begin() + static_cast<std::ptrdiff_t>(at + size));
    at += std::max<std::size_t>(size, 1);
  }
  std::uint32_t first = 1, second = 0;
  for (const std::byte each : data) {
    first = (first + std::to_integer<std::uint32_t>(each)) % 65'521;
    second = (second + first) % 65'521;
  }
  for (const std::uint32_t each : {second >> 8, second, first >> 8, first})
    made.push_back(static_cast<std::byte>(each));
  return made;
}
Data shuffled(const Data& data, unsigned size) {
  const std::size_t elements = data.size() / size;
  Data made(data);
  for (std::size_t e = 0; e < elements; ++e)
    for (std::size_t b = 0; b < size; ++b) made[b * elements + e] = data[e * size + b];
  return made;
}
Data summed(Data data) {
  put_number(data, fletcher32(data), 4);
  return data;
}
// Literals only.
Data lzf(const Data& data) {
  constexpr std::size_t kMost = 32;
  Data made;
  for (std::size_t at = 0; at < data.size();) {
    const std::size_t size = std::min(kMost, data.size() - at);
    made.push_back(static_cast<std::byte>(size - 1));
    made.insert(made.end(), data.begin() + static_cast<std::ptrdiff_t>(at),
                data.begin() + static_cast<std::ptrdiff_t>(at + size));
    at += size;
  }
  return made;
}

struct Written {
  std::vector<Filter> filters{};
  std::uint32_t mask = 0;
  Data chunk{}, stored{};
};

Written written(Random& random) {
  constexpr std::size_t kElements = 10;
  const unsigned size = 1U << random.number(4);
  Written made{.chunk = random.bytes(kElements * size)};
  made.stored = made.chunk;
  const std::uint64_t count = random.below(5);
  for (std::uint64_t i = 0; i < count; ++i) {
    Filter filter;
    Data after;
    switch (random.below(5)) {
      case 0:
        filter.id = kDeflateFilter;
        after = deflated(made.stored);
        break;
      case 1:
        filter = {.id = kShuffleFilter, .parameters = {random.once_in(4) ? 3 : size}};
        after = shuffled(made.stored, filter.parameters[0]);
        break;
      case 2:
        filter.id = kFletcherFilter;
        after = summed(made.stored);
        break;
      case 3:
        filter = {.id = kLzfFilter,
                  .parameters = {4, 261, static_cast<unsigned>(made.stored.size())}};
        after = lzf(made.stored);
        break;
      default:
        // Packed numbers, of which the chunk is not known.
        if (i > 0) continue;
        if (random.once_in(2)) {
          filter = {.id = kNbitFilter, .parameters = {8, 0, kElements, 1, size, 0}};
          const unsigned precision = 1 + random.number(8 * size);
          filter.parameters.push_back(precision);
          filter.parameters.push_back(random.number(8 * size - precision + 1));
          after = random.bytes((kElements * precision + 7) / 8);
        } else {
          filter = {.id = kScaleOffsetFilter,
                    .parameters = {2, 0, kElements, 0, size, random.number(2), random.number(2),
                                   random.number(2), 7, 0}};
          filter.parameters.resize(20);
          const unsigned bits = random.number(8 * size + 1);
          put_number(after, bits, 4);
          put_number(after, 8, 1);
          put_number(after, random.below(1'000), 8);
          after.resize(21);
          const Data packed = random.bytes((kElements * bits + 7) / 8);
          after.insert(after.end(), packed.begin(), packed.end());
        }
        if (random.once_in(8)) filter.parameters[2] += random.once_in(2) ? 1 : 900;
        break;
    }
    const bool skipped = random.once_in(6);
    if (skipped)
      made.mask |= 1U << made.filters.size();
    else
      made.stored = std::move(after);
    made.filters.push_back(std::move(filter));
  }
  return made;
}

std::uint64_t digest_of(const Data& data) {
  return fnv1a({reinterpret_cast<const char*>(data.data()), data.size()});
}

TEST(ChunkDecoder, ResultsEqualTheGoldenFile) {
  constexpr std::uint64_t kSets = 20, kChunks = 150;
  std::string text;
  for (std::uint64_t set = 0; set < kSets; ++set) {
    std::string all;
    std::size_t good = 0;
    ChunkDecoder decoder;  // its buffers have the bytes of earlier chunks
    for (std::uint64_t i = 0; i < kChunks; ++i) {
      Random random(1'000 * set + i);
      Written of = written(random);
      const bool packed =
          !of.filters.empty() && (of.mask & 1) == 0 &&
          (of.filters[0].id == kNbitFilter || of.filters[0].id == kScaleOffsetFilter);
      Data sound(of.chunk.size());
      const auto done = decoder.decode(of.filters, of.mask, of.stored, sound);
      if (!packed) {
        EXPECT_TRUE(done) << done.error();
        EXPECT_EQ(sound, of.chunk);
      }
      good += done.has_value();
      all += std::format("{} {} {} {}\n", of.filters.size(), can_decode(of.filters),
                         can_decode_some(of.filters, of.mask),
                         done ? std::format("{}", digest_of(sound)) : done.error());
      for (int damage = 0; damage < 4; ++damage) {
        Data stored = of.stored;
        switch (random.below(4)) {
          case 0: stored.resize(random.below(stored.size() + 1)); break;
          case 1: stored.resize(stored.size() + 1 + random.below(4)); break;
          default:
            const std::uint64_t at = random.below(stored.size() + 1);
            if (at < stored.size()) stored[at] ^= static_cast<std::byte>(1U << random.number(8));
            break;
        }
        Data into(of.chunk.size() + (random.once_in(6) ? 1 : 0));
        const auto again = decoder.decode(of.filters, of.mask, stored, into);
        all += again ? std::format("{}\n", digest_of(into)) : again.error() + '\n';
      }
    }
    text += std::format("{}: {} decoded, {}\n", set, good, golden::digest_of(all));
  }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hep001/golden/random_chunks.txt"));
}

// Elements that are larger than the chunk, up to what a parameter can state: nothing is moved, and
// no step is made for each of their bytes.
TEST(ChunkDecoder, ShuffledElementsMayBeLargerThanTheChunk) {
  ChunkDecoder decoder;
  Random random(1);
  const Data chunk = random.bytes(40);
  Data into(chunk.size());
  for (const unsigned size : {39U, 40U, 41U, 1'000U}) {
    const Filter shuffle{.id = kShuffleFilter, .parameters = {size}};
    ASSERT_TRUE(decoder.decode(std::span(&shuffle, 1), 0, chunk, into));
    EXPECT_EQ(into, chunk) << size;
  }
  // With a step for each byte, this would take many minutes.
  const Filter shuffle{.id = kShuffleFilter, .parameters = {~0U}};
  for (int i = 0; i < 1'000; ++i)
    ASSERT_TRUE(decoder.decode(std::span(&shuffle, 1), 0, chunk, into));
  EXPECT_EQ(into, chunk);
}

}  // namespace
}  // namespace hepcheck::hep001
