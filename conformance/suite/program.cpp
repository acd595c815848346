#include "conformance/suite/program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <format>
#include <thread>

extern char** environ;

namespace hepcheck::hep001::suite {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLongestLine = std::size_t{256} << 20;
constexpr std::size_t kKeptErrors = 4096;

int milliseconds_to(Clock::time_point until) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
  return static_cast<int>(std::clamp<long>(left, 0, 3'600'000));
}

void close_one(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

std::string describe_status(int status) {
  if (WIFSIGNALED(status))
    return std::format("killed by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return std::format("exit status {}", WEXITSTATUS(status));
}

}  // namespace

bool Program::start(std::string& why) {
  // A write to a process that is gone must fail, not kill us.
  static const auto ignored [[maybe_unused]] = ::signal(SIGPIPE, SIG_IGN);
  int in[2], out[2], err[2];
  if (::pipe2(in, O_CLOEXEC) || ::pipe2(out, O_CLOEXEC) || ::pipe2(err, O_CLOEXEC)) {
    why = strerror(errno);
    return false;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  posix_spawn_file_actions_adddup2(&actions, err[1], 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  // A group of its own, so that a wrapper script's children can be ended with it.
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);

  std::vector<char*> arguments, environment;
  for (std::string& word : command_) arguments.push_back(word.data());
  for (std::string& entry : environment_) environment.push_back(entry.data());
  for (char** entry = environ; *entry; ++entry) environment.push_back(*entry);
  arguments.push_back(nullptr);
  environment.push_back(nullptr);
  const int trouble = ::posix_spawnp(&pid_, arguments[0], &actions, &attributes, arguments.data(),
                                     environment.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  ::close(in[0]);
  ::close(out[1]);
  ::close(err[1]);
  in_ = in[1];
  out_ = out[0];
  err_ = err[0];
  for (const int fd : {in_, out_, err_}) ::fcntl(fd, F_SETFL, O_NONBLOCK);
  pending_.clear();
  errors_.clear();
  if (trouble == 0) return true;
  pid_ = -1;
  for (int* fd : {&in_, &out_, &err_}) close_one(*fd);
  why = strerror(trouble);
  return false;
}

void Program::drain_errors() {
  char buffer[4096];
  for (ssize_t n; err_ >= 0 && (n = ::read(err_, buffer, sizeof buffer)) > 0;) {
    errors_.append(buffer, static_cast<std::size_t>(n));
    if (errors_.size() > 2 * kKeptErrors) errors_.erase(0, errors_.size() - kKeptErrors);
  }
}

std::string Program::last_errors() const {
  std::string text = errors_;
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  const std::size_t line = text.rfind('\n');
  return line == std::string::npos ? text : text.substr(line + 1);
}

Exchange Program::ended(Ending ending, std::string why) {
  int status = 0;
  if (ending != Ending::kCrashed) ::kill(-pid_, SIGKILL);
  // It closed its standard output; give it a moment to end by itself, for its exit status.
  pid_t gone = 0;
  for (int i = 0; i < 200 && (gone = ::waitpid(pid_, &status, WNOHANG)) == 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  if (gone == 0) {
    ::kill(-pid_, SIGKILL);
    ::waitpid(pid_, &status, 0);
    if (ending == Ending::kCrashed) why = "closed its standard output";
  }
  drain_errors();
  pid_ = -1;
  for (int* fd : {&in_, &out_, &err_}) close_one(*fd);
  if (why.empty()) why = describe_status(status);
  if (const std::string text = last_errors(); !text.empty()) why += ", last words: " + text;
  return {.ending = ending, .why = std::move(why)};
}

bool Program::send(const std::string& line, Clock::time_point until) {
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t n = ::write(in_, rest.data(), rest.size());
    if (n > 0) {
      rest.remove_prefix(static_cast<std::size_t>(n));
      continue;
    }
    if (n < 0 && errno != EAGAIN && errno != EINTR) return false;
    drain_errors();
    pollfd waiting[] = {{in_, POLLOUT, 0}, {err_, POLLIN, 0}};
    if (::poll(waiting, 2, milliseconds_to(until)) == 0) return false;
  }
  return true;
}

Exchange Program::exchange(const std::string& line, std::chrono::milliseconds patience) {
  std::string why;
  if (pid_ <= 0 && !start(why)) return {.ending = Ending::kStartFailed, .why = why};
  const auto until = Clock::now() + patience;
  if (!send(line + '\n', until) && Clock::now() >= until)
    return ended(Ending::kTimedOut, "did not take the request in time");
  char buffer[65536];
  for (std::size_t searched = 0;;) {
    if (const std::size_t end = pending_.find('\n', searched); end != std::string::npos) {
      Exchange answered{.line = pending_.substr(0, end)};
      pending_.erase(0, end + 1);
      drain_errors();
      return answered;
    }
    searched = pending_.size();
    if (pending_.size() > kLongestLine) return ended(Ending::kTooLong, "a line that does not end");
    pollfd waiting[] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}};
    const int ready = ::poll(waiting, err_ >= 0 ? 2 : 1, milliseconds_to(until));
    if (ready == 0)
      return ended(Ending::kTimedOut, std::format("no reply within {} ms", patience.count()));
    if (waiting[1].revents) {
      drain_errors();
      if (waiting[1].revents & POLLHUP) close_one(err_);
    }
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
  const auto until = Clock::now() + patience;
  int status = 0;
  while (::waitpid(pid_, &status, WNOHANG) == 0) {
    if (Clock::now() >= until) {
      ::kill(-pid_, SIGKILL);
      ::waitpid(pid_, &status, 0);
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  pid_ = -1;
  for (int* fd : {&out_, &err_}) close_one(*fd);
}

}  // namespace hepcheck::hep001::suite
