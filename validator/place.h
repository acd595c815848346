// Where the examination of a file is, written down where another process can still read it
// after this one has died.
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
  kWaiting,  // for other threads, which know better
};

// "opening the file", "reading", ...; reads on with the object, if there is one.
std::string_view to_string(Stage stage);

// A text that another process may read while it changes; the beginning, if it is longer.
template <std::size_t kSize>
struct SharedText {
  std::array<char, kSize> bytes{};  // ends in a zero

  void set(std::string_view text);
  std::string text() const;
};

// Where one thread is.
struct Spot {
  std::atomic<bool> taken = false;
  std::atomic<Stage> stage = Stage::kStarting;
  SharedText<1000> object{};   // a path in the file, or a clause
  SharedText<1000> subject{};  // what is judged, if the object is not a path in it
};

struct Place {
  static constexpr std::size_t kSpots = 32;    // further threads leave no traces
  std::array<Spot, kSpots> spots{};            // the first is that of the process's first thread
  std::atomic<std::uint32_t> fallen = kSpots;  // the one in which a fault was caught
  std::atomic<std::uint64_t> expected = 0, done = 0;  // bytes of data, as Progress counts them

  void reset();
  // Where the fault was, if one was caught; otherwise where most is to be learnt.
  const Spot& decisive() const;
};

// From now on, the steps of the calling thread are written into the first spot of `place`; null:
// nowhere. Signals that end a process for a fault leave word of their thread.
void record_place(Place* place);

// Where the calling thread is, for another one that goes on from there.
struct PlaceHere {
  Place* place = nullptr;
  Stage stage = Stage::kStarting;
  std::string object{}, subject{};
};
PlaceHere place_here();

// While it lives, the calling thread has a spot of its own, which begins as that of the thread that
// started it.
class PlaceOfThread {
 public:
  explicit PlaceOfThread(const PlaceHere& from);
  PlaceOfThread(const PlaceOfThread&) = delete;
  PlaceOfThread& operator=(const PlaceOfThread&) = delete;
  ~PlaceOfThread();

 private:
  bool taken_ = false;
};

// The calling thread is about to do this, in general or in a subject.
void now_at(Stage stage, std::string_view object = {});
void now_in(std::string_view subject);

// Where another thread was, or this one before.
void now_there(const PlaceHere& there);

// While it lives, the calling thread waits for others, which know better where things are.
class Waiting {
 public:
  Waiting() : before_(place_here()) { now_at(Stage::kWaiting); }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  ~Waiting() { now_there(before_); }

 private:
  PlaceHere before_;
};

// Counts in a place.
class PlaceProgress : public Progress {
 public:
  explicit PlaceProgress(Place& place) : place_(place) {}
  void expect(std::uint64_t bytes) override { place_.expected += bytes; }
  void advance(std::uint64_t bytes) override { place_.done += bytes; }

 private:
  Place& place_;
};

}  // namespace hepcheck
