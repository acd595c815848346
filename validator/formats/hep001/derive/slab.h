// Memory for the values of a whole column.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>

namespace hepcheck::hep001 {

// Uninitialised memory that will be read in no order: on large pages where there are some. Getting
// fresh pages costs as much as checking what they hold, so the next column is given the last one's.
class Slab {
 public:
  Slab() = default;
  explicit Slab(std::uint64_t bytes) {
    const std::size_t rounded = (bytes + kLargePage - 1) / kLargePage * kLargePage;
    if (spare_.size_ >= rounded && spare_.size_ <= 2 * rounded) {
      swap(spare_);
      return;
    }
    drop_spare();
    const bool large = bytes >= kLargePage;
    size_ = large ? rounded : bytes;
    bytes_.reset(static_cast<std::byte*>(large ? std::aligned_alloc(kLargePage, rounded)
                                               : std::malloc(std::max<std::uint64_t>(1, bytes))));
    if (!bytes_) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    if (large) madvise(bytes_.get(), rounded, MADV_HUGEPAGE);
#endif
  }
  Slab(Slab&& other) noexcept { swap(other); }
  Slab& operator=(Slab&& other) noexcept {
    Slab taken(std::move(other));
    swap(taken);
    return *this;
  }
  ~Slab() {
    if (size_ > spare_.size_) swap(spare_);
  }
  std::byte* get() const { return bytes_.get(); }

  // For what else needs the memory.
  static void drop_spare() {
    spare_.size_ = 0;
    spare_.bytes_.reset();
  }

 private:
  static thread_local Slab spare_;
  static constexpr std::size_t kLargePage = std::size_t{2} << 20;
  struct Free {
    void operator()(std::byte* bytes) const { std::free(bytes); }
  };
  void swap(Slab& other) noexcept {
    std::swap(size_, other.size_);
    bytes_.swap(other.bytes_);
  }

  std::size_t size_ = 0;
  std::unique_ptr<std::byte, Free> bytes_{};
};
inline thread_local Slab Slab::spare_;

}  // namespace hepcheck::hep001
