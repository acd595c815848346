#include "validator/formats/hdf5/btree1.h"

#include <algorithm>
#include <format>
#include <span>

#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

constexpr int kRoot = -1;  // whose level is assumed to be correct

std::string address_text(std::uint64_t address) {
  return address == kUndefined ? "undefined" : std::to_string(address);
}

struct Visit {
  std::uint64_t address;
  bool again;
};

constexpr Rule kVisitRule("swmr-btree1-node-once", [](const Visit& it, Look& look) {
  look.looked();
  if (it.again)
    look.fail(0, std::format("a second path to the node at address {}", it.address), "one");
});

struct NodeOf {
  const Tree1Node& node;
  std::uint8_t type;
  int level;  // as stated by the parent
};

void signature(const NodeOf& it, Look& look) {
  look.looked();
  if (!it.node.region.begins("TREE")) look.fail(0, "other bytes", "TREE");
}

void type(const NodeOf& it, Look& look) {
  look.looked();
  if (it.node.type != it.type)
    look.fail(4, std::format("type {}", it.node.type),
              it.type == 0 ? "0, a tree of a group" : "1, a tree of chunks");
}

void level(const NodeOf& it, Look& look) {
  look.looked();
  if (it.level != kRoot && it.node.level != it.level)
    look.fail(5, std::format("level {}", it.node.level),
              std::format("{}, one below the parent", it.level));
}

void entries_used(const NodeOf& it, Look& look) {
  look.looked();
  if (it.node.used > it.node.most)
    look.fail(6, std::format("{} entries", it.node.used),
              std::format("{} at most, the capacity", it.node.most));
}

void inner_not_empty(const NodeOf& it, Look& look) {
  if (it.node.level == 0) return;
  look.looked();
  if (it.node.used == 0)
    look.fail(6, std::format("a node of level {} without a child", it.node.level),
              "one child at least");
}

void child_defined(const NodeOf& it, Look& look) {
  if (it.node.used == 0) return;
  look.looked();
  const auto child = std::ranges::find(it.node.children, kUndefined);
  if (child != it.node.children.end())
    look.fail(0, std::format("child {} has an undefined address", child - it.node.children.begin()),
              "the address of a node, or of what the tree leads to");
}

constexpr Rule<NodeOf> kTree1NodeRules[] = {
    {"swmr-btree1-signature", signature},
    {"swmr-btree1-node-type", type},
    {"swmr-btree1-level", level},
    {"swmr-btree1-entries-used", entries_used},
    {"h5-btree1-inner-not-empty", inner_not_empty},
    {"swmr-btree1-child-defined", child_defined},
};

struct Siblings {
  std::string_view side;
  std::uint64_t stated, right;
};

constexpr Rule kSiblingRule("swmr-btree1-siblings", [](const Siblings& it, Look& look) {
  look.looked();
  if (it.stated != it.right)
    look.fail(0, std::format("{} sibling {}", it.side, address_text(it.stated)),
              address_text(it.right));
});

}  // namespace

void btree1_rules(RuleList& list) { list.structure<kVisitRule, kTree1NodeRules, kSiblingRule>(); }

bool Tree1::walk(std::uint64_t root) {
  if (file_.k_unknown) {
    file_.notes.not_examined("swmr-btree1-signature",
                             "a version 1 B-tree, whose nodes have a size that the superblock "
                             "extension states: it cannot be read");
    return false;
  }
  const bool sound = visit(root, kRoot, {}, file_.place("TREE", root));
  if (sound) last_siblings();
  if (!refused_)
    for (const auto& [kind, address, size] : nodes_) file_.accept(kind, address, size);
  return sound;
}

Tree1Node Tree1::parse(const Region& region) const {
  const unsigned width = file_.offset_size;
  Tree1Node made{.region = region, .most = 2 * k_};
  Cursor read(region);
  read.take(4, "signature");
  made.type = read.u8("type");
  made.level = read.u8("level");
  made.used = read.u16("used");
  made.left = read.address(width, "left");
  made.right = read.address(width, "right");
  if (made.used > made.most) return made;
  made.keys.reserve(made.used + std::size_t{1});
  made.children.reserve(made.used);
  for (unsigned i = 0; i < made.used; ++i) {
    made.keys.push_back(read.take(key_size_, "key"));
    made.children.push_back(read.address(width, "child"));
  }
  made.keys.push_back(read.take(key_size_, "key"));
  name_unused(region.part(read.at()));
  return made;
}

bool Tree1::visit(std::uint64_t address, int level, const Tree1Bounds& bounds, const Place& from) {
  const Container::Met met = file_.meet(address, structure_);
  if (!judge<kVisitRule>(Visit{address, met == Container::Met::kInThisOne}, from, file_.notes))
    return refuse();
  const std::uint64_t size = 8 + 2 * std::uint64_t{file_.offset_size} +
                             2 * std::uint64_t{k_} * (key_size_ + file_.offset_size) + key_size_;
  const auto block = file_.block("TREE", address, size);
  if (!block) return refuse();
  const Tree1Node node = parse(block->region());
  if (!judge<kTree1NodeRules>(NodeOf{node, type_, level}, node.region.place, file_.notes) ||
      !keys_hold(node, bounds))
    return refuse();
  take_in("TREE", address, size);
  // Reads the contents even if another structure contains them; the overlap is found among the
  // extents.
  if (met == Container::Met::kInAnother) return false;
  siblings(node, address);
  if (node.level == 0) return leaf(node);
  bool sound = true;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    if (!visit(node.children[i], node.level - 1, {node.keys[i], node.keys[i + 1]},
               node.keys[i].place)) {
      // The neighbour, and everything below it, is unknown.
      for (Neighbour& below : std::span(levels_).first(node.level)) {
        below.known = false;
        below.any = true;
      }
      sound = false;
    }
    if (file_.exhausted()) return false;
  }
  return sound;
}

// The next node on its level. Nothing is known about a refused neighbour.
void Tree1::siblings(const Tree1Node& node, std::uint64_t address) {
  if (levels_.size() <= node.level) levels_.resize(node.level + std::size_t{1});
  Neighbour& before = levels_[node.level];
  const std::uint64_t left_at = 8, right_at = 8 + std::uint64_t{file_.offset_size};
  const auto at = [&](Place place, std::uint64_t offset) {
    place.offset += offset;
    return place;
  };
  if (!before.any) {
    judge<kSiblingRule>(Siblings{"left", node.left, kUndefined}, at(node.region.place, left_at),
                        file_.notes);
  } else if (before.known) {
    judge<kSiblingRule>(Siblings{"right", before.right, address}, at(before.place, right_at),
                        file_.notes);
    judge<kSiblingRule>(Siblings{"left", node.left, before.address}, at(node.region.place, left_at),
                        file_.notes);
  }
  before = {true, true, address, node.right, node.region.place};
}

void Tree1::last_siblings() {
  for (const Neighbour& last : levels_) {
    if (!last.known) continue;
    Place place = last.place;
    place.offset += 8 + std::uint64_t{file_.offset_size};
    judge<kSiblingRule>(Siblings{"right", last.right, kUndefined}, place, file_.notes);
  }
}

}  // namespace hepcheck::hdf5
