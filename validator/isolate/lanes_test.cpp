#include "validator/isolate/lanes.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "validator/descriptor.h"
#include "validator/isolate/frame.h"
#include "validator/isolate/worker.h"
#include "validator/worker_position.h"

namespace hepcheck::isolate {

namespace {

struct LanesRan {
  std::vector<std::size_t> left{};
  std::map<std::size_t, std::vector<std::string>> messages{};
  std::vector<std::size_t> finished{};
};

LanesRan run(std::size_t count, std::size_t lanes, const LaneWork& work,
             Progress* progress = nullptr) {
  LanesRan ran;
  const LaneEvents events{
      .receive = [&](std::size_t task, std::string_view m) { ran.messages[task].emplace_back(m); },
      .finished = [&](std::size_t task) { ran.finished.push_back(task); }};
  ran.left = run_in_lanes(count, lanes, work, events, progress);
  return ran;
}

TEST(Lanes, DoEveryTaskOnce) {
  for (const std::size_t lanes : {1u, 3u, 200u}) {
    const LanesRan ran =
        run(50, lanes, [](std::size_t task, std::size_t, Progress&, const Send& send) {
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

TEST(Lanes, AreParallelProcesses) {
  std::set<std::string> processes;
  // Each task waits for the other one to begin: a single lane would never finish.
  int ends[2][2];
  ASSERT_EQ(pipe(ends[0]) | pipe(ends[1]), 0);
  const LanesRan ran = run(2, 2, [&](std::size_t task, std::size_t, Progress&, const Send& send) {
    char byte = 'x';
    if (write(ends[task][1], &byte, 1) == 1 && read(ends[1 - task][0], &byte, 1) == 1)
      send(std::to_string(getpid()));
  });
  for (const auto& [task, messages] : ran.messages) processes.insert(messages.front());
  EXPECT_EQ(processes.size(), 2u);
  EXPECT_FALSE(processes.contains(std::to_string(getpid())));
}

TEST(Lanes, DeathOfALaneDoesNotAffectOthers) {
  const LanesRan ran = run(20, 3, [](std::size_t task, std::size_t, Progress&, const Send& send) {
    send("begun");
    if (task == 4) _exit(1);
    if (task == 7) std::abort();
    if (task == 9) throw 9;
  });
  // All three lanes have died after these, so no lane takes the rest.
  EXPECT_TRUE(std::set(ran.left.begin(), ran.left.end()).contains(4));
  EXPECT_TRUE(std::set(ran.left.begin(), ran.left.end()).contains(7));
  EXPECT_TRUE(std::set(ran.left.begin(), ran.left.end()).contains(9));
  EXPECT_EQ(ran.left.size() + ran.finished.size(), 20u);
  for (const std::size_t task : {0u, 1u, 2u, 3u}) EXPECT_TRUE(ran.messages.contains(task));

  const LanesRan other = run(20, 2, [](std::size_t task, std::size_t, Progress&, const Send&) {
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

// --- A compromised worker ------------------------------------------------------------------------

// The memory that this process shares with others: the writable pages, each of 4096 bytes.
std::vector<char*> shared_pages() {
  constexpr std::size_t kPage = 4096;
  std::vector<char*> pages;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    void *begin = nullptr, *end = nullptr;
    char rights[5] = {};
    if (std::sscanf(line.c_str(), "%p-%p %4s", &begin, &end, rights) != 3) continue;
    if (std::string_view(rights) != "rw-s") continue;
    for (char* at = static_cast<char*>(begin); at < end; at += kPage) pages.push_back(at);
  }
  return pages;
}

// Fills a page from a file, as code in a worker can. The kernel reports whether the page exists.
bool overwrite(char* page, int file) { return pread(file, page, 4096, 0) == 4096; }

Descriptor file_of(char byte) {
  Descriptor file{memfd_create("bytes", MFD_CLOEXEC)};
  const std::string bytes(4096, byte);
  if (write(file.get(), bytes.data(), bytes.size()) != 4096) std::abort();
  return file;
}

TEST(Lanes, CompromisedWorkerReachesNoOtherFile) {
  constexpr std::size_t kTasks = 12;
  for (const char byte : {'\x00', '\x01', '\xff'}) {
    const Descriptor file = file_of(byte);
    // Counts how often a task was begun, where it cannot be overwritten.
    int begun[2];
    ASSERT_EQ(pipe2(begun, O_NONBLOCK), 0);
    const LanesRan ran =
        run(kTasks, 2, [&](std::size_t task, std::size_t, Progress&, const Send& send) {
          int before = 0;
          if (write(begun[1], "x", 1) != 1 || ioctl(begun[0], FIONREAD, &before) != 0 ||
              before > static_cast<int>(10 * kTasks))  // they begin for ever
            _exit(EXIT_FAILURE);
          run_in_worker(
              -1, [](const Send&, WorkerPosition&) {}, [](std::string_view) {},
              {});  // creates the WorkerPosition
          const std::vector<char*> pages = shared_pages();
          const auto hostile = [&](const Send& to_lane, WorkerPosition&) {
            std::size_t reached = 0;
            // The last ones repeatedly, while others take their tasks.
            for (int time = 0; time < 20; ++time, usleep(500))
              for (char* page : pages) reached += overwrite(page, file.get());
            to_lane(reached > 0 ? "wrote" : "wrote nothing");
          };
          const auto pass_on = [&](std::string_view m) {
            send(std::to_string(task) + " " + std::string(m));
          };
          const Outcome outcome = run_in_worker(file.get(), hostile, pass_on, {.seconds = 5});
          send(outcome.stop ? outcome.stop->text() : "done");
        });
    char counted[20 * kTasks];
    EXPECT_EQ(read(begun[0], counted, sizeof counted), kTasks);
    close(begun[0]);
    close(begun[1]);
    EXPECT_TRUE(ran.left.empty());
    EXPECT_EQ(ran.finished.size(), kTasks);
    for (std::size_t task = 0; task < kTasks; ++task) {
      // It can write to nothing except its own WorkerPosition, which states where it is.
      ASSERT_TRUE(ran.messages.contains(task)) << task;
      EXPECT_EQ(ran.messages.at(task),
                (std::vector<std::string>{std::to_string(task) + " wrote", "done"}));
    }
  }
}

TEST(Lanes, WorkersOfTwoLanesShareNoPlace) {
  run_in_worker(
      -1, [](const Send&, WorkerPosition&) {}, [](std::string_view) {}, {});  // by the parent
  const LanesRan ran = run(2, 2, [](std::size_t task, std::size_t, Progress&, const Send& send) {
    const auto die_there = [=](const Send&, WorkerPosition&) {
      now_at(Stage::kReading, "/" + std::to_string(task));
      usleep(300'000);  // so that both exist
      _exit(1);
    };
    send(run_in_worker(-1, die_there, send, {}).stop.value_or(Stop{}).object);
  });
  for (const auto& [task, messages] : ran.messages)
    EXPECT_EQ(messages, std::vector<std::string>{"/" + std::to_string(task)});
  EXPECT_EQ(ran.messages.size(), 2u);
}

// The pipes of this process that it may write to.
std::set<int> pipes() {
  std::set<int> found;
  for (int descriptor = 0; descriptor < 256; ++descriptor) {
    struct stat status{};
    const int flags = fcntl(descriptor, F_GETFL);
    if (flags >= 0 && (flags & O_ACCMODE) == O_WRONLY && fstat(descriptor, &status) == 0 &&
        S_ISFIFO(status.st_mode))
      found.insert(descriptor);
  }
  return found;
}

TEST(Lanes, MessagesOfFinishedTasksAndOfNoTaskAreDropped) {
  const std::set<int> others = pipes();
  const LanesRan ran = run(4, 1, [&](std::size_t task, std::size_t, Progress&, const Send& send) {
    send("own");
    int pipe = -1;  // to the parent
    for (const int each : pipes())
      if (!others.contains(each)) pipe = each;
    for (const std::uint64_t other : {std::uint64_t{0}, std::uint64_t{4}, ~std::uint64_t{0}}) {
      if (other == task) continue;
      if (!send_frame(pipe, FrameKind::kMessage, "late", other) ||
          !send_frame(pipe, FrameKind::kFinished, {}, other))
        _exit(EXIT_FAILURE);
    }
  });
  EXPECT_TRUE(ran.left.empty());
  EXPECT_EQ(ran.finished, (std::vector<std::size_t>{0, 1, 2, 3}));
  ASSERT_EQ(ran.messages.size(), 4u);
  for (const auto& [task, messages] : ran.messages)
    EXPECT_EQ(messages, std::vector<std::string>{"own"}) << task;
}

TEST(Lanes, StoppedParentIsNotAFaultOfAWorker) {
  bool stood = false;
  std::vector<std::string> said;
  const LaneWork work = [](std::size_t, std::size_t, Progress&, const Send& send) {
    const auto talk = [](const Send& to_lane, WorkerPosition&) {
      for (int i = 0; i < 20; ++i) to_lane(std::string(100'000, 'x'));  // more than a pipe holds
    };
    const Outcome outcome = run_in_worker(-1, talk, send, {.seconds = 1});
    send(outcome.stop ? outcome.stop->text() : "done");
  };
  const auto receive = [&](std::size_t, std::string_view message) {
    if (!std::exchange(stood, true)) std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    if (!message.starts_with('x')) said.emplace_back(message);
  };
  run_in_lanes(2, 2, work, {.receive = receive, .finished = [](std::size_t) {}}, nullptr);
  EXPECT_EQ(said, (std::vector<std::string>{"done", "done"}));
}

TEST(Lanes, NothingToDo) {
  EXPECT_TRUE(run(0, 4, [](std::size_t, std::size_t, Progress&, const Send&) {
                std::abort();
              }).left.empty());
}

}  // namespace

}  // namespace hepcheck::isolate
