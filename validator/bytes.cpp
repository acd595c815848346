#include "validator/bytes.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "validator/incoming.h"
#include "validator/read_failure.h"

namespace hepcheck {

Bytes Bytes::of_descriptor(int descriptor, std::string name) {
  Bytes made;
  made.name_ = std::move(name);
  made.descriptor_ = descriptor;
  const off_t end = lseek(descriptor, 0, SEEK_END);
  made.size_ = end > 0 ? static_cast<std::uint64_t>(end) : 0;
  return made;
}

Bytes Bytes::of_image(std::span<const std::byte> image, std::string name) {
  Bytes made;
  made.name_ = std::move(name);
  made.image_ = image;
  made.size_ = image.size();
  return made;
}

Bytes Bytes::of_incoming(Incoming& incoming, std::string name) {
  Bytes made;
  made.name_ = std::move(name);
  made.descriptor_ = incoming.descriptor();
  made.incoming_ = &incoming;
  return made;
}

std::uint64_t Bytes::incoming_size() const { return incoming_->size(); }

bool Bytes::read(std::uint64_t offset, std::span<std::byte> into) const {
  if (offset > size() || into.size() > size() - offset) return false;
  if (incoming_) {
    if (!incoming_->reach(offset + into.size())) return false;
    const std::span<const std::byte> held = incoming_->held(offset, into.size());
    std::ranges::copy(held, into.begin());
    return held.size() == into.size();
  }
  if (descriptor_ < 0) {
    std::ranges::copy(image_.subspan(offset, into.size()), into.begin());
    return true;
  }
  while (!into.empty()) {
    const ssize_t got = pread(descriptor_, into.data(), into.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      record_read_failure(got < 0 ? errno : 0);
      return false;
    }
    offset += static_cast<std::uint64_t>(got);
    into = into.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

}  // namespace hepcheck
