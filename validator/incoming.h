// What comes in through a pipe: read once, forwards, with no more of it held than is asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace hepcheck {

class Incoming {
 public:
  // More than any input has.
  static constexpr std::uint64_t kWithoutEnd = std::uint64_t{1} << 62;

  // Of a descriptor that others close. `most`: bytes that are held at a time; what does not fit is
  // gone as soon as it has come.
  Incoming(int descriptor, std::uint64_t most) : descriptor_(descriptor), most_(most) {}
  Incoming(const Incoming&) = delete;
  Incoming& operator=(const Incoming&) = delete;

  // Waits until all bytes before `end` have come; false if there are fewer. By one thread.
  bool reach(std::uint64_t end);
  // Bytes before `begin` are not asked for again.
  void let_go(std::uint64_t begin);

  // Those that have come and are held; empty if some of them are not.
  std::span<const std::byte> held(std::uint64_t offset, std::uint64_t size) const;
  // kWithoutEnd until the end has come.
  std::uint64_t size() const { return ended_ ? come_ : kWithoutEnd; }
  int descriptor() const { return descriptor_; }

 private:
  bool make_room(std::uint64_t size);
  bool read_some(std::span<std::byte> into);

  int descriptor_;
  std::uint64_t most_;
  std::unique_ptr<std::byte[]> bytes_{};
  std::uint64_t capacity_ = 0;
  std::uint64_t begin_ = 0, held_ = 0;  // what lies there
  std::uint64_t come_ = 0;
  bool ended_ = false;
};

}  // namespace hepcheck
