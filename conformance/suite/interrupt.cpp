#include "conformance/suite/interrupt.h"

namespace hepcheck::hep001::suite {

namespace {

volatile sig_atomic_t caught = 0;

void take_down(int number) { caught = number; }

}  // namespace

Interruptible::Interruptible() {
  caught = 0;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    struct sigaction action{};
    action.sa_handler = take_down;  // without SA_RESTART: what waits is to notice
    ::sigaction(kSignals[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &action, nullptr);
  }
}

Interruptible::~Interruptible() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before_[i], nullptr);
}

void throw_if_interrupted() {
  if (caught) throw Interrupted{caught};
}

}  // namespace hepcheck::hep001::suite
