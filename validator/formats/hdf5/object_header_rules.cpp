// The clauses on object headers.
#include <algorithm>
#include <array>
#include <format>

#include "validator/formats/hdf5/object_header.h"

namespace hepcheck::hdf5 {

namespace {

constexpr Rule kBeginRule("swmr-ohdr-version", [](const HeaderBegin& it, Look& look) {
  look.looked();
  if (it.version != 0) return;
  look.fail(0,
            it.signature ? std::format("OHDR and version {}", it.second)
                         : std::format("a first byte of {}", it.first),
            "an object header: 1, or OHDR and 2",
            it.first == 0 ? "Zeros show that a block was never flushed." : "");
});

void checksum(const HeaderPrefix& it, Look& look) {
  if (it.header.version != 2) return;
  look.looked();
  if (it.checksum != it.computed)
    look.fail(it.checksum_at, std::format("checksum {:08x}", it.checksum),
              std::format("{:08x}, that of the bytes before it", it.computed));
}

void flags_reserved(const HeaderPrefix& it, Look& look) {
  if (it.header.version != 2) return;
  look.looked();
  if ((it.header.flags & 0xc0) != 0)
    look.fail(5, std::format("flags {:#04x}", it.header.flags), "bits 6 and 7 clear");
}

void phase_change(const HeaderPrefix& it, Look& look) {
  if (it.header.version != 2 || (it.header.flags & 0x10) == 0) return;
  look.looked();
  if (it.header.max_compact < it.header.min_dense)
    look.fail((it.header.flags & 0x20) != 0 ? 22 : 6,
              std::format("attributes become dense above {} and compact below {}",
                          it.header.max_compact, it.header.min_dense),
              "a first number that is not below the second");
}

constexpr Rule<HeaderPrefix> kPrefixRules[] = {
    {"swmr-ohdr-checksum", checksum},
    {"swmr-ohdr-flags-reserved", flags_reserved},
    {"swmr-ohdr-phase-change", phase_change},
};

void continuation_size(const Continuation& it, Look& look) {
  look.looked();
  if (it.version == 2 ? it.size < 8 : it.size == 0 || it.size % 8 != 0)
    look.fail(0, std::format("a continuation of {} bytes", it.size),
              it.version == 2 ? "8 bytes or more" : "a multiple of 8 bytes, and not 0");
}

void continuation_once(const Continuation& it, Look& look) {
  look.looked();
  if (it.again)
    look.fail(0, std::format("a continuation at address {} once more", it.address),
              "a block that the header does not have yet");
}

constexpr Rule<Continuation> kContinuationRules[] = {
    {"swmr-ohdr-continuation-size", continuation_size},
    {"swmr-ohdr-continuation-once", continuation_once},
};

void continuation_signature(const ContinuationBlock& it, Look& look) {
  look.looked();
  if (!it.region.begins("OCHK")) look.fail(0, "other bytes", "OCHK");
}

void continuation_checksum(const ContinuationBlock& it, Look& look) {
  look.looked();
  if (it.checksum != it.computed)
    look.fail(it.region.size() - 4, std::format("checksum {:08x}", it.checksum),
              std::format("{:08x}, that of the bytes before it", it.computed));
}

constexpr Rule<ContinuationBlock> kContinuationBlockRules[] = {
    {"swmr-ohdr-continuation-signature", continuation_signature},
    {"swmr-ohdr-continuation-checksum", continuation_checksum},
};

void message_alignment(const MessageFrame& it, Look& look) {
  if (it.version != 1 || !it.prefix) return;
  look.looked();
  if (it.size % 8 != 0)
    look.fail(2, std::format("a message of {} bytes", it.size), "a multiple of 8");
}

void message_fits(const MessageFrame& it, Look& look) {
  look.looked();
  if (!it.prefix)
    look.fail(0, std::format("{} bytes remain at the end of the block", it.rest),
              "messages that fill the block");
  else if (it.size > it.rest)
    look.fail(0,
              std::format("a message of type {:#x} and {} bytes, with {} left in the block",
                          it.type, it.size, it.rest),
              "a message that ends inside its block");
  else if (it.size < it.least)
    look.fail(0, std::format("a message of type {:#x} and {} bytes", it.type, it.size),
              std::format("{} bytes, to hold what it must", it.least));
}

constexpr Rule<MessageFrame> kFrameRules[] = {
    {"swmr-ohdr-message-alignment", message_alignment},
    {"swmr-ohdr-message-fits", message_fits},
};

void message_flags(const Message& it, Look& look) {
  look.looked();
  const auto all = [&](std::uint8_t bits) { return (it.flags & bits) == bits; };
  // What was a shared message and is free space now keeps bit 1.
  const unsigned sharing =
      Message::kShareable | (it.type == MessageType::kNil ? 0U : unsigned{Message::kShared});
  if (all(Message::kShared | Message::kNotShareable))
    look.fail(0, std::format("message flags {:#04x}: shared, and never to be shared", it.flags),
              "one of the two");
  else if (all(Message::kWasUnknown) &&
           (!all(Message::kMarkIfUnknown) || all(Message::kWasUnknown | Message::kFailIfWriting)))
    look.fail(0, std::format("message flags {:#04x}: marked as unknown", it.flags),
              "bit 5 only with bit 4 and without bit 3");
  else if ((it.flags & sharing) != 0 && !may_be_shared(it.type))
    look.fail(
        0,
        std::format("message flags {:#04x}, shared or to be shared, of a message of type {:#x}",
                    it.flags, static_cast<unsigned>(it.type)),
        "bits 1 and 6 only where a dataspace, datatype, fill value, filter or attribute "
        "message is");
}

void no_bogus(const Message& it, Look& look) {
  look.looked();
  if (it.type == MessageType::kBogus)
    look.fail(0, "a message of type 0x9", "no message type reserved for tests of the library");
}

constexpr Rule<Message> kMessageRules[] = {
    {"swmr-ohdr-message-flags", message_flags},
    {"swmr-ohdr-no-bogus", no_bogus},
};

constexpr Rule kGapRule("swmr-ohdr-gap-without-nil", [](const Gap& it, Look& look) {
  look.looked();
  if (it.size > 0 && it.nil)
    look.fail(0, std::format("a gap of {} bytes in addition to a NIL message", it.size),
              "one of the two");
});

void message_count(const ObjectHeader& it, Look& look) {
  if (it.version != 1) return;
  look.looked();
  if (it.stated_messages != it.messages.size())
    look.fail(2,
              std::format("{} messages stated, {} found", it.stated_messages, it.messages.size()),
              "the number that is found");
}

void no_repeat(const ObjectHeader& it, Look& look) {
  constexpr std::array<std::uint16_t, 13> kOnce = {0x01, 0x02, 0x03, 0x04, 0x05, 0x08, 0x0a,
                                                   0x0b, 0x0f, 0x11, 0x13, 0x15, 0x16};
  look.looked();
  std::uint32_t seen = 0;
  for (const Message& message : it.messages) {
    const auto type = static_cast<std::uint16_t>(message.type);
    if (!std::ranges::contains(kOnce, type)) continue;
    const std::uint32_t bit = std::uint32_t{1} << type;
    if ((seen & bit) != 0)
      return look.fail_at(message.data.place, std::format("two messages of type {:#x}", type),
                          "one");
    seen |= bit;
  }
}

void reference_message_v2_only(const ObjectHeader& it, Look& look) {
  const Message* count = it.find(MessageType::kReferenceCount);
  if (it.version != 1 && !count) return;
  look.looked();
  if (!count) return;
  const std::uint8_t version = Cursor(count->data).u8();
  if (it.version == 1)
    look.fail_at(count->data.place, "a reference count message",
                 "none in a version 1 header, which has the count");
  else if (version != 0)
    look.fail_at(count->data.place, std::format("a reference count message of version {}", version),
                 "version 0");
}

constexpr Rule<ObjectHeader> kObjectHeaderRules[] = {
    {"swmr-ohdr-message-count", message_count},
    {"swmr-ohdr-no-repeat", no_repeat},
    {"swmr-ohdr-reference-message-v2-only", reference_message_v2_only},
};

}  // namespace

void object_header_rules(RuleList& list) {
  list.structure<kBeginRule, kPrefixRules, kContinuationRules, kContinuationBlockRules, kFrameRules,
                 kMessageRules, kGapRule, kObjectHeaderRules>();
}

bool holds(const HeaderBegin& it, const Place& at, Notes& notes) {
  return judge<kBeginRule>(it, at, notes);
}
bool holds(const HeaderPrefix& it, const Place& at, Notes& notes) {
  return judge<kPrefixRules>(it, at, notes);
}
bool holds(const Continuation& it, const Place& at, Notes& notes) {
  return judge<kContinuationRules>(it, at, notes);
}
bool holds(const ContinuationBlock& it, const Place& at, Notes& notes) {
  return judge<kContinuationBlockRules>(it, at, notes);
}
bool holds(const MessageFrame& it, const Place& at, Notes& notes) {
  return judge<kFrameRules>(it, at, notes);
}
bool holds(const Message& it, const Place& at, Notes& notes) {
  return judge<kMessageRules>(it, at, notes);
}
bool holds(const Gap& it, const Place& at, Notes& notes) { return judge<kGapRule>(it, at, notes); }
bool holds(const ObjectHeader& it, const Place& at, Notes& notes) {
  return judge<kObjectHeaderRules>(it, at, notes);
}

}  // namespace hepcheck::hdf5
