// The messages of a stream, one after the other: chapter 4.1.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "validator/bytes.h"
#include "validator/formats/arrow/flatbuffer.h"
#include "validator/formats/arrow/notes.h"
#include "validator/formats/arrow/shapes.h"
#include "validator/limits.h"

namespace hepcheck::arrow {

// Where a message lies, and what its Message table says of all kinds alike.
struct Message {
  std::uint64_t at = 0;       // its first byte, that of the prefix
  unsigned prefix = 8;        // 4 in the old framing
  std::uint64_t size = 0;     // of the metadata, as the prefix says
  std::uint64_t body_at = 0;  // the first byte of its body
  std::int64_t body_length = 0;
  std::int16_t version = kV5;
  Header header{};
  bool body_inside = true;  // the body lies inside the input
  // Among the messages of its kind, in the order of the stream; of others, among all.
  std::uint64_t number = 0;

  std::uint64_t metadata_at() const { return at + prefix; }
  Path path() const;  // batch[3]
};

using SharedBytes = std::shared_ptr<const std::vector<std::byte>>;

// The metadata of a message, which lie inside the file; null if they cannot be read.
SharedBytes read_bytes(const Bytes& file, std::uint64_t at, std::uint64_t size);
// The table of the header, of a message that is sound.
Table header_of(const SharedBytes& metadata);

// What the messages of a file have in common.
struct MessageLimits {
  std::uint64_t metadata = 0;  // bytes of the metadata of one message that are read
  std::uint64_t tables = 0;    // of a flatbuffer that are visited
};
MessageLimits message_limits(const Limits& limits);
// What verifying a flatbuffer of so many bytes may take: tables and texts may share them.
VerifyLimits verify_limits(const MessageLimits& limits, std::uint64_t size);

// Verifies the metadata and fills in what the Message table says; false if it is broken, of a
// version that is not read, or too much.
bool read_message(const SharedBytes& metadata, const MessageLimits& limits, Message& message,
                  Notes& notes);

class Walk {
 public:
  // From `begin` to `end`, which is the end of the input or the beginning of a footer. `cut`: the
  // file has no footer that could be found, so what the end looks like is not judged.
  Walk(const Bytes& file, std::uint64_t begin, std::uint64_t end, bool cut, const Limits& limits,
       Notes& notes);

  enum class Step : std::uint8_t {
    kMessage,  // see message(), metadata()
    kMarker,   // the marker of the end of the stream
    kEnd,      // the input ends where a message could begin
    kBroken,   // it cannot be read on
  };
  Step next();

  const Message& message() const { return message_; }
  const SharedBytes& metadata() const { return metadata_; }
  std::uint64_t at() const { return at_; }  // where the next message would begin; behind the marker
  // Of what comes in, once that is known.
  std::uint64_t end() const { return std::min(end_, file_.size()); }
  bool began() const { return first_version_.has_value(); }  // there has been a message
  std::optional<std::int16_t> first_version() const { return first_version_; }

 private:
  Step prefix();
  bool old_framing(std::uint32_t word) const;
  bool reads_as_message(std::uint64_t at, std::uint32_t size) const;
  bool metadata_inside();
  bool content();
  void number();
  std::uint64_t behind() const;
  std::uint32_t word(std::uint64_t at) const;
  // Where the input ends, as far as that decides whether it has these bytes.
  std::uint64_t end_behind(std::uint64_t at, std::uint64_t size) const;
  bool starts_well(std::uint64_t at) const;

  const Bytes& file_;
  std::uint64_t at_, end_;
  bool cut_;
  MessageLimits limits_;
  Notes& notes_;
  Message message_{};
  SharedBytes metadata_{};
  std::optional<std::int16_t> first_version_{};
  bool continuation_ = false, old_ = false;  // framings that have been seen
  bool stopped_ = false;                     // nothing behind this message can be found
  std::uint64_t messages_ = 0, batches_ = 0, dictionaries_ = 0;
};

}  // namespace hepcheck::arrow
