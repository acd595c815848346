// Items processed concurrently with their production: all of them, in order, or up to the failure.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "fuzz/properties/random_values.h"
#include "validator/conveyor.h"
#include "validator/worker_position.h"

namespace hepcheck {

namespace {

using namespace hepcheck::fuzz;

RC_GTEST_PROP(Conveyors, ProcessAllItemsInOrderUpToAnError, ()) {
  Noise noise(*rc::gen::arbitrary<std::uint64_t>().as("items") + 1);
  constexpr std::size_t kCounts[] = {0, 1, 15, 16, 17, 31, 32, 33, 100, 300};
  constexpr std::size_t kCapacities[] = {0, 1, 7, 64, 1000};
  const std::size_t count = noise.of(kCounts), capacity = noise.of(kCapacities);
  const bool threads = noise.maybe();
  std::optional<std::size_t> wrong;
  if (count > 0 && noise.maybe()) wrong = noise.below(count);
  std::vector<std::size_t> seen;
  Conveyor<std::size_t> conveyor(capacity, threads, [&](std::size_t& item) {
    if (item == wrong) throw std::runtime_error(std::to_string(item));
    seen.push_back(item);
  });
  std::optional<std::string> thrown;
  try {
    for (std::size_t i = 0; i < count; ++i) conveyor.put(i, noise.below(5));
    conveyor.finish();
  } catch (const std::runtime_error& error) {
    thrown = error.what();
  }
  RC_ASSERT(seen.size() == wrong.value_or(count));
  for (std::size_t i = 0; i < seen.size(); ++i) RC_ASSERT(seen[i] == i);
  RC_ASSERT(thrown == (wrong ? std::optional(std::to_string(*wrong)) : std::nullopt));
}

// The first sixteen by the caller itself; others on another thread, if there is one.
TEST(Conveyors, UseAThreadForManyItems) {
  for (const bool threads : {false, true}) {
    std::size_t here = 0, elsewhere = 0;
    const auto caller = std::this_thread::get_id();
    Conveyor<int> conveyor(
        64, threads, [&](int&) { ++(std::this_thread::get_id() == caller ? here : elsewhere); });
    for (int i = 0; i < 100; ++i) conveyor.put(i, 1);
    conveyor.finish();
    EXPECT_EQ(here, threads ? 16u : 100u);
    EXPECT_EQ(elsewhere, threads ? 84u : 0u);
  }
}

// At most the capacity waits, except for a batch that exceeds it alone.
TEST(Conveyors, HoldUpToTheirCapacity) {
  for (const std::size_t capacity : {std::size_t{8}, std::size_t{64}}) {
    std::atomic<std::size_t> made = 0, done = 0;
    std::size_t most = 0;
    Conveyor<int> conveyor(capacity, true, [&](int&) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      ++done;
    });
    for (int i = 0; i < 300; ++i) {
      ++made;
      conveyor.put(i, 4);
      most = std::max(most, made - done);
    }
    conveyor.finish();
    EXPECT_EQ(done, 300u);
    // In items of weight 4: waiting, collected, in progress.
    EXPECT_LE(most, capacity / 4 + capacity / 4 + 17);
  }
}

// A failure is reported with its place.
TEST(Conveyors, ReportThePositionOfAFailure) {
  const auto place = std::make_unique<WorkerPosition>();
  place->reset();
  record_position(place.get());
  now_at(Stage::kWalking, "/here");
  Conveyor<int> conveyor(64, true, [](int& item) {
    now_at(Stage::kValues, "/" + std::to_string(item));
    if (item == 50) throw std::runtime_error("x");
  });
  for (int i = 0; i < 100; ++i) conveyor.put(i, 1);
  EXPECT_THROW(conveyor.finish(), std::runtime_error);
  EXPECT_EQ(place->spots[0].stage, Stage::kValues);
  EXPECT_EQ(place->spots[0].object.text(), "/50");
  record_position(nullptr);
}

}  // namespace

}  // namespace hepcheck
