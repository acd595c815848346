// The program under test as a child process that answers lines with lines. Whatever it does,
// crash, hang or babble, comes back as a value.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

namespace hepcheck::hep001::suite {

// How an exchange ended.
enum class Ending : std::uint8_t {
  kAnswered,  // `line` is what came back
  kStartFailed,
  kCrashed,   // the process ended before it answered
  kTimedOut,  // it was killed
  kTooLong,   // a line without end; it was killed
};

struct Exchange {
  Ending ending = Ending::kAnswered;
  std::string line{};
  std::string why{};  // "exit status 3", "killed by SIGSEGV", ...; with the end of its stderr
};

class Program {
 public:
  // `command` is looked up on PATH; `environment` is added to ours ("NAME=value").
  explicit Program(std::vector<std::string> command, std::vector<std::string> environment = {})
      : command_(std::move(command)), environment_(std::move(environment)) {}
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() { stop(std::chrono::milliseconds(0)); }

  // Sends a line and waits for one. Starts the process if it is not running.
  Exchange exchange(const std::string& line, std::chrono::milliseconds patience);
  bool running() const { return pid_ > 0; }
  // Closes its standard input and waits; kills it after `patience`.
  void stop(std::chrono::milliseconds patience);

 private:
  bool start(std::string& why);
  bool send(const std::string& line, std::chrono::steady_clock::time_point until);
  Exchange ended(Ending ending, std::string why);
  void drain_errors();
  std::string last_errors() const;

  std::vector<std::string> command_, environment_;
  pid_t pid_ = -1;
  int in_ = -1, out_ = -1, err_ = -1;  // its stdin, stdout, stderr
  std::string pending_{}, errors_{};
};

}  // namespace hepcheck::hep001::suite
