// Runs many tasks, several at a time: each lane is a process that runs one after another.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "validator/isolate/worker.h"
#include "validator/progress.h"

namespace hepcheck::isolate {

// Runs task number `task` in lane `lane` and sends its result; `progress` is its counter.
using LaneWork =
    std::function<void(std::size_t task, std::size_t lane, Progress& progress, const Send& send)>;

struct LaneEvents {
  // Called only in this process; tasks may interleave, but the messages of one task arrive in
  // order.
  std::function<void(std::size_t task, std::string_view message)> receive{};
  std::function<void(std::size_t task)> finished{};
};

// Runs all tasks below `count` in `lanes` processes; an idle process takes the next task. Returns
// the tasks that were not finished because their process ended. `progress` may be null.
//
// Lanes are processes instead of threads because the HDF5 library is serialised, and because each
// lane can then start workers without other threads.
std::vector<std::size_t> run_in_lanes(std::size_t count, std::size_t lanes, const LaneWork& work,
                                      const LaneEvents& events, Progress* progress);

}  // namespace hepcheck::isolate
