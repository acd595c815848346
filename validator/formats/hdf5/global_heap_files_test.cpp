// Collections of the global heap with objects of any size and index, with free space or without,
// some with a wrong byte: every object by its index, the texts of elements that refer to them, what
// is used and what is not. It equals the golden file: a line for each set of collections.
#include <gtest/gtest.h>

#include <cstdint>
#include <format>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "validator/formats/hdf5/global_heap.h"
#include "validator/formats/hdf5/testing/said.h"
#include "validator/formats/hdf5/testing/zeros.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hdf5::global_heap_files {
namespace {

using testing::Zeros;

constexpr std::uint64_t kFirst = 4'096, kSize = 4'096;
constexpr unsigned kIndexes = 12;

std::string padded(std::string bytes) {
  bytes.resize((bytes.size() + 7) / 8 * 8);
  return bytes;
}

std::string collection(std::mt19937_64& random, unsigned length) {
  const auto below = [&](std::uint64_t end) { return random() % end; };
  const std::string head = padded("GCOL" + number(1, 4) + number(kSize, length));
  const std::uint64_t before = padded(number(0, 8 + length)).size();
  std::string made = head;
  const bool full = below(3) == 0;
  for (std::uint64_t n = below(9); n > 0; --n) {
    std::uint64_t size = below(4) == 0 ? below(900) : below(20);
    // The last one may reach to the end.
    if (n == 1 && full) size = kSize - made.size() - before;
    if (made.size() + before + size > kSize) break;
    const std::uint64_t index = 1 + (below(20) == 0 ? below(kIndexes) : (5 * n + 2) % kIndexes);
    made += padded(number(index, 2) + number(1, 2) + number(0, 4) + number(size, length));
    std::string data;
    for (std::uint64_t i = 0; i < size; ++i) data += static_cast<char>('a' + below(26));
    made += padded(data);
  }
  if (made.size() + before <= kSize)
    made += padded(number(0, 8) + number(kSize - made.size(), length));
  made.resize(kSize);
  if (below(3) == 0) ++made[below(200)];
  return made;
}

TEST(GlobalHeapFiles, ReportsEqualTheGoldenFile) {
  constexpr std::uint64_t kSets = 20, kFiles = 20;
  std::string text;
  for (std::uint64_t set = 0; set < kSets; ++set) {
    testing::Said said;
    for (std::uint64_t i = 0; i < kFiles; ++i) {
      std::mt19937_64 random(1'000 * set + i);
      Zeros zeros(kFirst + 2 * kSize);
      zeros.notes.keep_places(50);
      const unsigned length = i % 2 == 0 ? 8 : 4, offset = i % 4 < 2 ? 8 : 4;
      zeros.file.length_size = length;
      zeros.file.offset_size = offset;
      for (const std::uint64_t at : {kFirst, kFirst + kSize})
        zeros.write(at, collection(random, length));
      GlobalHeaps heaps(zeros.file);
      for (const std::uint64_t at : {kFirst, kFirst + kSize})
        for (unsigned index = 0; index <= kIndexes; ++index) {
          const bool used = random() % 2 == 0;
          const GlobalHeaps::Found found = heaps.object(at, index, used);
          said.all += std::format("{} {} ", static_cast<int>(found.answer), found.data.size());
          if (found.data.size() > 0)
            said.all += std::format("{} ", std::to_integer<int>(found.data.bytes.back()));
          // Twice by chance.
          if (random() % 8 == 0) heaps.object(at, index);
          for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{3}, random() % 40}) {
            const std::string element = number(size, 4) + number(at, offset) + number(index, 4);
            const std::optional<std::string> read =
                heap_text({std::as_bytes(std::span(element)), {"element", 0, 0}}, zeros.file);
            said.all += read.value_or("none") + '|';
          }
        }
      said.all += std::format("\n{} {} {}\n", heaps.objects(), heaps.uses(), heaps.unused_bytes());
      said.add(zeros.notes);
      for (const Extent& each : zeros.file.extents.sorted())
        said.all += std::format("{} {}\n", each.address, each.size);
    }
    text += said.text(set);
  }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/global_heap_files.txt"));
}

// The free space at the end has the rest of the collection, whose size is a multiple of 8.
TEST(GlobalHeapFiles, FreeSpaceIsTheRest) {
  for (std::uint64_t size = kSize; size <= kSize + 8; ++size)
    for (const int more : {-8, -1, 0, 1, 8}) {
      Zeros zeros(2 * kFirst + 16);
      const std::uint64_t rest = size - 16;
      zeros.write(kFirst, "GCOL" + number(1, 4) + number(size, 8) + number(0, 8) +
                              number(rest + static_cast<std::uint64_t>(more), 8));
      GlobalHeaps(zeros.file).object(kFirst, 1);
      EXPECT_EQ(zeros.found("h5-global-heap-free-last").size(),
                more != 0 || size % 8 != 0 ? 1u : 0u)
          << size << ' ' << more;
    }
}

}  // namespace
}  // namespace hepcheck::hdf5::global_heap_files
