// Items that one thread makes and another works on, in order.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "validator/place.h"

namespace hepcheck {

// Calls work(item) for each item in the order in which they were put on. From the second item on
// that is done on a thread of its own, while the caller makes the next one; a single item is worth
// none.
template <class T>
class Conveyor {
 public:
  using Work = std::function<void(T&)>;

  // `capacity`: the most that may be waiting, as weights count it. Without `threads` everything is
  // done at once by the caller.
  Conveyor(std::size_t capacity, bool threads, Work work)
      : capacity_(capacity), threads_(threads), work_(std::move(work)) {}
  Conveyor(const Conveyor&) = delete;
  Conveyor& operator=(const Conveyor&) = delete;
  ~Conveyor() { stop(); }

  // Waits while there is no room.
  void put(T item, std::size_t weight) {
    if (!threads_) return work_(item);
    if (!thread_.joinable() && !waiting_.empty() && !start()) {
      drain();
      return work_(item);
    }
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return load_ == 0 || load_ + weight <= capacity_; });
    load_ += weight;
    waiting_.push_back({std::move(item), weight});
    changed_.notify_one();
  }

  // Everything has been worked on. If that threw, the exception comes out here, and what came after
  // it was dropped.
  void finish() {
    if (!thread_.joinable()) return drain();
    now_at(Stage::kWaiting);
    stop();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  struct Item {
    T item;
    std::size_t weight;
  };

  // False if the machine gives no thread.
  bool start() {
    try {
      thread_ = std::jthread([this, here = place_here()] {
        const PlaceOfThread place(here);
        run();
      });
    } catch (const std::system_error&) {
      threads_ = false;
    }
    return threads_;
  }

  void drain() {
    for (Item& each : std::exchange(waiting_, {})) work_(each.item);
  }

  void stop() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
      changed_.notify_one();
    }
    thread_.join();
  }

  void run() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return over_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      // All that wait at once: waking up for each would cost more than many take.
      std::deque<Item> taken = std::exchange(waiting_, {});
      lock.unlock();
      std::size_t done = 0;
      for (Item& each : taken) {
        done += each.weight;
        if (!failure_) work_on(each.item);
      }
      taken.clear();
      lock.lock();
      load_ -= done;
      changed_.notify_one();
    }
  }

  void work_on(T& item) {
    try {
      work_(item);
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  std::size_t capacity_;
  bool threads_;
  Work work_;
  std::mutex mutex_{};
  std::condition_variable changed_{};
  std::deque<Item> waiting_{};
  std::size_t load_ = 0;  // weight of what is not done
  bool over_ = false;
  std::exception_ptr failure_{};  // of the thread; read when it is done
  std::jthread thread_{};
};

}  // namespace hepcheck
