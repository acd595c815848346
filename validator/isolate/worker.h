// Runs work on an untrusted file in a separate process that is sandboxed first.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "validator/isolate/sandbox.h"
#include "validator/report.h"
#include "validator/worker_position.h"

namespace hepcheck::isolate {

// Sends one message to the parent.
using Send = std::function<void(std::string_view)>;

// The work of a worker; the parent observes `place`.
using Work = std::function<void(const Send& send, WorkerPosition& place)>;

struct Outcome {
  std::optional<Stop> stop{};    // the reason why the worker ended early
  std::string refused{};         // protection that the system did not provide
  std::optional<Error> error{};  // no worker could be started, so nothing was done
};

// Runs `work` in a new process that can read `files` (descriptors; perhaps none) and nothing else.
// `receive` is called here with each of its messages, in order, while it runs; `progress` (or null)
// hears what it counts in its place. Whatever the worker does, this returns in time; a message that
// it did not finish is never delivered.
//
// The process is forked: no other thread of the caller must hold a lock that `work` needs.
Outcome run_in_worker(std::span<const int> files, const Work& work,
                      const std::function<void(std::string_view)>& receive, const Bounds& bounds,
                      Progress* progress = nullptr);

// The same with one file, or none: -1.
inline Outcome run_in_worker(int file, const Work& work,
                             const std::function<void(std::string_view)>& receive,
                             const Bounds& bounds, Progress* progress = nullptr) {
  return run_in_worker(std::span<const int>(&file, file < 0 ? 0 : 1), work, receive, bounds,
                       progress);
}

}  // namespace hepcheck::isolate
