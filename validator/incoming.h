// Streamed input: read once, forwards, and buffered only as far as needed.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace hepcheck {

class Incoming {
 public:
  // Larger than any input.
  static constexpr std::uint64_t kWithoutEnd = std::uint64_t{1} << 62;

  // Reads from a descriptor that others close. `most`: the maximum number of buffered bytes; bytes
  // that do not fit are discarded on arrival.
  Incoming(int descriptor, std::uint64_t most) : descriptor_(descriptor), most_(most) {}
  Incoming(const Incoming&) = delete;
  Incoming& operator=(const Incoming&) = delete;

  // Bytes that arrive later than this are not waited for: the input ends there, and is late().
  void wait_until(std::chrono::steady_clock::time_point deadline) { deadline_ = deadline; }
  void wait_without_limit() { deadline_.reset(); }
  bool late() const { return late_; }

  // Waits until all bytes before `end` have arrived; false if there are fewer. Single-threaded.
  bool reach(std::uint64_t end);
  // Bytes before `begin` are not needed any more.
  void let_go(std::uint64_t begin);

  // The buffered bytes of this range; empty if some of them are not buffered.
  std::span<const std::byte> held(std::uint64_t offset, std::uint64_t size) const;
  // kWithoutEnd until the end is known.
  std::uint64_t size() const { return ended_ ? come_ : kWithoutEnd; }
  int descriptor() const { return descriptor_; }

 private:
  bool make_room(std::uint64_t size);
  bool in_time();
  bool read_some(std::span<std::byte> into);

  int descriptor_;
  std::uint64_t most_;
  std::unique_ptr<std::byte[]> bytes_{};
  std::uint64_t capacity_ = 0;
  std::uint64_t begin_ = 0, held_ = 0;  // the bytes at this position
  std::uint64_t come_ = 0;
  bool ended_ = false, late_ = false;
  std::optional<std::chrono::steady_clock::time_point> deadline_{};
};

}  // namespace hepcheck
