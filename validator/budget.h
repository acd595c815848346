// An amount of work or memory that the examination of an input may take, whatever the input claims.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "validator/integers.h"

namespace hepcheck {

// Threads may share it.
class Budget {
 public:
  explicit Budget(std::uint64_t amount) : left_(amount) {}

  // Takes the amount if so much is left. Otherwise it takes nothing and returns false.
  bool take(std::uint64_t amount) {
    return change([=](std::uint64_t left) { return amount <= left ? left - amount : left; }) >=
           amount;
  }
  // Takes the amount, or all that is left if that is less; false in the second case.
  bool spend(std::uint64_t amount) {
    return change([=](std::uint64_t left) { return left - std::min(left, amount); }) >= amount;
  }
  // Grants more, up to `most` in all.
  void add(std::uint64_t amount, std::uint64_t most = kLargestNumber) {
    change([=](std::uint64_t left) { return std::min(most, sum(left, amount)); });
  }
  std::uint64_t left() const { return left_.load(std::memory_order_relaxed); }

 private:
  // Returns what was left before.
  template <class Next>
  std::uint64_t change(Next next) {
    std::uint64_t left = this->left();
    while (!left_.compare_exchange_weak(left, next(left), std::memory_order_relaxed)) {
    }
    return left;
  }

  std::atomic<std::uint64_t> left_;
};

}  // namespace hepcheck
