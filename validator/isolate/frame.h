// Messages over a pipe between processes of this program.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace hepcheck::isolate {

enum class FrameKind : std::uint32_t {
  kRefused,   // from a worker, first: protection that the system did not provide
  kMessage,   // a part of the result
  kFinished,  // the end of this task, or of all tasks
};

struct FrameHead {
  FrameKind kind = FrameKind::kMessage;
  std::uint32_t unused = 0;
  std::uint64_t task = 0;  // lanes: the task
  std::uint64_t size = 0;  // bytes that follow
};

// Sent in one piece, so that the receiver wakes up once. False if the other end is closed.
bool send_frame(int pipe, FrameKind kind, std::string_view bytes = {}, std::uint64_t task = 0);

// Splits the bytes of a pipe into frames. The sender is untrusted; an incomplete frame is never
// delivered.
class FrameReader {
 public:
  using Deliver = std::function<void(const FrameHead& head, std::string_view bytes)>;
  // `most`: the maximum number of bytes in total.
  FrameReader(Deliver deliver, std::uint64_t most) : deliver_(std::move(deliver)), left_(most) {}

  // False if more than the allowed number of bytes arrived.
  bool take(std::string_view bytes);

 private:
  Deliver deliver_;
  std::uint64_t left_;
  std::string waiting_{};
};

}  // namespace hepcheck::isolate
