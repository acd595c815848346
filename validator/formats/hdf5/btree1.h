// The common part of the version 1 B-trees of groups and chunks.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

// n children between n + 1 keys.
struct Tree1Node {
  Region region{};
  std::uint8_t type = 0, level = 0;
  std::uint16_t used = 0;
  std::uint64_t left = kUndefined, right = kUndefined;
  unsigned most = 0;  // its capacity in entries
  std::vector<Region> keys{};
  std::vector<std::uint64_t> children{};
};

// The keys of the parent on both sides of a node; empty for the root.
struct Tree1Bounds {
  Region left{}, right{};
};

class Tree1 {
 public:
  Tree1(const Tree1&) = delete;
  Tree1& operator=(const Tree1&) = delete;

  // False if a node was refused, or not read. Either all nodes are accepted or none: their size is
  // the same in all trees of the file, and if it is wrong, each of them would overlap others.
  bool walk(std::uint64_t root);

 protected:
  // `type`: 0 for a group, 1 for chunks; `k`: half the capacity of a node.
  Tree1(Container& file, std::uint8_t type, unsigned k, std::uint64_t key_size)
      : file_(file), type_(type), k_(k), key_size_(key_size), structure_(file.new_structure()) {}
  ~Tree1() = default;

  // Whether the keys are valid, in themselves and between those of the parent.
  virtual bool keys_hold(const Tree1Node& node, const Tree1Bounds& bounds) = 0;
  // The children of a node of level 0; false if one was refused.
  virtual bool leaf(const Tree1Node& node) = 0;

  // A valid block of the tree, or an invalid one.
  void take_in(std::string_view kind, std::uint64_t address, std::uint64_t size) {
    nodes_.push_back({kind, address, size});
  }
  // Whether a node that is being judged is the first one of its level.
  bool leftmost(const Tree1Node& node) const {
    return levels_.size() <= node.level || !levels_[node.level].any;
  }
  bool refuse() {
    refused_ = true;
    return false;
  }

  Container& file_;

 private:
  // The last node of a level so far.
  struct Neighbour {
    bool known = false, any = false;
    std::uint64_t address = kUndefined, right = kUndefined;
    Place place{};
  };

  bool visit(std::uint64_t address, int level, const Tree1Bounds& bounds, const Place& from);
  Tree1Node parse(const Region& region) const;
  void siblings(const Tree1Node& node, std::uint64_t address);
  void last_siblings();

  std::uint8_t type_;
  unsigned k_;
  std::uint64_t key_size_;
  std::uint32_t structure_;
  std::vector<Neighbour> levels_{};
  struct Taken {
    std::string_view kind;
    std::uint64_t address, size;
  };
  std::vector<Taken> nodes_{};
  bool refused_ = false;
};

}  // namespace hepcheck::hdf5
