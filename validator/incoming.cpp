#include "validator/incoming.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "validator/read_failure.h"

namespace hepcheck {

namespace {

constexpr std::uint64_t kStep = std::uint64_t{256} << 10;

}  // namespace

// Whether this many more bytes can be held.
bool Incoming::make_room(std::uint64_t size) {
  const std::uint64_t wanted = held_ + size;
  if (wanted > std::max(most_, kStep)) return false;
  if (wanted <= capacity_) return true;
  const std::uint64_t capacity = std::min(std::max(most_, kStep), std::max(wanted, 2 * capacity_));
  auto bytes = std::make_unique_for_overwrite<std::byte[]>(capacity);
  if (held_ > 0) std::memcpy(bytes.get(), bytes_.get(), held_);
  bytes_ = std::move(bytes);
  capacity_ = capacity;
  return true;
}

// Waits for the next bytes, or the end, until the deadline.
bool Incoming::in_time() {
  using std::chrono::milliseconds;
  constexpr milliseconds kLongest{60'000};
  while (deadline_) {
    const auto left =
        std::chrono::ceil<milliseconds>(*deadline_ - std::chrono::steady_clock::now());
    pollfd ready{.fd = descriptor_, .events = POLLIN, .revents = 0};
    const int polled =
        poll(&ready, 1, static_cast<int>(std::clamp(left, milliseconds{0}, kLongest).count()));
    if (polled > 0 || (polled < 0 && errno != EINTR)) return true;
    if (left.count() <= 0) {
      late_ = ended_ = true;
      return false;
    }
  }
  return true;
}

// Reads at least one byte, at the position of come_; treats a read error as the end.
bool Incoming::read_some(std::span<std::byte> into) {
  if (!in_time()) return false;
  ssize_t got = -1;
  do got = read(descriptor_, into.data(), into.size());
  while (got < 0 && errno == EINTR);
  if (got < 0) record_read_failure(errno);
  ended_ = got <= 0;
  if (!ended_) come_ += static_cast<std::uint64_t>(got);
  return !ended_;
}

bool Incoming::reach(std::uint64_t end) {
  while (come_ < end && !ended_) {
    const std::uint64_t size = std::min(end - come_, kStep);
    if (begin_ + held_ == come_ && make_room(size)) {
      if (read_some({bytes_.get() + held_, capacity_ - held_})) held_ = come_ - begin_;
    } else {
      std::byte lost[4096];
      read_some(std::span(lost).first(std::min<std::uint64_t>(size, sizeof lost)));
    }
  }
  return come_ >= end;
}

void Incoming::let_go(std::uint64_t begin) {
  const std::uint64_t next = std::min(begin, come_), end = begin_ + held_;
  if (next <= begin_) return;
  held_ = end > next ? end - next : 0;
  if (held_ > 0) std::memmove(bytes_.get(), bytes_.get() + (next - begin_), held_);
  begin_ = next;
}

std::span<const std::byte> Incoming::held(std::uint64_t offset, std::uint64_t size) const {
  if (offset < begin_ || offset - begin_ > held_ || size > held_ - (offset - begin_)) return {};
  return {bytes_.get() + (offset - begin_), size};
}

}  // namespace hepcheck
