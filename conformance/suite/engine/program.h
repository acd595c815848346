// The program under test as a child process that answers lines with lines. A crash, a hang,
// unsolicited output or excessive memory is reported as a value, and the process and its
// descendants are ended.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace hepcheck::suite {

// How an exchange ended.
enum class Ending : std::uint8_t {
  kAnswered,  // `line` is the reply
  kStartFailed,
  kCrashed,   // the process ended before it answered
  kTimedOut,  // it was killed
  kTooMuch,   // it exceeded its memory or storage; it was killed
  kBabbled,   // an endless or unsolicited line; it was killed
};

struct Exchange {
  Ending ending = Ending::kAnswered;
  std::string line{};
  std::string why{};  // "exit status 3", "killed by SIGSEGV", ...; with the end of its stderr
};

// The peer that answers the suite's lines.
class Partner {
 public:
  virtual ~Partner() = default;
  // Sends a line and waits for one; restarts the program if it has ended.
  virtual Exchange exchange(const std::string& line, std::chrono::milliseconds patience) = 0;
  virtual bool running() const = 0;
  // Ends it, by force after `patience`.
  virtual void stop(std::chrono::milliseconds patience) = 0;
};

// How to start a program, and its limits.
struct Launch {
  std::vector<std::string> command{};      // looked up on PATH
  std::vector<std::string> environment{};  // "NAME=value", overriding the inherited environment
  // Monitored; `tmp` in it is its TMPDIR while it runs. None if empty.
  std::filesystem::path folder{};
  std::uint64_t memory = 0;  // bytes, resident, of all its processes; 0: half of the machine's
  std::uint64_t storage = std::uint64_t{1} << 30;  // bytes: of a single file, and of `folder`
};

class Program final : public Partner {
 public:
  explicit Program(Launch launch);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() override { stop(std::chrono::milliseconds(0)); }

  Exchange exchange(const std::string& line, std::chrono::milliseconds patience) override;
  bool running() const override { return pid_ > 0; }
  // Closes its standard input first.
  void stop(std::chrono::milliseconds patience) override;

 private:
  using Clock = std::chrono::steady_clock;
  struct End {
    int status = 0;
    bool by_itself = false;
  };

  bool start(std::string& why);
  bool send(const std::string& line, Clock::time_point until);
  Exchange wait_for_line(Clock::time_point until, const std::string& late);
  End end_all(std::chrono::milliseconds patience);
  Exchange ended(Ending ending, std::string why);
  bool babbles();
  std::string excess();
  void drain_errors();
  std::string last_errors() const;

  Launch launch_;
  std::filesystem::path temporary_{};
  pid_t pid_ = -1;
  int in_ = -1, out_ = -1, err_ = -1;  // its stdin, stdout, stderr
  std::string pending_{}, errors_{};
  Clock::time_point looked_{};  // when its use is measured
};

}  // namespace hepcheck::suite
