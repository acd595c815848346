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

enum class Stage : std::uint8_t { kStarting, kOpening, kWalking, kReading, kValues, kChecking };

// "opening the file", "reading", ...; reads on with the object, if there is one.
std::string_view to_string(Stage stage);

struct Place {
  std::atomic<Stage> stage = Stage::kStarting;
  std::array<char, 1000> object{};  // ends in a zero; the beginning, if the path is longer
  std::atomic<std::uint64_t> expected = 0, done = 0;  // bytes of data, as Progress counts them

  std::string object_text() const;
};

// From now on, the steps of the calling thread are written into `place`; null: nowhere. Other
// threads leave no traces.
void record_place(Place* place);

// The calling thread is about to do this.
void now_at(Stage stage, std::string_view object = {});

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
