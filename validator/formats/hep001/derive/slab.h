// Memory for the values of a whole column.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace hepcheck::hep001 {

// Uninitialised memory that will be read in no order: on large pages where there are some.
class Slab {
 public:
  Slab() = default;
  explicit Slab(std::uint64_t bytes) {
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

}  // namespace hepcheck::hep001
