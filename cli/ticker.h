// Shows on a terminal that a command is still working: its name and the time since its beginning,
// on one line of standard error.
#pragma once

#include <atomic>
#include <cstdint>

namespace hepcheck::cli {

// A line appears after two seconds, is renewed every second, and is removed at the end. It is
// driven by a timer of the process, because a second thread must not exist when workers are forked.
// There is one at a time; a second one does nothing.
class Ticker {
 public:
  // `what`: "replaying"; it must outlive the ticker. Nothing is shown if `quiet`, or if standard
  // error is not a terminal.
  Ticker(const char* what, bool quiet);
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;
  ~Ticker();

  // Another kind of progress is shown from now on; removes the line.
  static void stop();
  // "replaying: 12 s, 300 states": what was counted so far. `unit` must outlive the ticker.
  static void count(std::uint64_t number, const char* unit);

 private:
  bool ours_ = false;
};

}  // namespace hepcheck::cli
