#include "conformance/suite/engine/program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <format>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include "conformance/suite/engine/interrupt.h"
#include "conformance/suite/engine/processes.h"

extern char** environ;

namespace hepcheck::suite {

namespace fs = std::filesystem;

namespace {

using namespace std::chrono_literals;

// The longest reply to a request of the suite has some ten thousand characters.
constexpr std::size_t kLongestLine = std::size_t{16} << 20;
constexpr std::size_t kKeptErrors = 4096;
constexpr auto kTick = 100ms;  // between measurements of its use

void close_one(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

std::string describe_status(int status) {
  if (WIFSIGNALED(status))
    return std::format("killed by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return std::format("exit status {}", WEXITSTATUS(status));
}

std::string mebibytes(std::uint64_t bytes) { return std::format("{} MiB", bytes >> 20); }

// For running programs.
std::set<pid_t>& leaders() {
  static std::set<pid_t> pids;
  return pids;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> made;
  for (std::string& word : words) made.push_back(word.data());
  made.push_back(nullptr);
  return made;
}

// The inherited environment with some variables replaced; each name once, because programs differ
// in which one they use.
std::vector<std::string> environment_with(const std::vector<std::string>& wanted) {
  std::vector<std::string> made = wanted;
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view ours = *entry;
    const std::string_view name = ours.substr(0, ours.find('=') + 1);
    if (std::ranges::none_of(wanted,
                             [&](const std::string& each) { return each.starts_with(name); }))
      made.emplace_back(ours);
  }
  return made;
}

// The code of the child process. Only async-signal-safe operations after fork: no memory is
// allocated.
struct Child {
  char *const *arguments, *const *environment;
  int in, out, err, failed;
  std::uint64_t storage;
  pid_t parent;

  [[noreturn]] void become() const {
    // A separate process group, so that the children of a wrapper script can be ended with it.
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (::getppid() != parent) ::_exit(127);
    const int from[] = {in, out, err};
    for (int fd = 0; fd < 3; ++fd) {
      ::dup2(from[fd], fd);
      ::fcntl(fd, F_SETFD, 0);
    }
    ::close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
    for (const int number : {SIGPIPE, SIGINT, SIGTERM, SIGHUP}) ::signal(number, SIG_DFL);
    const rlimit file{.rlim_cur = storage, .rlim_max = storage}, no_core{};
    ::setrlimit(RLIMIT_FSIZE, &file);
    ::setrlimit(RLIMIT_CORE, &no_core);
    environ = const_cast<char**>(environment);
    ::execvp(arguments[0], arguments);
    const int why = errno;
    [[maybe_unused]] const ssize_t told = ::write(failed, &why, sizeof why);
    ::_exit(127);
  }
};

struct Pipe {
  int read = -1, write = -1;
  bool open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    read = ends[0];
    write = ends[1];
    return true;
  }
  ~Pipe() {
    close_one(read);
    close_one(write);
  }
};

// The contents of a directory.
std::uint64_t storage_of(const fs::path& folder) {
  std::uint64_t bytes = 0;
  std::error_code trouble;
  for (fs::recursive_directory_iterator at(folder, trouble), end; !trouble && at != end;
       at.increment(trouble)) {
    std::error_code gone;
    if (at->is_symlink(gone) || !at->is_regular_file(gone)) continue;
    if (const std::uintmax_t size = at->file_size(gone); !gone) bytes += size;
  }
  return bytes;
}

}  // namespace

Program::Program(Launch launch) : launch_(std::move(launch)) {
  if (!launch_.folder.empty()) {
    temporary_ = launch_.folder / "tmp";
    launch_.environment.push_back("TMPDIR=" + temporary_.string());
  }
  if (launch_.memory == 0)
    launch_.memory = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) / 2 *
                     static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

bool Program::start(std::string& why) {
  // A write to a process that has ended must fail instead of raising a signal.
  static const auto before [[maybe_unused]] = ::signal(SIGPIPE, SIG_IGN);
  adopt_orphans();
  std::error_code ignored;
  if (!temporary_.empty()) fs::create_directories(temporary_, ignored);
  Pipe in, out, err, failed;
  if (!in.open() || !out.open() || !err.open() || !failed.open()) {
    why = strerror(errno);
    return false;
  }
  std::vector<std::string> environment = environment_with(launch_.environment);
  const std::vector<char*> arguments = pointers(launch_.command), entries = pointers(environment);
  const Child child{.arguments = arguments.data(),
                    .environment = entries.data(),
                    .in = in.read,
                    .out = out.write,
                    .err = err.write,
                    .failed = failed.write,
                    .storage = launch_.storage,
                    .parent = ::getpid()};
  const pid_t pid = ::fork();
  if (pid == 0) child.become();
  if (pid < 0) {
    why = strerror(errno);
    return false;
  }
  ::setpgid(pid, pid);  // whichever comes first
  close_one(failed.write);
  int trouble = 0;
  ssize_t told;
  while ((told = ::read(failed.read, &trouble, sizeof trouble)) < 0 && errno == EINTR) {
  }
  if (told > 0) {
    ::waitpid(pid, nullptr, 0);
    why = strerror(trouble);
    return false;
  }
  pid_ = pid;
  leaders().insert(pid);
  in_ = std::exchange(in.write, -1);
  out_ = std::exchange(out.read, -1);
  err_ = std::exchange(err.read, -1);
  for (const int fd : {in_, out_, err_}) ::fcntl(fd, F_SETFL, O_NONBLOCK);
  pending_.clear();
  errors_.clear();
  looked_ = Clock::now();
  return true;
}

// At most the capacity of a pipe at a time: a program that writes endlessly must not block the
// suite.
void Program::drain_errors() {
  char buffer[65536];
  if (err_ < 0) return;
  const ssize_t n = ::read(err_, buffer, sizeof buffer);
  if (n == 0) close_one(err_);
  if (n > 0) errors_.append(buffer, static_cast<std::size_t>(n));
  if (errors_.size() > kKeptErrors) errors_.erase(0, errors_.size() - kKeptErrors);
}

std::string Program::last_errors() const {
  std::string text = errors_;
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  // The last line that speaks of an error, because an interpreter may print its version behind it.
  std::size_t begin = text.rfind('\n') + 1;
  for (const std::string_view word : {"Error", "error"})
    if (const std::size_t at = text.rfind(word); at != std::string::npos) {
      begin = text.rfind('\n', at) + 1;
      break;
    }
  return text.substr(begin, text.find('\n', begin) - begin);
}

// Waits for the process to end, then ends it and everything that it has started.
Program::End Program::end_all(std::chrono::milliseconds patience) {
  const auto until = Clock::now() + patience;
  // It is reaped only after its group is killed, so its number cannot be reused.
  siginfo_t gone{};
  while (::waitid(P_PID, static_cast<id_t>(pid_), &gone, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         gone.si_pid == 0 && Clock::now() < until)
    std::this_thread::sleep_for(2ms);
  ::kill(-pid_, SIGKILL);
  End end{.by_itself = gone.si_pid == pid_};
  while (::waitpid(pid_, &end.status, 0) < 0 && errno == EINTR) {
  }
  leaders().erase(std::exchange(pid_, -1));
  end_orphans(leaders());
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
  drain_errors();
  for (int* fd : {&in_, &out_, &err_}) close_one(*fd);
  return end;
}

Exchange Program::ended(Ending ending, std::string why) {
  // A program that closed its standard output gets a moment to end, for its exit status.
  const End end = end_all(ending == Ending::kCrashed ? 1000ms : 0ms);
  if (ending == Ending::kCrashed)
    why = end.by_itself ? describe_status(end.status) : "closed its standard output";
  if (const std::string text = last_errors(); !text.empty()) why += ", last words: " + text;
  return {.ending = ending, .why = std::move(why)};
}

// The reason why it has to be ended: its use, measured from time to time.
std::string Program::excess() {
  if (Clock::now() - looked_ < kTick) return {};
  looked_ = Clock::now();
  std::uint64_t memory = 0;
  for (const Process& process : family_of(pid_)) memory += process.memory;
  if (memory > launch_.memory)
    return std::format("more than {} of memory", mebibytes(launch_.memory));
  if (!launch_.folder.empty() && storage_of(launch_.folder) > launch_.storage)
    return std::format("more than {} of files in {}", mebibytes(launch_.storage),
                       launch_.folder.string());
  return {};
}

// The output is not a reply to any request.
bool Program::babbles() {
  char byte;
  return !pending_.empty() || ::read(out_, &byte, 1) == 1;
}

bool Program::send(const std::string& line, Clock::time_point until) {
  std::string_view rest = line;
  while (!rest.empty()) {
    throw_if_interrupted();
    const ssize_t n = ::write(in_, rest.data(), rest.size());
    if (n > 0) {
      rest.remove_prefix(static_cast<std::size_t>(n));
      continue;
    }
    if (n < 0 && errno != EAGAIN && errno != EINTR) return false;
    if (Clock::now() >= until) return false;
    pollfd waiting[] = {{in_, POLLOUT, 0}, {err_, POLLIN, 0}};
    ::poll(waiting, 2, static_cast<int>(kTick.count()));
    if (waiting[1].revents) drain_errors();
  }
  return true;
}

Exchange Program::exchange(const std::string& line, std::chrono::milliseconds patience) {
  throw_if_interrupted();
  std::string why;
  if (pid_ <= 0 && !start(why)) return {.ending = Ending::kStartFailed, .why = why};
  if (babbles()) return ended(Ending::kBabbled, "it wrote an unsolicited line");
  const auto until = Clock::now() + patience;
  if (!send(line + '\n', until) && Clock::now() >= until)
    return ended(Ending::kTimedOut, "did not take the request in time");
  const std::string late = std::format("no reply within {} ms", patience.count());
  return wait_for_line(until, late);
}

Exchange Program::wait_for_line(Clock::time_point until, const std::string& late) {
  char buffer[65536];
  for (std::size_t searched = 0;;) {
    throw_if_interrupted();
    if (const std::string much = excess(); !much.empty()) return ended(Ending::kTooMuch, much);
    if (const std::size_t end = pending_.find('\n', searched); end != std::string::npos) {
      Exchange answered{.line = pending_.substr(0, end)};
      pending_.erase(0, end + 1);
      drain_errors();
      return answered;
    }
    searched = pending_.size();
    if (pending_.size() > kLongestLine)
      return ended(Ending::kBabbled,
                   std::format("a line of more than {}", mebibytes(kLongestLine)));
    if (Clock::now() >= until) return ended(Ending::kTimedOut, late);
    // A descriptor of -1 is skipped.
    pollfd waiting[] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    ::poll(waiting, 2, static_cast<int>(std::clamp<long>(left.count(), 0, kTick.count())));
    if (waiting[1].revents) drain_errors();
    if (!waiting[0].revents) continue;
    const ssize_t n = ::read(out_, buffer, sizeof buffer);
    if (n > 0)
      pending_.append(buffer, static_cast<std::size_t>(n));
    else if (n == 0 || (errno != EAGAIN && errno != EINTR))
      return ended(Ending::kCrashed, {});
  }
}

void Program::stop(std::chrono::milliseconds patience) {
  if (pid_ <= 0) return;
  close_one(in_);
  end_all(patience);
}

}  // namespace hepcheck::suite
