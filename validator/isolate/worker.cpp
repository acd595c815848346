#include "validator/isolate/worker.h"

#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <format>
#include <memory>
#include <new>
#include <thread>
#include <utility>

#include "validator/descriptor.h"
#include "validator/isolate/frame.h"

namespace hepcheck::isolate {

namespace {

using Clock = std::chrono::steady_clock;

// Time for a worker that closed its end of the pipe to terminate.
constexpr std::chrono::seconds kGrace{5};

constexpr int kOutOfMemory = 71;  // exit statuses of a worker that knows the cause
constexpr int kException = 72;

// One WorkerPosition, shared by this process and its workers, for all workers in turn. A process
// that inherited one creates its own, so the workers of two processes share nothing.
WorkerPosition* shared_position() {
  static WorkerPosition* place = nullptr;
  static pid_t owner = -1;
  if (std::exchange(owner, getpid()) == getpid()) return place;
  if (place) munmap(place, sizeof(WorkerPosition));
  void* const page = mmap(nullptr, sizeof(WorkerPosition), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return place = page == MAP_FAILED ? nullptr : new (page) WorkerPosition;
}

// Obtaining new pages from the system costs as much as checking what is then read into them. A
// worker lives for one file, so it keeps the memory that it frees.
void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the largest permitted one
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, 1 << 20);
#endif
}

// Places what the structures of a large file need on large pages, where the system has them. A
// small file needs less than it takes to ask for them.
void prefer_large_pages([[maybe_unused]] std::span<const int> files,
                        [[maybe_unused]] std::uint64_t memory) {
#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
  constexpr off_t kLargeFile = off_t{1} << 20;
  constexpr std::size_t kAhead = std::size_t{30} << 20, kLargePage = std::size_t{2} << 20;
  struct stat it{};
  const auto large = [&](int file) { return fstat(file, &it) == 0 && it.st_size >= kLargeFile; };
  // Addresses count, whether they are used or not.
  if (memory / 16 < kAhead || std::ranges::none_of(files, large)) return;
  void* const block = std::malloc(kAhead);
  if (!block) return;
  void* from = block;
  std::size_t size = kAhead;
  if (std::align(kLargePage, kLargePage, from, size))
    madvise(from, size / kLargePage * kLargePage, MADV_HUGEPAGE);
  std::free(block);  // the worker keeps the addresses
#endif
}

[[noreturn]] void be_worker(std::span<const int> files, int pipe, pid_t parent,
                            WorkerPosition* place, const Work& work, const Bounds& bounds) {
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (getppid() != parent) _exit(0);
  signal(SIGPIPE, SIG_IGN);
  keep_freed_memory();
  prefer_large_pages(files, bounds.memory);
  int status = 0;
  try {
    const auto send = [&](FrameKind kind, std::string_view bytes) {
      if (!send_frame(pipe, kind, bytes))
        _exit(0);  // the reader closed its end, so nothing is left to do
    };
    send(FrameKind::kRefused, close_in(files, pipe, bounds));
    record_position(place);
    work([&](std::string_view message) { send(FrameKind::kMessage, message); }, *place);
    send(FrameKind::kFinished, {});
  } catch (const std::bad_alloc&) {
    status = kOutOfMemory;
  } catch (...) {
    status = kException;
  }
  _exit(status);  // does not flush or destroy anything of the parent
}

// The messages of a worker, which are untrusted.
class Inbox {
 public:
  Inbox(const std::function<void(std::string_view)>& receive, std::uint64_t most)
      : reader_([&](const FrameHead& head, std::string_view bytes) { deliver(head.kind, bytes); },
                most),
        receive_(receive) {}
  Inbox(const Inbox&) = delete;
  Inbox& operator=(const Inbox&) = delete;

  // False if more than the allowed number of bytes arrived.
  bool take(std::string_view bytes) { return reader_.take(bytes); }
  bool done() const { return done_; }
  const std::string& refused() const { return refused_; }

 private:
  void deliver(FrameKind kind, std::string_view bytes) {
    if (done_) return;
    // Only messages at the beginning were sent before the file was read.
    const bool first = !std::exchange(begun_, true);
    if (kind == FrameKind::kRefused) {
      if (first) refused_ = bytes;
    } else if (kind == FrameKind::kFinished) {
      done_ = true;
    } else {
      receive_(bytes);
    }
  }

  FrameReader reader_;
  const std::function<void(std::string_view)>& receive_;
  std::string refused_{};
  bool begun_ = false, done_ = false;
};

Stop stop_of(int status) {
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    if (number == SIGXCPU) return {.cause = StopCause::kLimit, .name = "cpu-time"};
    const char* name = sigabbrev_np(number);
    return {.cause = StopCause::kSignal,
            .name = name ? std::format("SIG{}", name) : std::format("signal {}", number)};
  }
  if (WEXITSTATUS(status) == kOutOfMemory)
    return {.cause = StopCause::kLimit, .name = "memory", .lacked_memory = true};
  return {.cause = StopCause::kExit, .name = std::format("status {}", WEXITSTATUS(status))};
}

// Passes on the counts of a worker.
class Onlooker {
 public:
  Onlooker(const WorkerPosition& place, Progress* progress) : place_(place), progress_(progress) {}

  void look() {
    if (!progress_) return;
    const std::uint64_t expected = place_.expected, done = place_.done;
    if (expected > expected_) progress_->expect(expected - std::exchange(expected_, expected));
    if (done > done_) progress_->advance(done - std::exchange(done_, done));
  }

 private:
  const WorkerPosition& place_;
  Progress* progress_;
  std::uint64_t expected_ = 0, done_ = 0;
};

// The remaining time of a worker. The worker is not charged for delays of this process: a slow
// consumer of its messages or of its progress (a stopped terminal, a full pipe), or a stop of this
// process itself.
class TimeLeft {
 public:
  explicit TimeLeft(std::chrono::seconds all) : end_(Clock::now() + all) {}

  std::chrono::milliseconds left() const {
    return std::chrono::ceil<std::chrono::milliseconds>(end_ - Clock::now());
  }
  // Does work that is not charged to the worker; `due` is the part that may be charged.
  auto forgive(const auto& work, Clock::duration due = {}) {
    const auto begin = Clock::now();
    const auto result = work();
    end_ += std::max(Clock::duration{}, Clock::now() - begin - due);
    return result;
  }

 private:
  Clock::time_point end_;
};

// Reads until the worker closes its end. Otherwise returns the name of the limit that was reached.
const char* listen(int pipe, Inbox& inbox, Onlooker& onlooker, TimeLeft time) {
  using std::chrono::milliseconds;
  constexpr milliseconds kBetweenLooks{200}, kLate{100};
  std::string buffer(64 * 1024, '\0');
  int small = 0;
  while (true) {
    const milliseconds wait = std::min(time.left(), kBetweenLooks);
    if (wait.count() <= 0) return "time";
    pollfd ready{.fd = pipe, .events = POLLIN, .revents = 0};
    const int polled =
        time.forgive([&] { return poll(&ready, 1, static_cast<int>(wait.count())); }, wait + kLate);
    const int trouble = errno;
    time.forgive([&] { return onlooker.look(), 0; });
    if (polled < 0 && trouble != EINTR) return "time";
    if (polled <= 0) continue;
    const ssize_t got = ::read(pipe, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return nullptr;
    const std::string_view bytes =
        std::string_view(buffer).substr(0, static_cast<std::size_t>(got));
    if (!time.forgive([&] { return inbox.take(bytes); })) return "answer";
    // Many small messages are collected for a moment, because waking up for each would cost both
    // sides more than the message.
    if (static_cast<std::size_t>(got) < buffer.size() / 16 && ++small > 64)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// The exit status of a worker, which is killed if it still runs at the deadline.
int reap(pid_t worker, Clock::time_point deadline) {
  int status = 0;
  while (waitpid(worker, &status, WNOHANG) == 0) {
    if (Clock::now() >= deadline) {
      kill(worker, SIGKILL);
      while (waitpid(worker, &status, 0) < 0 && errno == EINTR) {
      }
      break;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  return status;
}

}  // namespace

Outcome run_in_worker(std::span<const int> files, const Work& work,
                      const std::function<void(std::string_view)>& receive, const Bounds& wanted,
                      Progress* progress) {
  const Bounds bounds = settled(wanted);
  WorkerPosition* const place = shared_position();
  int ends[2] = {-1, -1};
  if (!place || pipe2(ends, O_CLOEXEC) != 0)
    return {.error = Error{"worker process", std::strerror(errno)}};
  const Descriptor from{ends[0]};
  Descriptor to{ends[1]};
  place->reset();

  get_ready();
  const pid_t parent = getpid();
  const pid_t worker = fork();
  if (worker < 0) return {.error = Error{"worker process", std::strerror(errno)}};
  if (worker == 0) be_worker(files, to.get(), parent, place, work, bounds);
  to = Descriptor{};

  Inbox inbox(receive, bounds.answer);
  const char* limit = nullptr;
  const TimeLeft time(std::chrono::seconds(bounds.seconds));
  try {
    Onlooker onlooker(*place, progress);
    limit = listen(from.get(), inbox, onlooker, time);
  } catch (...) {  // this process must reap it in any case
    reap(worker, Clock::now());
    throw;
  }
  // Nothing more can arrive: the worker is done, has used its time, or has closed its end.
  const int status = reap(worker, limit || inbox.done() ? Clock::now() : Clock::now() + kGrace);
  Outcome outcome{.refused = inbox.refused()};
  if (inbox.done()) return outcome;
  outcome.stop = limit ? Stop{.cause = StopCause::kLimit, .name = limit} : stop_of(status);
  const Spot& spot = place->decisive();
  outcome.stop->stage = to_string(spot.stage);
  outcome.stop->object = spot.object.text();
  outcome.stop->subject = spot.subject.text();
  return outcome;
}

}  // namespace hepcheck::isolate
