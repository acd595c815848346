// Random decisions for tests whose golden files depend on all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace hepcheck {

// Calls that are random are statements of their own: the order inside an expression depends on the
// compiler.
class Random {
 public:
  explicit Random(std::uint64_t seed) : random_(seed) {}
  std::uint64_t below(std::uint64_t end) { return random_() % end; }
  unsigned number(unsigned end) { return static_cast<unsigned>(below(end)); }
  bool once_in(std::uint64_t times) { return below(times) == 0; }
  template <class T, std::size_t kCount>
  T one_of(const T (&all)[kCount]) {
    return all[below(kCount)];
  }
  std::vector<std::byte> bytes(std::size_t size) {
    std::vector<std::byte> made(size);
    for (std::byte& each : made) each = static_cast<std::byte>(random_());
    return made;
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace hepcheck
