#include "validator/formats/hdf5/huge_objects.h"

#include <algorithm>
#include <format>
#include <utility>

#include "validator/formats/hdf5/btree2.h"
#include "validator/formats/hdf5/fractal_heap.h"
#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

struct HugeTree {
  std::uint64_t number, bytes, tree;
};

constexpr Rule kHugeTreeRule("h5-fractal-heap-huge-tree", [](const HugeTree& it, Look& look) {
  look.looked();
  if (it.number > 0 && it.tree == kUndefined)
    look.fail(0, std::format("{} huge objects without a tree", it.number), "the address of a tree");
  else if (it.number == 0 && (it.tree != kUndefined || it.bytes != 0))
    look.fail(0,
              it.tree != kUndefined ? std::string("a tree of 0 huge objects")
                                    : std::format("0 huge objects of {} bytes", it.bytes),
              "no tree and no bytes");
});

struct HugeOrder {
  const HugeObject& before;
  const HugeObject& object;
  bool direct;
};

constexpr Rule kHugeOrderRule("h5-fractal-heap-huge-order", [](const HugeOrder& it, Look& look) {
  look.looked();
  const auto key = [&](const HugeObject& object) {
    return it.direct ? std::pair(object.address, object.length) : std::pair(object.id, object.id);
  };
  if (key(it.before) >= key(it.object))
    look.fail(0,
              it.direct ? std::format("address {} after {}", it.object.address, it.before.address)
                        : std::format("id {} after {}", it.object.id, it.before.id),
              "records that ascend");
});

struct HugeReach {
  const HugeObject& object;
  std::uint64_t end, most_managed;
};

void huge_inside(const HugeReach& it, Look& look) {
  look.looked();
  if (!it.object.inside)
    look.fail(
        0,
        std::format("a huge object of {} bytes at address {}", it.object.length, it.object.address),
        std::format("an object that ends by {}, the end of the file", it.end));
}

void huge_large(const HugeReach& it, Look& look) {
  look.looked();
  if (it.object.memory <= it.most_managed)
    look.fail(0, std::format("a huge object of {} bytes", it.object.memory),
              std::format("more than {}, the largest managed object", it.most_managed));
}

constexpr Rule<HugeReach> kHugeReachRules[] = {
    {"h5-fractal-heap-huge-inside-file", huge_inside},
    {"h5-fractal-heap-huge-large", huge_large},
};

struct HugeId {
  const HugeObject* found;
  std::uint64_t key;
};

constexpr Rule kHugeIdRule("h5-fractal-heap-huge-id", [](const HugeId& it, Look& look) {
  look.looked();
  if (!it.found)
    look.fail(0, std::format("an id of the huge object {}", it.key),
              "an object of the tree of huge objects");
});

struct HugeStatistics {
  std::uint64_t number, bytes, number_wanted, bytes_wanted;
};

constexpr Rule kStatisticsRule("h5-fractal-heap-huge-statistics", [](const HugeStatistics& it,
                                                                     Look& look) {
  look.looked();
  if (it.number != it.number_wanted || it.bytes != it.bytes_wanted)
    look.fail(0, std::format("{} huge objects of {} bytes", it.number, it.bytes),
              std::format("{} of {} bytes, as in the tree", it.number_wanted, it.bytes_wanted));
});

struct NextHuge {
  std::uint64_t next, greatest, least, limit;
};

constexpr Rule kNextRule("h5-fractal-heap-huge-next-id", [](const NextHuge& it, Look& look) {
  look.looked();
  if (it.next < it.greatest || it.least == 0 || it.greatest > it.limit)
    look.fail(0, std::format("next id {}, with ids from {} to {}", it.next, it.least, it.greatest),
              std::format("ids from 1 to {}, none above the next one", it.limit));
});

}  // namespace

void huge_object_rules(RuleList& list) {
  list.structure<kHugeTreeRule, kHugeOrderRule, kHugeReachRules, kHugeIdRule, kStatisticsRule,
                 kNextRule>();
}

bool HugeObjects::direct(const Container& file) const {
  const unsigned both = file.offset_size + file.length_size;
  return id_length_ > both + (filtered_ ? kChecksum + file.length_size : 0);
}

unsigned HugeObjects::key_bytes() const { return std::min(id_length_ - 1U, 8U); }

void HugeObjects::read(const HeapGeometry& geometry, bool filtered, const Place& at,
                       Container& file) {
  id_length_ = geometry.id_length;
  filtered_ = filtered;
  const HugeTree tree{geometry.huge_objects, geometry.huge_bytes, geometry.huge_tree};
  if (!judge<kHugeTreeRule>(tree, at, file.notes)) return;
  sound_ = true;
  if (tree.tree == kUndefined) return;
  const bool is_direct = direct(file);
  const unsigned width = file.offset_size, length = file.length_size;
  Tree2Wanted wanted{.type = is_direct  ? filtered ? Tree2Type::kHugeDirectFiltered
                                                   : Tree2Type::kHugeDirect
                             : filtered ? Tree2Type::kHugeFiltered
                                        : Tree2Type::kHuge};
  wanted.record_size = width + std::uint64_t{length} + (filtered ? kChecksum + length : 0) +
                       (is_direct ? 0 : length);
  sound_ = walk_tree2(geometry.huge_tree, wanted, file, [&](const Region& record) {
    Cursor read(record);
    HugeObject object{.address = read.address(width, "address"),
                      .length = read.number(length, "length")};
    object.memory = object.length;
    if (filtered) {
      object.mask = read.u32("mask");
      object.memory = read.number(length, "memory");
    }
    if (!is_direct) object.id = read.number(length, "id");
    object.inside = object.length > 0 && file.inside(object.address, object.length);
    // After one that is not in order, no other can be.
    if (refused_) return false;
    if (!all_.empty() && !judge<kHugeOrderRule>(HugeOrder{all_.back(), object, is_direct},
                                                record.place, file.notes)) {
      refused_ = true;
      return false;
    }
    astray_ |= !judge<kHugeReachRules>(HugeReach{object, file.end, geometry.most_managed},
                                       record.place, file.notes);
    if (object.inside && !file.notes.silent())
      file.extents.add_raw(object.address, object.length, file.notes.object());
    all_.push_back(object);
    return true;
  });
}

const HugeObject* HugeObjects::find(const Region& id, Container& file) const {
  if (!sound_) return nullptr;
  Cursor read(id);
  read.skip(1);
  HugeId judged{.found = nullptr, .key = 0};
  if (direct(file)) {
    HugeObject stated{.address = read.address(file.offset_size, "address"),
                      .length = read.number(file.length_size, "length")};
    stated.memory = stated.length;
    if (filtered_) {
      stated.mask = read.u32("mask");
      stated.memory = read.number(file.length_size, "memory");
    }
    judged.key = stated.address;
    const auto it = std::ranges::lower_bound(
        all_, std::pair(stated.address, stated.length), {},
        [](const HugeObject& each) { return std::pair(each.address, each.length); });
    if (it != all_.end() && it->address == stated.address && it->length == stated.length &&
        it->mask == stated.mask && it->memory == stated.memory)
      judged.found = &*it;
  } else {
    judged.key = read.number(key_bytes(), "key");
    const auto it = std::ranges::lower_bound(all_, judged.key, {}, &HugeObject::id);
    if (it != all_.end() && it->id == judged.key) judged.found = &*it;
  }
  if (!read.good()) judged.found = nullptr;
  // A record with a finding may be that of the id.
  if (!judged.found && astray_) return nullptr;
  judge<kHugeIdRule>(judged, id.place, file.notes);
  return judged.found;
}

void HugeObjects::judge_statistics(const HeapGeometry& geometry, const Place& at,
                                   Container& file) const {
  constexpr std::uint8_t kWrapped = 1;
  if (!sound_) return;
  HugeStatistics found{geometry.huge_objects, geometry.huge_bytes, all_.size(), 0};
  for (const HugeObject& each : all_) found.bytes_wanted = sum(found.bytes_wanted, each.memory);
  judge<kStatisticsRule>(found, at, file.notes);
  if (all_.empty() || direct(file) || (geometry.flags & kWrapped) != 0) return;
  const unsigned bits = 8 * key_bytes();
  const NextHuge next{geometry.next_huge, all_.back().id, all_.front().id,
                      bits >= 64 ? kUndefined : (std::uint64_t{1} << bits) - 1};
  judge<kNextRule>(next, at, file.notes);
}

}  // namespace hepcheck::hdf5
