#include "validator/worker_position.h"

#include <signal.h>

#include <algorithm>
#include <memory>

namespace hepcheck {

namespace {

thread_local WorkerPosition* recorded_place = nullptr;
thread_local Spot* my_spot = nullptr;

// Records the position of the faulting thread. When the handler returns, the signal is raised again
// and ends the process as usual.
void on_fault(int number) {
  if (recorded_place && my_spot)
    recorded_place->fallen = static_cast<std::uint32_t>(my_spot - recorded_place->spots.data());
  raise(number);
}

// An alternate stack for the handler, because the fault may be a stack overflow.
void give_stack_to_handler() {
  static thread_local std::unique_ptr<std::byte[]> stack;
  constexpr std::size_t kBytes = 64 * 1024;
  if (!stack) stack = std::make_unique<std::byte[]>(kBytes);
  const stack_t alternative{.ss_sp = stack.get(), .ss_flags = 0, .ss_size = kBytes};
  sigaltstack(&alternative, nullptr);
}

void catch_faults() {
  struct sigaction action{};
  action.sa_handler = on_fault;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_ONSTACK);
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS}) {
    // Sanitizers have their own handler, which reports more.
    struct sigaction before{};
    if (sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_DFL)
      sigaction(number, &action, nullptr);
  }
  give_stack_to_handler();
}

}  // namespace

std::string_view to_string(Stage stage) {
  switch (stage) {
    case Stage::kStarting: return "starting";
    case Stage::kOpening: return "opening the file";
    case Stage::kWalking: return "walking through";
    case Stage::kReading: return "reading";
    case Stage::kValues: return "reading the values of";
    case Stage::kChecking: return "checking";
    case Stage::kWaiting: return "waiting for other threads";
  }
  return "at an unknown stage";
}

template <std::size_t kSize>
void SharedText<kSize>::set(std::string_view text) {
  const std::size_t length = std::min(text.size(), kSize - 1);
  std::ranges::copy(text.substr(0, length), bytes.begin());
  bytes[length] = '\0';
}

template <std::size_t kSize>
std::string SharedText<kSize>::text() const {
  return {bytes.begin(), std::ranges::find(bytes, '\0')};
}

template struct SharedText<1000>;

void WorkerPosition::reset() {
  for (Spot& spot : spots) {
    spot.taken = false;
    spot.stage = Stage::kStarting;
    spot.object.set({});
    spot.subject.set({});
  }
  fallen = kSpots;
  expected = done = 0;
}

const Spot& WorkerPosition::decisive() const {
  const std::uint32_t at = fallen;
  if (at < kSpots) return spots[at];
  if (spots[0].stage == Stage::kWaiting)
    for (std::size_t i = 1; i < kSpots; ++i)
      if (spots[i].taken) return spots[i];
  return spots[0];
}

void record_position(WorkerPosition* place) {
  recorded_place = place;
  my_spot = place ? &place->spots[0] : nullptr;
  if (!place) return;
  my_spot->taken = true;
  catch_faults();
}

PositionHere position_here() {
  if (!my_spot) return {};
  return {recorded_place, my_spot->stage, my_spot->object.text(), my_spot->subject.text()};
}

PositionOfThread::PositionOfThread(const PositionHere& from) {
  if (!from.place) return;
  for (Spot& spot : from.place->spots) {
    if (spot.taken.exchange(true)) continue;
    recorded_place = from.place;
    my_spot = &spot;
    taken_ = true;
    now_there(from);
    give_stack_to_handler();
    return;
  }
}

PositionOfThread::~PositionOfThread() {
  if (!taken_) return;
  const stack_t none{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
  sigaltstack(&none, nullptr);
  my_spot->taken = false;
  recorded_place = nullptr;
  my_spot = nullptr;
}

void now_at(Stage stage, std::string_view object) {
  if (!my_spot) return;
  // Nothing depends on the order in which another process sees it.
  my_spot->stage.store(stage, std::memory_order_relaxed);
  my_spot->object.set(object);
}

void now_there(const PositionHere& there) {
  if (!my_spot || !there.place) return;
  my_spot->stage = there.stage;
  my_spot->object.set(there.object);
  my_spot->subject.set(there.subject);
}

void now_in(std::string_view subject) {
  if (my_spot) my_spot->subject.set(subject);
}

}  // namespace hepcheck
