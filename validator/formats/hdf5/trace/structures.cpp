// Sections 8, 9 and 11: parts that do not move while trees and arrays grow.
#include <algorithm>
#include <format>
#include <map>
#include <utility>

#include "validator/formats/hdf5/lookup3.h"
#include "validator/formats/hdf5/trace/watch.h"

namespace hepcheck::hdf5::trace {

namespace {

bool is_node(std::string_view kind) { return kind == "BTIN" || kind == "BTLF"; }

class Structures : public Watch {
 public:
  using Watch::Watch;

  void write(const Step& step) override {
    if (!step.before.readable) return;
    index_stays(step);
    for (const BlockSeen& block : step.before.blocks) {
      if (block.kind == "TREE") old_node(block, step);
      if (is_node(block.kind) && block.span.meets(step.span)) node_written(block, step);
    }
    tree1_order(step);
    fixed_array(step);
    maximum(step);
    if (step.kind != "BTHD") return;
    if (step.swmr) results_.looked("swmr-btree2-shadowed");
    // The header tells what became of its own nodes only.
    const BlockSeen* header = step.after.block_at(step.span.begin);
    if (!header) return;
    if (const auto shadow = shadows_.extract(header->object))
      judge_shadow(shadow.mapped(), step.after);
  }

  void barrier(std::string_view, const Seen& now, const Image& image, bool) override {
    for (const auto& [dataset, shadow] : std::exchange(shadows_, {})) judge_shadow(shadow, now);
    const std::uint64_t end = std::max<std::uint64_t>(image.size(), now.readable ? now.end : 0);
    for (const BlockSeen& block : now.blocks)
      if (is_node(block.kind)) results_.looked("swmr-btree2-full-size-allocated");
    for (const BlockSeen& block : now.blocks)
      if (is_node(block.kind) && block.span.end > end && full_.insert(block.span.begin).second)
        results_.fail("swmr-btree2-full-size-allocated", path_of(block, now),
                      std::format("{} @ {}", block.kind, block.span.begin),
                      std::format("a node of {} bytes, and the file ends at {}",
                                  block.span.end - block.span.begin, end),
                      "complete nodes");
  }

 private:
  static std::string path_of(const BlockSeen& block, const Seen& seen) {
    const auto found = seen.objects().find(block.object);
    return found == seen.objects().end() ? "/" : found->second;
  }

  // The address of an existing index never changes.
  void index_stays(const Step& step) {
    each_dataset(step.after.datasets, step.before.datasets,
                 [&](const DatasetSeen& dataset, const DatasetSeen* before) {
                   if (!before || !before->described || !dataset.described || !dataset.chunked ||
                       before->index_address == kUndefined)
                     return;
                   if (dataset.index == IndexType::kTree1)
                     index_stays("swmr-btree1-root-stays", dataset, *before, step);
                   if (dataset.index == IndexType::kTree2)
                     index_stays("swmr-btree2-header-stays", dataset, *before, step);
                   if (dataset.index == IndexType::kFixedArray)
                     index_stays("swmr-farray-size-stays", dataset, *before, step);
                 });
  }

  void index_stays(const ClauseId& clause, const DatasetSeen& dataset, const DatasetSeen& before,
                   const Step& step) {
    results_.looked(clause);
    if (dataset.index_address != before.index_address)
      results_.fail(
          clause, dataset.path, step.where(),
          std::format("the index moved from {} to {}", before.index_address, dataset.index_address),
          "an index that does not move");
  }

  // --- Version 1 trees

  void old_node(const BlockSeen& block, const Step& step) {
    const Span behind{block.span.end, block.span.end + 4};
    if (step.span.holds(behind)) {
      results_.looked("swmr-btree1-no-appended-checksum");
      const auto bytes = std::as_bytes(std::span(step.image));
      if (behind.end <= step.image.size() &&
          number_at(step.image, behind.begin, 4) ==
              lookup3(bytes.subspan(block.span.begin, block.span.end - block.span.begin)))
        results_.fail(
            "swmr-btree1-no-appended-checksum", step,
            std::format("the checksum of the node @ {} directly after it", block.span.begin),
            "nodes as the format has them");
    }
    if (!block.span.meets(step.span)) return;
    results_.looked("swmr-btree1-full-size-allocated");
    if (step.span.begin > block.span.begin && step.foreign_to(block))
      if (full_.insert(block.span.begin).second)
        results_.fail("swmr-btree1-full-size-allocated", step,
                      std::format("{} bytes inside the node @ {}", step.span.end - step.span.begin,
                                  block.span.begin),
                      "nothing else in the full size of a node");
  }

  void tree1_order(const Step& step) {
    if (step.kind != "TREE") return;
    results_.looked("swmr-btree1-children-first");
    for (const Trouble& trouble : step.fresh) {
      if (trouble.block == step.span.begin) continue;
      if (trouble.kind == "TREE")
        results_.fail("swmr-btree1-split-new-nodes-first", step,
                      std::format("TREE @ {}: {}", trouble.block, trouble.observed),
                      "both nodes of a split before their parent");
      if (trouble.kind == "SNOD")
        results_.fail("swmr-btree1-children-first", step,
                      std::format("SNOD @ {}: {}", trouble.block, trouble.observed),
                      "children before the node that refers to them");
    }
    const auto nodes = [&](const Seen& seen) {
      return std::ranges::count(seen.blocks, std::string_view("TREE"), &BlockSeen::kind);
    };
    if (nodes(step.after) > nodes(step.before))
      results_.looked("swmr-btree1-split-new-nodes-first");
  }

  // --- Version 2 trees

  void node_written(const BlockSeen& block, const Step& step) {
    results_.looked("swmr-btree2-full-size-allocated");
    const bool as_node = step.span.begin == block.span.begin && is_node(step.kind);
    if (!as_node && step.foreign_to(block)) {
      if (full_.insert(block.span.begin).second)
        results_.fail("swmr-btree2-full-size-allocated", step,
                      std::format("{} bytes inside the node @ {}", step.span.end - step.span.begin,
                                  block.span.begin),
                      "nothing else in the full size of a node while a reader may be in it");
      return;
    }
    const DatasetSeen* dataset = step.before.datasets.find(block.object);
    if (!step.swmr || !as_node || !dataset || step.old_bytes == step.event.data) return;
    results_.looked("swmr-btree2-shadowed");
    if (shadows_.contains(block.object)) return;
    std::string count;
    for (const Trouble& trouble : step.fresh)
      if (trouble.clause.starts_with("swmr-btree2-")) count = trouble.observed;
    shadows_[block.object] = {*dataset, step.where(), std::move(count)};
  }

  // A split or a rebalance moves records from one node to another, and some counts change.
  static bool same_shape(const DatasetSeen& old, const DatasetSeen& now) {
    std::set<std::uint64_t> old_nodes, nodes;
    for (const auto& [place, chunk] : old.chunks.all()) {
      old_nodes.insert(chunk.by_block);
      const ChunkSeen* found = now.chunks.find(place);
      if (found && found->by_block != chunk.by_block) return false;
    }
    for (const auto& [place, chunk] : now.chunks.all()) nodes.insert(chunk.by_block);
    return old_nodes == nodes;
  }
  struct Shadow {
    DatasetSeen before{};
    std::string where{};
    std::string count{};  // errors that a reader reports until the header is written
  };
  void judge_shadow(const Shadow& shadow, const Seen& now) {
    const DatasetSeen* dataset = now.datasets.find(shadow.before.header);
    if (!dataset) return;
    if (!same_shape(shadow.before, *dataset))
      results_.fail("swmr-btree2-shadowed", shadow.before.path, shadow.where,
                    "a node that readers may be using, overwritten by a split or a rebalance",
                    "new nodes elsewhere, and the old ones unchanged");
    else if (!shadow.count.empty())
      results_.fail("swmr-btree2-counts-with-nodes", shadow.before.path, shadow.where,
                    shadow.count + ", because the node grew in place before the header was updated",
                    "addresses and counts that match after every write");
  }

  // --- Fixed arrays

  void fixed_array(const Step& step) {
    const BlockSeen* old = step.before.block_at(step.span.begin);
    if (step.kind != "FAHD" || !old || old->kind != "FAHD") return;
    results_.looked("swmr-farray-size-stays");
    const unsigned length = step.after.length_size, offset = step.after.offset_size;
    const std::uint64_t count = number_at(step.event.data, 8, length),
                        block = number_at(step.event.data, 8 + length, offset),
                        old_count = number_at(step.old_bytes, 8, length),
                        old_block = number_at(step.old_bytes, 8 + length, offset);
    const bool defined = old_block != number_at("\xff\xff\xff\xff\xff\xff\xff\xff", 0, offset);
    if (count != old_count || (defined && block != old_block))
      results_.fail(
          "swmr-farray-size-stays", step,
          std::format("{} elements @ {} that were {} @ {}", count, block, old_count, old_block),
          "an array that does not depend on the size of the dataset");
  }

  void maximum(const Step& step) {
    if (step.kind != "OHDR" && step.kind != "OCHK") return;
    if (!step.before.datasets.contains(step.span.begin)) return;
    results_.looked("swmr-farray-only-within-maximum");
    for (const Trouble& trouble : step.fresh)
      if (trouble.clause == ClauseId("swmr-dataspace-max").str())
        results_.fail("swmr-farray-only-within-maximum", step, trouble.observed, trouble.expected);
  }

  std::set<std::uint64_t> full_{};             // reported nodes
  std::map<std::uint64_t, Shadow> shadows_{};  // of datasets, by header, until theirs is written
};

}  // namespace

std::unique_ptr<Watch> watch_structures(Results& results, Shared&) {
  return std::make_unique<Structures>(results);
}

}  // namespace hepcheck::hdf5::trace
