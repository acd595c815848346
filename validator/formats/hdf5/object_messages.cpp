// IV.A and IV.A.2: the messages of an object together, and its small messages.
#include "validator/formats/hdf5/object_messages.h"

#include <algorithm>
#include <array>
#include <format>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "validator/formats/hdf5/dataspace.h"
#include "validator/formats/hdf5/datatype.h"
#include "validator/formats/hdf5/driver.h"
#include "validator/formats/hdf5/external_files.h"
#include "validator/formats/hdf5/fill.h"
#include "validator/formats/hdf5/filters.h"
#include "validator/formats/hdf5/layout.h"
#include "validator/formats/hdf5/rule.h"
#include "validator/formats/hdf5/space_info.h"

namespace hepcheck::hdf5 {

namespace {

constexpr auto kComment = static_cast<MessageType>(0x0d);
constexpr auto kOldTime = static_cast<MessageType>(0x0e);
constexpr auto kTime = static_cast<MessageType>(0x12);

unsigned number_of(MessageType type) { return static_cast<unsigned>(type); }

// An object with its header.
struct ObjectOf {
  const ObjectHeader& header;
  ObjectKind kind;

  bool has(MessageType type) const { return header.has(type); }
  std::uint64_t count(MessageType type) const {
    return static_cast<std::uint64_t>(std::ranges::count(header.messages, type, &Message::type));
  }
  // The first message of one of the types; null if there is none.
  const Message* any(std::initializer_list<MessageType> types) const {
    for (const MessageType type : types)
      if (const Message* message = header.find(type)) return message;
    return nullptr;
  }
};

// --- IV.A: kinds of objects ---------------------------------------------------------------------

void object_kind(const Object& it, Look& look) {
  look.looked();
  if (it.kind == ObjectKind::kOther || it.kind == ObjectKind::kUnknown)
    look.fail(0, "a header that describes neither a group nor a dataset nor a datatype",
              "the messages of one of them");
}

// --- IV.A.1: prefixes ---------------------------------------------------------------------------

void v1_reserved(const ObjectOf& it, Look& look) {
  if (it.header.version != 1) return;
  look.looked();
  if (it.header.reserved) return look.fail(0, "reserved bytes that are not zero", "zeros");
  for (const Message& message : it.header.messages)
    if (message.reserved)
      return look.fail_at(
          message.data.place,
          std::format("reserved bytes before the message of type {:#x} that are not zero",
                      number_of(message.type)),
          "zeros");
}

void order_indexed_tracked(const ObjectOf& it, Look& look) {
  if (it.header.version != 2) return;
  look.looked();
  if ((it.header.flags & 0x0c) == 0x08)
    look.fail(5,
              std::format("header flags {:#04x}: an index of a creation order that is not tracked",
                          it.header.flags),
              "both, or only tracked");
}

// --- IV.A.2: messages together ------------------------------------------------------------------

void marked_not_understood(const ObjectOf& it, Look& look) {
  look.looked();
  for (const Message& message : it.header.messages)
    if ((message.flags & Message::kWasUnknown) != 0)
      look.fail_at(message.data.place,
                   std::format("a message of type {:#x} that another program did not understand",
                               number_of(message.type)),
                   "an object that was changed only by programs that know all of its messages");
}

void type_known(const ObjectOf& it, Look& look) {
  look.looked();
  for (const Message& message : it.header.messages)
    if (number_of(message.type) > kLastKnownType)
      look.fail_at(message.data.place,
                   std::format("a message of type {:#x}", number_of(message.type)),
                   "types up to 0x18");
}

void no_repeat_other(const ObjectOf& it, Look& look) {
  look.looked();
  for (const MessageType type : {MessageType::kExternalFiles, kComment, kOldTime, kTime})
    if (const std::uint64_t count = it.count(type); count > 1)
      look.fail_at(it.header.second(type)->data.place,
                   std::format("{} messages of type {:#x}", count, number_of(type)), "one");
}

void foreign_messages(const ObjectOf& it, Look& look) {
  const Message* foreign = nullptr;
  const bool group = it.has(MessageType::kSymbolTable) || it.has(MessageType::kLinkInfo);
  const bool dataset = it.has(MessageType::kLayout);
  if (!group && !dataset && it.kind != ObjectKind::kCommittedType) return;
  // What a dataset lacks may be the message that seems to be another one, and has its own clause.
  if (dataset && !(it.has(MessageType::kDataspace) && it.has(MessageType::kDatatype))) return;
  look.looked();
  if (dataset || it.kind == ObjectKind::kCommittedType)
    foreign = it.any({MessageType::kLinkInfo, MessageType::kLink, MessageType::kGroupInfo,
                      MessageType::kSymbolTable});
  else
    foreign = it.any({MessageType::kDataspace, MessageType::kDatatype, MessageType::kOldFill,
                      MessageType::kFill, MessageType::kExternalFiles});
  if (!foreign && it.kind == ObjectKind::kCommittedType)
    foreign = it.any({MessageType::kDataspace, MessageType::kOldFill, MessageType::kFill,
                      MessageType::kExternalFiles, MessageType::kFilters});
  if (foreign)
    look.fail_at(
        foreign->data.place,
        std::format("a message of type {:#x} in another kind of object", number_of(foreign->type)),
        "messages of one kind of object");
}

void committed_not_shared(const ObjectOf& it, Look& look) {
  if (it.kind != ObjectKind::kCommittedType) return;
  look.looked();
  const Message& type = *it.header.find(MessageType::kDatatype);
  if (type.shared())
    look.fail_at(type.data.place, "a committed datatype that is kept elsewhere",
                 "the datatype itself");
}

void risk_unknown_message(const ObjectOf& it, Look& look) {
  look.looked();
  for (const Message& message : it.header.messages)
    if (number_of(message.type) > kLastKnownType &&
        (message.flags & (Message::kFailIfWriting | Message::kFailAlways)) != 0)
      look.fail_at(message.data.place,
                   std::format("a message of type {:#x} with flags {:#04x}",
                               number_of(message.type), message.flags),
                   "no message that keeps out programs that do not know it");
}

// --- Groups -------------------------------------------------------------------------------------

void group_one_style(const ObjectOf& it, Look& look) {
  if (it.kind != ObjectKind::kGroup) return;
  look.looked();
  const Message* info = it.header.find(MessageType::kLinkInfo);
  if (info && it.has(MessageType::kSymbolTable))
    look.fail_at(info->data.place, "a symbol table and link info", "one of the two");
}

void needs_link_info(const ObjectOf& it, Look& look) {
  if (!it.has(MessageType::kSymbolTable) || it.has(MessageType::kLinkInfo)) return;
  look.looked();
  if (const Message* link = it.header.find(MessageType::kLink))
    look.fail_at(link->data.place, "link messages in an old-style group",
                 "links in its symbol table");
}

// --- Attributes ---------------------------------------------------------------------------------

void attribute_info_v2_only(const ObjectOf& it, Look& look) {
  if (it.header.version != 1) return;
  look.looked();
  if (const Message* info = it.header.find(MessageType::kAttributeInfo))
    look.fail_at(info->data.place, "attribute info in a version 1 header", "none");
}

constexpr Rule kKindRule("h5-object-kind", object_kind);
constexpr Rule<ObjectOf> kObjectRules[] = {
    {"h5-ohdr-v1-reserved", v1_reserved},
    {"h5-ohdr-marked-not-understood", marked_not_understood},
    {"h5-ohdr-type-known", type_known},
    {"h5-ohdr-no-repeat-other", no_repeat_other},
    {"h5-ohdr-foreign-messages", foreign_messages},
    {"h5-committed-not-shared", committed_not_shared},
    {"h5-risk-unknown-message", risk_unknown_message},
    {"h5-group-one-style", group_one_style},
    {"h5-link-needs-link-info", needs_link_info},
    {"h5-attribute-info-v2-only", attribute_info_v2_only},
};

// The clause is listed with link info (link.cpp).
constexpr Rule<ObjectOf> kHeaderOrderRule = {"h5-link-order-indexed-tracked",
                                             order_indexed_tracked};

// --- Small messages -----------------------------------------------------------------------------

std::string_view text_of_message(const Message& it) {
  return {reinterpret_cast<const char*>(it.data.bytes.data()), it.data.bytes.size()};
}

constexpr Rule kCommentRule("h5-comment-terminated", [](const Message& it, Look& look) {
  look.looked();
  if (!text_of_message(it).contains('\0'))
    look.fail(0, std::format("a comment of {} bytes without a zero", it.data.size()),
              "a zero at its end");
});

void mtime_old_form(const Message& it, Look& look) {
  constexpr std::uint64_t kDigits = 14, kSize = 16;
  look.looked();
  const std::string_view text = text_of_message(it);
  if (text.size() < kSize)
    return look.fail(0, std::format("a time of {} bytes", text.size()), "16 bytes");
  const auto digit = [](char letter) { return letter >= '0' && letter <= '9'; };
  if (!std::ranges::all_of(text.substr(0, kDigits), digit))
    return look.fail(0, "a time that is not fourteen digits", "fourteen digits");
  struct Part {
    std::string_view name;
    std::size_t at;
    unsigned least, most;
  };
  constexpr std::array<Part, 5> kParts = {{{"month", 4, 1, 12},
                                           {"day", 6, 1, 31},
                                           {"hour", 8, 0, 23},
                                           {"minute", 10, 0, 59},
                                           {"second", 12, 0, 60}}};
  for (const Part& part : kParts) {
    const unsigned value = 10 * static_cast<unsigned>(text[part.at] - '0') +
                           static_cast<unsigned>(text[part.at + 1] - '0');
    if (value < part.least || value > part.most)
      return look.fail(part.at, std::format("{} {:02}", part.name, value),
                       std::format("{:02} to {:02}", part.least, part.most));
  }
}

constexpr Rule kOldTimeRule("h5-mtime-old-form", mtime_old_form);
constexpr Rule kOldTimeReservedRule("h5-mtime-old-reserved", [](const Message& it, Look& look) {
  look.looked();
  if (text_of_message(it).substr(14, 2) != std::string_view("\0\0", 2))
    look.fail(14, "reserved bytes that are not zero", "zeros");
});

constexpr Rule kTimeRule("h5-mtime-version", [](const Message& it, Look& look) {
  look.looked();
  const unsigned version = Cursor(it.data).u8();
  if (it.data.size() < 8)
    look.fail(0, std::format("a time of {} bytes", it.data.size()), "8 bytes");
  else if (version != 1)
    look.fail(0, std::format("version {}", version), "version 1");
});
constexpr Rule kTimeReservedRule("h5-mtime-reserved", [](const Message& it, Look& look) {
  look.looked();
  if (text_of_message(it).substr(1, 3) != std::string_view("\0\0\0", 3))
    look.fail(1, "reserved bytes that are not zero", "zeros");
});

void name_time(const Region& message) {
  Cursor read(message);
  read.u8("version");
  read.take(3, "reserved");
  read.u32("seconds");
}

void judge_small(const ObjectHeader& header, Container& file) {
  for (const Message& message : header.messages) {
    const Place at = message.data.place;
    if (message.type == kComment || message.type == kOldTime)
      name_contents(message.data, message.type == kComment ? "text" : "time");
    if (message.type == kTime) name_time(message.data);
    if (message.type == kComment) judge<kCommentRule>(message, at, file.notes);
    if (message.type == kOldTime && judge<kOldTimeRule>(message, at, file.notes))
      judge<kOldTimeReservedRule>(message, at, file.notes);
    if (message.type == kTime && judge<kTimeRule>(message, at, file.notes))
      judge<kTimeReservedRule>(message, at, file.notes);
  }
}

// --- Where links and attributes are kept --------------------------------------------------------

struct Storage {
  const ObjectHeader& header;
  const Dense* info;  // null if there is none, or it is refused
  std::uint64_t number, max_compact, min_dense;
  bool large = false;
  MessageType type;  // of a compact one

  bool dense() const { return info && info->any(); }
};

void one_storage(const Storage& it, Look& look, std::string_view what) {
  if (!it.info) return;
  look.looked();
  if (it.info->heap != kUndefined && it.header.has(it.type))
    look.fail(0, std::format("{} both in a heap and in the header", what), "one of the two");
}

constexpr Rule kLinksOneRule("h5-links-one-storage",
                             [](const Storage& it, Look& look) { one_storage(it, look, "links"); });
constexpr Rule kAttributesOneRule("h5-attributes-one-storage", [](const Storage& it, Look& look) {
  one_storage(it, look, "attributes");
});

void as_phase(const Storage& it, Look& look, std::string_view what) {
  // Numbers that contradict each other have their own clause.
  if (it.max_compact < it.min_dense) return;
  look.looked();
  if (it.dense() ? it.number < it.min_dense && !it.large : it.number > it.max_compact)
    look.fail(0, std::format("{} {} in {}", it.number, what, it.dense() ? "a heap" : "the header"),
              it.dense() ? std::format("{} or more", it.min_dense)
                         : std::format("{} at most", it.max_compact));
}

constexpr Rule kLinksPhaseRule("h5-links-storage-as-phase", [](const Storage& it, Look& look) {
  if (it.header.has(MessageType::kLinkInfo)) as_phase(it, look, "links");
});
constexpr Rule kAttributesPhaseRule("h5-attributes-storage-as-phase",
                                    [](const Storage& it, Look& look) {
                                      if (it.header.version == 2) as_phase(it, look, "attributes");
                                    });

// --- Attribute info -----------------------------------------------------------------------------

constexpr Rule kInfoFlagsRule("h5-attribute-info-flags-as-header", [](const Storage& it,
                                                                      Look& look) {
  if (!it.info || it.header.version != 2) return;
  const bool tracked = (it.header.flags & 4) != 0;
  const bool indexed = (it.header.flags & 8) != 0;
  // Flags of the header that contradict each other have their own clause.
  if (indexed && !tracked) return;
  look.looked();
  if (it.info->tracked != tracked || it.info->indexed != indexed)
    look.fail(1, "another creation order than in the header", "the same flags");
});

// Sorted creation orders of the attribute messages of a header.
std::vector<std::uint16_t> orders_of(const ObjectHeader& header) {
  std::vector<std::uint16_t> orders;
  if (header.version != 2 || (header.flags & 4) == 0) return orders;
  for (const Message& message : header.messages)
    if (message.type == MessageType::kAttribute) orders.push_back(message.order);
  std::ranges::sort(orders);
  return orders;
}

constexpr Rule kOrderUniqueRule("h5-attribute-order-unique", [](const Storage& it, Look& look) {
  const std::vector<std::uint16_t> orders = orders_of(it.header);
  if (orders.empty()) return;
  look.looked();
  if (const auto twice = std::ranges::adjacent_find(orders); twice != orders.end())
    look.fail(0, std::format("creation order {} twice", *twice), "each number once");
});

constexpr Rule kOrderMaximumRule("h5-attribute-order-below-maximum",
                                 [](const Storage& it, Look& look) {
                                   if (!it.info || !it.info->tracked) return;
                                   const std::vector<std::uint16_t> orders = orders_of(it.header);
                                   if (orders.empty()) return;
                                   look.looked();
                                   if (orders.back() > it.info->maximum)
                                     look.fail(0, std::format("creation order {}", orders.back()),
                                               std::format("{} at most", it.info->maximum));
                                 });

// --- Slack --------------------------------------------------------------------------------------

// The bytes of a message that its contents need; none if that is not known.
std::optional<std::uint64_t> encoded_size(const Message& message, Container& file) {
  const Notes::Silence silence(file.notes);
  const std::uint64_t offset = file.offset_size, length = file.length_size;
  if (message.shared()) {
    Cursor read(message.data);
    const std::uint8_t version = read.u8("version"), type = read.u8("type");
    if (version < 2) return std::nullopt;
    return 2 + (version == 3 && type == 1 ? 8 : offset);
  }
  switch (number_of(message.type)) {
    case 0x01: return parse_dataspace(message.data, file.length_size).encoded;
    case 0x02: return encoded_info(message.data, 8, file);
    case 0x03: {
      const std::optional<Datatype> type = read_datatype(message.data, file);
      if (!type) return std::nullopt;
      return type->encoded;
    }
    case 0x04:
    case 0x05: {
      const auto fill = read_fill(message.data, number_of(message.type) == 4, {}, file);
      if (!fill) return std::nullopt;
      return fill->encoded;
    }
    case 0x06: return encoded_link(message.data, file);
    case 0x07: return encoded_external_files(message.data, file);
    case 0x08: return parse_layout(message.data, file).encoded;
    case 0x0a: {
      const std::optional<GroupInfo> info = read_group_info(message.data, file);
      if (!info) return std::nullopt;
      return info->encoded;
    }
    case 0x0b: {
      const std::optional<Filters> filters = read_filters(message.data, file);
      if (!filters) return std::nullopt;
      return filters->encoded;
    }
    case 0x0d: return text_of_message(message).find('\0') + 1;
    case 0x0e: return 16;
    case 0x0f: return 2 + offset;
    case 0x10: return offset + length;
    case 0x11: return 2 * offset;
    case 0x12: return 8;
    case 0x13: return 7;
    case 0x14: return read_driver_message(message.data, file).encoded;
    case 0x15: return encoded_info(message.data, 2, file);
    case 0x16: return 5;
    case 0x17: {
      if ((message.flags & Message::kWasUnknown) != 0) return std::nullopt;  // out of date
      const std::optional<SpaceInfo> info = read_space_info(message.data, file);
      if (!info) return std::nullopt;
      return info->encoded;
    }
    case 0x18: return 1 + offset + length;
    default: return std::nullopt;
  }
}

struct Slack {
  std::uint8_t version;  // of the header
  const Message& message;
  std::uint64_t encoded;
};

bool all_zero(const Region& region) {
  return std::ranges::all_of(region.bytes, [](std::byte each) { return each == std::byte{0}; });
}

constexpr Rule kSlackRule("h5-ohdr-message-slack", [](const Slack& it, Look& look) {
  constexpr std::uint64_t kSpaceSlack = 4;
  look.looked();
  const std::uint64_t size = it.message.data.size();
  if (it.encoded >= size) return;
  const std::uint64_t slack = size - it.encoded;
  const bool zeros = all_zero(it.message.data.part(it.encoded));
  const bool space = it.message.type == MessageType::kDataspace && it.version == 2;
  if (it.version == 1 ? slack >= 8 || !zeros : !(space && slack <= kSpaceSlack))
    look.fail(it.encoded,
              std::format("{} bytes after the contents of a message of type {:#x}", slack,
                          number_of(it.message.type)),
              it.version == 1 ? "fewer than 8, and all zero" : "none");
});

}  // namespace

void object_message_rules(RuleList& list) {
  list.structure<kKindRule, kObjectRules, kCommentRule, kOldTimeRule, kOldTimeReservedRule,
                 kTimeRule, kTimeReservedRule, kLinksOneRule, kAttributesOneRule, kLinksPhaseRule,
                 kAttributesPhaseRule, kInfoFlagsRule, kOrderUniqueRule, kOrderMaximumRule,
                 kSlackRule>();
}

void judge_object_kind(const Object& object, Container& file) {
  judge<kKindRule>(object, header_place(object, file), file.notes);
}

void judge_messages(const ObjectHeader& header, ObjectKind kind, Container& file) {
  const Place at = header.blocks.front().region().place;
  judge_each<kObjectRules>(ObjectOf{header, kind}, at, file.notes);
  judge<kHeaderOrderRule>(ObjectOf{header, kind}, at, file.notes);
  judge_small(header, file);
}

void judge_link_storage(const ObjectHeader& header, const Dense* info, const GroupInfo& phase,
                        std::uint64_t links, Container& file) {
  const Place at = header.blocks.front().region().place;
  const Storage storage{.header = header,
                        .info = info,
                        .number = links,
                        .max_compact = phase.max_compact,
                        .min_dense = phase.min_dense,
                        .type = MessageType::kLink};
  if (judge<kLinksOneRule>(storage, at, file.notes))
    judge<kLinksPhaseRule>(storage, at, file.notes);
}

void judge_attribute_storage(const ObjectHeader& header, const Dense* info,
                             std::uint64_t attributes, bool large, Container& file) {
  const Place at = header.blocks.front().region().place;
  const bool stated = (header.flags & 0x10) != 0;
  const Storage storage{.header = header,
                        .info = info,
                        .number = attributes,
                        .max_compact = stated ? header.max_compact : 8U,
                        .min_dense = stated ? header.min_dense : 6U,
                        .large = large,
                        .type = MessageType::kAttribute};
  judge<kInfoFlagsRule>(storage, at, file.notes);
  judge<kOrderUniqueRule>(storage, at, file.notes);
  judge<kOrderMaximumRule>(storage, at, file.notes);
  if (judge<kAttributesOneRule>(storage, at, file.notes))
    judge<kAttributesPhaseRule>(storage, at, file.notes);
}

void judge_slack(const ObjectHeader& header, Container& file) {
  for (const Message& message : header.messages) {
    Region rest;
    if (const auto encoded = encoded_size(message, file)) {
      rest = message.data.part(*encoded);
      name_unused(rest, "padding");
      // A fault of the message may be why it seems to need fewer bytes.
      if (!file.notes.faulty(message.data))
        judge<kSlackRule>(Slack{header.version, message, *encoded}, message.data.place, file.notes);
    } else if (message.type == MessageType::kNil) {
      rest = message.data;
    }
    if (!all_zero(rest)) file.profile.left_over += rest.size();
  }
}

void name_messages(const ObjectHeader& header, Container& file) {
  if (!field_recording) return;
  for (const Message& message : header.messages)
    if ((message.flags & Message::kWasUnknown) == 0) encoded_size(message, file);
}

}  // namespace hepcheck::hdf5
