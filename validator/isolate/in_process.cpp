// In place of sandbox.cpp, worker.cpp and lanes.cpp where there are no processes: in WebAssembly.
// The engine is the sandbox: the program reaches nothing but its own memory and the files that its
// host hands it.
#include <new>
#include <numeric>

#include "validator/isolate/lanes.h"
#include "validator/isolate/worker.h"

namespace hepcheck::isolate {

bool has_processes() { return false; }

Outcome run_in_worker(std::span<const int>, const Work& work,
                      const std::function<void(std::string_view)>& receive, const Bounds&,
                      Progress*) {
  WorkerPosition place;
  try {
    work(receive, place);
    return {};
  } catch (const std::bad_alloc&) {
    return {.stop = Stop{.cause = StopCause::kLimit, .name = "memory", .lacked_memory = true}};
  }
}

// The caller does what no lane finished.
std::vector<std::size_t> run_in_lanes(std::size_t count, std::size_t, const LaneWork&,
                                      const LaneEvents&, Progress*) {
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

}  // namespace hepcheck::isolate
