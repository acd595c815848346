// Ctrl-C and its like, while programs run and files lie about.
#pragma once

#include <signal.h>

#include <array>

namespace hepcheck::suite {

// Thrown where the suite waits for a program, so that what is on the stack ends its processes and
// removes its files.
struct Interrupted {
  int signal = 0;
};

// While one lives, SIGINT, SIGTERM and SIGHUP are taken down and not obeyed at once. Those that are
// ignored stay so.
class Interruptible {
 public:
  Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;
  ~Interruptible();

 private:
  static constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, kSignals.size()> before_{};
};

// Throws Interrupted once a signal has come.
void throw_if_interrupted();

}  // namespace hepcheck::suite
