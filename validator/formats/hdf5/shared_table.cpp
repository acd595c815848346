#include "validator/formats/hdf5/shared_table.h"

#include <algorithm>
#include <format>
#include <set>
#include <tuple>
#include <utility>

#include "validator/formats/hdf5/addresses.h"
#include "validator/formats/hdf5/btree2.h"
#include "validator/formats/hdf5/pages.h"
#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

constexpr std::uint8_t kList = 0, kTree = 1, kInHeap = 0, kInHeader = 1;
constexpr std::uint64_t kIdBytes = 8;
// Dataspace, datatype, fill value, filters and attribute.
constexpr unsigned kShareable = 0x182a;
constexpr unsigned kTypes = 16;

// The bit of a type in the mask of an index: old and new fill values are one.
unsigned type_bit(unsigned type) {
  constexpr auto kOld = static_cast<unsigned>(MessageType::kOldFill);
  return type == kOld ? static_cast<unsigned>(MessageType::kFill) : type;
}

// --- The message and the table ------------------------------------------------------------------

struct TableMessage {
  std::uint8_t version = 0;
  std::uint64_t address = kUndefined;
  unsigned indexes = 0;
  bool whole = false;
};

void message_version(const TableMessage& it, Look& look) {
  look.looked();
  if (it.version != 0) look.fail(0, std::format("version {}", it.version), "version 0");
}

void message_fits(const TableMessage& it, Look& look) {
  constexpr unsigned kMostIndexes = 8;
  look.looked();
  if (!it.whole)
    look.fail(0, "a message that ends before its last field", "an address and a number");
  else if (it.address == kUndefined)
    look.fail(1, "an undefined address of the table", "an address");
  else if (it.indexes == 0 || it.indexes > kMostIndexes)
    look.fail(1, std::format("{} indexes", it.indexes), "1 to 8");
}

constexpr Rule<TableMessage> kTableMessageRules[] = {
    {"h5-sohm-message-version", message_version},
    {"h5-sohm-message-fits", message_fits},
};

struct TableBlock {
  Region region;
  Summed sum;
};

void table_signature(const TableBlock& it, Look& look) {
  look.looked();
  if (!it.region.begins("SMTB")) look.fail(0, "other bytes", "SMTB");
}

void table_checksum(const TableBlock& it, Look& look) {
  look.looked();
  if (!it.sum.good())
    look.fail(it.sum.at, std::format("checksum {:08x}", it.sum.stored),
              std::format("{:08x}, that of the bytes before it", it.sum.computed));
}

constexpr Rule<TableBlock> kTableRules[] = {
    {"h5-sohm-table-signature", table_signature},
    {"h5-sohm-table-checksum", table_checksum},
};

struct TypesOfTable {
  unsigned twice;  // bits of two indexes
};

constexpr Rule kTypesOnceRule("h5-sohm-index-types-once", [](const TypesOfTable& it, Look& look) {
  look.looked();
  if (it.twice != 0)
    look.fail(0, std::format("two indexes with the types {:#06x}", it.twice),
              "one index for each type");
});

// --- Indexes ------------------------------------------------------------------------------------

struct IndexHeader {
  std::uint8_t version, kind;
  unsigned types;
  std::uint16_t list_cutoff, tree_cutoff, messages;
  std::uint64_t address, heap;

  bool cutoffs_fit() const { return tree_cutoff <= list_cutoff + 1; }
};

void index_version(const IndexHeader& it, Look& look) {
  look.looked();
  if (it.version != 0) look.fail(0, std::format("version {}", it.version), "version 0");
}

void index_kind(const IndexHeader& it, Look& look) {
  look.looked();
  if (it.kind > kTree) look.fail(1, std::format("kind {}", it.kind), "0, a list, or 1, a B-tree");
}

void index_addresses(const IndexHeader& it, Look& look) {
  look.looked();
  const bool any = it.address != kUndefined || it.heap != kUndefined;
  const bool both = it.address != kUndefined && it.heap != kUndefined;
  if (it.messages > 0 && !both)
    look.fail(14,
              std::format("{} messages without {}", it.messages,
                          it.heap == kUndefined ? "a heap" : "an index"),
              "the addresses of an index and a heap");
  else if (it.messages == 0 && any)
    look.fail(14, "addresses of an index without messages", "undefined addresses");
}

void list_capacity(const IndexHeader& it, Look& look) {
  if (it.kind != kList) return;
  look.looked();
  if (it.messages > it.list_cutoff)
    look.fail(12, std::format("a list of {} messages", it.messages),
              std::format("{} at most, its cutoff", it.list_cutoff));
}

void index_types(const IndexHeader& it, Look& look) {
  look.looked();
  if ((it.types & ~kShareable) != 0)
    look.fail(2, std::format("the types {:#06x}", it.types),
              "bits 1, 3, 5, 11 and 12 only, of messages that can be shared");
}

void index_cutoffs(const IndexHeader& it, Look& look) {
  look.looked();
  if (!it.cutoffs_fit())
    look.fail(8, std::format("lists up to {}, trees from {}", it.list_cutoff, it.tree_cutoff),
              "no number of messages between the two");
}

void tree_needed(const IndexHeader& it, Look& look) {
  if (it.kind != kTree || !it.cutoffs_fit()) return;
  look.looked();
  if (it.messages < it.tree_cutoff)
    look.fail(12, std::format("a tree of {} messages", it.messages),
              std::format("a list below {} messages", it.tree_cutoff));
}

constexpr Rule<IndexHeader> kIndexFormRules[] = {
    {"h5-sohm-index-version", index_version},
    {"h5-sohm-index-kind", index_kind},
};
constexpr Rule<IndexHeader> kIndexRemarks[] = {
    {"h5-sohm-index-types", index_types},
    {"h5-sohm-index-cutoffs", index_cutoffs},
    {"h5-sohm-tree-needed", tree_needed},
};
constexpr Rule<IndexHeader> kIndexRules[] = {
    {"h5-sohm-index-addresses", index_addresses},
    {"h5-sohm-list-capacity", list_capacity},
};

void list_signature(const TableBlock& it, Look& look) {
  look.looked();
  if (!it.region.begins("SMLI")) look.fail(0, "other bytes", "SMLI");
}

constexpr Rule<TableBlock> kMessageListRules[] = {
    {"h5-sohm-list-signature", list_signature},
    {"h5-sohm-list-checksum", table_checksum},
};

struct RecordCount {
  std::uint64_t stated, found;
};

constexpr Rule kRecordCountRule("h5-sohm-count", [](const RecordCount& it, Look& look) {
  look.looked();
  if (it.stated != it.found)
    look.fail(12, std::format("{} messages", it.stated),
              std::format("{}, the records of the tree", it.found));
});

struct RecordOrder {
  std::uint32_t before, hash;
};

constexpr Rule kRecordOrderRule("h5-sohm-record-order", [](const RecordOrder& it, Look& look) {
  look.looked();
  if (it.hash < it.before)
    look.fail(1, std::format("hash {:08x} after {:08x}", it.hash, it.before),
              "records that ascend by hash");
});

// --- Records ------------------------------------------------------------------------------------

struct RecordLocation {
  std::uint8_t location;
};

constexpr Rule kLocationRule("h5-sohm-record-location", [](const RecordLocation& it, Look& look) {
  look.looked();
  if (it.location > kInHeader)
    look.fail(0, std::format("location {}", it.location), "0, the heap, or 1, a header");
});

struct HeapMessage {
  std::uint64_t size;
};

constexpr Rule kHeapMessageRule("h5-sohm-record-heap-message",
                                [](const HeapMessage& it, Look& look) {
                                  look.looked();
                                  if (it.size == 0)
                                    look.fail(9, "an empty object of the heap", "a message");
                                });

struct RecordHash {
  std::uint32_t stated;
  bool fits;
};

constexpr Rule kMessageHashRule("h5-sohm-record-hash", [](const RecordHash& it, Look& look) {
  look.looked();
  if (!it.fits)
    look.fail(1, std::format("hash {:08x}", it.stated),
              "the hash of the message, with its type as initial value");
});

struct HeaderMessage {
  std::uint8_t type;
  std::uint64_t address;
  std::string trouble;  // empty if the header has the message
};

constexpr Rule kHeaderMessageRule("h5-sohm-record-header-message", [](const HeaderMessage& it,
                                                                      Look& look) {
  look.looked();
  if (!it.trouble.empty())
    look.fail(
        5,
        std::format("a message of type {:#x} at address {}: {}", it.type, it.address, it.trouble),
        "a header that holds the message");
});

struct MessageMinimum {
  std::uint64_t size, minimum;
};

constexpr Rule kMinimumRule("h5-sohm-message-minimum", [](const MessageMinimum& it, Look& look) {
  look.looked();
  if (it.size < it.minimum)
    look.fail(9, std::format("a shared message of {} bytes", it.size),
              std::format("{} bytes at least, the threshold of its index", it.minimum));
});

struct RecordTwice {
  bool again;
};

constexpr Rule kRecordOnceRule("h5-sohm-record-once", [](const RecordTwice& it, Look& look) {
  look.looked();
  if (it.again) look.fail(0, "a second record of one message", "a record for each message");
});

// --- Uses ---------------------------------------------------------------------------------------

struct MessageUse {
  MessageType type;
  std::string trouble;
};

constexpr Rule kUseRule("h5-sohm-use-known", [](const MessageUse& it, Look& look) {
  look.looked();
  if (!it.trouble.empty())
    look.fail(0,
              std::format("a shared message of type {:#x}: {}", static_cast<unsigned>(it.type),
                          it.trouble),
              "a message that the index of its type knows");
});

struct PlainMessage {
  bool sound;
};

constexpr Rule kPlainRule("h5-sohm-message-plain", [](const PlainMessage& it, Look& look) {
  look.looked();
  if (!it.sound)
    look.fail(9, "a message in the heap that is not sound, or is in shared form itself",
              "a message as a header would hold it");
});

struct UseCount {
  std::uint64_t stated, uses, copies;
};

void reference_count(const UseCount& it, Look& look) {
  look.looked();
  if (it.stated < it.uses)
    look.fail(5, std::format("reference count {}, with {} uses", it.stated, it.uses),
              std::format("{} at least", it.uses),
              "The message would be freed while objects still use it.");
}

void reference_excess(const UseCount& it, Look& look) {
  look.looked();
  if (it.stated > it.uses + it.copies)
    look.fail(5,
              std::format("reference count {}, with {} uses and {} own copies", it.stated, it.uses,
                          it.copies),
              std::format("{} at most", it.uses + it.copies));
}

constexpr Rule kUseCountRule("h5-sohm-reference-count", reference_count);
constexpr Rule kUseExcessRule("h5-sohm-reference-count-excess", reference_excess);

// A message of a version 1 header may be padded with up to seven zeros, which the hash leaves out.
std::vector<std::uint32_t> hashes_of(const Region& message, std::uint32_t type) {
  constexpr std::size_t kPadding = 7;
  std::vector<std::uint32_t> found{lookup3(message.bytes, type)};
  auto bytes = message.bytes;
  for (std::size_t i = 0; i < kPadding && !bytes.empty() && bytes.back() == std::byte{0}; ++i) {
    bytes = bytes.first(bytes.size() - 1);
    found.push_back(lookup3(bytes, type));
  }
  return found;
}

}  // namespace

void shared_table_rules(RuleList& list) {
  list.structure<kTableMessageRules, kTableRules, kTypesOnceRule, kIndexFormRules, kIndexRemarks,
                 kIndexRules, kMessageListRules, kRecordCountRule, kRecordOrderRule, kLocationRule,
                 kHeapMessageRule, kMessageHashRule, kHeaderMessageRule, kMinimumRule,
                 kRecordOnceRule, kUseRule, kPlainRule, kUseCountRule, kUseExcessRule>();
}

bool SharedTable::Index::tracks(unsigned type) const {
  return type < kTypes && (types >> type_bit(type) & 1U) != 0;
}

std::uint64_t SharedTable::record_size() const {
  return 5 + std::max<std::uint64_t>(12, 4 + std::uint64_t{file_.offset_size});
}

void SharedTable::read(const Region& message) {
  state_ = State::kUnreadable;
  Cursor fields(message);
  TableMessage stated{.version = fields.u8("version")};
  stated.address = fields.address(file_.offset_size, "address");
  stated.indexes = fields.u8("indexes");
  stated.whole = fields.good();
  if (!judge<kTableMessageRules>(stated, message.place, file_.notes)) return;
  const std::uint64_t size =
      4 + stated.indexes * (14 + 2 * std::uint64_t{file_.offset_size}) + kChecksum;
  const auto block = file_.block("SMTB", stated.address, size);
  if (!block) return;
  const Region table = block->region();
  Cursor(table).take(4, "signature");
  if (!judge<kTableRules>(TableBlock{table, sum_of(table)}, table.place, file_.notes)) return;
  file_.accept("SMTB", stated.address, size);
  state_ = State::kRead;
  parse(table, stated.indexes);
  for (Index& index : indexes_) read_index(index);
}

bool SharedTable::parse(const Region& table, unsigned count) {
  const std::uint64_t size = 14 + 2 * std::uint64_t{file_.offset_size};
  TypesOfTable types{0};
  unsigned known = 0;
  for (unsigned i = 0; i < count; ++i) {
    const Region header = table.part(4 + i * size, size);
    Cursor read(header);
    Index index{.version = read.u8("version"),
                .kind = read.u8("kind"),
                .types = read.u16("types"),
                .at = header.place};
    index.minimum = read.u32("minimum");
    index.list_cutoff = read.u16("list cutoff");
    index.tree_cutoff = read.u16("tree cutoff");
    index.messages = read.u16("messages");
    index.address = read.address(file_.offset_size, "address");
    index.heap_address = read.address(file_.offset_size, "heap address");
    types.twice |= known & index.types;
    known |= index.types;
    indexes_.push_back(std::move(index));
  }
  types_twice_ = types.twice != 0;
  // A mask that has other bits may lack some.
  for (Index& index : indexes_)
    index.types_doubtful = (index.types & ~kShareable) != 0 || types_twice_;
  return judge<kTypesOnceRule>(types, table.place, file_.notes);
}

void SharedTable::read_index(Index& index) {
  const IndexHeader header{index.version,     index.kind,     index.types,   index.list_cutoff,
                           index.tree_cutoff, index.messages, index.address, index.heap_address};
  if (!judge<kIndexFormRules>(header, index.at, file_.notes)) return;
  // The tree tells whether the number is wrong, or the addresses are.
  if (index.kind == kTree && index.messages == 0 && index.address != kUndefined && !tree(index))
    return;
  if (!judge<kIndexRules>(header, index.at, file_.notes)) return;
  judge_each<kIndexRemarks>(header, index.at, file_.notes);
  if (index.messages == 0) {
    index.sound = index.known = true;
    return;
  }
  auto heap = FractalHeap::read(index.heap_address, file_, kIdBytes);
  if (heap) index.heap = std::make_unique<FractalHeap>(std::move(*heap));
  index.sound = (index.kind == kList ? list(index) : tree(index)) && index.heap;
  if (index.sound) judge_records(index);
}

bool SharedTable::list(Index& index) {
  const std::uint64_t size = 4 + index.list_cutoff * record_size() + kChecksum;
  const auto block = file_.block("SMLI", index.address, size);
  if (!block) return false;
  const Region all = block->region();
  Cursor(all).take(4, "signature");
  const Region used = all.part(0, 4 + index.messages * record_size() + kChecksum);
  if (!judge<kMessageListRules>(TableBlock{used, sum_of(used)}, all.place, file_.notes))
    return false;
  file_.accept("SMLI", index.address, size);
  name_unused(all.part(used.size()));
  for (unsigned i = 0; i < index.messages; ++i)
    index.records.push_back(parse_record(used.part(4 + i * record_size(), record_size())));
  return true;
}

bool SharedTable::tree(Index& index) {
  const Tree2Wanted wanted{.type = Tree2Type::kSharedMessages, .record_size = record_size()};
  const bool sound = walk_tree2(index.address, wanted, file_, [&](const Region& region) {
    Record record = parse_record(region);
    const bool ascends =
        index.records.empty() ||
        judge<kRecordOrderRule>(RecordOrder{index.records.back().hash, record.hash}, region.place,
                                file_.notes);
    index.records.push_back(std::move(record));
    return ascends;
  });
  return sound && judge<kRecordCountRule>(RecordCount{index.messages, index.records.size()},
                                          index.at, file_.notes);
}

SharedTable::Record SharedTable::parse_record(const Region& region) const {
  Cursor read(region);
  Record made{.location = read.u8("location"), .hash = read.u32("hash"), .at = region.place};
  if (made.location == kInHeader) {
    read.take(1, "reserved");
    made.type = read.u8("type");
    made.number = read.u16("number");
    made.address = read.address(file_.offset_size, "address");
  } else {
    made.count = read.u32("count");
    const auto id = read.take(kIdBytes, "id").bytes;
    made.id.assign(reinterpret_cast<const char*>(id.data()), id.size());
  }
  name_unused(region.part(read.at()));
  return made;
}

void SharedTable::judge_records(Index& index) {
  std::vector<Region> ids;
  for (const Record& record : index.records)
    if (record.location == kInHeap) ids.push_back({std::as_bytes(std::span(record.id)), record.at});
  if (!index.heap->take_ids(ids, file_)) {
    index.sound = false;
    return;
  }
  std::set<std::tuple<std::string, std::uint32_t, std::uint64_t, unsigned, unsigned>> seen;
  bool sound = true;
  for (std::size_t i = 0; i < index.records.size(); ++i) {
    Record& record = index.records[i];
    record.sound =
        judge<kLocationRule>(RecordLocation{record.location}, record.at, file_.notes) &&
        (record.location == kInHeap ? heap_record(index, record) : header_record(index, record));
    sound &= record.sound;
    if (file_.exhausted()) {
      index.sound = false;
      return;
    }
    const std::string id = key_of_heap_id(std::as_bytes(std::span(record.id)));
    if (record.sound) {
      const auto key = std::tuple(id, record.hash, record.address, record.type, record.number);
      sound &=
          judge<kRecordOnceRule>(RecordTwice{!seen.insert(key).second}, record.at, file_.notes);
    }
    if (record.location == kInHeap) index.by_id.try_emplace(id, i);
  }
  index.known = sound && !index.types_doubtful;
  if (sound) index.heap->judge_index(file_);
}

bool SharedTable::heap_record(Index& index, Record& record) {
  const Region id{std::as_bytes(std::span(record.id)), record.at};
  const std::optional<Region> message = index.heap->object(id, file_);
  if (!message || !file_.charge(message->size()) ||
      !judge<kHeapMessageRule>(HeapMessage{message->size()}, record.at, file_.notes))
    return false;
  RecordHash hash{record.hash, false};
  for (unsigned type = 0; type < kTypes; ++type)
    if ((index.tracks(type) ||
         (index.types_doubtful && (kShareable >> type_bit(type) & 1U) != 0)) &&
        lookup3(message->bytes, type) == record.hash)
      hash.fits = true;
  if (!judge<kMessageHashRule>(hash, record.at, file_.notes)) return false;
  judge<kMinimumRule>(MessageMinimum{message->size(), index.minimum}, record.at, file_.notes);
  return true;
}

bool SharedTable::header_record(const Index& index, Record& record) {
  HeaderMessage judged{record.type, record.address, {}};
  if (!index.tracks(record.type) && !types_twice_) {
    judged.trouble = "a type that the index does not track";
  } else if (!file_.inside(record.address, 1)) {
    judged.trouble = "an address outside the file";
  } else {
    // The header is judged when the walk comes to it.
    const NoAddresses none;
    const Notes::Silence silence(file_.notes);
    const auto header = Headers(file_).read(record.address);
    bool found = false;
    if (header)
      for (const Message& each : header->messages)
        if (static_cast<unsigned>(each.type) == record.type && !each.shared())
          found |= std::ranges::contains(hashes_of(each.data, record.type), record.hash);
    if (!header || !found) {
      missed_.push_back(
          {record.type, record.address, header ? "no such message" : "no sound header", record.at});
      return false;
    }
  }
  return judge<kHeaderMessageRule>(judged, record.at, file_.notes);
}

// A header with a finding of its own is one defect with its message.
void SharedTable::judge_missed() {
  for (const Missed& each : missed_)
    if (!file_.notes.faulty_block(file_.base + each.address))
      judge<kHeaderMessageRule>(HeaderMessage{each.type, each.address, each.trouble}, each.at,
                                file_.notes);
}

bool SharedTable::use(const Region& id, MessageType type, const Plain& plain,
                      const std::function<bool(const Region&)>& use) {
  if (state_ == State::kUnreadable) {
    refused_elsewhere_ = true;
    return false;
  }
  MessageUse judged{type, {}};
  const auto refuse = [&](std::string trouble) {
    judged.trouble = std::move(trouble);
    return judge<kUseRule>(judged, id.place, file_.notes);
  };
  if (state_ == State::kNone) return refuse("the file has no table of shared messages");
  const auto index = std::ranges::find_if(
      indexes_, [&](const Index& each) { return each.tracks(static_cast<unsigned>(type)); });
  // What is refused, or not known, may be what would tell the message.
  const auto silent = [&] {
    refused_elsewhere_ = true;
    return false;
  };
  if (index == indexes_.end())
    return std::ranges::all_of(indexes_, &Index::known)
               ? refuse("no index tracks messages of this type")
               : silent();
  if (!index->sound) return silent();
  const auto found = index->by_id.find(key_of_heap_id(id.bytes));
  if (found == index->by_id.end())
    return index->known ? refuse("a heap id that no record has") : silent();
  judge<kUseRule>(judged, id.place, file_.notes);
  FractalHeap::judge_reserved(id, file_);
  Record& record = index->records[found->second];
  if (!record.sound) return silent();
  std::optional<Region> message;
  {
    const Notes::Silence silence(file_.notes);
    message = index->heap->object(id, file_);
  }
  if (!message || !file_.charge(message->size())) return false;
  // The hash of the message is in the index.
  const FixedBytes fixed;
  constexpr std::byte kHugeId{0x10};
  if (id.bytes.front() == kHugeId) {
    record.huge.assign(message->bytes.begin(), message->bytes.end());
    message->bytes = record.huge;
  }
  const bool counted = counting_ && !file_.notes.silent();
  if (!record.plain) {
    counting_ = false;
    const bool refused_before = std::exchange(refused_elsewhere_, false);
    {
      const Notes::Silence silence(file_.notes);
      record.plain = plain(*message, type);
    }
    record.part_refused = !*record.plain && refused_elsewhere_;
    refused_elsewhere_ = refused_before;
    counting_ = counted;
  }
  // A part that is shared itself has a record of its own, which its use below judges.
  if (!record.part_refused && !record.plain_judged && !file_.notes.silent()) {
    record.plain_judged = true;
    judge<kPlainRule>(PlainMessage{*record.plain}, record.at, file_.notes);
  }
  if (counted) ++record.uses;
  if (!*record.plain && !record.part_refused) {
    refused_elsewhere_ = true;
    return false;
  }
  // The shared parts of one attribute count once, however often the attribute is used.
  const bool before = std::exchange(counting_, counted && record.uses == 1);
  const bool good = use(*message);
  counting_ = before;
  return good;
}

void SharedTable::own_copy(const Message& message) {
  if (state_ != State::kRead || message.shared() || (message.flags & Message::kShareable) == 0)
    return;
  const unsigned type = static_cast<unsigned>(message.type);
  if (type >= kTypes || (kShareable >> type_bit(type) & 1U) == 0) return;
  for (const std::uint32_t hash : hashes_of(message.data, type)) ++copies_[hash];
}

void SharedTable::judge_counts() {
  // What is refused may have more uses than were found. One of an unknown message is none.
  const std::size_t unknown = file_.notes.error("h5-sohm-use-known") ? 1 : 0;
  const bool all_found =
      file_.notes.broken_by_errors() <= unknown && std::ranges::all_of(indexes_, &Index::known);
  for (const Index& index : indexes_) {
    if (!index.sound) continue;
    for (const Record& record : index.records) {
      if (record.location != kInHeap || !record.sound) continue;
      const auto copies = copies_.find(record.hash);
      const UseCount judged{record.count, record.uses,
                            copies == copies_.end() ? 0 : copies->second};
      if (judge<kUseCountRule>(judged, record.at, file_.notes) && all_found)
        judge<kUseExcessRule>(judged, record.at, file_.notes);
    }
  }
}

}  // namespace hepcheck::hdf5
