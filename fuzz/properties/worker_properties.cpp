// Work in other processes: whatever they do, their earlier messages and their ending are reported.
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <format>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "fuzz/properties/random_values.h"
#include "validator/isolate/frame.h"
#include "validator/isolate/lanes.h"
#include "validator/isolate/worker.h"
#include "validator/worker_position.h"

namespace hepcheck::isolate {

namespace {

using namespace hepcheck::fuzz;

struct Ran {
  Outcome outcome;
  std::vector<std::string> messages{};
};

Ran run(const Work& work, const Bounds& bounds = {}, Progress* progress = nullptr) {
  Ran ran;
  ran.outcome = run_in_worker(
      -1, work, [&](std::string_view message) { ran.messages.emplace_back(message); }, bounds,
      progress);
  return ran;
}

// --- The end of a worker -------------------------------------------------------------------------

struct End {
  const char* name;
  std::function<void()> act;
  StopCause cause = StopCause::kExit;
  std::string stop_name{};
};

std::vector<End> ends() {
  const auto by_signal = [](int number) { return [=] { raise(number); }; };
  return {{"done", [] {}},
          {"exit 0", [] { _exit(0); }, StopCause::kExit, "status 0"},
          {"exit 3", [] { _exit(3); }, StopCause::kExit, "status 3"},
          {"no memory", [] { throw std::bad_alloc(); }, StopCause::kLimit, "memory"},
          {"exception", [] { throw std::runtime_error("x"); }, StopCause::kExit, "status 72"},
          {"SEGV", by_signal(SIGSEGV), StopCause::kSignal, "SIGSEGV"},
          {"BUS", by_signal(SIGBUS), StopCause::kSignal, "SIGBUS"},
          {"FPE", by_signal(SIGFPE), StopCause::kSignal, "SIGFPE"},
          {"ILL", by_signal(SIGILL), StopCause::kSignal, "SIGILL"},
          {"ABRT", by_signal(SIGABRT), StopCause::kSignal, "SIGABRT"},
          {"SYS", by_signal(SIGSYS), StopCause::kSignal, "SIGSYS"},
          {"TERM", by_signal(SIGTERM), StopCause::kSignal, "SIGTERM"},
          {"KILL", by_signal(SIGKILL), StopCause::kSignal, "SIGKILL"},
          {"XCPU", by_signal(SIGXCPU), StopCause::kLimit, "cpu-time"},
          {"a signal without a name", by_signal(SIGRTMIN + 1), StopCause::kSignal,
           "signal " + std::to_string(SIGRTMIN + 1)}};
}

// Every way to end, after messages of every size, at every stage.
RC_GTEST_PROP(Workers, ReportHowTheyEnded, ()) {
  Noise noise(*rc::gen::arbitrary<std::uint64_t>().as("worker") + 1);
  const std::vector<End> all = ends();
  const End& end = all[noise.below(all.size())];
  constexpr std::size_t kSizes[] = {0, 1, 100, 65'535, 65'536, 200'000};
  std::vector<std::string> wanted;
  for (std::uint64_t n = noise.below(4); n > 0; --n)
    wanted.push_back(std::string(noise.of(kSizes), static_cast<char>('a' + n)));
  constexpr Stage kStages[] = {Stage::kStarting, Stage::kOpening, Stage::kWalking,
                               Stage::kReading,  Stage::kValues,  Stage::kChecking};
  const Stage stage = noise.of(kStages);
  constexpr std::size_t kLengths[] = {0, 1, 998, 999, 1000, 2000};
  const std::string object(noise.of(kLengths), 'o'), subject(noise.of(kLengths), 's');
  const Ran ran = run([&](const Send& send, WorkerPosition&) {
    for (const std::string& message : wanted) send(message);
    now_in(subject);
    now_at(stage, object);
    end.act();
  });
  RC_ASSERT(!ran.outcome.error);
  RC_ASSERT(ran.messages == wanted);
  RC_ASSERT(ran.outcome.stop.has_value() == !end.stop_name.empty());
  if (!ran.outcome.stop) return;
#ifndef __SANITIZE_ADDRESS__
  RC_ASSERT(ran.outcome.stop->cause == end.cause);
  RC_ASSERT(ran.outcome.stop->name == end.stop_name);
#endif
  RC_ASSERT(ran.outcome.stop->stage == to_string(stage));
  RC_ASSERT(ran.outcome.stop->object == object.substr(0, 999));
  RC_ASSERT(ran.outcome.stop->subject == subject.substr(0, 999));
}

// A frame has a header of 24 bytes; the one about refused protection comes first.
TEST(Workers, OutputIsLimited) {
  const auto say = [](std::size_t bytes) {
    return [=](const Send& send, WorkerPosition&) {
      send("first");
      send(std::string(bytes, 'x'));
    };
  };
  const Ran whole = run(say(1000));
  const std::uint64_t all = 4 * 24 + whole.outcome.refused.size() + 5 + 1000;
  for (const std::uint64_t most : {all - 1, all, all + 1}) {
    const Ran ran = run(say(1000), {.answer = most});
    ASSERT_EQ(ran.outcome.stop.has_value(), most < all) << most;
    if (most < all) {
      EXPECT_EQ(ran.outcome.stop->name, "answer");
      EXPECT_EQ(ran.outcome.stop->cause, StopCause::kLimit);
    } else {
      EXPECT_EQ(ran.messages.size(), 2u);
    }
  }
}

// A compromised worker may write frames of its own.
TEST(Workers, OutputAfterTheEndIsIgnored) {
  const auto frames = [](const char* first, FrameKind kind, const char* then) {
    return run([=](const Send& send, WorkerPosition&) {
      send(first);
      for (int pipe = 3; pipe < 256; ++pipe)
        if (send_frame(pipe, kind, "frame")) break;
      send(then);
    });
  };
  const Ran done = frames("one", FrameKind::kFinished, "late");
  EXPECT_EQ(done.messages, std::vector<std::string>{"one"});
  EXPECT_FALSE(done.outcome.stop);
  const Ran refused = frames("one", FrameKind::kRefused, "two");
  EXPECT_EQ(refused.messages, (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(refused.outcome.refused, run([](const Send&, WorkerPosition&) {}).outcome.refused);
  const Ran message = frames("one", FrameKind::kMessage, "two");
  EXPECT_EQ(message.messages, (std::vector<std::string>{"one", "frame", "two"}));
}

TEST(Workers, TimeIsLimited) {
  const auto sleep = [](int milliseconds) {
    return [=](const Send& send, WorkerPosition&) {
      std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
      send("done");
    };
  };
  const auto begin = std::chrono::steady_clock::now();
  const Ran late = run(sleep(20'000), {.seconds = 1});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  ASSERT_TRUE(late.outcome.stop);
  EXPECT_EQ(late.outcome.stop->name, "time");
  EXPECT_EQ(late.outcome.stop->cause, StopCause::kLimit);
  EXPECT_TRUE(late.messages.empty());
  EXPECT_FALSE(run(sleep(300), {.seconds = 5}).outcome.stop);
}

TEST(Workers, MemoryIsLimited) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "memory is not limited there";
#endif
  const auto take = [](std::size_t bytes) {
    return [=](const Send& send, WorkerPosition&) {
      const std::string much(bytes, 'x');
      send(much.substr(0, 1));
    };
  };
  constexpr std::size_t kMegabyte = 1 << 20;
  EXPECT_FALSE(run(take(50 * kMegabyte), {.memory = 200 * kMegabyte}).outcome.stop);
  const Ran ran = run(take(300 * kMegabyte), {.memory = 200 * kMegabyte});
  ASSERT_TRUE(ran.outcome.stop);
  EXPECT_EQ(ran.outcome.stop->name, "memory");
  EXPECT_EQ(ran.outcome.stop->cause, StopCause::kLimit);
}

// The observer receives all counts, whether or not the worker completes.
TEST(Workers, CountsReachTheObserver) {
  struct Heard : Progress {
    std::uint64_t expected = 0, done = 0;
    void expect(std::uint64_t bytes) override { expected += bytes; }
    void advance(std::uint64_t bytes) override { done += bytes; }
  } heard;
  const Ran ran = run(
      [](const Send& send, WorkerPosition& place) {
        PositionProgress progress(place);
        for (int i = 0; i < 3; ++i) {
          progress.expect(10);
          progress.advance(7);
          std::this_thread::sleep_for(std::chrono::milliseconds(50));
          send("more");
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
      },
      {}, &heard);
  EXPECT_FALSE(ran.outcome.stop);
  EXPECT_EQ(heard.expected, 30u);
  EXPECT_EQ(heard.done, 21u);
  run([](const Send&, WorkerPosition&) {}, {},
      &heard);  // the counts of the previous one are discarded
  EXPECT_EQ(heard.expected, 30u);
}

// --- Restrictions --------------------------------------------------------------------------------

// The result of an attempt in a worker that may read `file`: "ok", or the name of its error.
std::string attempt(const std::function<long()>& call, int file = -1) {
  std::string received = "nothing";
  run_in_worker(
      file,
      [&](const Send& send, WorkerPosition&) {
        errno = 0;
        send(call() >= 0 ? "ok" : strerrorname_np(errno));
      },
      [&](std::string_view message) { received = message; }, {});
  return received;
}

TEST(Workers, InheritNoSecretsOfTheParent) {
  setenv("HEPCHECK_SECRET", "a secret", 1);
  const char* const secret = getenv("HEPCHECK_SECRET");
  const int other = open("/dev/null", O_RDONLY), file = open("/proc/self/exe", O_RDONLY);
  char byte = 0;
  EXPECT_EQ(attempt([] { return getenv("HEPCHECK_SECRET") ? -1 : 0; }), "ok");
  EXPECT_EQ(attempt([=] { return *secret == '\0' ? 0 : -1; }), "ok");
  EXPECT_EQ(attempt([&] { return ::read(other, &byte, 1); }, file), "EBADF");
  EXPECT_EQ(attempt([&] { return pread(file, &byte, 1, 0); }), "EBADF");
  EXPECT_EQ(attempt([&] { return pread(file, &byte, 1, 0); }, file), "ok");
  EXPECT_EQ(attempt([&] { return ::read(STDIN_FILENO, &byte, 1) == 0 ? 0 : -1; }, file), "ok");
  EXPECT_STREQ(getenv("HEPCHECK_SECRET"), "a secret");
  unsetenv("HEPCHECK_SECRET");
  close(other);
  close(file);
}

// On a system that grants everything.
TEST(Workers, CanOnlyReadAndCompute) {
  if (const Ran ran = run([](const Send&, WorkerPosition&) {}); !ran.outcome.refused.empty())
    GTEST_SKIP() << "this system refuses " << ran.outcome.refused;
  const int file = open("/proc/self/exe", O_RDONLY);
  const pid_t parent = getpid();
  const auto map = [](int protection, int flags) {
    return mmap(nullptr, 4096, protection, flags | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1L : 0L;
  };
  EXPECT_EQ(attempt([] { return open("/dev/null", O_RDONLY); }), "EPERM");
  EXPECT_EQ(attempt([=] { return write(file, "x", 1); }, file), "EPERM");
  EXPECT_EQ(attempt([] { return write(STDOUT_FILENO, "x", 1); }), "EPERM");
  EXPECT_EQ(attempt([] { return fork(); }), "EPERM");
  EXPECT_EQ(attempt([] { return socket(AF_UNIX, SOCK_DGRAM, 0); }), "EPERM");
  EXPECT_EQ(attempt([=] { return kill(parent, 0); }), "EPERM");
  EXPECT_EQ(attempt([=] { return syscall(SYS_tgkill, parent, parent, 0); }), "EPERM");
  EXPECT_EQ(attempt([] { return syscall(SYS_tgkill, getpid(), gettid(), 0); }), "ok");
  EXPECT_EQ(attempt([&] { return map(PROT_READ | PROT_WRITE, MAP_PRIVATE); }), "ok");
  EXPECT_EQ(attempt([&] { return map(PROT_READ | PROT_EXEC, MAP_PRIVATE); }), "EPERM");
  EXPECT_EQ(attempt([&] { return map(PROT_READ | PROT_WRITE, MAP_SHARED); }), "EPERM");
  EXPECT_EQ(attempt([] {
              rlimit none{};
              return getrlimit(RLIMIT_NOFILE, &none) == 0 && none.rlim_max == 0 ? 0 : -1;
            }),
            "ok");
  EXPECT_EQ(attempt([] {
              rlimit none{};
              return getrlimit(RLIMIT_CORE, &none) == 0 && none.rlim_max == 0 ? 0 : -1;
            }),
            "ok");
  close(file);
}

TEST(Workers, HaveTheConfiguredLimits) {
  const auto limits = [](const Bounds& bounds) {
    const Ran ran = run(
        [](const Send& send, WorkerPosition&) {
          rlimit processor{}, memory{};
          getrlimit(RLIMIT_CPU, &processor);
          getrlimit(RLIMIT_DATA, &memory);
          send(std::format("{} {} {}", processor.rlim_cur, processor.rlim_max, memory.rlim_max));
        },
        bounds);
    return ran.messages.empty() ? "" : ran.messages[0];
  };
#ifndef __SANITIZE_ADDRESS__
  EXPECT_EQ(limits({.cpu_seconds = 7, .memory = 1 << 30}), "7 8 1073741824");
  const Bounds usual = settled({.seconds = 5});
  EXPECT_EQ(usual.cpu_seconds % 5, 0u);
  EXPECT_GE(usual.memory, std::uint64_t{1} << 30);
  EXPECT_EQ(limits({.seconds = 5}),
            std::format("{} {} {}", usual.cpu_seconds, usual.cpu_seconds + 1, usual.memory));
#endif
  const Bounds named = settled({.seconds = 5, .cpu_seconds = 3, .memory = 4});
  EXPECT_EQ(named.cpu_seconds, 3u);
  EXPECT_EQ(named.memory, 4u);
}

// --- Positions -----------------------------------------------------------------------------------

// Until the stack overflows.
int deeper(const volatile int& more) {
  volatile char room[1 << 14];
  room[0] = 1;
  return more > 0 ? deeper(more) + room[0] : 0;
}

void fall() { raise(SIGSEGV); }
void fall_off_the_stack() {
  const volatile int for_ever = 1;
  deeper(for_ever);
}

// While the first thread waits, another one is more informative; if there was a fault, that one.
TEST(Workers, ReportTheInformativeThread) {
  const auto with_thread = [](Stage stage_of_first, void (*fault)()) {
    return run([=](const Send&, WorkerPosition&) {
      now_in("/t");
      now_at(Stage::kReading, "/first");
      std::atomic<bool> there = false;
      std::thread other([&there, from = position_here(), fault] {
        const PositionOfThread here(from);
        now_at(Stage::kChecking, "/other");
        there = true;
        there.notify_one();
        if (fault) fault();
        std::this_thread::sleep_for(std::chrono::seconds(20));
      });
      there.wait(false);
      now_at(stage_of_first, "/then");
      if (fault) std::this_thread::sleep_for(std::chrono::seconds(20));
      _exit(3);
    });
  };
  const Ran waits = with_thread(Stage::kWaiting, nullptr);
  ASSERT_TRUE(waits.outcome.stop);
  EXPECT_EQ(waits.outcome.stop->text(),
            "the worker process ended with status 3 while checking /other of /t");
  const Ran reads = with_thread(Stage::kValues, nullptr);
  ASSERT_TRUE(reads.outcome.stop);
  EXPECT_EQ(reads.outcome.stop->text(),
            "the worker process ended with status 3 while reading the values of /then of /t");
#ifndef __SANITIZE_ADDRESS__
  for (void (*const fault)() : {fall, fall_off_the_stack}) {
    const Ran falls = with_thread(Stage::kValues, fault);
    ASSERT_TRUE(falls.outcome.stop);
    EXPECT_EQ(falls.outcome.stop->text(),
              "the worker process died of SIGSEGV while checking /other of /t");
  }
#endif
}

// Within one process: a spot for each thread while it exists, and the previous state afterwards.
TEST(Places, AreAssignedToThreadsAndReturned) {
  const auto place = std::make_unique<WorkerPosition>();
  place->reset();
  EXPECT_EQ(position_here().place, nullptr);
  now_at(Stage::kReading, "/unused");  // of no thread
  EXPECT_EQ(place->spots[0].object.text(), "");
  record_position(place.get());
  now_in("/t");
  now_at(Stage::kWalking, "/a");
  EXPECT_EQ(place->spots[0].subject.text(), "/t");
  EXPECT_EQ(place->spots[0].stage, Stage::kWalking);
  EXPECT_TRUE(place->spots[0].taken);
  {
    const Waiting waiting;
    EXPECT_EQ(place->spots[0].stage, Stage::kWaiting);
    EXPECT_EQ(place->spots[0].object.text(), "");
    std::thread([from = position_here(), &place] {
      const PositionOfThread here(from);
      EXPECT_TRUE(place->spots[1].taken);
      EXPECT_EQ(place->spots[1].stage, Stage::kWaiting);
      EXPECT_EQ(place->spots[1].subject.text(), "/t");
      now_at(Stage::kValues, "/b");
      EXPECT_EQ(&place->decisive(), &place->spots[1]);
    }).join();
    EXPECT_FALSE(place->spots[1].taken);
    EXPECT_EQ(&place->decisive(), &place->spots[0]);
  }
  EXPECT_EQ(place->spots[0].stage, Stage::kWalking);
  EXPECT_EQ(place->spots[0].object.text(), "/a");
  // More threads than spots are not recorded.
  for (Spot& spot : place->spots) spot.taken = true;
  std::thread([from = position_here()] {
    const PositionOfThread here(from);
    now_at(Stage::kValues, "/c");
    EXPECT_EQ(position_here().place, nullptr);
  }).join();
  for (const Spot& spot : place->spots) EXPECT_NE(spot.object.text(), "/c");
  record_position(nullptr);
  now_at(Stage::kReading, "/later");
  EXPECT_EQ(place->spots[0].object.text(), "/a");
  place->reset();
  EXPECT_EQ(place->spots[0].object.text(), "");
  EXPECT_EQ(place->spots[0].subject.text(), "");
  EXPECT_EQ(place->spots[0].stage, Stage::kStarting);
  EXPECT_TRUE(
      std::ranges::none_of(place->spots, [](const Spot& spot) { return spot.taken.load(); }));
}

// --- Lanes --------------------------------------------------------------------------------------

// Every task once, in any lane; tasks of dead lanes remain, with all of their earlier messages.
RC_GTEST_PROP(Lanes, CompleteAllPossibleTasks, ()) {
  Noise noise(*rc::gen::arbitrary<std::uint64_t>().as("lanes") + 1);
  const std::size_t count = noise.below(12), lanes = 1 + noise.below(5);
  std::set<std::size_t> deadly;
  for (std::size_t task = 0; task < count; ++task)
    if (noise.one_in(8)) deadly.insert(task);
  const std::uint64_t way = noise.below(3);
  struct Heard : Progress {
    std::uint64_t expected = 0, done = 0;
    void expect(std::uint64_t bytes) override { expected += bytes; }
    void advance(std::uint64_t bytes) override { done += bytes; }
  } heard;
  std::map<std::size_t, std::vector<std::string>> messages;
  std::vector<std::size_t> finished;
  std::set<std::string> numbers;
  const std::vector<std::size_t> left = run_in_lanes(
      count, lanes,
      [&](std::size_t task, std::size_t lane, Progress& progress, const Send& send) {
        progress.expect(3);
        send(std::to_string(task));
        send(std::to_string(lane));
        if (deadly.contains(task)) {
          if (way == 0) _exit(0);
          if (way == 1) raise(SIGKILL);
          throw std::runtime_error("x");
        }
        progress.advance(2);
        send(std::string(task * 10'000, 'x'));
      },
      {.receive = [&](std::size_t task, std::string_view m) { messages[task].emplace_back(m); },
       .finished = [&](std::size_t task) { finished.push_back(task); }},
      noise.maybe() ? &heard : nullptr);
  RC_ASSERT(std::ranges::is_sorted(left));
  RC_ASSERT(left.size() + finished.size() == count);
  std::set<std::size_t> each(left.begin(), left.end());
  each.insert(finished.begin(), finished.end());
  RC_ASSERT(each.size() == count);
  RC_ASSERT(
      std::ranges::none_of(finished, [&](std::size_t task) { return deadly.contains(task); }));
  if (deadly.size() < lanes) {
    RC_ASSERT(std::set(left.begin(), left.end()) == deadly);
    RC_ASSERT(messages.size() == count);
  }
  for (const auto& [task, received] : messages) {
    RC_ASSERT(received.at(0) == std::to_string(task));
    RC_ASSERT(std::stoul(received.at(1)) < std::min(lanes, count));
    RC_ASSERT(received.size() == (deadly.contains(task) ? 2u : 3u));
    if (received.size() == 3) RC_ASSERT(received[2].size() == task * 10'000);
  }
  if (heard.expected + heard.done > 0) {
    RC_ASSERT(heard.expected == 3 * messages.size());
    RC_ASSERT(heard.done == 2 * finished.size());
  }
}

}  // namespace

}  // namespace hepcheck::isolate
