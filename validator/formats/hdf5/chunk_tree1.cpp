#include "validator/formats/hdf5/chunk_tree1.h"

#include <algorithm>
#include <array>
#include <compare>
#include <format>
#include <string>

#include "validator/formats/hdf5/btree1.h"
#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

constexpr std::uint64_t kNumbers = 8;  // bytes of size and mask, before the offsets

std::uint64_t key_size(const Dataset& dataset) { return kNumbers + 8 * (dataset.rank() + 1ULL); }

std::strong_ordering compare(const Region& a, const Region& b) {
  Cursor left(a.part(kNumbers)), right(b.part(kNumbers));
  while (left.rest() > 0)
    if (const auto order = left.u64() <=> right.u64(); order != 0) return order;
  return std::strong_ordering::equal;
}

struct KeysOf {
  const Tree1Node& node;
  const Tree1Bounds& bounds;

  std::uint64_t at(std::size_t key) const {
    return node.keys[key].place.offset - node.region.place.offset;
  }
};

void key_order(const KeysOf& it, Look& look) {
  look.looked();
  for (std::size_t i = 1; i < it.node.keys.size(); ++i)
    if (compare(it.node.keys[i - 1], it.node.keys[i]) >= 0)
      return look.fail(it.at(i), std::format("key {} is not above key {}", i, i - 1),
                       "keys that ascend");
}

void key_range(const KeysOf& it, Look& look) {
  if (it.bounds.left.bytes.empty()) return;
  look.looked();
  if (compare(it.node.keys.front(), it.bounds.left) < 0)
    look.fail(it.at(0), "the first key is below the one to the left of the node in its parent",
              "keys between the two of the parent");
  else if (compare(it.node.keys.back(), it.bounds.right) > 0)
    look.fail(it.at(it.node.keys.size() - 1),
              "the last key is above the one to the right of the node in its parent",
              "keys between the two of the parent");
}

constexpr Rule<KeysOf> kChunkNodeRules[] = {
    {"swmr-btree1-key-order", key_order},
    {"swmr-btree1-key-range", key_range},
};

struct KeyOf {
  std::span<const std::uint64_t> offsets, chunk;  // by dimension
  std::uint64_t last, element;                    // the element size follows the offsets
  bool bound;                                     // it follows the last chunk, and has none
};

void key_aligned(const KeyOf& it, Look& look) {
  look.looked();
  for (std::size_t d = 0; d < it.chunk.size(); ++d)
    if (it.offsets[d] % it.chunk[d] != 0)
      return look.fail(kNumbers + 8 * d, std::format("offset {} in dimension {}", it.offsets[d], d),
                       std::format("a multiple of the chunk size {}", it.chunk[d]));
  if (it.bound && it.last % it.element != 0)
    look.fail(kNumbers + 8 * it.chunk.size(), std::format("last offset {}", it.last),
              std::format("a multiple of the element size {}", it.element));
}

void key_last_zero(const KeyOf& it, Look& look) {
  if (it.bound) return;
  look.looked();
  if (it.last != 0)
    look.fail(kNumbers + 8 * it.chunk.size(), std::format("last offset {}", it.last), "0");
}

constexpr Rule<KeyOf> kChunkKeyRules[] = {
    {"swmr-btree1-key-aligned", key_aligned},
    {"swmr-btree1-key-last-zero", key_last_zero},
};

class ChunkTree final : public Tree1 {
 public:
  ChunkTree(const Dataset& dataset, Container& file, Chunks& chunks)
      : Tree1(file, 1, file.chunk_k, key_size(dataset)), dataset_(dataset), chunks_(chunks) {}

 private:
  bool keys_hold(const Tree1Node& node, const Tree1Bounds& bounds) override {
    if (!judge<kChunkNodeRules>(KeysOf{node, bounds}, node.region.place, file_.notes)) return false;
    if (node.level == 0) return true;  // each key belongs to a chunk
    Chunk nothing;
    return std::ranges::all_of(node.keys,
                               [&](const Region& each) { return key(each, true, nothing); });
  }

  // A chunk with an invalid key does not affect the others.
  bool leaf(const Tree1Node& node) override {
    bool sound = true;
    for (std::size_t i = 0; i < node.keys.size(); ++i) {
      const bool bound = i == node.children.size();
      Chunk chunk{.scaled = std::span(scaled_).first(dataset_.rank()), .at = node.keys[i].place};
      if (!key(node.keys[i], bound, chunk)) {
        sound = false;
      } else if (!bound) {
        chunk.address = node.children[i];
        chunks_.take(chunk);
      }
    }
    return sound;
  }

  bool key(const Region& region, bool bound, Chunk& chunk) {
    const std::span<const std::uint64_t> sizes = dataset_.chunk();
    Cursor read(region);
    chunk.size = read.u32("size");
    chunk.mask = read.u32("mask");
    for (std::size_t d = 0; d < sizes.size(); ++d) offsets_[d] = read.u64();
    const KeyOf key{std::span(offsets_).first(sizes.size()), sizes, read.u64(), dataset_.type.size,
                    bound};
    for (std::size_t d = 0; d < sizes.size(); ++d) scaled_[d] = offsets_[d] / sizes[d];
    return judge<kChunkKeyRules>(key, region.place, file_.notes);
  }

  const Dataset& dataset_;
  Chunks& chunks_;
  std::array<std::uint64_t, kMostDimensions> offsets_{}, scaled_{};
};

}  // namespace

void chunk_tree1_rules(RuleList& list) { list.structure<kChunkNodeRules, kChunkKeyRules>(); }

bool walk_tree1(const Dataset& dataset, Container& file, Chunks& chunks) {
  return ChunkTree(dataset, file, chunks).walk(dataset.layout.address);
}

}  // namespace hepcheck::hdf5
