// Bodies of batches whose buffers are anywhere: one behind the other, over one another, in another
// order, outside the body or with bytes between them that no buffer has. What is said of them is
// what the bytes of the body say, each by itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <format>
#include <string>
#include <vector>

#include "validator/formats/arrow/testing/build.h"
#include "validator/formats/arrow/testing/judge.h"
#include "validator/testing/random.h"

namespace hepcheck::arrow::random_bodies {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

struct Entry {
  std::int64_t offset = 0, length = 0;

  std::string text() const { return std::format("offset {}, length {}", offset, length); }
};

std::string counted(const std::string& first, std::size_t times) {
  if (times == 0) return "pass 1";
  return "fail 1: " + first + (times > 1 ? std::format(" +{}", times - 1) : "");
}

TEST(RandomBodies, HaveTheBytesOfTheirBuffers) {
  constexpr std::int64_t kGap = 64;
  constexpr std::size_t kColumns = 4;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    Random random(seed);
    std::vector<Entry> entries;
    std::int64_t at = 0;
    for (std::size_t i = 0; i < 2 * kColumns; ++i) {
      constexpr std::int64_t kLengths[] = {0, 0, 8, 8, 40, 56, 64, 72, 128};
      const std::int64_t length = random.one_of(kLengths);
      if (random.once_in(8)) at += 8;
      if (random.once_in(12)) at += random.once_in(2) ? kGap : kGap - 8;
      if (random.once_in(16)) at -= std::min<std::int64_t>(at, 8);
      if (random.once_in(24)) at = 8 * static_cast<std::int64_t>(random.below(30));
      entries.push_back({at, length});
      at += length;
    }
    constexpr std::int64_t kBehind[] = {0, 0, kGap - 8, kGap, 8, -8};
    std::int64_t end = 0;
    for (const Entry& each : entries) end = std::max(end, each.offset + each.length);
    const std::int64_t size = std::max<std::int64_t>(0, end + random.one_of(kBehind));
    // A length of zero is nowhere, whatever its offset.
    for (Entry& each : entries)
      if (each.length == 0 && random.once_in(4)) each.offset = random.once_in(2) ? -8 : size + 8;

    std::vector<bool> taken(static_cast<std::size_t>(size));
    std::vector<Entry> inside;
    bool all_inside = true;
    for (const Entry& each : entries) {
      if (each.length > 0 && each.offset + each.length <= size) inside.push_back(each);
      if (each.length > 0 && each.offset + each.length > size) all_inside = false;
    }
    std::string back;
    for (std::size_t i = 1; i < inside.size(); ++i)
      if (back.empty() && inside[i].offset < inside[i - 1].offset)
        back = std::format("offset {} after {}", inside[i].offset, inside[i - 1].offset);
    std::ranges::stable_sort(inside, {}, &Entry::offset);
    std::size_t overlaps = 0;
    std::string over;
    for (const Entry& each : inside) {
      if (taken[static_cast<std::size_t>(each.offset)] && overlaps++ == 0)
        over = each.text() + ", inside another buffer";
      for (std::int64_t byte = each.offset; byte < each.offset + each.length; ++byte)
        taken[static_cast<std::size_t>(byte)] = true;
    }
    std::string gap;
    for (std::int64_t begin = 0; gap.empty() && begin < size; ++begin) {
      std::int64_t free = 0;
      while (begin + free < size && !taken[static_cast<std::size_t>(begin + free)]) ++free;
      if (free >= kGap) gap = std::format("{} bytes at {} of the body", free, begin);
      begin += free;
    }

    Tables fields;
    std::vector<NodeOf> nodes;
    BodyOf body{.bytes = Bytes(static_cast<std::size_t>(size), '\0')};
    for (std::size_t i = 0; i < kColumns; ++i) {
      fields.push_back(field("n", kIntTag, int_type(8)));
      nodes.push_back({0, 0});
    }
    for (const Entry& each : entries) body.entries += raw_all(each.offset, each.length);
    const Bytes stream = message(kSchemaTag, schema(fields)) +
                         message(kRecordTag, record_batch(0, nodes, body), body.bytes) +
                         end_of_stream();
    const std::vector<std::string> results = results_of(
        stream, "arrow-columnar-1.5",
        {"arrow-buffer-no-overlap", "arrow-buffer-order", "arrow-body-no-unreferenced-bytes"});
    EXPECT_EQ(results[0], counted(over, overlaps)) << seed;
    EXPECT_EQ(results[1], counted(back, back.empty() ? 0 : 1)) << seed;
    EXPECT_EQ(results[2], all_inside ? counted(gap, gap.empty() ? 0 : 1) : "not applicable")
        << seed << ' ' << size;
  }
}

}  // namespace
}  // namespace hepcheck::arrow::random_bodies
