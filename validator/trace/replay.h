// Replays a log: the states of a file, and the states that a crash could have left.
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
// Applies the event; of a write, only the bytes from `begin` to `end`.
void apply(const Event& event, Image& image, std::size_t begin = 0,
           std::size_t end = std::string::npos);

// The changes to one file, in order, and the barriers.
struct Story {
  FileNumber file = 0;
  Image start{};
  std::vector<const Event*> changes{};
  // How many changes came before each flush, sync or close; increasing, without repetition.
  std::vector<std::size_t> barriers{};

  Image after(std::size_t count) const;  // this many changes
  Image whole() const { return after(changes.size()); }
};
Story story_of(const Log& log, FileNumber file);
// The reason why the events do not lead to the final contents; empty if they do, or if they were
// not compared.
std::string missing(const Log& log, FileNumber file);

// One state: the operations that were done. Operations are numbers, so that operations on several
// files and on names can be described as well.
struct State {
  enum class Kind : std::uint8_t {
    kPrefix,   // all up to one
    kTorn,     // the same, but the last is partial
    kAny,      // any subset of the operations that are not durable
    kDropped,  // all up to a barrier except one
  };
  std::vector<std::size_t> applied{};
  Kind kind = Kind::kPrefix;
  std::size_t cut = 0;      // kTorn: the position in the data of the last one
  bool first_part = true;   // kTorn: the part before the cut is done; otherwise the part after it
  bool finished = false;    // the program had ended already
  std::size_t settled = 0;  // operations that a barrier made durable
  std::size_t total = 0;

  std::string how() const;  // "after 12 of 40 operations"
};

// The barriers: after this many operations, those for which the predicate returns true.
struct Settling {
  std::size_t before = 0;
  std::function<bool(std::size_t)> settles{};  // empty: all
};

struct StateOptions {
  bool torn = false, any = false, dropped = false;
  std::uint64_t seed = 1;
  std::size_t few = 6, sample = 24;  // all combinations of this many, otherwise this many samples
  std::function<bool(std::uint64_t)> wanted{};  // produces only these, by number
};

// Produces one state after another until `take` returns false, because all of them may not fit in
// memory. `sizes`: bytes of data of each operation that can be torn, otherwise 0.
using TakeState = std::function<bool(const State&)>;
void each_state(std::span<const std::uint64_t> sizes, std::span<const Settling> settlings,
                const StateOptions& options, const TakeState& take);
void each_state(const Story& story, const StateOptions& options, const TakeState& take);
// The number of states; none is created.
std::uint64_t count_states(const Story& story, const StateOptions& options);
// Selects `some` of `all` numbers evenly; each must be queried once, in order.
class Sample {
 public:
  Sample(std::uint64_t some, std::uint64_t all, std::uint64_t seed)
      : some_(some), all_(all), random_(seed) {}
  bool next();

 private:
  std::uint64_t some_, all_;
  std::mt19937_64 random_;
};
// All of them, if there are few.
std::vector<State> states(std::span<const std::uint64_t> sizes, std::span<const Settling> settlings,
                          const StateOptions& options);
std::vector<State> states(const Story& story, const StateOptions& options);

// The file images of the states of a story. Durable operations are applied once, as long as the
// states are in order.
class Images {
 public:
  explicit Images(const Story& story) : story_(story), base_(story.start) {}
  Image of(const State& state);

 private:
  const Story& story_;
  Image base_;
  std::size_t done_ = 0;  // in the base
};

// A smallest subset of `all` for which `shows` still holds, as it does for all of them together.
// Calls it at most `tries` times; then the result may not be the smallest.
std::vector<std::size_t> smallest(std::vector<std::size_t> all,
                                  const std::function<bool(const std::vector<std::size_t>&)>& shows,
                                  std::size_t tries = 200);

}  // namespace hepcheck::trace
