// What a crash at any point of a log would have left of one of its files.
//
// Every state that a crash could have left is made as an image and read twice in the sandbox: by
// libhdf5 with the rules of HEP001, and by hepcheck's own reader of the container. This stands
// above both formats, which do not know each other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "validator/report.h"
#include "validator/trace/content.h"
#include "validator/trace/replay.h"

namespace hepcheck::crash {

// The kinds of states, in the order of trace::State::Kind.
inline constexpr std::array<std::string_view, 4> kKinds = {"prefix", "torn", "any", "dropped"};

struct ReplayOptions {
  std::uint64_t seed = 1;        // of all samples
  std::uint64_t sample = 24;     // states between two barriers with many writes
  std::uint64_t most = 5'000;    // states of a file; 0: all
  std::uint64_t seconds = 3600;  // by the clock
  // Receives the first WRONG image of each kind of state. May be empty.
  std::function<void(std::size_t kind, const trace::Image& image)> first_wrong{};
};

struct Example {
  std::string how{}, why{};
  std::vector<std::size_t> fewest{};  // the operations that show it
};

struct Replayed {
  std::string name{};
  std::array<std::array<std::uint64_t, trace::kVerdicts>, 4> counts{};
  std::vector<Example> wrong[4]{};
  std::vector<Example> detected[4]{};
  std::uint64_t images = 0;
  // The first and the last prefix during SWMR writing, when readers must be able to read every
  // state.
  std::size_t swmr_from = ~std::size_t{0}, swmr_to = 0;
  std::vector<Example> detected_under_swmr{};
  // Images that only hepcheck's own reader detects; libhdf5 reads them without an error.
  std::uint64_t ours_alone = 0;
  // Images that SWMR readers can read, but no reader can once the marks are cleared.
  std::uint64_t swmr_only = 0;
  Example swmr_only_example{};
  bool swmr() const { return swmr_from <= swmr_to; }
  std::vector<std::string> notes{};
};

Replayed replay(const trace::Story& story, const ReplayOptions& options, std::string name);

// The clauses about crashes, judged by a replay.
SubjectReport subject_of(const Replayed& done);

}  // namespace hepcheck::crash
