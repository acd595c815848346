// The bytes of a file from a stranger, whichever way it was opened.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace hepcheck {

class Incoming;

// A view; what it is of must outlive it. Safe to use from several threads, but for what still has
// to come.
class Bytes {
 public:
  // Of a file that is open for reading; `name` is what reports call it.
  static Bytes of_descriptor(int descriptor, std::string name);
  static Bytes of_image(std::span<const std::byte> image, std::string name);

  // Of what comes in, which is read once and forwards (incoming.h).
  static Bytes of_incoming(Incoming& incoming, std::string name);

  const std::string& name() const { return name_; }
  // Of what comes in, more than any has until its end has come.
  std::uint64_t size() const { return incoming_ ? incoming_size() : size_; }
  // False if there are no such bytes, or they cannot be read. What has not come yet is waited for.
  bool read(std::uint64_t offset, std::span<std::byte> into) const;

  // For libraries that want to read themselves: the descriptor, or -1 for an image.
  int descriptor() const { return descriptor_; }
  std::span<const std::byte> image() const { return image_; }
  // Null for all others.
  Incoming* incoming() const { return incoming_; }

 private:
  std::uint64_t incoming_size() const;

  std::string name_{};
  int descriptor_ = -1;
  std::span<const std::byte> image_{};
  Incoming* incoming_ = nullptr;
  std::uint64_t size_ = 0;
};

}  // namespace hepcheck
