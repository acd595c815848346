// Memory for buffers and columns of an input.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <utility>
#include <vector>

namespace hepcheck {

// Uninitialised memory. A large block lies on large pages where the system has them.
class LargeBlock {
 public:
  LargeBlock() = default;
  explicit LargeBlock(std::uint64_t bytes) {
    if (bytes > PTRDIFF_MAX) throw std::bad_alloc();
    const std::size_t rounded = (bytes + kLargePage - 1) / kLargePage * kLargePage;
    const bool large = bytes >= kLargePage;
    bytes_.reset(static_cast<std::byte*>(large ? std::aligned_alloc(kLargePage, rounded)
                                               : std::malloc(std::max<std::uint64_t>(1, bytes))));
    if (!bytes_) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    if (large) madvise(bytes_.get(), rounded, MADV_HUGEPAGE);
#endif
  }
  std::byte* get() const { return bytes_.get(); }

 private:
  static constexpr std::size_t kLargePage = std::size_t{2} << 20;
  struct Free {
    void operator()(std::byte* bytes) const { std::free(bytes); }
  };
  std::unique_ptr<std::byte, Free> bytes_{};
};

// Memory that is used again and again, since fresh pages cost more than reading. It never shrinks.
class Slab {
 public:
  // Its first `size` bytes; what was in it is lost.
  std::span<std::byte> take(std::uint64_t size) {
    if (size > capacity_) {
      bytes_ = {};
      bytes_ = LargeBlock(size);
      capacity_ = size;
    }
    return {bytes_.get(), size};
  }
  // The same, but the first `used` bytes stay.
  std::span<std::byte> extend(std::uint64_t size, std::uint64_t used) {
    if (size <= capacity_) return {bytes_.get(), size};
    LargeBlock larger(size);
    if (used > 0) std::memcpy(larger.get(), bytes_.get(), used);
    bytes_ = std::move(larger);
    capacity_ = size;
    return {bytes_.get(), size};
  }
  std::span<const std::byte> first(std::uint64_t size) const { return {bytes_.get(), size}; }
  std::uint64_t capacity() const { return capacity_; }

 private:
  LargeBlock bytes_{};
  std::uint64_t capacity_ = 0;
};

using Slabs = std::vector<std::unique_ptr<Slab>>;

// Slabs that no thread uses at the moment. Those beyond `most` bytes are freed, and those that no
// memory is left to keep: destructors give them back.
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
    keep(spare_, std::move(slabs));
  }
  // A single, small slab.
  std::unique_ptr<Slab> take_one() {
    const std::lock_guard lock(mutex_);
    if (ones_.empty()) return std::make_unique<Slab>();
    std::unique_ptr<Slab> made = std::move(ones_.back());
    ones_.pop_back();
    return made;
  }
  void give_back(std::unique_ptr<Slab> one) { keep(ones_, std::move(one)); }

 private:
  template <class Each>
  void keep(std::vector<Each>& kept, Each each) {
    const std::lock_guard lock(mutex_);
    try {
      kept.push_back(std::move(each));
    } catch (const std::bad_alloc&) {
    }
  }

  std::uint64_t most_;
  std::mutex mutex_{};
  std::vector<Slabs> spare_{};
  Slabs ones_{};
};

}  // namespace hepcheck
