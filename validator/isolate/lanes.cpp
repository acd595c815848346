#include "validator/isolate/lanes.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "validator/descriptor.h"
#include "validator/isolate/frame.h"

namespace hepcheck::isolate {

namespace {

// Shared by this process and all lanes, but not by their workers: writing to it decides which files
// are examined.
struct Shared {
  std::atomic<std::size_t> next = 0;  // the first task that is not assigned
  std::atomic<std::uint64_t> expected = 0, done = 0;
};

class Counting : public Progress {
 public:
  explicit Counting(Shared& shared) : shared_(shared) {}
  void expect(std::uint64_t bytes) override { shared_.expected += bytes; }
  void advance(std::uint64_t bytes) override { shared_.done += bytes; }

 private:
  Shared& shared_;
};

[[noreturn]] void be_lane(std::size_t lane, std::size_t count, int pipe, pid_t parent,
                          Shared& shared, const LaneWork& work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (getppid() != parent) _exit(EXIT_FAILURE);
  if (madvise(&shared, sizeof(Shared), MADV_DONTFORK) != 0) _exit(EXIT_FAILURE);
  signal(SIGPIPE, SIG_IGN);
  Counting progress(shared);
  try {
    for (std::size_t task; (task = shared.next++) < count;) {
      const auto send = [&](FrameKind kind, std::string_view bytes) {
        if (!send_frame(pipe, kind, bytes, task)) _exit(EXIT_FAILURE);  // the reader closed its end
      };
      work(task, lane, progress, [&](std::string_view m) { send(FrameKind::kMessage, m); });
      send(FrameKind::kFinished, {});
    }
  } catch (...) {  // counted by the unfinished task
    _exit(EXIT_FAILURE);
  }
  _exit(EXIT_SUCCESS);  // does not flush or destroy anything of the parent
}

// A lane as seen by the parent.
struct Lane {
  Descriptor pipe{};
  pid_t process = -1;
  std::unique_ptr<FrameReader> reader{};
};

class Parent {
 public:
  Parent(std::size_t count, const LaneEvents& events) : events_(events), finished_(count) {}

  // False if no process could be started.
  bool start(std::size_t number, Shared& shared, const LaneWork& work) {
    int ends[2] = {-1, -1};
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    Lane lane{.pipe = Descriptor{ends[0]},
              .reader = std::make_unique<FrameReader>(
                  [this](const FrameHead& head, std::string_view bytes) { deliver(head, bytes); },
                  ~std::uint64_t{0})};
    Descriptor to{ends[1]};
    const pid_t parent = getpid();
    lane.process = fork();
    if (lane.process < 0) return false;
    if (lane.process == 0) {
      lanes_.clear();  // the pipes of the other lanes
      lane.pipe = Descriptor{};
      be_lane(number, finished_.size(), to.get(), parent, shared, work);
    }
    lanes_.push_back(std::move(lane));
    return true;
  }

  // Waits for an event, at most this many milliseconds. False when all lanes have ended.
  bool step(int milliseconds) {
    std::vector<pollfd> ready;
    for (const Lane& lane : lanes_)
      ready.push_back({.fd = lane.pipe.get(), .events = POLLIN, .revents = 0});
    if (ready.empty()) return false;
    if (poll(ready.data(), ready.size(), milliseconds) <= 0) return true;
    for (std::size_t i = ready.size(); i-- > 0;)
      if (ready[i].revents != 0 && !read_from(lanes_[i])) {
        reap(lanes_[i]);
        lanes_.erase(lanes_.begin() + static_cast<std::ptrdiff_t>(i));
      }
    return true;
  }

  std::vector<std::size_t> unfinished() const {
    std::vector<std::size_t> tasks;
    for (std::size_t i = 0; i < finished_.size(); ++i)
      if (!finished_[i]) tasks.push_back(i);
    return tasks;
  }

  ~Parent() {
    for (Lane& lane : lanes_) {
      kill(lane.process, SIGKILL);
      reap(lane);
    }
  }
  Parent(const Parent&) = delete;
  Parent& operator=(const Parent&) = delete;

 private:
  static void reap(const Lane& lane) {
    while (waitpid(lane.process, nullptr, 0) < 0 && errno == EINTR) {
    }
  }

  // False at the end of the pipe.
  bool read_from(Lane& lane) {
    char buffer[64 * 1024];
    const ssize_t got = ::read(lane.pipe.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) return true;
    if (got <= 0) return false;
    return lane.reader->take({buffer, static_cast<std::size_t>(got)});
  }

  void deliver(const FrameHead& head, std::string_view bytes) {
    if (head.task >= finished_.size() || finished_[head.task]) return;
    if (head.kind == FrameKind::kMessage) {
      events_.receive(head.task, bytes);
    } else if (head.kind == FrameKind::kFinished) {
      finished_[head.task] = true;
      events_.finished(head.task);
    }
  }

  const LaneEvents& events_;
  std::vector<Lane> lanes_{};
  std::vector<bool> finished_;
};

}  // namespace

std::vector<std::size_t> run_in_lanes(std::size_t count, std::size_t lanes, const LaneWork& work,
                                      const LaneEvents& events, Progress* progress) {
  Parent parent(count, events);
  void* const page =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return parent.unfinished();
  Shared& shared = *new (page) Shared;
  for (std::size_t i = 0; i < std::min(lanes, count); ++i)
    if (!parent.start(i, shared, work)) break;

  std::uint64_t expected = 0, done = 0;
  const auto look = [&] {
    if (!progress) return;
    const std::uint64_t now_expected = shared.expected, now_done = shared.done;
    progress->expect(now_expected - std::exchange(expected, now_expected));
    progress->advance(now_done - std::exchange(done, now_done));
  };
  while (parent.step(progress ? 200 : -1)) look();
  look();
  std::vector<std::size_t> left = parent.unfinished();
  munmap(page, sizeof(Shared));
  return left;
}

}  // namespace hepcheck::isolate
