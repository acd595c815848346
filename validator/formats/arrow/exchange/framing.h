// What surrounds the bodies of messages in a stream or a file: prefixes and metadata, the end
// marker and the footer.
#pragma once

#include <cstdint>
#include <string>

#include "validator/formats/arrow/exchange/flat.h"
#include "validator/formats/arrow/shapes.h"

namespace hepcheck::arrow {

class Framing {
 public:
  explicit Framing(bool stream) : stream_(stream) {}

  // What precedes the first message.
  std::string begin() const;
  // What precedes the body of `length` bytes; it is written at byte `at`.
  std::string message(Header kind, FlatTable header, std::uint64_t at, std::int64_t length);
  // What follows the last message.
  std::string end(FlatTable schema) const;

  std::uint32_t batches() const;

 private:
  bool stream_;
  std::string dictionaries_{}, batches_{};  // blocks of the footer
};

}  // namespace hepcheck::arrow
