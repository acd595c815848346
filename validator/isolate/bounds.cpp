#include <algorithm>

#include "validator/isolate/sandbox.h"
#include "validator/machine.h"

namespace hepcheck::isolate {

Bounds settled(Bounds bounds) {
  if (bounds.cpu_seconds == 0) bounds.cpu_seconds = bounds.seconds * cores();
  if (bounds.memory == 0) {
    constexpr std::uint64_t kLeast = std::uint64_t{1} << 30;
    bounds.memory = std::max(kLeast, machine_memory() / 2);
  }
  return bounds;
}

}  // namespace hepcheck::isolate
