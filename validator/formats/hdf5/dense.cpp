#include "validator/formats/hdf5/dense.h"

#include <algorithm>
#include <format>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "validator/formats/hdf5/fractal_heap.h"
#include "validator/formats/hdf5/lookup3.h"
#include "validator/formats/hdf5/names.h"
#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

constexpr std::uint64_t kLinkId = 7, kAttributeId = 8;
constexpr std::uint8_t kShared = 2;  // of the flags of an attribute's record

// A record of a name index.
struct NameRecord {
  Region id{};
  std::uint32_t hash = 0;
  std::uint8_t flags = 0;
  std::uint64_t order = 0;  // of creation, of an attribute
  Place place{};
};

NameRecord parse(const Region& record, Tree2Type type) {
  Cursor read(record);
  NameRecord made{.place = record.place};
  if (type == Tree2Type::kLinkNames) {
    made.hash = read.u32("hash");
    made.id = read.take(kLinkId);
    name_contents(made.id, "id");
  } else {
    made.id = read.take(kAttributeId);
    name_contents(made.id, "id");
    made.flags = read.u8("flags");
    made.order = read.u32("order");
    made.hash = read.u32("hash");
  }
  return made;
}

struct Hash {
  std::uint32_t stated;
  const std::string& name;
};

constexpr Rule kHashRule("swmr-dense-name-hash", [](const Hash& it, Look& look) {
  look.looked();
  const std::uint32_t hash = lookup3(std::as_bytes(std::span(it.name)));
  if (it.stated != hash)
    look.fail(0, std::format("hash {:08x} of \"{}\"", it.stated, it.name),
              std::format("{:08x}", hash));
});

struct Order {
  std::uint32_t hash, before_hash;
  const std::string& name;
  const std::string& before;
};

constexpr Rule kNameOrderRule("swmr-dense-record-order", [](const Order& it, Look& look) {
  look.looked();
  if (it.hash < it.before_hash || (it.hash == it.before_hash && it.name < it.before))
    look.fail(0,
              std::format("\"{}\" with the hash {:08x} after \"{}\" with {:08x}", it.name, it.hash,
                          it.before, it.before_hash),
              "records that ascend by hash, then by name");
});

struct RecordFlags {
  std::uint8_t flags;
};

constexpr Rule kRecordFlagsRule("h5-attribute-record-flags", [](const RecordFlags& it, Look& look) {
  constexpr unsigned kKnown = 0x47, kSharedNever = 0x06;
  look.looked();
  if ((it.flags & ~kKnown) != 0 || (it.flags & kSharedNever) == kSharedNever)
    look.fail(8, std::format("message flags {:#04x}", it.flags),
              "flags 0x01, 0x02, 0x04 and 0x40, not 0x02 with 0x04");
});

struct OtherFlags {
  std::uint8_t flags, wanted;
};

// The clause is listed with the flags themselves.
constexpr Rule kSameFlagsRule("h5-attribute-record-flags", [](const OtherFlags& it, Look& look) {
  if (it.flags != it.wanted)
    look.fail(8, std::format("flags {:#04x}", it.flags),
              std::format("{:#04x}, as in the tree of names", it.wanted));
});

// --- The order of creation ----------------------------------------------------------------------

// A record of an index of creation order.
struct OrderRecord {
  std::uint64_t order = 0;
  std::string id{};
  std::uint8_t flags = 0;
};

struct OrderBelow {
  std::uint64_t greatest;  // of the links or attributes
  const Dense& where;
  bool attributes;
};

constexpr Rule kBelowRule("h5-creation-order-below-maximum", [](const OrderBelow& it, Look& look) {
  constexpr std::uint64_t kLastOfAttributes = 65535;
  look.looked();
  if (it.attributes && it.where.maximum == kLastOfAttributes) return;
  if (it.greatest > it.where.maximum)
    look.fail(2,
              std::format("maximum {}, and a creation order of {}", it.where.maximum, it.greatest),
              "a maximum that is not below a creation order");
});

struct OrderOrder {
  std::uint64_t before, order;
};

constexpr Rule kOrderOrderRule("h5-creation-order-record-order", [](const OrderOrder& it,
                                                                    Look& look) {
  look.looked();
  if (it.before >= it.order)
    look.fail(0, std::format("creation order {} after {}", it.order, it.before),
              "records that ascend");
});

struct SameLinks {
  std::uint64_t missing;  // of the objects that only one of the trees leads to
};

constexpr Rule kSameRule("h5-creation-order-same-links", [](const SameLinks& it, Look& look) {
  look.looked();
  if (it.missing > 0)
    look.fail(0, std::format("{} objects that only one of the two trees leads to", it.missing),
              "the same objects in the tree of names and in that of creation order");
});

struct OrderValue {
  std::uint64_t stated;
  std::optional<std::uint64_t> wanted;
};

constexpr Rule kOrderValueRule("h5-creation-order-value", [](const OrderValue& it, Look& look) {
  look.looked();
  if (!it.wanted)
    look.fail(0, std::format("creation order {} of something that states none", it.stated),
              "a creation order with each of them");
  else if (it.stated != *it.wanted)
    look.fail(0, std::format("creation order {}", it.stated),
              std::format("{}, as the link or the name record states", *it.wanted));
});

// Reads the links or attributes of an object: first all records of the index, then the objects.
class DenseReader {
 public:
  DenseReader(const Dense& where, Tree2Type type, Container& file, const DenseTake& take,
              const DenseShared& shared)
      : where_(where), type_(type), file_(file), take_(take), shared_(shared) {}

  bool read() {
    heap_ = FractalHeap::read(where_.heap, file_, links() ? kLinkId : kAttributeId);
    if (!heap_) return false;
    const Tree2Wanted wanted{.type = type_,
                             .record_size = links() ? 4 + kLinkId : 9 + kAttributeId};
    bool sound = walk_tree2(where_.names, wanted, file_, [&](const Region& region) {
      records_.push_back(parse(region, type_));
      const auto bytes = records_.back().id.bytes;
      ids_.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      return true;
    });
    if (file_.exhausted()) return false;
    for (std::size_t i = 0; i < records_.size(); ++i)
      records_[i].id.bytes = std::as_bytes(std::span(ids_[i]));
    std::vector<Region> ids;
    for (const NameRecord& record : records_)
      if ((record.flags & kShared) == 0) ids.push_back(record.id);
    if (!heap_->take_ids(ids, file_)) return false;
    for (std::size_t i = 0; i < records_.size(); ++i) {
      sound &= record(i);
      if (file_.exhausted()) return false;
    }
    if (sound) heap_->judge_index(file_);
    if (sound) order();
    return sound;
  }

 private:
  bool links() const { return type_ == Tree2Type::kLinkNames; }

  bool record(std::size_t number) {
    NameRecord& record = records_[number];
    if (!links() && !judge<kRecordFlagsRule>(RecordFlags{record.flags}, record.place, file_.notes))
      return false;
    std::optional<DenseMessage> made;
    const auto take = [&](const Region& message) {
      if (file_.charge(message.size())) made = take_(message);
      return made.has_value();
    };
    if ((record.flags & kShared) == 0) {
      const std::optional<Region> message = heap_->object(record.id, file_);
      if (!message || !take(*message)) return false;
    } else if (shared_ && file_.whole_format) {
      if (!shared_(record.id, take)) return false;
    } else {
      file_.notes.not_examined("swmr-shared-message-form",
                               "an attribute in the heap of shared messages");
      return false;
    }
    std::string& name = made->name;
    if (!judge<kHashRule>(Hash{record.hash, name}, record.place, file_.notes)) return false;
    // A name that is not that of the record is one defect, whatever it is.
    if (file_.whole_format)
      (links() ? judge_link_name : judge_attribute_name)({name, made->utf8}, made->name_at,
                                                         file_.notes);
    if (any_ && !judge<kNameOrderRule>(Order{record.hash, before_hash_, name, before_},
                                       record.place, file_.notes))
      return false;
    before_ = std::move(name);
    before_hash_ = record.hash;
    any_ = true;
    const std::optional<std::uint64_t> order = links() ? made->order : std::optional(record.order);
    if (order) greatest_ = std::max(greatest_, *order);
    if (where_.indexed && file_.whole_format)
      named_.emplace(key_of_heap_id(record.id.bytes), Named{order, record.flags});
    return true;
  }

  // The index of creation order, and the maximum. A wrong order in one place is one defect.
  void order() {
    if (!file_.whole_format || records_.empty()) return;
    if (where_.order_index != kUndefined && !order_index()) return;
    if (where_.tracked)
      judge<kBelowRule>(OrderBelow{greatest_, where_, !links()}, where_.at, file_.notes);
  }

  // False if it is refused, or states other orders than the links or attributes.
  bool order_index() {
    const Tree2Wanted wanted{.type = links() ? Tree2Type::kLinkOrder : Tree2Type::kAttributeOrder,
                             .record_size = links() ? 8 + kLinkId : 5 + kAttributeId};
    std::uint64_t missing = 0, count = 0, before = 0;
    Place at = where_.at;
    std::set<std::string> seen;
    std::vector<std::pair<OrderRecord, Place>> found;
    const bool sound = walk_tree2(where_.order_index, wanted, file_, [&](const Region& region) {
      Cursor read(region);
      OrderRecord record;
      if (links()) record.order = read.u64("order");
      const Region id = read.take(links() ? kLinkId : kAttributeId, "id");
      FractalHeap::judge_reserved(id, file_);
      record.id = key_of_heap_id(id.bytes);
      if (!links()) {
        record.flags = read.u8("flags");
        record.order = read.u32("order");
      }
      if (count == 0) at = region.place;
      const bool ascends = count++ == 0 || judge<kOrderOrderRule>(OrderOrder{before, record.order},
                                                                  region.place, file_.notes);
      before = record.order;
      if (!ascends) return false;
      missing += !named_.contains(record.id) || !seen.insert(record.id).second;
      found.emplace_back(std::move(record), region.place);
      return true;
    });
    if (!sound) return false;
    for (const auto& [id, named] : named_) missing += !seen.contains(id);
    if (!judge<kSameRule>(SameLinks{missing}, at, file_.notes)) return false;
    bool same = true;
    for (const auto& [record, place] : found) {
      const Named& named = named_.at(record.id);
      same &= judge<kOrderValueRule>(OrderValue{record.order, named.order}, place, file_.notes);
      if (!links())
        judge<kSameFlagsRule>(OtherFlags{record.flags, named.flags}, place, file_.notes);
    }
    return same;
  }

  struct Named {
    std::optional<std::uint64_t> order;
    std::uint8_t flags;
  };
  const Dense& where_;
  Tree2Type type_;
  Container& file_;
  const DenseTake& take_;
  const DenseShared& shared_;
  std::optional<FractalHeap> heap_{};
  std::vector<NameRecord> records_{};
  std::vector<std::string> ids_{};
  std::map<std::string, Named> named_{};  // by id
  std::string before_{};
  std::uint32_t before_hash_ = 0;
  std::uint64_t greatest_ = 0;
  bool any_ = false;
};

}  // namespace

void dense_rules(RuleList& list) {
  list.structure<kHashRule, kNameOrderRule, kRecordFlagsRule, kBelowRule, kOrderOrderRule,
                 kSameRule, kOrderValueRule>();
}

bool read_dense(const Dense& where, Tree2Type type, Container& file, const DenseTake& take,
                const DenseShared& shared) {
  return DenseReader(where, type, file, take, shared).read();
}

}  // namespace hepcheck::hdf5
