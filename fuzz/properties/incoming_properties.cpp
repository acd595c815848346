// Input that arrives through a pipe, compared with the original.
#include <unistd.h>

#include <algorithm>
#include <string>
#include <thread>

#include "fuzz/properties/random_values.h"
#include "validator/descriptor.h"
#include "validator/incoming.h"
#include "validator/testing/incoming.h"
#include "validator/testing/memory_file.h"

namespace hepcheck {

namespace {

using namespace hepcheck::fuzz;
using namespace hepcheck::testing;

// The buffered part while data is released and requested: from `begin` on, as long as it fits;
// discarded bytes are lost, with everything after them until the hole is released.
RC_GTEST_PROP(Incoming, HoldsRequestedBytes, ()) {
  Noise noise(*rc::gen::arbitrary<std::uint64_t>().as("steps") + 1);
  constexpr std::size_t kSizes[] = {0, 1, 1000, kStep - 1, kStep, kStep + 1, 3 * kStep + 7};
  const std::string bytes = counted(noise.of(kSizes));
  const Descriptor file = memory_file(bytes);
  constexpr std::uint64_t kMosts[] = {0, kStep, 2 * kStep + 5, 8 * kStep};
  const std::uint64_t most = noise.of(kMosts), room = std::max(most, kStep);
  Incoming incoming(file.get(), most);
  std::uint64_t begin = 0, reached = 0;
  for (std::uint64_t n = 1 + noise.below(8); n > 0; --n) {
    if (noise.one_in(3)) {
      begin = std::max(begin, std::min(noise.below(bytes.size() + 2), reached));
      incoming.let_go(begin);
    } else {
      const std::uint64_t to = std::max(reached, begin + noise.below(room + 1));
      if (to > begin + room) continue;  // requested one after another, it always fits
      RC_ASSERT(incoming.reach(to) == (to <= bytes.size()));
      reached = std::max(reached, std::min<std::uint64_t>(to, bytes.size()));
      RC_ASSERT(incoming.size() == (to > bytes.size() ? bytes.size() : Incoming::kWithoutEnd) ||
                incoming.size() == bytes.size());
    }
    for (const std::uint64_t from : {begin, begin + noise.below(kStep), reached}) {
      const std::uint64_t size = noise.below(reached - std::min(reached, from) + 1);
      const auto held = incoming.held(from, size);
      if (from > reached) continue;
      RC_ASSERT(held.size() == size);
      RC_ASSERT(std::string_view(reinterpret_cast<const char*>(held.data()), size) ==
                std::string_view(bytes).substr(from, size));
    }
    if (begin > 0) RC_ASSERT(incoming.held(begin - 1, 1).empty());
    RC_ASSERT(incoming.held(bytes.size(), 1).empty());
    RC_ASSERT(incoming.held(bytes.size() + 1, 0).empty());
    RC_ASSERT(incoming.held(Incoming::kWithoutEnd, ~std::uint64_t{0}).empty());
  }
}

// As much as fits: one byte more is lost, and everything after it.
TEST(Incoming, BytesThatDoNotFitAreDiscarded) {
  for (const std::uint64_t most : {std::uint64_t{0}, kStep, kStep + 1000}) {
    const std::uint64_t room = std::max(most, kStep);
    const std::string bytes = counted(3 * kStep);
    for (const std::uint64_t to : {room - 1, room, room + 1}) {
      const Descriptor file = memory_file(bytes);
      Incoming incoming(file.get(), most);
      ASSERT_TRUE(incoming.reach(std::min(to, room)));
      EXPECT_EQ(incoming.held(0, std::min(to, room)).size(), std::min(to, room));
      ASSERT_TRUE(incoming.reach(to));
      EXPECT_EQ(incoming.held(0, to).size(), to <= room ? to : 0) << to << " of " << room;
    }
  }
}

// It waits for the requested bytes and no more.
TEST(Incoming, WaitsOnlyForRequestedBytes) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const Descriptor from{ends[0]};
  Descriptor to{ends[1]};
  ASSERT_EQ(write(to.get(), "abcdef", 6), 6);
  Incoming incoming(from.get(), kStep);
  EXPECT_TRUE(incoming.reach(6));
  EXPECT_TRUE(incoming.reach(6));
  EXPECT_TRUE(incoming.reach(0));
  EXPECT_EQ(incoming.size(), Incoming::kWithoutEnd);
  EXPECT_EQ(incoming.held(2, 3)[0], std::byte{'c'});
  to = Descriptor{};
  EXPECT_FALSE(incoming.reach(7));
  EXPECT_EQ(incoming.size(), 6u);
  EXPECT_EQ(incoming.held(0, 6).size(), 6u);
}

}  // namespace

}  // namespace hepcheck
