// Records the position of an examination where another process can read it after this one has died.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "validator/progress.h"

namespace hepcheck {

enum class Stage : std::uint8_t {
  kStarting,
  kOpening,
  kWalking,
  kReading,
  kValues,
  kChecking,
  kWaiting,  // for other threads, whose position is more informative
};

// "opening the file", "reading", ...; continues with the object, if there is one.
std::string_view to_string(Stage stage);

// A text that another process may read while it changes; truncated if it is longer.
template <std::size_t kSize>
struct SharedText {
  std::array<char, kSize> bytes{};  // zero-terminated

  void set(std::string_view text);
  std::string text() const;
};

// The position of one thread.
struct Spot {
  std::atomic<bool> taken = false;
  std::atomic<Stage> stage = Stage::kStarting;
  SharedText<1000> object{};   // a path in the file, or a clause
  SharedText<1000> subject{};  // the subject, if the object is not a path in it
};

struct WorkerPosition {
  static constexpr std::size_t kSpots = 32;  // further threads are not recorded
  std::array<Spot, kSpots> spots{};  // the first is that of the initial thread of the process
  std::atomic<std::uint32_t> fallen = kSpots;         // the one in which a fault was caught
  std::atomic<std::uint64_t> expected = 0, done = 0;  // bytes of data, as Progress counts them

  void reset();
  // The position of the fault, if one was caught; otherwise the most informative position.
  const Spot& decisive() const;
};

// From now on, the calling thread records its steps in the first spot of `place`; null: nowhere.
// Handlers for fatal signals record the thread.
void record_position(WorkerPosition* place);

// The position of the calling thread, for another thread that continues its work.
struct PositionHere {
  WorkerPosition* place = nullptr;
  Stage stage = Stage::kStarting;
  std::string object{}, subject{};
};
PositionHere position_here();

// While this object exists, the calling thread has its own spot, which starts as a copy of that of
// the thread that created it.
class PositionOfThread {
 public:
  explicit PositionOfThread(const PositionHere& from);
  PositionOfThread(const PositionOfThread&) = delete;
  PositionOfThread& operator=(const PositionOfThread&) = delete;
  ~PositionOfThread();

 private:
  bool taken_ = false;
};

// Records what the calling thread is about to do, in general or in a subject.
void now_at(Stage stage, std::string_view object = {});
void now_in(std::string_view subject);

// Restores the position of another thread, or an earlier one of this thread.
void now_there(const PositionHere& there);

// While this object exists, the calling thread waits for others, whose positions are more
// informative.
class Waiting {
 public:
  Waiting() : before_(position_here()) { now_at(Stage::kWaiting); }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  ~Waiting() { now_there(before_); }

 private:
  PositionHere before_;
};

// Counts bytes in a place.
class PositionProgress : public Progress {
 public:
  explicit PositionProgress(WorkerPosition& place) : place_(place) {}
  void expect(std::uint64_t bytes) override { place_.expected += bytes; }
  void advance(std::uint64_t bytes) override { place_.done += bytes; }

 private:
  WorkerPosition& place_;
};

}  // namespace hepcheck
