#include "validator/isolate/worker.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <format>
#include <fstream>
#include <optional>
#include <set>
#include <system_error>
#include <thread>
#include <vector>

#include "validator/descriptor.h"
#include "validator/isolate/frame.h"
#include "validator/worker_position.h"

namespace hepcheck::isolate {
namespace {

struct Ran {
  Outcome outcome;
  std::vector<std::string> messages;
};

Ran run(const std::function<void(const Send&)>& work, const Bounds& bounds = {}, int file = -1) {
  Ran ran;
  ran.outcome = run_in_worker(
      file, [&](const Send& send, WorkerPosition&) { work(send); },
      [&](std::string_view message) { ran.messages.emplace_back(message); }, bounds);
  return ran;
}

// The result of an attempt inside a worker: "ok", or the name of its error.
std::string attempt(const std::function<long()>& call, int file = -1) {
  const Ran ran = run(
      [&](const Send& send) {
        errno = 0;
        const long result = call();
        send(result >= 0 ? "ok" : strerrorname_np(errno));
      },
      {}, file);
  return ran.messages.size() == 1 ? ran.messages.front() : ran.outcome.stop.value_or(Stop{}).text();
}

class Worker : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / std::format("hepcheck-worker-{}", getpid());
    std::filesystem::create_directories(folder_);
    given_ = write_file("given", "the given file");
    other_ = write_file("other", "a secret");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write_file(const char* name, const char* content) const {
    const std::string path = folder_ / name;
    std::ofstream(path) << content;
    return path;
  }

  std::filesystem::path folder_{};
  std::string given_{}, other_{};
};

// What reading one file, decoding and memory need, with any arguments.
constexpr long kNeeded[] = {
    SYS_read,
    SYS_pread64,
    SYS_readv,
    SYS_preadv,
    SYS_lseek,
    SYS_fstat,
    SYS_close,
    SYS_munmap,
    SYS_mremap,
    SYS_madvise,
    SYS_brk,
    SYS_futex,
    SYS_set_robust_list,
    SYS_rseq,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_gettid,
    SYS_getpid,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_sigaltstack,
    SYS_clock_gettime,
    SYS_gettimeofday,
    SYS_nanosleep,
    SYS_clock_nanosleep,
    SYS_getrandom,
    SYS_sysinfo,
    SYS_getrusage,
    SYS_getcwd,
    SYS_clone,   // of a thread
    SYS_clone3,  // it says that it does not exist
#ifdef SYS_time
    SYS_time,
#endif
};

// Guarantees of a system that grants every restriction.
class SandboxedWorker : public Worker {
 protected:
  void SetUp() override {
    Worker::SetUp();
    const std::string refused = run([](const Send&) {}).outcome.refused;
    if (!refused.empty()) GTEST_SKIP() << "this system refuses " << refused;
  }
};

TEST_F(Worker, SendsMessagesInOrder) {
  const std::string large(3 << 20, 'x');
  const Ran ran = run([&](const Send& send) {
    send("one");
    send(large);
    send("three");
  });
  EXPECT_FALSE(ran.outcome.stop);
  EXPECT_EQ(ran.messages, (std::vector<std::string>{"one", large, "three"}));
}

TEST_F(Worker, ReadsItsFile) {
  const auto file = open_for_reading(given_);
  ASSERT_TRUE(file);
  const Ran ran = run(
      [&](const Send& send) {
        char bytes[64];
        const ssize_t got = pread(file->get(), bytes, sizeof bytes, 4);
        send(std::string_view(bytes, got > 0 ? static_cast<std::size_t>(got) : 0));
      },
      {}, file->get());
  EXPECT_EQ(ran.messages, std::vector<std::string>{"given file"});
}

TEST_F(SandboxedWorker, CannotOpenASecondFile) {
  EXPECT_EQ(attempt([&] { return open(other_.c_str(), O_RDONLY); }), "EPERM");
  EXPECT_EQ(attempt([&] { return open(given_.c_str(), O_RDONLY); }), "EPERM");
  EXPECT_EQ(attempt([] { return open("/proc/self/mem", O_RDWR); }), "EPERM");
  EXPECT_EQ(attempt([&] { return syscall(SYS_openat2, AT_FDCWD, other_.c_str(), nullptr, 0); }),
            "EPERM");
  EXPECT_EQ(attempt([&] { return syscall(SYS_io_uring_setup, 1, nullptr); }), "EPERM");
  struct stat status{};
  EXPECT_EQ(attempt([&] { return stat(other_.c_str(), &status); }), "EPERM");
}

TEST_F(Worker, HasNoDescriptorOfTheParent) {
  const auto secret = open_for_reading(other_);
  const auto file = open_for_reading(given_);
  ASSERT_TRUE(secret && file);
  char byte;
  EXPECT_EQ(attempt([&] { return pread(secret->get(), &byte, 1, 0); }, file->get()), "EBADF");
  EXPECT_EQ(attempt([&] { return pread(file->get(), &byte, 1, 0); }, file->get()), "ok");
}

TEST_F(Worker, DoesNotKnowTheEnvironment) {
  setenv("HEPCHECK_SECRET", "a secret", 1);
  const char* const secret = getenv("HEPCHECK_SECRET");
  const Ran ran = run([&](const Send& send) {
    send(getenv("HEPCHECK_SECRET") ? "found by name" : *secret ? "still there" : "gone");
  });
  EXPECT_EQ(ran.messages, std::vector<std::string>{"gone"});
  EXPECT_STREQ(getenv("HEPCHECK_SECRET"), "a secret");
  unsetenv("HEPCHECK_SECRET");
}

TEST_F(SandboxedWorker, CannotWrite) {
  const auto file = open_for_reading(given_);
  ASSERT_TRUE(file);
  EXPECT_EQ(attempt([&] { return write(file->get(), "x", 1); }, file->get()), "EPERM");
  EXPECT_EQ(attempt([&] { return pwrite(file->get(), "x", 1, 0); }, file->get()), "EPERM");
  EXPECT_EQ(attempt([&] { return ftruncate(file->get(), 0); }, file->get()), "EPERM");
  EXPECT_EQ(attempt([&] { return unlink(other_.c_str()); }), "EPERM");
  EXPECT_EQ(attempt([&] { return rename(other_.c_str(), given_.c_str()); }), "EPERM");
  EXPECT_EQ(attempt([&] { return mkdir((folder_ / "new").c_str(), 0700); }), "EPERM");
  EXPECT_EQ(attempt([&] { return write(STDOUT_FILENO, "x", 1); }), "EPERM");
  EXPECT_TRUE(std::filesystem::exists(other_));
}

// A worker that repairs a copy may change this copy, up to a size, and nothing else.
TEST_F(SandboxedWorker, WritesToItsOutputAlone) {
  const auto file = open_for_reading(given_);
  const Descriptor output{open((folder_ / "output").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)};
  ASSERT_TRUE(file);
  ASSERT_TRUE(output);
  const Bounds bounds{.output = output.get(), .output_size = 8};
  const int files[] = {file->get(), output.get()};
  std::vector<std::string> messages;
  const Outcome outcome = run_in_worker(
      files,
      [&](const Send& send, WorkerPosition&) {
        signal(SIGXFSZ, SIG_IGN);
        const auto tell = [&](long result) {
          send(result >= 0 ? std::to_string(result) : strerrorname_np(errno));
        };
        tell(pwrite(output.get(), "1234", 4, 0));
        tell(pwrite(output.get(), "x", 1, 100));
        tell(ftruncate(output.get(), 100));
        tell(ftruncate(output.get(), 3));
        tell(write(output.get(), "x", 1));
        tell(pwrite(file->get(), "x", 1, 0));
        tell(ftruncate(file->get(), 0));
      },
      [&](std::string_view message) { messages.emplace_back(message); }, bounds);
  EXPECT_FALSE(outcome.stop);
  EXPECT_EQ(messages,
            (std::vector<std::string>{"4", "EFBIG", "EFBIG", "0", "EPERM", "EPERM", "EPERM"}));
  EXPECT_EQ(std::filesystem::file_size(folder_ / "output"), 3);
}

TEST_F(SandboxedWorker, HasNoNetwork) {
  for (const int family : {AF_INET, AF_INET6, AF_UNIX, AF_NETLINK})
    EXPECT_EQ(attempt([=] { return socket(family, SOCK_DGRAM, 0); }), "EPERM") << family;
  int pair[2];
  EXPECT_EQ(attempt([&] { return socketpair(AF_UNIX, SOCK_STREAM, 0, pair); }), "EPERM");
}

TEST_F(SandboxedWorker, CannotStartProgramsOrProcesses) {
  char* const arguments[] = {const_cast<char*>("/bin/true"), nullptr};
  EXPECT_EQ(attempt([&] { return execv("/bin/true", arguments); }), "EPERM");
  EXPECT_EQ(attempt([] { return fork(); }), "EPERM");
  EXPECT_EQ(attempt([] { return syscall(SYS_clone3, nullptr, 0); }), "ENOSYS");
}

TEST_F(SandboxedWorker, CannotReachOtherProcesses) {
  const pid_t parent = getpid();
  EXPECT_EQ(attempt([=] { return kill(parent, 0); }), "EPERM");
  EXPECT_EQ(attempt([=] { return syscall(SYS_tgkill, parent, parent, 0); }), "EPERM");
  EXPECT_EQ(attempt([=] { return ptrace(PTRACE_ATTACH, parent, nullptr, nullptr); }), "EPERM");
}

TEST_F(SandboxedWorker, CannotCreateCodeOrShareMemory) {
  const auto map = [](int protection, int flags) {
    return mmap(nullptr, 4096, protection, flags | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1L : 0L;
  };
  EXPECT_EQ(attempt([&] { return map(PROT_READ | PROT_WRITE, MAP_PRIVATE); }), "ok");
  EXPECT_EQ(attempt([&] { return map(PROT_READ | PROT_EXEC, MAP_PRIVATE); }), "EPERM");
  EXPECT_EQ(attempt([&] { return map(PROT_READ | PROT_WRITE, MAP_SHARED); }), "EPERM");
  EXPECT_EQ(attempt([&] { return map(PROT_READ | PROT_WRITE, MAP_SHARED_VALIDATE); }), "EPERM");
}

// The kernel does not count such mappings as data.
TEST_F(SandboxedWorker, CannotMapMemoryThatTheLimitDoesNotCount) {
  const auto map = [](int flags) {
    void* const got =
        mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    return got == MAP_FAILED ? -1L : 0L;
  };
  for (const int flags : {MAP_GROWSDOWN, MAP_GROWSDOWN | MAP_STACK, MAP_HUGETLB, MAP_LOCKED})
    EXPECT_EQ(attempt([=] { return map(flags); }), "EPERM") << flags;
  for (const int flags : {0, MAP_NORESERVE, MAP_STACK})
    EXPECT_EQ(attempt([=] { return map(flags); }), "ok") << flags;
}

TEST_F(SandboxedWorker, CannotStartThreadsWithoutPermission) {
  const auto start = [](const Send& send) {
    try {
      std::jthread([] {}).join();
      send("started");
    } catch (const std::system_error& error) {
      send(strerrorname_np(error.code().value()));
    }
  };
  EXPECT_EQ(run(start, {.threads = false}).messages, std::vector<std::string>{"EPERM"});
  EXPECT_EQ(run(start, {.threads = true}).messages, std::vector<std::string>{"started"});
}

// Each call of the system has arguments that it refuses, so that nothing happens where it is
// permitted. Numbers from 335 to 402 are calls of probes, which no filter sees, or of no use.
TEST_F(SandboxedWorker, HasOnlyTheCallsThatItNeeds) {
  constexpr long kEnd[] = {SYS_exit, SYS_exit_group, SYS_rt_sigreturn, SYS_restart_syscall};
  constexpr long kLast = 470;
  const Ran ran = run([&](const Send& send) {
    for (long call = 0; call <= kLast; ++call) {
      if (std::ranges::contains(kEnd, call) || (call > 334 && call < 403)) continue;
      errno = 0;
      if (syscall(call, -1L, -1L, -1L, -1L, -1L, -1L) >= 0 || errno != EPERM)
        send(std::to_string(call));
    }
  });
  EXPECT_FALSE(ran.outcome.stop);
  std::set<long> permitted;
  for (const std::string& message : ran.messages) permitted.insert(std::stol(message));
  EXPECT_EQ(permitted, std::set<long>(std::begin(kNeeded), std::end(kNeeded)));
}

TEST_F(Worker, MayUseThreads) {
  const Ran ran = run([](const Send& send) {
    std::vector<int> answers(4);
    {
      std::vector<std::jthread> threads;
      for (int& answer : answers)
        threads.emplace_back([&answer] { answer = std::vector<int>(100'000, 7).back(); });
    }
    send(answers == std::vector<int>(4, 7) ? "ok" : "wrong");
  });
  EXPECT_EQ(ran.messages, std::vector<std::string>{"ok"});
}

TEST_F(Worker, DeathIsReportedWithItsPosition) {
  const Ran ran = run([](const Send& send) {
    send("before");
    now_at(Stage::kReading, "/t/x");
    raise(SIGSEGV);
    send("after");
  });
  EXPECT_EQ(ran.messages, std::vector<std::string>{"before"});
  ASSERT_TRUE(ran.outcome.stop);
#ifndef __SANITIZE_ADDRESS__
  EXPECT_EQ(ran.outcome.stop->cause, StopCause::kSignal);
  EXPECT_EQ(ran.outcome.stop->name, "SIGSEGV");
#endif
  EXPECT_EQ(ran.outcome.stop->stage, "reading");
  EXPECT_EQ(ran.outcome.stop->object, "/t/x");
}

// The thread that failed is reported, or one of those for which the first one waits.
TEST_F(Worker, EndInAThreadIsReportedWithItsPosition) {
  for (const bool fault : {true, false})
    for (const bool waits : {true, false}) {
#ifdef __SANITIZE_ADDRESS__
      if (fault && !waits) continue;  // the sanitizer handles it
#endif
      const Outcome outcome = run_in_worker(
          -1,
          [=](const Send&, WorkerPosition&) {
            now_at(Stage::kOpening, "/first");
            now_in("/of the first");
            // An earlier thread has left its place.
            std::jthread([here = position_here()] {
              const PositionOfThread place(here);
              now_at(Stage::kChecking, "/earlier");
            }).join();
            std::jthread other([fault, here = position_here()] {
              const PositionOfThread place(here);
              now_at(Stage::kReading, "/other");
              now_in("/of the other");
              std::this_thread::sleep_for(std::chrono::milliseconds(50));
              if (fault) raise(SIGSEGV);
              _exit(3);
            });
            std::optional<Waiting> waiting;
            if (waits) waiting.emplace();
            other.join();
          },
          [](std::string_view) {}, {.threads = true});
      ASSERT_TRUE(outcome.stop);
      const bool first = !fault && !waits;
      EXPECT_EQ(outcome.stop->stage, first ? "opening the file" : "reading");
      EXPECT_EQ(outcome.stop->object, first ? "/first" : "/other");
      EXPECT_EQ(outcome.stop->subject, first ? "/of the first" : "/of the other");
    }
}

// A worker that a hostile file has taken over may send frames of any kind in any order.
TEST_F(Worker, FramesInAnyOrder) {
  const std::string refused = run([](const Send&) {}).outcome.refused;
  const FrameKind kinds[] = {FrameKind::kRefused, FrameKind::kMessage, FrameKind::kFinished};
  for (int order = 0; order < 27; ++order) {
    std::vector<std::string> messages, wanted;
    const Outcome outcome = run_in_worker(
        -1,
        [&](const Send&, WorkerPosition&) {
          // The pipe is the only one that is open here.
          int pipe = 0;
          for (struct stat it{}; pipe < 1'000; ++pipe)
            if (fstat(pipe, &it) == 0 && S_ISFIFO(it.st_mode)) break;
          for (int i = 0, rest = order; i < 3; ++i, rest /= 3)
            send_frame(pipe, kinds[rest % 3], std::format("frame {}", i));
          _exit(3);
        },
        [&](std::string_view message) { messages.emplace_back(message); }, {});
    bool finished = false;
    for (int i = 0, rest = order; i < 3 && !finished; ++i, rest /= 3)
      if (kinds[rest % 3] == FrameKind::kMessage)
        wanted.push_back(std::format("frame {}", i));
      else
        finished = kinds[rest % 3] == FrameKind::kFinished;
    EXPECT_EQ(messages, wanted) << order;
    EXPECT_EQ(outcome.stop.has_value(), !finished) << order;
    EXPECT_EQ(outcome.refused, refused) << order;
  }
}

TEST_F(Worker, AbortIsReported) {
  const Ran ran = run([](const Send&) { std::abort(); });
  ASSERT_TRUE(ran.outcome.stop);
  EXPECT_EQ(ran.outcome.stop->name, "SIGABRT");
}

TEST_F(Worker, EarlyExitIsReported) {
  const Ran ran = run([](const Send&) { _exit(0); });
  ASSERT_TRUE(ran.outcome.stop);
  EXPECT_EQ(ran.outcome.stop->cause, StopCause::kExit);
}

std::string limit_reached(const Ran& ran) {
  if (!ran.outcome.stop) return "none";
  return ran.outcome.stop->cause == StopCause::kLimit ? ran.outcome.stop->name
                                                      : ran.outcome.stop->text();
}

TEST_F(Worker, TimeIsLimited) {
  const auto before = std::chrono::steady_clock::now();
  EXPECT_EQ(limit_reached(run(
                [](const Send&) {
                  pause();
                  while (true) sleep(1);
                },
                {.seconds = 1})),
            "time");
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(20));
}

TEST_F(Worker, StoppedReceiverDoesNotCountAgainstItsTime) {
  Ran ran;
  const auto work = [](const Send& send, WorkerPosition&) {
    send("slow");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    send("done");
  };
  const auto receive = [&](std::string_view message) {
    ran.messages.emplace_back(message);
    if (message == "slow") std::this_thread::sleep_for(std::chrono::milliseconds(1200));
  };
  ran.outcome = run_in_worker(-1, work, receive, {.seconds = 1});
  EXPECT_EQ(limit_reached(ran), "none");
  EXPECT_EQ(ran.messages, (std::vector<std::string>{"slow", "done"}));
}

TEST_F(Worker, StoppedParentDoesNotCountAgainstItsTime) {
  const pid_t parent = fork();
  ASSERT_GE(parent, 0);
  if (parent == 0) {
    const Ran ran = run([](const Send&) { usleep(2'700'000); }, {.seconds = 1});
    _exit(limit_reached(ran) == "none" ? 0 : 1);
  }
  usleep(100'000);
  EXPECT_EQ(kill(parent, SIGSTOP), 0);
  usleep(2'500'000);
  EXPECT_EQ(kill(parent, SIGCONT), 0);
  int status = -1;
  EXPECT_EQ(waitpid(parent, &status, 0), parent);
  EXPECT_EQ(status, 0);
}

TEST_F(Worker, LowerInheritedLimitsAreKept) {
  const pid_t parent = fork();
  ASSERT_GE(parent, 0);
  if (parent == 0) {
    const rlimit processor{.rlim_cur = 3, .rlim_max = 3};
    if (setrlimit(RLIMIT_CPU, &processor) != 0) _exit(2);
    const Ran ran = run([](const Send& send) {
      rlimit here{};
      getrlimit(RLIMIT_CPU, &here);
      send(std::to_string(here.rlim_cur) + " " + std::to_string(here.rlim_max));
    });
    _exit(ran.outcome.refused.empty() && ran.messages == std::vector<std::string>{"3 3"} ? 0 : 1);
  }
  int status = -1;
  EXPECT_EQ(waitpid(parent, &status, 0), parent);
  EXPECT_EQ(status, 0);
}

// A thread that waits for others is not informative.
TEST(Places, TheDecisiveThreadIsReported) {
  WorkerPosition place;
  place.reset();
  place.spots[3].taken = place.spots[7].taken = true;
  place.spots[0].stage = Stage::kReading;
  EXPECT_EQ(&place.decisive(), &place.spots[0]);
  place.spots[0].stage = Stage::kWaiting;
  EXPECT_EQ(&place.decisive(), &place.spots[3]);
  place.fallen = 7;
  EXPECT_EQ(&place.decisive(), &place.spots[7]);
  place.reset();
  place.spots[0].stage = Stage::kWaiting;
  EXPECT_EQ(&place.decisive(), &place.spots[0]);
}

TEST(Places, StagesAreNamed) {
  std::string names;
  for (unsigned stage = 0; stage < 8; ++stage)
    names += std::format("{}\n", to_string(static_cast<Stage>(stage)));
  EXPECT_EQ(names,
            "starting\nopening the file\nwalking through\nreading\nreading the values of\n"
            "checking\nwaiting for other threads\nat an unknown stage\n");
}

std::string text_of(const Spot& spot) {
  return std::format("{}{}|{}|{}", spot.taken ? "taken " : "", to_string(spot.stage),
                     spot.object.text(), spot.subject.text());
}

TEST(Places, StepsOfAThreadAreRecorded) {
  WorkerPosition place;
  place.reset();
  now_at(Stage::kReading, "nowhere");
  EXPECT_EQ(text_of(place.spots[0]), "starting||");
  EXPECT_EQ(position_here().place, nullptr);
  record_position(&place);
  now_at(Stage::kReading, "/a");
  now_in("/table");
  EXPECT_EQ(text_of(place.spots[0]), "taken reading|/a|/table");
  {
    const Waiting waiting;
    EXPECT_EQ(text_of(place.spots[0]), "taken waiting for other threads||/table");
    now_in("/another");
  }
  EXPECT_EQ(text_of(place.spots[0]), "taken reading|/a|/table");
  now_at(Stage::kChecking);
  EXPECT_EQ(text_of(place.spots[0]), "taken checking||/table");
  now_at(Stage::kValues, std::string(1200, 'x'));
  EXPECT_EQ(position_here().object, std::string(999, 'x'));
  record_position(nullptr);
  now_at(Stage::kOpening, "/b");
  EXPECT_EQ(place.spots[0].stage, Stage::kValues);
}

TEST(Places, ThreadsBeginWhereTheyWereStarted) {
  WorkerPosition place;
  place.reset();
  record_position(&place);
  now_at(Stage::kValues, "/a");
  now_in("/table");
  const PositionHere here = position_here();
  EXPECT_EQ(here.place, &place);
  const auto work = [&](const auto& inside) {
    std::jthread([&] {
      const PositionOfThread position(here);
      inside();
    }).join();
  };
  work([&] {
    EXPECT_EQ(text_of(place.spots[1]), "taken reading the values of|/a|/table");
    now_at(Stage::kChecking, "/b");
    now_in("/c");
    work([&] { EXPECT_EQ(text_of(place.spots[2]), "taken reading the values of|/a|/table"); });
  });
  EXPECT_EQ(text_of(place.spots[0]), "taken reading the values of|/a|/table");
  EXPECT_EQ(text_of(place.spots[1]), "checking|/b|/c");
  EXPECT_FALSE(place.spots[2].taken);
  for (Spot& each : place.spots) each.taken = true;
  work([&] { EXPECT_EQ(position_here().place, nullptr); });
  std::jthread([] {
    const PositionOfThread position(PositionHere{});
    EXPECT_EQ(position_here().place, nullptr);
  }).join();
  EXPECT_TRUE(std::ranges::all_of(place.spots, [](const Spot& each) { return each.taken.load(); }));
  record_position(nullptr);
}

// The parent reads the position of its worker from memory that the worker writes to.
TEST_F(Worker, ForgedPositionIsReported) {
  for (const int byte : {0x00, 0x01, 0x7f, 0xff}) {
    const Outcome outcome = run_in_worker(
        -1,
        [=](const Send&, WorkerPosition& place) {
          std::memset(static_cast<void*>(&place), byte, sizeof place);
          _exit(3);
        },
        [](std::string_view) {}, {});
    ASSERT_TRUE(outcome.stop);
    EXPECT_EQ(outcome.stop->name, "status 3");
    EXPECT_LE(outcome.stop->text().size(), 2500u);
  }
}

TEST_F(Worker, CpuTimeIsLimited) {
  const auto spin = [](const Send&) {
    for (std::atomic<unsigned> i = 0;; ++i) {
    }
  };
  const Ran limited = run(spin, {.seconds = 200, .cpu_seconds = 1});
  EXPECT_EQ(limit_reached(limited), "cpu-time");
  EXPECT_FALSE(limited.outcome.stop && limited.outcome.stop->lacked_memory);
}

#ifndef __SANITIZE_ADDRESS__
TEST_F(Worker, EveryResourceIsLimited) {
  const auto limits = [](const Bounds& bounds) {
    return run(
        [](const Send& send) {
          for (const auto resource : {RLIMIT_CPU, RLIMIT_DATA, RLIMIT_AS, RLIMIT_STACK,
                                      RLIMIT_FSIZE, RLIMIT_NOFILE, RLIMIT_CORE}) {
            rlimit here{};
            if (getrlimit(resource, &here) == 0)
              send(std::format("{} {}", here.rlim_cur, here.rlim_max));
          }
        },
        bounds);
  };
  const Ran ran = limits({.cpu_seconds = 7, .memory = std::uint64_t{1} << 31, .output_size = 77});
  if (!ran.outcome.refused.empty()) GTEST_SKIP() << "this system refuses " << ran.outcome.refused;
  const std::string stack = std::to_string(64 << 20);
  EXPECT_EQ(ran.messages,
            (std::vector<std::string>{"7 8", "2147483648 2147483648", "70866960384 70866960384",
                                      stack + ' ' + stack, "0 0", "0 0", "0 0"}));
  const auto output = open_for_reading(given_);
  ASSERT_TRUE(output);
  EXPECT_EQ(limits({.output = output->get(), .output_size = 77}).messages.at(4), "77 77");
}

TEST_F(Worker, MemoryIsLimited) {
  const auto allocate = [](const Send& send) {
    const std::vector<char> large(std::size_t{1} << 30, 'x');
    send(large.back() == 'x' ? "got it" : "?");
  };
  const Ran limited = run(allocate, {.memory = std::uint64_t{256} << 20});
  EXPECT_EQ(limit_reached(limited), "memory");
  EXPECT_TRUE(limited.outcome.stop && limited.outcome.stop->lacked_memory);
  EXPECT_EQ(limit_reached(run(allocate, {.memory = std::uint64_t{2} << 30})), "none");
}

// Pages of zeros need no memory, but their page tables do.
TEST_F(Worker, AddressesAreLimited) {
  const auto map = [](std::size_t bytes) {
    return mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) ==
                   MAP_FAILED
               ? -1L
               : 0L;
  };
  EXPECT_EQ(attempt([&] { return map(std::size_t{1} << 46); }), "ENOMEM");
  EXPECT_EQ(attempt([&] { return map(std::size_t{1} << 30); }), "ok");
}
#endif

TEST_F(Worker, AnswerIsLimited) {
  const auto babble = [](const Send& send) {
    const std::string part(1 << 16, 'x');
    while (true) send(part);
  };
  EXPECT_EQ(limit_reached(run(babble, {.answer = 1 << 20})), "answer");
}

TEST_F(Worker, ProgressIsPassedOn) {
  struct Counts : Progress {
    std::uint64_t expected = 0, done = 0;
    void expect(std::uint64_t bytes) override { expected += bytes; }
    void advance(std::uint64_t bytes) override { done += bytes; }
  } counts;
  std::uint64_t done_early = 0;
  const auto work = [](const Send& send, WorkerPosition& place) {
    PositionProgress progress(place);
    progress.expect(100);
    progress.advance(30);
    send("half");
    progress.advance(70);
    send("all");
  };
  const auto receive = [&](std::string_view message) {
    if (message == "half") done_early = counts.done;
  };
  EXPECT_FALSE(run_in_worker(-1, work, receive, {}, &counts).stop);
  EXPECT_EQ(counts.expected, 100u);
  EXPECT_GE(done_early, 30u);
  EXPECT_EQ(counts.done, 100u);
}

TEST_F(Worker, NoZombiesAreLeft) {
  run([](const Send&) { std::abort(); });
  run([](const Send&) {});
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

}  // namespace
}  // namespace hepcheck::isolate
