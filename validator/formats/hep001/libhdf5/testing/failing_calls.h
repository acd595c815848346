// Makes single calls of the HDF5 library fail, so that tests see what becomes of each failure.
#pragma once

#include <array>
#include <cstddef>
#include <format>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hepcheck::hep001::libhdf5::testing {

// The reason that the library gives for a call that had to fail.
inline constexpr const char* kFailedCall = "this call had to fail";

// The calls since `on` of the functions that can be made to fail (failing_calls.cpp).
struct Calls {
  bool on = false;
  std::size_t failing = 0;  // the number of the call that fails
  std::vector<std::string_view> made{};
};
extern Calls calls;

// Calls `run` while the call with this number fails.
void with_failing_call(std::size_t number, const auto& run) {
  calls = {.on = true, .failing = number};
  run();
  calls.on = false;
}

// The names of the functions that `run` calls, in order.
std::vector<std::string_view> calls_of(const auto& run) {
  with_failing_call(~std::size_t{0}, run);
  return calls.made;
}

// What became of the failures of each function: they were reported, or made no difference, or
// something else was done without saying so.
class Failures {
 public:
  enum class Fate { kReported, kHarmless, kSilent };

  // Lets calls of `run` fail, one at a time: of each function the first `most`. `fate_of` judges
  // what `run` left.
  void add(std::size_t most, const auto& run, const auto& fate_of) {
    std::map<std::string_view, std::size_t> tried;
    const std::vector<std::string_view> all = calls_of(run);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (++tried[all[i]] > most) continue;
      with_failing_call(i, run);
      ++counts_[all[i]][static_cast<std::size_t>(fate_of())];
    }
  }

  std::string text() const {
    std::string made;
    for (const auto& [function, counts] : counts_)
      made += std::format("{}: {} reported, {} harmless, {} silent\n", function, counts[0],
                          counts[1], counts[2]);
    return made;
  }

 private:
  std::map<std::string_view, std::array<int, 3>> counts_{};
};

}  // namespace hepcheck::hep001::libhdf5::testing
