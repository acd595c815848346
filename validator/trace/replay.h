// A file as a log leads it from state to state, and the states that a crash could have left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "validator/trace/log.h"

namespace hepcheck::trace {

using Image = std::string;  // the bytes of a file

Image before(const File& file);
// Does what the event did, of a write the bytes from `begin` to `end` of it.
void apply(const Event& event, Image& image, std::size_t begin = 0,
           std::size_t end = std::string::npos);

// The changes to one file, in order, and what settled them.
struct Story {
  FileNumber file = 0;
  Image start{};
  std::vector<const Event*> changes{};
  // How many changes came before each flush, sync or close; increasing, each once.
  std::vector<std::size_t> barriers{};

  Image after(std::size_t count) const;  // so many changes
  Image whole() const { return after(changes.size()); }
};
Story story_of(const Log& log, FileNumber file);
// Why the events do not lead to what the file was in the end; empty if they do, or nobody looked.
std::string missing(const Log& log, FileNumber file);

// One state: which operations had been done. Operations are numbers here, so that those on several
// files and on names can be told of, too.
struct State {
  enum class Kind : std::uint8_t {
    kPrefix,   // all up to one
    kTorn,     // the same, but the last is done in part
    kAny,      // any of what nothing had settled
    kDropped,  // all up to a barrier but one
  };
  std::vector<std::size_t> applied{};
  Kind kind = Kind::kPrefix;
  std::size_t cut = 0;      // kTorn: where in the data of the last one
  bool first_part = true;   // kTorn: what lies before the cut is done; otherwise what lies behind
  bool finished = false;    // the program had already ended
  std::size_t settled = 0;  // operations that some barrier had settled
  std::size_t total = 0;

  std::string how() const;  // "after 12 of 40 operations"
};

// What settles operations: after so many of them, those that it is asked for and says yes to.
struct Settling {
  std::size_t before = 0;
  std::function<bool(std::size_t)> settles{};  // empty: all
};

struct StateOptions {
  bool torn = false, any = false, dropped = false;
  std::uint64_t seed = 1;
  std::size_t few = 6, sample = 24;  // all combinations of so many, otherwise that many of them
  std::function<bool(std::uint64_t)> wanted{};  // hands out those alone, by their number
};

// Hands out one state after the other, until `take` says no: there may be more than fit in memory.
// `sizes`: bytes of data of each operation that can be torn, otherwise 0.
using TakeState = std::function<bool(const State&)>;
void each_state(std::span<const std::uint64_t> sizes, std::span<const Settling> settlings,
                const StateOptions& options, const TakeState& take);
void each_state(const Story& story, const StateOptions& options, const TakeState& take);
// How many they are; none is made.
std::uint64_t count_states(const Story& story, const StateOptions& options);
// Chooses `some` of `all` numbers, evenly; each is to be asked for once, in order.
class Sample {
 public:
  Sample(std::uint64_t some, std::uint64_t all, std::uint64_t seed)
      : some_(some), all_(all), random_(seed) {}
  bool next();

 private:
  std::uint64_t some_, all_;
  std::mt19937_64 random_;
};
// All of them, where they are few.
std::vector<State> states(std::span<const std::uint64_t> sizes, std::span<const Settling> settlings,
                          const StateOptions& options);
std::vector<State> states(const Story& story, const StateOptions& options);

// The images of the states of one story. What is settled is done once, as long as states come in
// their order.
class Images {
 public:
  explicit Images(const Story& story) : story_(story), base_(story.start) {}
  Image of(const State& state);

 private:
  const Story& story_;
  Image base_;
  std::size_t done_ = 0;  // in the base
};

// The fewest of `all` that still show what `shows` asks of them, which all of them together do.
// Asks no more than `tries` times; then what is left is only smaller, perhaps not the smallest.
std::vector<std::size_t> smallest(std::vector<std::size_t> all,
                                  const std::function<bool(const std::vector<std::size_t>&)>& shows,
                                  std::size_t tries = 200);

}  // namespace hepcheck::trace
