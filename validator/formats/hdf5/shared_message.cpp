#include "validator/formats/hdf5/shared_message.h"

#include <format>

#include "validator/formats/hdf5/attribute.h"
#include "validator/formats/hdf5/dataspace.h"
#include "validator/formats/hdf5/filters.h"
#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

struct SharedForm {
  bool whole;
  std::uint8_t version, kind;  // kind: 1 in the heap of shared messages, 2 in another header
  std::uint64_t address;
  const Container& file;
  Region id{};  // in the heap
};

constexpr Rule kFormRule("swmr-shared-message-form", [](const SharedForm& it, Look& look) {
  look.looked();
  if (!it.whole)
    look.fail(0,
              it.kind == 1 ? "the message ends inside its heap id"
                           : "the message ends inside its address",
              it.kind == 1 ? "the id of a message in the heap" : "the address of a header");
  else if (it.version < 1 || it.version > 3)
    look.fail(0, std::format("version {}", it.version), "version 1, 2 or 3");
  else if (it.kind != 1 && it.kind != 2)
    look.fail(1, std::format("type {}", it.kind), "1 or 2");
  else if (it.kind == 2 && !it.file.inside(it.address, 1))
    look.fail(0, std::format("header address {}", it.address), "an address inside the file");
});

// The contents.
struct SharedTarget {
  const Message* message;
  MessageType type;
};

constexpr Rule kTargetRule("swmr-shared-message-form", [](const SharedTarget& it, Look& look) {
  const auto type = static_cast<unsigned>(it.type);
  if (!it.message)
    look.fail(0, "a header without such a message", std::format("a message of type {:#x}", type));
  else if (it.message->shared())
    look.fail(0, "a message that is shared itself", "the message itself");
});

SharedForm parse(const Region& data, const Container& file) {
  Cursor read(data);
  SharedForm made{.whole = false,
                  .version = read.u8("version"),
                  .kind = read.u8("kind"),
                  .address = kUndefined,
                  .file = file};
  if (made.version < 3) {
    made.kind = 2;  // reserved byte
    if (made.version == 1) {
      read.take(6, "reserved");
      read.number(file.length_size, "name offset");
    }
  }
  constexpr std::uint64_t kHeapId = 8;
  if (made.kind == 2) made.address = read.address(file.offset_size, "address");
  if (made.kind == 1 && file.whole_format) made.id = read.take(kHeapId, "id");
  made.whole = read.good();
  name_unused(data, "padding");
  return made;
}

}  // namespace

void shared_message_rules(RuleList& list) { list.structure<kFormRule>(); }

std::optional<ObjectHeader> SharedMessages::header_of(const Region& data, MessageType type,
                                                      std::uint64_t& address) {
  any_ = true;
  const SharedForm form = parse(data, file_);
  if (!judge<kFormRule>(form, data.place, file_.notes)) return std::nullopt;
  if (form.kind == 1) {
    file_.notes.not_examined("swmr-shared-message-form",
                             "a message in the heap of shared messages");
    return std::nullopt;
  }
  address = form.address;
  std::optional<ObjectHeader> header = headers_.read(form.address);
  if (!header) {
    file_.notes.not_examined(
        "swmr-shared-message-form",
        std::format("a message in the header at {}, which is refused", file_.base + form.address));
    return std::nullopt;
  }
  if (!judge<kTargetRule>(SharedTarget{header->find(type), type}, data.place, file_.notes)) {
    if (!header->has(type)) missed_in_.insert(form.address);
    return std::nullopt;
  }
  return header;
}

bool SharedMessages::with(const Region& data, MessageType type, bool shared,
                          const std::function<bool(const Region&)>& use) {
  if (!shared) return use(data);
  if (const SharedForm form = parse(data, file_); form.kind == 1 && file_.whole_format) {
    any_ = true;
    return judge<kFormRule>(form, data.place, file_.notes) && in_heap(form.id, type, use);
  }
  std::uint64_t address = kUndefined;
  const std::optional<ObjectHeader> header = header_of(data, type, address);
  return header && use(header->find(type)->data);
}

std::optional<Datatype> SharedMessages::datatype(const Region& data, bool shared) {
  if (!shared) return read_type(data);
  const SharedForm form = parse(data, file_);
  if (form.kind == 1 && file_.whole_format) {
    std::optional<Datatype> found;
    with(data, MessageType::kDatatype, true, [&](const Region& message) {
      found = read_datatype(message, file_);
      return found.has_value();
    });
    return found;
  }
  if (const auto known = types_.find(form.address);
      known != types_.end() && form.kind == 2 && known->second) {
    if (!judge<kFormRule>(form, data.place, file_.notes)) return std::nullopt;
    return known->second;
  }
  std::uint64_t address = kUndefined;
  const std::optional<ObjectHeader> header = header_of(data, MessageType::kDatatype, address);
  if (!header) return std::nullopt;
  return committed(address, header->find(MessageType::kDatatype)->data);
}

bool SharedMessages::attribute(const Region& id, const std::function<bool(const Region&)>& use) {
  any_ = true;
  return in_heap(id, MessageType::kAttribute, use);
}

bool SharedMessages::in_heap(const Region& id, MessageType type,
                             const std::function<bool(const Region&)>& use) {
  return table_.use(
      id, type, [&](const Region& message, MessageType each) { return plain(message, each); }, use);
}

// Whether a message of the heap is sound. The size of a fill value depends on its dataset.
bool SharedMessages::plain(const Region& message, MessageType type) {
  switch (type) {
    case MessageType::kDataspace: return read_dataspace(message, file_).has_value();
    case MessageType::kDatatype: return read_datatype(message, file_).has_value();
    case MessageType::kFilters: return read_filters(message, file_).has_value();
    case MessageType::kAttribute: return read_attribute(message, false, file_, *this).has_value();
    default: return true;
  }
}

std::optional<Datatype> SharedMessages::read_type(const Region& message) {
  if (!file_.for_values) return read_datatype(message, file_);
  if (const Datatype* known = equal_types_.find(message)) return *known;
  std::optional<Datatype> read = read_datatype(message, file_);
  if (!read || file_.notes.errors().any() || !equal_types_.has_room(message)) return read;
  read->number = equal_types_.size();
  return equal_types_.keep(message, *std::move(read));
}

std::optional<Datatype> SharedMessages::committed(std::uint64_t address, const Region& message) {
  const auto known = types_.find(address);
  if (known != types_.end()) return known->second;
  return types_.emplace(address, read_datatype(message, file_)).first->second;
}

}  // namespace hepcheck::hdf5
