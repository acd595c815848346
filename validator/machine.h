// Properties of the machine. They are queried once, because a query takes longer than checking a
// small table.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <thread>

namespace hepcheck {

inline unsigned cores() {
  static const unsigned count = std::max(1u, std::thread::hardware_concurrency());
  return count;
}

// Bytes of memory; 0 if unknown.
inline std::uint64_t machine_memory() {
  static const std::uint64_t bytes = [] {
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
    return pages > 0 && size > 0
               ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size)
               : std::uint64_t{0};
  }();
  return bytes;
}

}  // namespace hepcheck
