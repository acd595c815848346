// Many things to do, several at a time: each lane is a process that does one after the other.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "validator/isolate/worker.h"
#include "validator/progress.h"

namespace hepcheck::isolate {

// Does the `task`th thing in lane `lane` and sends what comes of it; `progress` is where it counts.
using LaneWork =
    std::function<void(std::size_t task, std::size_t lane, Progress& progress, const Send& send)>;

struct LaneEvents {
  // Called in this process, and only there: in any order of the tasks, but in the order in which a
  // task sent its messages.
  std::function<void(std::size_t task, std::string_view message)> receive{};
  std::function<void(std::size_t task)> finished{};
};

// Does all tasks below `count` in `lanes` processes; whichever is free takes the next. Returns the
// tasks that were not finished, because the process that had taken them ended. `progress` may be
// null.
//
// Processes, not threads, since the HDF5 library does one thing at a time, and so that each lane
// may start workers of its own without any other thread in the way.
std::vector<std::size_t> run_in_lanes(std::size_t count, std::size_t lanes, const LaneWork& work,
                                      const LaneEvents& events, Progress* progress);

}  // namespace hepcheck::isolate
