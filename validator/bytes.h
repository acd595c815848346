// The bytes of an untrusted file, however it was opened.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace hepcheck {

class Incoming;

// A view; the underlying descriptor, image or stream must outlive it. Safe to use from several
// threads, except for streamed input.
class Bytes {
 public:
  // A view of a file that is open for reading; reports use `name`.
  static Bytes of_descriptor(int descriptor, std::string name);
  static Bytes of_image(std::span<const std::byte> image, std::string name);

  // A view of streamed input, which is read once and forwards (incoming.h).
  static Bytes of_incoming(Incoming& incoming, std::string name);

  const std::string& name() const { return name_; }
  // The size of the file. For streamed input, until its end is known, a value larger than that of
  // any input.
  std::uint64_t size() const { return incoming_ ? incoming_size() : size_; }
  // Reads bytes; false if there are no such bytes, or they cannot be read. Waits for streamed input
  // to arrive.
  bool read(std::uint64_t offset, std::span<std::byte> into) const;

  // For libraries that read the file themselves: the descriptor, or -1 for an image.
  int descriptor() const { return descriptor_; }
  std::span<const std::byte> image() const { return image_; }
  // Null except for streamed input.
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
