#include "validator/isolate/frame.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace hepcheck::isolate {

bool send_frame(int pipe, FrameKind kind, std::string_view bytes, std::uint64_t task) {
  const FrameHead head{.kind = kind, .task = task, .size = bytes.size()};
  std::string frame(sizeof head, '\0');
  std::memcpy(frame.data(), &head, sizeof head);
  frame += bytes;
  for (std::string_view rest = frame; !rest.empty();) {
    const ssize_t written = write(pipe, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool FrameReader::take(std::string_view bytes) {
  if (bytes.size() > left_) return false;
  left_ -= bytes.size();
  waiting_ += bytes;
  std::string_view rest = waiting_;
  FrameHead head;
  while (rest.size() >= sizeof head) {
    std::memcpy(&head, rest.data(), sizeof head);
    if (rest.size() - sizeof head < head.size) break;
    deliver_(head, rest.substr(sizeof head, head.size));
    rest.remove_prefix(sizeof head + head.size);
  }
  waiting_.erase(0, waiting_.size() - rest.size());
  return true;
}

}  // namespace hepcheck::isolate
