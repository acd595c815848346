// Handles Ctrl-C and similar signals while programs run and temporary files exist.
#pragma once

#include <signal.h>

#include <array>

namespace hepcheck::suite {

// Thrown where the suite waits for a program, so that objects on the stack end its processes and
// remove its files.
struct Interrupted {
  int signal = 0;
};

// While such an object exists, SIGINT, SIGTERM and SIGHUP are recorded instead of obeyed at once.
// Ignored signals stay ignored.
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

// Throws Interrupted after a signal.
void throw_if_interrupted();

}  // namespace hepcheck::suite
