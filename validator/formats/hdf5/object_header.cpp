#include "validator/formats/hdf5/object_header.h"

#include <algorithm>
#include <format>
#include <set>
#include <utility>
#include <vector>

#include "validator/formats/hdf5/addresses.h"
#include "validator/formats/hdf5/fields.h"
#include "validator/formats/hdf5/lookup3.h"

namespace hepcheck::hdf5 {

namespace {

constexpr std::string_view kVersion1 = "object header", kVersion2 = "OHDR",
                           kContinuation1 = "continuation", kContinuation2 = "OCHK";

HeaderBegin begin_of(const Region& bytes) {
  Cursor read(bytes);
  HeaderBegin begin{
      .version = 0, .first = read.u8(), .signature = bytes.begins("OHDR"), .second = 0};
  read.skip(3);
  begin.second = read.u8();
  if (begin.signature && begin.second == 2)
    begin.version = 2;
  else if (begin.first == 1)
    begin.version = 1;
  return begin;
}

std::uint32_t checksum_of(const Region& block) {
  Cursor read(block.part(block.size() - kChecksum));
  return read.u32("checksum");
}

std::uint32_t computed_checksum(const Region& block) {
  const Region summed = block.part(0, block.size() - kChecksum);
  if (address_recording) record_checksum(summed, summed.size());
  return lookup3(summed.bytes);
}

// The minimum bytes of a message for the address and the sizes in it.
std::uint64_t least_size(std::uint16_t type, const Container& file) {
  switch (static_cast<MessageType>(type)) {
    case MessageType::kContinuation: return file.offset_size + file.length_size;
    case MessageType::kSymbolTable: return 2 * file.offset_size;
    case MessageType::kReferenceCount: return 5;
    default: return 0;
  }
}

// Reads one header, block by block.
class HeaderReader {
 public:
  HeaderReader(Container& file, std::uint64_t address) : file_(file) { header_.address = address; }

  std::optional<ObjectHeader> read() {
    if (!first_block()) return std::nullopt;
    // Each may add others.
    for (std::size_t i = 0; i < continuations_.size(); ++i) {
      const auto [address, size, at] = continuations_[i];
      if (!continuation(address, size, at)) return std::nullopt;
    }
    const Place place = header_.blocks.front().region().place;
    if (!holds(header_, place, file_.notes) || !examined()) return std::nullopt;
    if (const Message* count = header_.find(MessageType::kReferenceCount)) {
      Cursor read(count->data);
      read.u8("version");
      header_.references = read.u32("references");
    }
    for (const Block& block : header_.blocks) {
      const Region region = block.region();
      file_.accept(region.place.kind, region.place.block - file_.base, region.size());
    }
    return std::move(header_);
  }

 private:
  struct Next {
    std::uint64_t address, size;
    Place at;  // of the message that requests it
  };

  bool first_block() {
    constexpr std::uint64_t kLongestPrefix = 4 + 2 + 16 + 4 + 8;
    const auto start = file_.beginning("object header", header_.address, kLongestPrefix);
    if (!start) return false;
    const HeaderBegin begin = begin_of(start->region());
    if (!holds(begin, start->region().place, file_.notes)) return false;
    header_.version = begin.version;
    return begin.version == 1 ? first_block_1(start->region()) : first_block_2(start->region());
  }

  bool first_block_1(const Region& start) {
    constexpr std::uint64_t kPrefix = 16;
    Cursor read(start);
    read.u8("version");
    header_.reserved = read.u8("reserved") != 0;
    header_.stated_messages = read.u16("stated messages");
    header_.references = read.u32("references");
    const std::uint64_t size = read.u32("size");
    header_.reserved |= read.u32("reserved") != 0;
    return add(kVersion1, header_.address, kPrefix + size) && messages(kPrefix, 0);
  }

  bool first_block_2(const Region& start) {
    Cursor read(start);
    read.take(4, "signature");
    read.u8("version");
    header_.flags = read.u8("flags");
    if ((header_.flags & 0x20) != 0) read.take(16, "times");
    if ((header_.flags & 0x10) != 0) {
      header_.max_compact = read.u16("max compact");
      header_.min_dense = read.u16("min dense");
    }
    const std::uint64_t size = read.number(1U << (header_.flags & 3U), "size");
    const std::uint64_t prefix = read.at();
    if (!add(kVersion2, header_.address, sum(prefix + kChecksum, size))) return false;
    const Region block = header_.blocks.back().region();
    const HeaderPrefix judged{header_, checksum_of(block), computed_checksum(block),
                              block.size() - kChecksum};
    return holds(judged, block.place, file_.notes) && messages(prefix, kChecksum);
  }

  bool continuation(std::uint64_t address, std::uint64_t size, const Place& at) {
    const bool again = address == header_.address || !continued_.insert(address).second;
    const Continuation judged{header_.version, address, size, again};
    if (!holds(judged, at, file_.notes)) return false;
    if (header_.version == 1) return add(kContinuation1, address, size) && messages(0, 0);
    if (!add(kContinuation2, address, size)) return false;
    const Region block = header_.blocks.back().region();
    Cursor(block).take(4, "signature");
    return holds(ContinuationBlock{block, checksum_of(block), computed_checksum(block)},
                 block.place, file_.notes) &&
           messages(4, kChecksum);
  }

  bool add(std::string_view kind, std::uint64_t address, std::uint64_t size) {
    auto block = file_.block(kind, address, size);
    if (!block) return false;
    header_.blocks.push_back(std::move(*block));
    return true;
  }

  // The messages of the last block, between those before and those after.
  bool messages(std::uint64_t before, std::uint64_t behind) {
    const Region block = header_.blocks.back().region();
    const Region all = block.part(before, block.size() - before - behind);
    const std::uint64_t prefix = header_.version == 1 ? 8 : (header_.flags & 4) != 0 ? 6 : 4;
    const std::size_t first = header_.messages.size();
    constexpr std::uint64_t kUsual = 16;  // messages
    if (first == 0) header_.messages.reserve(std::min(all.size() / prefix, kUsual));
    Cursor read(all);
    while (read.rest() > 0 && (header_.version == 1 || read.rest() >= prefix)) {
      const Region here = all.part(read.at());
      MessageFrame frame{.version = header_.version,
                         .type = 0,
                         .size = 0,
                         .rest = read.rest(),
                         .prefix = read.rest() >= prefix,
                         .least = 0};
      Message message;
      if (frame.prefix) {
        frame.type = header_.version == 1 ? read.u16("message type") : read.u8("message type");
        frame.size = read.u16("message size");
        message.flags = read.u8("message flags");
        if (header_.version == 1)
          message.reserved = read.number(3, "reserved") != 0;
        else if (prefix > 4)
          message.order = read.u16("message order");
        frame.rest = read.rest();
        frame.least = least_size(frame.type, file_);
      }
      if (!holds(frame, here.place, file_.notes)) return false;
      message.type = static_cast<MessageType>(frame.type);
      message.data = read.take(frame.size);
      if (field_recording) record_group(message.data, message_name(frame.type));
      if (message.type == MessageType::kNil) name_unused(message.data);
      if (address_recording && frame.type > kLastKnownType)
        address_recording->meet_unknown_message();
      if (field_recording)
        record_rest(message.data.place, frame.size, Rest::kNotDecoded, "not decoded");
      header_.messages.push_back(message);
    }
    name_unused(all.part(read.at()), "gap");
    return judge_messages(first, all.part(read.at()));
  }

  // The messages of a block, beginning with `first`. `rest`: the remaining bytes.
  bool judge_messages(std::size_t first, const Region& rest) {
    bool nil = false;
    for (std::size_t i = first; i < header_.messages.size(); ++i) {
      const Message& message = header_.messages[i];
      nil |= message.type == MessageType::kNil;
      if (!holds(message, message.data.place, file_.notes)) return false;
      if (message.type != MessageType::kContinuation) continue;
      Cursor read(message.data);
      const std::uint64_t address = read.address(file_.offset_size, "address");
      continuations_.push_back(
          {address, read.number(file_.length_size, "length"), message.data.place});
    }
    return header_.version == 1 || holds(Gap{rest.size(), nil}, rest.place, file_.notes);
  }

  // A message of an unknown type may require readers to leave the object alone.
  bool examined() {
    for (const Message& message : header_.messages) {
      const auto type = static_cast<std::uint16_t>(message.type);
      if (type <= kLastKnownType || (message.flags & Message::kFailAlways) == 0) continue;
      file_.notes.not_examined(
          "swmr-ohdr-message-flags",
          std::format(
              "a message of the unknown type {:#x} requires readers to leave the object alone",
              type));
      return false;
    }
    return true;
  }

  Container& file_;
  ObjectHeader header_{};
  std::vector<Next> continuations_{};
  std::set<std::uint64_t> continued_{};  // addresses of blocks behind the first
};

}  // namespace

const Message* ObjectHeader::find(MessageType type) const {
  const auto it = std::ranges::find(messages, type, &Message::type);
  return it == messages.end() ? nullptr : &*it;
}

const Message* ObjectHeader::second(MessageType type) const {
  const auto first = std::ranges::find(messages, type, &Message::type);
  if (first == messages.end()) return nullptr;
  const auto it = std::ranges::find(first + 1, messages.end(), type, &Message::type);
  return it == messages.end() ? nullptr : &*it;
}

std::optional<ObjectHeader> Headers::read(std::uint64_t address) {
  const bool* const known = sound_.find(address);
  if (!known) {
    std::optional<ObjectHeader> header = HeaderReader(file_, address).read();
    sound_.try_emplace(address, header.has_value());
    return header;
  }
  if (!*known) return std::nullopt;
  const Notes::Silence silence(file_.notes);
  return HeaderReader(file_, address).read();
}

std::optional<ObjectHeader> Headers::peek(std::uint64_t address) {
  const NoAddresses none;
  const Notes::Silence silence(file_.notes);
  return HeaderReader(file_, address).read();
}

}  // namespace hepcheck::hdf5
