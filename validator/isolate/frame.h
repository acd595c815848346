// Messages over a pipe between processes of this program.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace hepcheck::isolate {

enum class FrameKind : std::uint32_t {
  kRefused,   // of a worker, first: protection that the system would not give
  kMessage,   // a part of what it was asked for
  kFinished,  // there is no more to come, of this task or of all
};

struct FrameHead {
  FrameKind kind = FrameKind::kMessage;
  std::uint32_t unused = 0;
  std::uint64_t task = 0;  // lanes: what it is about
  std::uint64_t size = 0;  // bytes that follow
};

// In one piece, so that the other end wakes up once for it. False if nobody listens any more.
bool send_frame(int pipe, FrameKind kind, std::string_view bytes = {}, std::uint64_t task = 0);

// Takes what comes through a pipe apart. The sender may lie about anything; a frame that is not
// whole is never delivered.
class FrameReader {
 public:
  using Deliver = std::function<void(const FrameHead& head, std::string_view bytes)>;
  // `most`: bytes that may come in all.
  FrameReader(Deliver deliver, std::uint64_t most) : deliver_(std::move(deliver)), left_(most) {}

  // False once more has come than is allowed.
  bool take(std::string_view bytes);

 private:
  Deliver deliver_;
  std::uint64_t left_;
  std::string waiting_{};
};

}  // namespace hepcheck::isolate
