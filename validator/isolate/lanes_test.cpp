#include "validator/isolate/lanes.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <set>
#include <string>

namespace hepcheck::isolate {

namespace {

struct Ran {
  std::vector<std::size_t> left{};
  std::map<std::size_t, std::vector<std::string>> messages{};
  std::vector<std::size_t> finished{};
};

Ran run(std::size_t count, std::size_t lanes, const LaneWork& work, Progress* progress = nullptr) {
  Ran ran;
  const LaneEvents events{
      .receive = [&](std::size_t task, std::string_view m) { ran.messages[task].emplace_back(m); },
      .finished = [&](std::size_t task) { ran.finished.push_back(task); }};
  ran.left = run_in_lanes(count, lanes, work, events, progress);
  return ran;
}

TEST(Lanes, DoEveryTaskOnce) {
  for (const std::size_t lanes : {1u, 3u, 200u}) {
    const Ran ran = run(50, lanes, [](std::size_t task, std::size_t, Progress&, const Send& send) {
      send("task " + std::to_string(task));
      send("");
      send(std::string(300'000, 'x'));
    });
    EXPECT_TRUE(ran.left.empty());
    EXPECT_EQ(std::set(ran.finished.begin(), ran.finished.end()).size(), 50u);
    EXPECT_EQ(ran.finished.size(), 50u);
    ASSERT_EQ(ran.messages.size(), 50u);
    for (const auto& [task, messages] : ran.messages)
      EXPECT_EQ(messages, (std::vector<std::string>{"task " + std::to_string(task), "",
                                                    std::string(300'000, 'x')}));
  }
}

TEST(Lanes, AreProcessesSideBySide) {
  std::set<std::string> processes;
  // Each task waits for the other to begin: one lane alone would never be done.
  int ends[2][2];
  ASSERT_EQ(pipe(ends[0]) | pipe(ends[1]), 0);
  const Ran ran = run(2, 2, [&](std::size_t task, std::size_t, Progress&, const Send& send) {
    char byte = 'x';
    if (write(ends[task][1], &byte, 1) == 1 && read(ends[1 - task][0], &byte, 1) == 1)
      send(std::to_string(getpid()));
  });
  for (const auto& [task, messages] : ran.messages) processes.insert(messages.front());
  EXPECT_EQ(processes.size(), 2u);
  EXPECT_FALSE(processes.contains(std::to_string(getpid())));
}

TEST(Lanes, OneThatDiesStopsNoOther) {
  const Ran ran = run(20, 3, [](std::size_t task, std::size_t, Progress&, const Send& send) {
    send("begun");
    if (task == 4) _exit(1);
    if (task == 7) std::abort();
    if (task == 9) throw 9;
  });
  // All three lanes are dead after these, so nobody takes the rest.
  EXPECT_TRUE(std::set(ran.left.begin(), ran.left.end()).contains(4));
  EXPECT_TRUE(std::set(ran.left.begin(), ran.left.end()).contains(7));
  EXPECT_TRUE(std::set(ran.left.begin(), ran.left.end()).contains(9));
  EXPECT_EQ(ran.left.size() + ran.finished.size(), 20u);
  for (const std::size_t task : {0u, 1u, 2u, 3u}) EXPECT_TRUE(ran.messages.contains(task));

  const Ran other = run(20, 2, [](std::size_t task, std::size_t, Progress&, const Send&) {
    if (task == 4) _exit(1);
  });
  EXPECT_EQ(other.left, std::vector<std::size_t>{4});
}

TEST(Lanes, CountTogether) {
  class Sum : public Progress {
   public:
    void expect(std::uint64_t bytes) override { expected += bytes; }
    void advance(std::uint64_t bytes) override { done += bytes; }
    std::uint64_t expected = 0, done = 0;
  } sum;
  run(
      10, 3,
      [](std::size_t task, std::size_t, Progress& progress, const Send&) {
        progress.expect(100 * task);
        progress.advance(10 * task);
      },
      &sum);
  EXPECT_EQ(sum.expected, 4500u);
  EXPECT_EQ(sum.done, 450u);
}

TEST(Lanes, NothingToDo) {
  EXPECT_TRUE(run(0, 4, [](std::size_t, std::size_t, Progress&, const Send&) {
                std::abort();
              }).left.empty());
}

}  // namespace

}  // namespace hepcheck::isolate
