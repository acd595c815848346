// Runs work on several threads and returns the results in order.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "validator/worker_position.h"

namespace hepcheck {

// Calls work(i) for every i in [0, count), on up to `jobs` threads including the caller's. Lower
// numbers start first. If calls throw, the remaining ones are cancelled and the exception with the
// lowest number is rethrown here.
template <class Work>
void parallel_for(std::uint64_t count, unsigned jobs, Work work) {
  std::atomic<std::uint64_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  std::uint64_t failed = count;
  PositionHere failed_at;
  const auto take_turns = [&] {
    for (std::uint64_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count;) {
      try {
        work(i);
      } catch (...) {
        next.store(count, std::memory_order_relaxed);
        const std::lock_guard lock(mutex);
        if (i >= failed) continue;
        failed = i;
        failure = std::current_exception();
        failed_at = position_here();
      }
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (std::uint64_t i = 1; i < jobs && i < count; ++i) {
      try {
        helpers.emplace_back([&take_turns, here = position_here()] {
          const PositionOfThread place(here);
          take_turns();
        });
      } catch (const std::system_error&) {
        break;  // the system provides no more threads; fewer are sufficient
      }
    }
    take_turns();
    if (!helpers.empty()) {
      const Waiting waiting;
      helpers.clear();
    }
  }
  if (!failure) return;
  now_there(failed_at);
  std::rethrow_exception(failure);
}

}  // namespace hepcheck
