// The messages of a stream, one after another: chapter 4.1.
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

// The position of a message, and the common fields of its Message table.
struct Message {
  std::uint64_t at = 0;       // its first byte, that of the prefix
  unsigned prefix = 8;        // 4 in the legacy framing
  std::uint64_t size = 0;     // of the metadata, as stated by the prefix
  std::uint64_t body_at = 0;  // the first byte of its body
  std::int64_t body_length = 0;
  std::int16_t version = kV5;
  Header header{};
  bool body_inside = true;  // the body is inside the input
  // Its number among the messages of its kind, in the order of the stream; for other kinds, among
  // all.
  std::uint64_t number = 0;

  std::uint64_t metadata_at() const { return at + prefix; }
  Path path() const;  // batch[3]
};

using SharedBytes = std::shared_ptr<const std::vector<std::byte>>;

// The metadata of a message inside the file; null if they cannot be read.
SharedBytes read_bytes(const Bytes& file, std::uint64_t at, std::uint64_t size);
// The table of the header of a valid message.
Table header_of(const SharedBytes& metadata);

// The common properties of the messages of a file.
struct MessageLimits {
  std::uint64_t metadata = 0;  // the maximum number of metadata bytes of one message
  std::uint64_t tables = 0;    // of a flatbuffer, the maximum number visited
};
MessageLimits message_limits(const Limits& limits);
// The cost limit for verifying a flatbuffer of this size, because tables and strings may be shared.
VerifyLimits verify_limits(const MessageLimits& limits, std::uint64_t size);

// Verifies the metadata and fills in the contents of the Message table; false if it is invalid, of
// an unsupported version, or too large.
bool read_message(const SharedBytes& metadata, const MessageLimits& limits, Message& message,
                  Notes& notes);

class MessageWalk {
 public:
  // From `begin` to `end`, which is the end of the input or the beginning of a footer. `cut`: the
  // file has no recognisable footer, so the end is not judged.
  MessageWalk(const Bytes& file, std::uint64_t begin, std::uint64_t end, bool cut,
              const Limits& limits, Notes& notes);

  enum class Step : std::uint8_t {
    kMessage,  // see message(), metadata()
    kMarker,   // the end-of-stream marker
    kEnd,      // the input ends where a message could begin
    kBroken,   // reading cannot continue
  };
  Step next();

  const Message& message() const { return message_; }
  const SharedBytes& metadata() const { return metadata_; }
  std::uint64_t at() const { return at_; }  // where the next message would begin; after the marker
  // For streamed input, as soon as it is known.
  std::uint64_t end() const { return std::min(end_, file_.size()); }
  // The input is zero from the marker on: messages may be lost.
  bool zeros() const { return zeros_; }
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
  // The end of the input, as far as it decides whether these bytes exist.
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
  bool continuation_ = false, old_ = false;  // the framings found so far
  bool zeros_ = false;
  bool stopped_ = false;  // messages after this one cannot be found
  std::uint64_t messages_ = 0, batches_ = 0, dictionaries_ = 0;
};

}  // namespace hepcheck::arrow
