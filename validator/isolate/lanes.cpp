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
#include <cstring>
#include <new>
#include <string>
#include <utility>

#include "validator/descriptor.h"

namespace hepcheck::isolate {

namespace {

// Seen by this process and all lanes.
struct Shared {
  std::atomic<std::size_t> next = 0;  // the first task that nobody has taken
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

enum class Kind : std::uint64_t { kMessage, kFinished };

// What goes through the pipe before the bytes of a message.
struct Head {
  Kind kind;
  std::uint64_t task, size;
};

void send_all(int pipe, const void* bytes, std::size_t size) {
  const char* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t written = write(pipe, at, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) _exit(EXIT_FAILURE);  // nobody listens any more
    at += written;
    size -= static_cast<std::size_t>(written);
  }
}

void send(int pipe, Kind kind, std::size_t task, std::string_view message = {}) {
  const Head head{.kind = kind, .task = task, .size = message.size()};
  send_all(pipe, &head, sizeof head);
  send_all(pipe, message.data(), message.size());
}

[[noreturn]] void be_lane(std::size_t lane, std::size_t count, int pipe, pid_t parent,
                          Shared& shared, const LaneWork& work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (getppid() != parent) _exit(EXIT_FAILURE);
  signal(SIGPIPE, SIG_IGN);
  Counting progress(shared);
  try {
    for (std::size_t task; (task = shared.next++) < count;) {
      work(task, lane, progress, [&](std::string_view m) { send(pipe, Kind::kMessage, task, m); });
      send(pipe, Kind::kFinished, task);
    }
  } catch (...) {  // told by the task that is not finished
    _exit(EXIT_FAILURE);
  }
  _exit(EXIT_SUCCESS);  // nothing of the parent's is flushed or taken down
}

// A lane as the parent sees it.
struct Lane {
  Descriptor pipe{};
  pid_t process = -1;
  std::string waiting{};
};

class Parent {
 public:
  Parent(std::size_t count, const LaneEvents& events) : events_(events), finished_(count) {}

  // False if no process could be started.
  bool start(std::size_t number, Shared& shared, const LaneWork& work) {
    int ends[2] = {-1, -1};
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    Lane lane{.pipe = Descriptor{ends[0]}};
    Descriptor to{ends[1]};
    const pid_t parent = getpid();
    lane.process = fork();
    if (lane.process < 0) return false;
    if (lane.process == 0) {
      lanes_.clear();  // the pipes of the others
      lane.pipe = Descriptor{};
      be_lane(number, finished_.size(), to.get(), parent, shared, work);
    }
    lanes_.push_back(std::move(lane));
    return true;
  }

  // Waits for something to happen, at most so many milliseconds. False once all lanes have ended.
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
    const ssize_t got = read(lane.pipe.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) return true;
    if (got <= 0) return false;
    lane.waiting.append(buffer, static_cast<std::size_t>(got));
    std::string_view rest = lane.waiting;
    Head head;
    while (rest.size() >= sizeof head) {
      std::memcpy(&head, rest.data(), sizeof head);
      if (rest.size() - sizeof head < head.size) break;
      deliver(head, rest.substr(sizeof head, head.size));
      rest.remove_prefix(sizeof head + head.size);
    }
    lane.waiting.erase(0, lane.waiting.size() - rest.size());
    return true;
  }

  void deliver(const Head& head, std::string_view message) {
    if (head.kind == Kind::kMessage) {
      events_.receive(head.task, message);
    } else if (head.kind == Kind::kFinished) {
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
