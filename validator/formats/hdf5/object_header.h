// Object headers of versions 1 and 2, with their continuations.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "validator/formats/hdf5/address_map.h"
#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/region.h"
#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

// The types of messages that are processed.
enum class MessageType : std::uint16_t {
  kNil = 0x00,
  kDataspace = 0x01,
  kLinkInfo = 0x02,
  kDatatype = 0x03,
  kOldFill = 0x04,
  kFill = 0x05,
  kLink = 0x06,
  kExternalFiles = 0x07,
  kLayout = 0x08,
  kBogus = 0x09,
  kGroupInfo = 0x0a,
  kFilters = 0x0b,
  kAttribute = 0x0c,
  kSharedTable = 0x0f,
  kContinuation = 0x10,
  kSymbolTable = 0x11,
  kTreeK = 0x13,
  kDriver = 0x14,
  kAttributeInfo = 0x15,
  kReferenceCount = 0x16,
  kSpaceInfo = 0x17,
  kCacheImage = 0x18,
};
constexpr std::uint16_t kLastKnownType = 0x18;
// Whether a message of that type may be shared; unknown for unknown types. libhdf5 does not know
// type 9, except in builds for its own tests.
constexpr bool may_be_shared(MessageType type) {
  switch (type) {
    case MessageType::kBogus:
    case MessageType::kDataspace:
    case MessageType::kDatatype:
    case MessageType::kOldFill:
    case MessageType::kFill:
    case MessageType::kFilters:
    case MessageType::kAttribute: return true;
    default: return static_cast<std::uint16_t>(type) > kLastKnownType;
  }
}

struct Message {
  static constexpr std::uint8_t kShared = 0x02, kNotShareable = 0x04, kFailIfWriting = 0x08,
                                kMarkIfUnknown = 0x10, kWasUnknown = 0x20, kShareable = 0x40,
                                kFailAlways = 0x80;
  MessageType type{};
  std::uint8_t flags = 0;
  Region data{};
  std::uint16_t order = 0;  // of its creation, where the header has that
  bool reserved = false;    // reserved bytes of its prefix are not zero (version 1)

  bool shared() const { return (flags & kShared) != 0; }
};

struct ObjectHeader {
  std::uint64_t address = 0;
  std::uint8_t version = 0;
  std::uint8_t flags = 0;                        // version 2
  bool reserved = false;                         // version 1: reserved bytes are not zero
  std::uint16_t stated_messages = 0;             // version 1
  std::uint32_t references = 1;                  // version 2 without such a message: 1
  std::uint16_t max_compact = 0, min_dense = 0;  // version 2, with bit 4
  std::vector<Block> blocks{};                   // the first, then the continuations
  std::vector<Message> messages{};

  // The first of that type; null if there is none.
  const Message* find(MessageType type) const;
  // The second one; null unless there is one.
  const Message* second(MessageType type) const;
  bool has(MessageType type) const { return find(type) != nullptr; }
};

// Reads the headers of a file; each is judged once.
class Headers {
 public:
  explicit Headers(Container& file) : file_(file) {}

  // None if it is refused, or not examined.
  std::optional<ObjectHeader> read(std::uint64_t address);
  // The same without a finding, and without a note that it was read.
  std::optional<ObjectHeader> peek(std::uint64_t address);

 private:
  Container& file_;
  AddressMap<bool> sound_{};
};

// --- What its rules look at ---------------------------------------------------------------------

// The claimed beginning of a header.
struct HeaderBegin {
  std::uint8_t version;  // 0: neither
  std::uint8_t first;    // the first byte
  bool signature;        // OHDR
  std::uint8_t second;   // the bytes after the signature
};
bool holds(const HeaderBegin& it, const Place& at, Notes& notes);

struct HeaderPrefix {
  const ObjectHeader& header;
  std::uint32_t checksum, computed;  // version 2
  std::uint64_t checksum_at;
};
bool holds(const HeaderPrefix& it, const Place& at, Notes& notes);

// The contents of a continuation message, and whether the block was included before.
struct Continuation {
  std::uint8_t version;
  std::uint64_t address, size;
  bool again;
};
bool holds(const Continuation& it, const Place& at, Notes& notes);

// The contents at that address, in version 2.
struct ContinuationBlock {
  Region region;
  std::uint32_t checksum, computed;
};
bool holds(const ContinuationBlock& it, const Place& at, Notes& notes);

// The frame of a message in a block.
struct MessageFrame {
  std::uint8_t version;
  std::uint16_t type;
  std::uint64_t size;
  std::uint64_t rest;   // of the block, after the prefix of the message
  bool prefix;          // it fits; otherwise `rest` is the remainder
  std::uint64_t least;  // minimum bytes of a message of this type
};
bool holds(const MessageFrame& it, const Place& at, Notes& notes);
bool holds(const Message& it, const Place& at, Notes& notes);

// The remainder of a version 2 block after its last message.
struct Gap {
  std::uint64_t size;
  bool nil;  // the block has a NIL message
};
bool holds(const Gap& it, const Place& at, Notes& notes);
bool holds(const ObjectHeader& it, const Place& at, Notes& notes);

}  // namespace hepcheck::hdf5
