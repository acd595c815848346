#include "validator/conveyor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace hepcheck {
namespace {

std::vector<int> carried(int count, std::size_t capacity, bool threads) {
  std::vector<int> seen;
  Conveyor<int> conveyor(capacity, threads, [&](int& item) { seen.push_back(item); });
  for (int i = 0; i < count; ++i) conveyor.put(i, 1);
  conveyor.finish();
  return seen;
}

TEST(Conveyor, ProcessesItemsInOrder) {
  for (const int count : {0, 1, 2, 1000})
    for (const std::size_t capacity : {std::size_t{0}, std::size_t{1}, std::size_t{64}})
      for (const bool threads : {false, true}) {
        const std::vector<int> seen = carried(count, capacity, threads);
        ASSERT_EQ(seen.size(), static_cast<std::size_t>(count));
        for (int i = 0; i < count; ++i) EXPECT_EQ(seen[static_cast<std::size_t>(i)], i);
      }
}

TEST(Conveyor, CallerProcessesTheFirstItems) {
  std::thread::id worked;
  Conveyor<int> conveyor(10, true, [&](int&) { worked = std::this_thread::get_id(); });
  conveyor.put(1, 1);
  EXPECT_EQ(worked, std::this_thread::get_id());
}

TEST(Conveyor, HoldsNoMoreThanItsCapacity) {
  std::atomic<int> made = 0, done = 0, most = 0;
  Conveyor<int> conveyor(64, true, [&](int&) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    ++done;
  });
  for (int i = 0; i < 400; ++i) {
    conveyor.put(i, 2);
    most = std::max(most.load(), ++made - done);
  }
  conveyor.finish();
  EXPECT_EQ(done, 400);
  // 32 items have this weight; a batch of eight is collected, and one that is done is not counted
  // yet.
  EXPECT_LE(most, 32 + 8 + 1);
}

TEST(Conveyor, RethrowsAnExceptionAtTheEnd) {
  std::atomic<int> done = 0;
  Conveyor<int> conveyor(10, true, [&](int& item) {
    if (item == 50) throw std::runtime_error("fifty");
    ++done;
  });
  for (int i = 0; i < 100; ++i) conveyor.put(i, 1);
  EXPECT_THROW(conveyor.finish(), std::runtime_error);
  EXPECT_EQ(done, 50);
}

}  // namespace
}  // namespace hepcheck
