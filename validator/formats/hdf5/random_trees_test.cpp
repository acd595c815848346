// Random version 1 and version 2 B-trees of chunks, and groups of the old kind: of several levels,
// with nodes of any capacity, and with a mistake in some. What is listed, and all findings, equal
// the golden file: a line for each set of trees with a digest, and the number of findings of each
// clause.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <format>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "validator/formats/hdf5/array_elements.h"
#include "validator/formats/hdf5/symbol_table.h"
#include "validator/formats/hdf5/testing/chunk_walk.h"
#include "validator/formats/hdf5/testing/mistakes.h"
#include "validator/formats/hdf5/testing/said.h"
#include "validator/formats/hdf5/testing/zeros.h"
#include "validator/testing/golden_files.h"

namespace hepcheck::hdf5::random_trees {
namespace {

constexpr std::uint64_t kBase = 512, kIndex = 256, kBlocks = 1'024, kData = 24'576, kEnd = 40'960;
constexpr unsigned kElement = 4;

// A file with a tree.
class Made {
 public:
  explicit Made(std::uint64_t seed) : random_(seed) {
    width_ = random_.once_in(2) ? 4 : 8;
    zeros_.file.offset_size = zeros_.file.length_size = width_;
    zeros_.file.base = kBase;
    zeros_.file.end = kEnd;
    zeros_.notes.keep_places(100);
    // To search for the number of records for which a checksum holds.
    if (random_.once_in(3)) zeros_.file.tries = random_.below(400);
  }
  const Notes& notes() const { return zeros_.notes; }

 protected:
  std::uint64_t below(std::uint64_t end) { return random_.below(end); }
  bool wrong() { return mistakes_.made(); }
  std::uint64_t perhaps(std::uint64_t right) { return mistakes_.perhaps(right); }
  // Not what a mistake leads to.
  void write(std::uint64_t at, const std::string& bytes) {
    if (at + bytes.size() < kData) zeros_.write(kBase + at, bytes);
  }
  std::string address(std::uint64_t value) const { return number(value, width_); }
  std::uint64_t room(std::uint64_t size) {
    const std::uint64_t at = next_;
    next_ += size + 8 * below(2);
    return at;
  }
  // As something refers to it.
  std::string reference(std::uint64_t at) {
    if (!wrong()) return address(at);
    constexpr std::uint64_t kOthers[] = {kUndefined, kBlocks, kEnd - 8, kIndex};
    return address(random_.one_of(kOthers));
  }

  template <class T>
  void exchange_two(std::vector<T>& all) {
    if (all.size() < 2 || !wrong()) return;
    const std::size_t first = below(all.size());
    std::swap(all[first], all[below(all.size())]);
  }
  // The number of nodes that hold so many things, and where each of them begins.
  std::vector<std::size_t> shares(std::size_t count, std::size_t most) {
    std::vector<std::size_t> made{0};
    while (made.back() < count) made.push_back(std::min(count, made.back() + 1 + below(most)));
    return made;
  }

  Random random_;
  testing::Mistakes mistakes_{random_};
  unsigned width_ = 8;
  testing::Zeros zeros_{kEnd + kBase};
  std::uint64_t next_ = kBlocks;
};

// --- Trees of chunks -----------------------------------------------------------------------------

class MadeChunks : public Made {
 public:
  MadeChunks(std::uint64_t seed, IndexType kind) : Made(seed) {
    const unsigned rank = 1 + random_.number(3);
    Dataset& made = dataset_;
    made.space.rank = static_cast<std::uint8_t>(rank);
    for (unsigned d = 0; d < rank; ++d) {
      made.layout.chunk[d] = static_cast<std::uint32_t>(1 + below(3));
      made.space.sizes[d] = 1 + below(20);
      made.space.maxima[d] = random_.once_in(2) ? kUndefined : 20;
    }
    made.layout.chunk[rank] = kElement;
    made.layout.dimensionality = static_cast<std::uint8_t>(rank + 1);
    made.type.size = kElement;
    if (random_.once_in(2)) made.filters.list = {{.id = filter_id::kDeflate, .values = {6}}};
    made.layout.class_byte = static_cast<std::uint8_t>(LayoutClass::kChunked);
    made.layout.index_byte = static_cast<std::uint8_t>(kind);
    made.layout.address = kIndex;
    made.layout_at = {"OHDR", 100, 20};
    made.layout.version = 3;
    const std::size_t count = random_.once_in(12) ? 0 : 1 + below(40);
    for (std::size_t i = 0; i < count; ++i) add();
    std::ranges::stable_sort(chunks_, {}, &Stored::scaled);
    const auto same = std::ranges::unique(chunks_, {}, &Stored::scaled);
    chunks_.erase(same.begin(), same.end());
    exchange_two(chunks_);
    if (kind == IndexType::kTree1)
      tree1();
    else
      tree2();
  }

  std::string result() { return testing::walked(zeros_, dataset_); }

 private:
  struct Stored {
    std::vector<std::uint64_t> scaled{};
    std::uint64_t address = 0, size = 0;
    std::uint32_t mask = 0;
  };

  void add() {
    Stored made;
    for (unsigned d = 0; d < dataset_.rank(); ++d) {
      const std::uint64_t there =
          (dataset_.space.sizes[d] + dataset_.layout.chunk[d] - 1) / dataset_.layout.chunk[d];
      made.scaled.push_back(below(there + (random_.once_in(8) ? 1 : 0)));
    }
    made.size = dataset_.layout.chunk_bytes();
    if (dataset_.filtered()) made.size = 1 + below(made.size + 8);
    if (random_.once_in(6)) made.mask = static_cast<std::uint32_t>(below(4));
    made.address = data_;
    data_ += made.size + 8 * below(2);
    if (wrong()) made.address = random_.once_in(2) ? kData : kUndefined;
    chunks_.push_back(std::move(made));
  }

  // --- Version 1
  std::string key(const Stored& chunk, bool bound) {
    std::string made = number(perhaps(chunk.size), 4);
    made += number(chunk.mask, 4);
    for (unsigned d = 0; d < dataset_.rank(); ++d)
      made += number(perhaps(chunk.scaled[d] * dataset_.layout.chunk[d]), 8);
    const std::uint64_t last = bound ? bound_ : 0;
    return made + number(perhaps(last), 8);
  }

  void tree1() {
    const unsigned k = 1 + random_.number(3);
    zeros_.file.chunk_k = k;
    if (random_.once_in(2)) bound_ = kElement;
    Stored bound;
    for (unsigned d = 0; d < dataset_.rank(); ++d) bound.scaled.push_back(d == 0 ? 30 : 0);
    // The things of a level, each with the first chunk below it.
    std::vector<std::pair<std::size_t, std::uint64_t>> level;
    for (std::size_t i = 0; i < chunks_.size(); ++i) level.emplace_back(i, chunks_[i].address);
    const std::uint64_t key_size = 16 + 8 * std::uint64_t{dataset_.rank()};
    const std::uint64_t node_size = 8 + 2 * width_ + 2 * k * (key_size + width_) + key_size;
    for (unsigned height = 0; height == 0 || level.size() > 1; ++height) {
      std::vector<std::size_t> begins = shares(level.size(), 2 * std::size_t{k});
      if (level.empty()) begins.push_back(0);
      // A root with as many levels as it needs.
      const std::size_t nodes = begins.size() - 1;
      std::vector<std::uint64_t> places;
      for (std::size_t n = 0; n < nodes; ++n)
        places.push_back(nodes == 1 ? kIndex : room(node_size));
      std::vector<std::pair<std::size_t, std::uint64_t>> above;
      for (std::size_t n = 0; n < nodes; ++n) {
        std::string made = mistakes_.letters("TREE");
        made += number(perhaps(1), 1);
        made += number(perhaps(height), 1);
        made += number(perhaps(begins[n + 1] - begins[n]), 2);
        made += reference(n == 0 ? kUndefined : places[n - 1]);
        made += reference(n + 1 == nodes ? kUndefined : places[n + 1]);
        for (std::size_t i = begins[n]; i < begins[n + 1]; ++i) {
          made += key(chunks_[level[i].first], false);
          made += reference(level[i].second);
        }
        const std::size_t next = begins[n + 1];
        made += next < level.size() ? key(chunks_[level[next].first], false) : key(bound, true);
        write(places[n], made);
        if (!level.empty()) above.emplace_back(level[begins[n]].first, places[n]);
      }
      level = std::move(above);
    }
  }

  // --- Version 2
  static unsigned bytes_of(std::uint64_t most) {
    unsigned bytes = 1;
    while (most >>= 8) ++bytes;
    return bytes;
  }
  struct Capacity {
    std::uint64_t most = 0, all = 0;  // of a node, and of all below it
    unsigned total_width = 0;         // of the pointers to such nodes
  };
  struct Node {
    std::uint64_t at = 0, records = 0, total = 0;
  };

  std::string record(const Stored& chunk) {
    std::string made = reference(chunk.address);
    if (dataset_.filtered())
      made += number(chunk.size, stored_size_width(dataset_, zeros_.file)) + number(chunk.mask, 4);
    for (const std::uint64_t each : chunk.scaled) made += number(perhaps(each), 8);
    return made;
  }

  void tree2() {
    dataset_.layout.version = random_.once_in(3) ? 5 : 4;
    dataset_.layout.split = 100;
    dataset_.layout.merge = static_cast<std::uint8_t>(random_.once_in(8) ? 50 : 40);
    const std::uint64_t record_size =
        width_ + (dataset_.filtered() ? stored_size_width(dataset_, zeros_.file) + 4 : 0) +
        8 * std::uint64_t{dataset_.rank()};
    node_size_ = (1 + below(6)) * record_size + 10 + 2 * width_;
    node_size_ += below(40);
    dataset_.layout.node_size = static_cast<std::uint32_t>(node_size_);
    const std::uint64_t all = node_size_ - 10;
    capacity_ = {{all / record_size, all / record_size, 0}};
    count_width_ = bytes_of(capacity_[0].most);
    for (unsigned depth = 1; depth < 4; ++depth) {
      const std::uint64_t pointer = width_ + count_width_ + capacity_[depth - 1].total_width;
      const std::uint64_t most = all > pointer ? (all - pointer) / (record_size + pointer) : 0;
      if (most == 0) break;
      const std::uint64_t below_it = (most + 1) * capacity_[depth - 1].all + most;
      capacity_.push_back({most, below_it, bytes_of(below_it)});
    }
    std::size_t count = chunks_.size();
    count = std::min<std::size_t>(count, capacity_.back().all);
    unsigned depth = 0;
    while (capacity_[depth].all < count) ++depth;
    // Deeper than it has to be, if there are records for it.
    if (depth + 1 < capacity_.size() && count > 4 && random_.once_in(4)) ++depth;
    const Node root = count > 0 ? node(depth, 0, count) : Node{.at = kUndefined};
    const unsigned type = dataset_.filtered() ? 11 : 10;
    std::string made = mistakes_.letters("BTHD");
    for (const auto& [value, width] :
         std::initializer_list<std::pair<std::uint64_t, unsigned>>{{0, 1},
                                                                   {type, 1},
                                                                   {node_size_, 4},
                                                                   {record_size, 2},
                                                                   {depth, 2},
                                                                   {100, 1},
                                                                   {dataset_.layout.merge, 1}})
      made += number(perhaps(value), width);
    made += reference(root.at);
    made += number(perhaps(root.records), 2);
    made += number(perhaps(root.total), width_);
    write(kIndex, mistakes_.block(made));
  }

  // Of the chunks between the two.
  Node node(unsigned depth, std::size_t begin, std::size_t end) {
    const std::size_t all = end - begin;
    std::string made = mistakes_.letters(depth == 0 ? "BTLF" : "BTIN");
    made += number(perhaps(0), 1);
    made += number(perhaps(dataset_.filtered() ? 11 : 10), 1);
    Node is{.records = all, .total = all};
    std::string children;
    if (depth == 0) {
      for (std::size_t i = begin; i < end; ++i) made += record(chunks_[i]);
    } else {
      // As few records as leave room for the others, or more.
      const Capacity& child = capacity_[depth - 1];
      std::size_t records = 1;
      while (records < capacity_[depth].most && (records + 1) * child.all + records < all)
        ++records;
      if (records < capacity_[depth].most && records + 1 < all && random_.once_in(2)) ++records;
      is.records = std::min(records, all);
      std::size_t at = begin;
      for (std::size_t i = 0; i <= is.records; ++i) {
        const std::size_t left = end - at, parts = is.records - i + 1;
        const std::size_t mine = (left - (parts - 1)) / parts;
        const Node below_it = node(depth - 1, at, at + mine);
        children += reference(below_it.at);
        children += number(perhaps(below_it.records), count_width_);
        if (child.total_width > 0) children += number(perhaps(below_it.total), child.total_width);
        at += mine;
        if (i < is.records) made += record(chunks_[at++]);
      }
    }
    made = mistakes_.block(made + children);
    is.at = room(node_size_);
    write(is.at, made);
    return is;
  }

  Dataset dataset_{};
  std::vector<Stored> chunks_{};
  std::uint64_t bound_ = 0;  // the last number of the key behind all chunks
  std::uint64_t data_ = kData, node_size_ = 0;
  std::vector<Capacity> capacity_{};
  unsigned count_width_ = 1;
};

// --- Groups --------------------------------------------------------------------------------------

class MadeGroup : public Made {
 public:
  explicit MadeGroup(std::uint64_t seed) : Made(seed) {
    zeros_.file.group_leaf_k = static_cast<std::uint16_t>(1 + below(3));
    zeros_.file.group_internal_k = static_cast<std::uint16_t>(1 + below(3));
    add_text("");
    for (std::size_t n = below(24); n > 0; --n) {
      std::string name(1 + below(9), 'a');
      std::ranges::fill(name, static_cast<char>('a' + below(26)));
      if (random_.once_in(8)) name += "\xC3\xA4";
      if (random_.once_in(30)) name = random_.once_in(2) ? "." : "a/b";
      names_.push_back(std::move(name));
    }
    std::ranges::sort(names_);
    const auto same = std::ranges::unique(names_);
    names_.erase(same.begin(), same.end());
    for (const std::string& each : names_) add_text(each);
    exchange_two(names_);
    tree();
    heap();
  }

  std::string result() {
    std::vector<Link> links;
    const bool sound = read_symbol_table({tree_, heap_}, zeros_.file, links);
    std::string text = sound ? "sound" : "not sound";
    for (const Link& each : links) {
      text += std::format(" {}|{}|{}|{}|{}", each.name, each.type, each.target, each.value,
                          each.at.text());
      if (each.scratch)
        text += std::format(" {} {} {}", each.scratch->tree, each.scratch->heap,
                            each.scratch->at.text());
    }
    for (const Notes::Placed& each : zeros_.notes.placed())
      text += std::format(" {} at {}: {};", each.clause, each.at.text(), each.observed);
    for (const Extent& each : zeros_.file.extents.sorted())
      text += std::format(" {}+{}", each.address, each.size);
    return text;
  }

 private:
  // Texts begin at multiples of eight, behind free blocks here and there.
  void add_text(const std::string& text) {
    if (places_.contains(text)) return;
    places_[text] = segment_.size();
    segment_ += text + '\0';
    segment_.resize((segment_.size() + (wrong() ? 0 : 7)) / 8 * 8);
    if (!text.empty() && random_.once_in(5)) {
      const std::uint64_t size = 2 * width_ + 8 * below(3);
      free_.emplace_back(segment_.size(), size);
      segment_.append(size, '\0');
    }
  }
  std::string place_of(const std::string& name) {
    std::uint64_t at = places_.at(name);
    if (wrong()) at = random_.once_in(2) ? segment_.size() : at + 1;
    return number(at, width_);
  }

  std::string entry(const std::string& name) {
    std::string made = place_of(name);
    const std::uint64_t kind = random_.once_in(3) ? 1 + below(2) : 0;
    const std::uint64_t target = kIndex + 8 * below(20);
    made += reference(kind == 2 ? kUndefined : target);
    made += number(wrong() ? 3 : kind, 4);
    made += number(wrong() ? 1 : 0, 4);
    std::string scratch;
    if (kind == 1) {
      scratch = address(kBlocks + below(3));
      scratch += address(kBlocks + below(3));
    }
    if (kind == 2) scratch = number(places_.at(random_.once_in(2) ? name : ""), 4);
    scratch.resize(16);
    return made + scratch;
  }

  void tree() {
    const unsigned leaf_k = zeros_.file.group_leaf_k, k = zeros_.file.group_internal_k;
    // Each thing with the greatest name below it.
    std::vector<std::pair<std::string, std::uint64_t>> level;
    const std::vector<std::size_t> of_nodes = shares(names_.size(), 2 * std::size_t{leaf_k});
    for (std::size_t n = 0; n + 1 < of_nodes.size(); ++n) {
      std::string made = mistakes_.letters("SNOD");
      made += number(perhaps(1), 1);
      made += number(wrong() ? 1 : 0, 1);
      made += number(perhaps(of_nodes[n + 1] - of_nodes[n]), 2);
      for (std::size_t i = of_nodes[n]; i < of_nodes[n + 1]; ++i) made += entry(names_[i]);
      const std::uint64_t at = room(8 + 2 * leaf_k * (2 * width_ + 24));
      write(at, made);
      level.emplace_back(names_[of_nodes[n + 1] - 1], at);
    }
    const std::uint64_t node_size = 8 + 2 * width_ + 2 * k * 2 * width_ + width_;
    for (unsigned height = 0; height == 0 || level.size() > 1; ++height) {
      std::vector<std::size_t> begins = shares(level.size(), 2 * std::size_t{k});
      if (level.empty()) begins.push_back(0);
      std::vector<std::uint64_t> places;
      for (std::size_t n = 0; n + 1 < begins.size(); ++n) places.push_back(room(node_size));
      std::vector<std::pair<std::string, std::uint64_t>> above;
      for (std::size_t n = 0; n < places.size(); ++n) {
        std::string made = mistakes_.letters("TREE");
        made += number(perhaps(0), 1);
        made += number(perhaps(height), 1);
        made += number(perhaps(begins[n + 1] - begins[n]), 2);
        made += reference(n == 0 ? kUndefined : places[n - 1]);
        made += reference(n + 1 == places.size() ? kUndefined : places[n + 1]);
        made += place_of(begins[n] == 0 ? "" : level[begins[n] - 1].first);
        for (std::size_t i = begins[n]; i < begins[n + 1]; ++i) {
          made += reference(level[i].second);
          made += place_of(level[i].first);
        }
        write(places[n], made);
        if (!level.empty()) above.emplace_back(level[begins[n + 1] - 1].first, places[n]);
      }
      tree_ = places.front();
      if (level.empty()) break;
      level = std::move(above);
    }
  }

  void heap() {
    if (random_.once_in(2)) std::ranges::reverse(free_);
    // Rarely, one leads back, has another size or is shared with the next one.
    std::uint64_t first = free_.empty() ? 1 : free_[0].first;
    if (free_.empty() && random_.once_in(8)) first = kUndefined;
    for (std::size_t i = 0; i < free_.size(); ++i) {
      std::uint64_t next = i + 1 < free_.size() ? free_[i + 1].first : 1;
      if (wrong()) next = random_.once_in(2) ? free_[0].first : segment_.size();
      std::uint64_t size = free_[i].second;
      if (wrong()) size = random_.once_in(2) ? size + 8 : width_;
      if (wrong()) size = segment_.size() - free_[i].first + 1;
      segment_.replace(free_[i].first, 2 * width_, number(next, width_) + number(size, width_));
    }
    if (wrong()) segment_[0] = 'x';
    if (wrong()) segment_.back() = 'x';
    heap_ = kIndex;
    const std::uint64_t at = room(segment_.size());
    std::string made = mistakes_.letters("HEAP");
    made += number(perhaps(0), 1);
    made += number(wrong() ? 256 : 0, 3);
    made += number(wrong() ? kEnd : segment_.size(), width_);
    made += number(first, width_);
    made += reference(at);
    write(kIndex, made);
    write(at, segment_);
  }

  std::vector<std::string> names_{};
  std::map<std::string, std::uint64_t> places_{};
  std::string segment_{};
  std::vector<std::pair<std::uint64_t, std::uint64_t>> free_{};  // place and size
  std::uint64_t tree_ = kUndefined, heap_ = kUndefined;
};

// --- Results -------------------------------------------------------------------------------------

template <class Make>
void add(std::uint64_t set, std::string_view name, Make make, std::string& text) {
  constexpr std::uint64_t kTrees = 150;
  testing::Said said;
  std::size_t sound = 0;
  for (std::uint64_t i = 0; i < kTrees; ++i) {
    auto made = make(1'000 * set + i);
    const std::string result = made.result();
    sound += result.find("not sound") == std::string::npos;
    said.all += result + '\n';
    said.add(made.notes());
  }
  text += said.text(set, std::format("{}, {} sound, ", name, sound));
}

TEST(RandomTrees, WhatIsFoundEqualsTheGoldenFile) {
  constexpr std::uint64_t kSets = 12;
  std::string text;
  for (std::uint64_t set = 0; set < kSets; ++set) {
    for (const IndexType kind : {IndexType::kTree1, IndexType::kTree2})
      add(set, to_string(kind), [&](std::uint64_t seed) { return MadeChunks(seed, kind); }, text);
    add(set, "a group", [](std::uint64_t seed) { return MadeGroup(seed); }, text);
  }
  EXPECT_TRUE(golden::equals(text, "validator/formats/hdf5/golden/random_trees.txt"));
}

}  // namespace
}  // namespace hepcheck::hdf5::random_trees
