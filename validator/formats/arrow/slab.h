// Memory that buffers are read into, used again and again: fresh pages cost more than reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace hepcheck::arrow {

class Slab {
 public:
  // What was in it is gone.
  std::span<std::byte> take(std::uint64_t size) {
    if (size > capacity_) {
      bytes_.reset();
      bytes_ = std::make_unique_for_overwrite<std::byte[]>(size);
      capacity_ = size;
    }
    return {bytes_.get(), size};
  }
  // What was in the first `used` bytes stays.
  std::span<std::byte> extend(std::uint64_t size, std::uint64_t used) {
    if (size <= capacity_) return {bytes_.get(), size};
    auto larger = std::make_unique_for_overwrite<std::byte[]>(size);
    if (used > 0) std::memcpy(larger.get(), bytes_.get(), used);
    bytes_ = std::move(larger);
    capacity_ = size;
    return {bytes_.get(), size};
  }
  std::span<const std::byte> first(std::uint64_t size) const { return {bytes_.get(), size}; }
  std::uint64_t capacity() const { return capacity_; }

 private:
  std::unique_ptr<std::byte[]> bytes_{};
  std::uint64_t capacity_ = 0;
};

using Slabs = std::vector<std::unique_ptr<Slab>>;

// Slabs that no thread has at the moment. Those beyond `most` bytes are not kept.
class SpareSlabs {
 public:
  explicit SpareSlabs(std::uint64_t most) : most_(most) {}

  Slabs take() {
    const std::lock_guard lock(mutex_);
    if (spare_.empty()) return {};
    Slabs made = std::move(spare_.back());
    spare_.pop_back();
    return made;
  }
  void give_back(Slabs slabs) {
    std::uint64_t size = 0;
    std::erase_if(slabs, [&](const std::unique_ptr<Slab>& each) {
      return (size += each->capacity()) > most_;
    });
    const std::lock_guard lock(mutex_);
    spare_.push_back(std::move(slabs));
  }
  // One by itself, which is small.
  std::unique_ptr<Slab> take_one() {
    const std::lock_guard lock(mutex_);
    if (ones_.empty()) return std::make_unique<Slab>();
    std::unique_ptr<Slab> made = std::move(ones_.back());
    ones_.pop_back();
    return made;
  }
  void give_back(std::unique_ptr<Slab> one) {
    const std::lock_guard lock(mutex_);
    ones_.push_back(std::move(one));
  }

 private:
  std::uint64_t most_;
  std::mutex mutex_{};
  std::vector<Slabs> spare_{};
  Slabs ones_{};
};

}  // namespace hepcheck::arrow
