// A queue of items that one thread produces and another processes, in order.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "validator/worker_position.h"

namespace hepcheck {

// Calls work(item) for each item in the order of insertion. The first few items are processed
// immediately, because a thread would not pay off; the others are processed on a separate thread
// while the caller produces more. Items are handed over in batches, because waking the thread for
// each would cost more than many of them take.
template <class T>
class Conveyor {
 public:
  using Work = std::function<void(T&)>;

  // `capacity`: the maximum total weight of waiting items. Without `threads`, the caller processes
  // everything immediately.
  Conveyor(std::size_t capacity, bool threads, Work work)
      : capacity_(capacity), threads_(threads), work_(std::move(work)) {}
  Conveyor(const Conveyor&) = delete;
  Conveyor& operator=(const Conveyor&) = delete;
  ~Conveyor() { stop(); }

  // Waits while the queue is full.
  void put(T item, std::size_t weight) {
    if (!threads_ || ++put_ <= kAtOnce || (!thread_.joinable() && !start())) return work_(item);
    gathered_.reserve(kAtOnce);  // no item is moved again
    gathered_.push_back(std::move(item));
    gathered_weight_ += weight;
    if (gathered_.size() >= kAtOnce || gathered_weight_ >= capacity_ / 4) hand_over();
  }

  // Waits until all items are processed. If the work threw an exception, it is rethrown here, with
  // the place where it was thrown, and the remaining items were dropped.
  void finish() {
    if (!thread_.joinable()) return;
    {
      if (!gathered_.empty()) hand_over();
      const Waiting waiting;
      stop();
    }
    if (!failure_) return;
    now_there(failed_at_);
    std::rethrow_exception(failure_);
  }

 private:
  static constexpr std::size_t kAtOnce = 16;
  struct Batch {
    std::vector<T> items{};
    std::size_t weight = 0;
  };

  // False if the system provides no thread.
  bool start() {
    try {
      thread_ = std::jthread([this, here = position_here()] {
        const PositionOfThread place(here);
        run();
      });
    } catch (const std::system_error&) {
      threads_ = false;
    }
    return threads_;
  }

  void hand_over() {
    std::unique_lock lock(mutex_);
    const auto room = [&] { return load_ == 0 || load_ + gathered_weight_ <= capacity_; };
    if (!room()) {
      const Waiting waiting;
      changed_.wait(lock, room);
    }
    load_ += gathered_weight_;
    batches_.push_back(
        {std::exchange(gathered_, {}), std::exchange(gathered_weight_, std::size_t{0})});
    changed_.notify_one();
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
    std::vector<Batch> taken;
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return over_ || !batches_.empty(); });
      if (batches_.empty()) return;
      taken.swap(batches_);
      lock.unlock();
      std::size_t done = 0;
      for (Batch& batch : taken) {
        done += batch.weight;
        for (T& item : batch.items)
          if (!failure_) work_on(item);
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
      failed_at_ = position_here();
    }
  }

  std::size_t capacity_;
  bool threads_;
  Work work_;
  std::size_t put_ = 0;
  std::vector<T> gathered_{};  // the next batch
  std::size_t gathered_weight_ = 0;
  std::mutex mutex_{};
  std::condition_variable changed_{};
  std::vector<Batch> batches_{};  // not taken by the thread yet
  std::size_t load_ = 0;          // weight of the unprocessed items
  bool over_ = false;
  std::exception_ptr failure_{};  // of the thread; read when it is done
  PositionHere failed_at_{};
  std::jthread thread_{};
};

}  // namespace hepcheck
