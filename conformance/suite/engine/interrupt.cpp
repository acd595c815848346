#include "conformance/suite/engine/interrupt.h"

namespace hepcheck::suite {

namespace {

volatile sig_atomic_t came = 0;

void take_down(int number) { came = number; }

}  // namespace

Interruptible::Interruptible() {
  came = 0;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    struct sigaction action{};
    action.sa_handler = take_down;  // without SA_RESTART: waiting calls must return
    ::sigaction(kSignals[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &action, nullptr);
  }
}

Interruptible::~Interruptible() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before_[i], nullptr);
}

void throw_if_interrupted() {
  if (came) throw Interrupted{came};
}

}  // namespace hepcheck::suite
