// Section 5, and Tables 3, 5, 7 and 8: children are written before the block that refers to them.
//
// A violation shows in three ways. A block refers to another that does not exist yet: the reader
// reports an error immediately. A block appears, a part of which was written later than the block
// that refers to it. Within a single flush, a block is written after one that refers to it: it was
// dirty then.
#include <algorithm>
#include <array>
#include <format>
#include <optional>
#include <unordered_set>

#include "validator/formats/hdf5/trace/watch.h"
#include "validator/trace/dependencies.h"

namespace hepcheck::hdf5::trace {

namespace {

// Pairs of parent and child, and the clause of each pair.
struct Pair {
  std::string_view parent, child;
  ClauseId clause;
};
constexpr Pair kPairs[] = {
    {"OHDR", "EAHD", "swmr-index-root-before-header"},
    {"OHDR", "FAHD", "swmr-index-root-before-header"},
    {"OHDR", "BTHD", "swmr-index-root-before-header"},
    {"OCHK", "EAHD", "swmr-index-root-before-header"},
    {"OCHK", "FAHD", "swmr-index-root-before-header"},
    {"OCHK", "BTHD", "swmr-index-root-before-header"},
    {"BTHD", "BTIN", "swmr-btree2-children-first"},
    {"BTHD", "BTLF", "swmr-btree2-children-first"},
    {"BTIN", "BTIN", "swmr-btree2-children-first"},
    {"BTIN", "BTLF", "swmr-btree2-children-first"},
    {"EAHD", "EAIB", "swmr-earray-index-block-before-header"},
    {"EAIB", "EADB", "swmr-earray-data-block-before-index-block"},
    {"EAIB", "EASB", "swmr-earray-super-block-before-index-block"},
    {"EASB", "EADB", "swmr-earray-page-before-super-block"},
    {"EASB", "EADB page", "swmr-earray-page-before-super-block"},
    {"FAHD", "FADB", "swmr-farray-block-before-header"},
    {"FADB", "FADB page", "swmr-farray-page-before-block"},
    {"OHDR", "OCHK", "swmr-flush-children-first"},
    {"OCHK", "OCHK", "swmr-flush-children-first"},
};
const Pair* pair_of(std::string_view parent, std::string_view child) {
  const auto found = std::ranges::find_if(
      kPairs, [&](const Pair& pair) { return pair.parent == parent && pair.child == child; });
  return found == std::end(kPairs) ? nullptr : &*found;
}

bool of_counts(std::string_view clause) {
  constexpr std::string_view kCounts[] = {"swmr-btree2-root-records", "swmr-btree2-child-records",
                                          "swmr-btree2-total-records", "swmr-btree2-child-total",
                                          "swmr-btree2-record-order"};
  return std::ranges::contains(kCounts, clause);
}
// Judged elsewhere, by the times and positions of writes.
bool of_places(std::string_view clause) {
  constexpr std::string_view kPlaces[] = {"swmr-chunk-inside-file", "swmr-metadata-no-overlap",
                                          "swmr-chunk-no-overlap", "swmr-chunk-inside-maximum"};
  return std::ranges::contains(kPlaces, clause);
}

class Order : public Watch {
 public:
  Order(Results& results, Shared& shared) : Watch(results), shared_(shared) {}

  void begin(const Seen& now, const Image&) override { know(now); }

  void event(const Event& event, const Seen&) override {
    if (event.kind == Event::Kind::kCall && event.data == "flushing") burst_.clear();
  }

  void write(const Step& step) override {
    if (!step.swmr) return know(step.after);
    for (const BlockSeen* block : step.whole) remember(*block, step);
    if (step.whole.empty() && !step.kind.empty() && step.own_sum_good)
      written_[step.span.begin] = step.number;
    pages(step);
    if (step.own_sum_good) {
      looked(step);
      stumbles(step);
    }
    turned_up(step);
  }

  // The writes of a flush are in order.
  void barrier(std::string_view call, const Seen& now, const Image& image, bool swmr) override {
    if (swmr &&
        (call == "flush" || call.starts_with("dataset-flush") || call.starts_with("object-flush")))
      judge_burst(now, image);
    burst_.clear();
  }

 private:
  void know(const Seen& now) {
    for (const BlockSeen& block : now.blocks) known_.insert(block.span.begin);
  }
  void remember(const BlockSeen& block, const Step& step) {
    written_[block.span.begin] = step.number;
    burst_.push_back(block.span.begin);
  }

  static std::string named(std::string_view kind, std::uint64_t address) {
    return std::format("{} @ {}", kind, address);
  }

  void charge(const Pair& pair, std::uint64_t child, const Step& step, std::string observed) {
    if (!shared_.charged.insert(child).second) return;
    results_.fail(
        pair.clause, step, std::move(observed),
        std::format("{} written before the {} that refers to it", pair.child, pair.parent));
  }

  // Every pair whose parent is in this write was examined.
  void looked(const Step& step) {
    for (const BlockSeen* block : step.whole) {
      results_.looked("swmr-flush-children-first");
      results_.looked("swmr-flush-acyclic");
      if (block->kind == "EAHD") results_.looked("swmr-earray-header-statistics");
      if (block->kind == "BTHD" || block->kind == "BTIN" || block->kind == "BTLF")
        results_.looked("swmr-btree2-counts-with-nodes");
      for (const BlockSeen& child : step.after.blocks)
        if (child.object == block->object)
          if (const Pair* pair = pair_of(block->kind, child.kind)) results_.looked(pair->clause);
      if (block->kind == "FADB" && block->span.end > step.span.end)
        results_.looked("swmr-farray-page-before-block");
    }
    if (step.kind == "FADB") results_.looked("swmr-farray-page-before-block");
  }

  // Children that do not exist yet.
  void stumbles(const Step& step) {
    for (const Trouble& trouble : step.fresh) {
      if (of_places(trouble.clause)) continue;
      const std::string what =
          std::format("{}: {}", named(trouble.kind, trouble.block), trouble.observed);
      if (of_counts(trouble.clause) || of_statistics(trouble.clause)) continue;
      if (trouble.block == step.span.begin || trouble.kind == "TREE" || trouble.kind == "SNOD" ||
          shared_.charged.contains(trouble.block))
        continue;
      if (circle(trouble, step)) continue;
      const Pair* pair = pair_of(step.kind, trouble.kind);
      if (pair)
        charge(*pair, trouble.block, step, what);
      else if (!step.raw() && shared_.charged.insert(trouble.block).second)
        results_.fail("swmr-flush-children-first", step, what,
                      "children that are sound when the block that refers to them is written");
    }
    numbers(step);
    chunks_on_blocks(step);
  }

  // The statements of headers about the structure below them must be correct in every write. If a
  // node was changed in place, structures.cpp reports the effect.
  void numbers(const Step& step) {
    const bool tree = step.kind == "BTHD" || step.kind == "BTIN";
    if (!tree && step.kind != "EAHD") return;
    for (const Trouble& trouble : step.after.errors) {
      const std::string what =
          std::format("{}: {}", named(trouble.kind, trouble.block), trouble.observed);
      if (tree && of_counts(trouble.clause) && trouble.object == step.path())
        results_.fail("swmr-btree2-counts-with-nodes", step, what, trouble.expected);
      if (!tree && of_statistics(trouble.clause) && trouble.block == step.span.begin)
        results_.fail("swmr-earray-header-statistics", step, what, trouble.expected);
    }
  }

  // A block that refers to an ancestor.
  bool circle(const Trouble& trouble, const Step& step) {
    if (trouble.clause != "swmr-btree2-node-once" &&
        trouble.clause != "swmr-ohdr-continuation-once")
      return false;
    results_.fail("swmr-flush-acyclic", step,
                  named(trouble.kind, trouble.block) + " leads to itself",
                  "references that do not form a cycle");
    return true;
  }
  void chunks_on_blocks(const Step& step) {
    for (const Named& each : step.named) {
      const BlockSeen* block = step.after.block_in(each.chunk.span);
      if (!block || block->object != each.dataset.header ||
          block->span.begin != each.chunk.span.begin ||
          !shared_.charged.insert(each.chunk.span.begin).second)
        continue;
      results_.fail("swmr-flush-acyclic", step,
                    std::format("{} refers to {} as a chunk, which is its ancestor",
                                named(each.chunk.by, each.chunk.by_block),
                                named(block->kind, block->span.begin)),
                    "references that do not form a cycle");
    }
  }

  // The parent of this block: some block of the same object has its address.
  static const BlockSeen* parent(const BlockSeen& child, const Seen& seen, const Image& image) {
    const unsigned width = seen.offset_size;
    for (const BlockSeen& block : seen.blocks) {
      if (block.object != child.object || !pair_of(block.kind, child.kind) ||
          block.span.begin == child.span.begin || block.span.end > image.size())
        continue;
      const std::string_view bytes =
          std::string_view(image).substr(block.span.begin, block.span.end - block.span.begin);
      const bool owned = block.kind.starts_with("EA") || block.kind.starts_with("FA");
      const std::size_t from = block.kind == "EAHD" || block.kind == "FAHD" ? 8
                               : owned                                      ? 6U + width
                                                                            : 4U;
      for (std::size_t at = from; at + width <= bytes.size(); ++at)
        if (number_at(bytes, at, width) == child.span.begin - seen.base) return &block;
    }
    return nullptr;
  }
  std::optional<std::int64_t> time(std::uint64_t address) const {
    const auto found = written_.find(address);
    return found == written_.end() ? std::nullopt : std::optional(found->second);
  }

  // Blocks that were not reachable before, and are newer than their parents.
  void turned_up(const Step& step) {
    for (const BlockSeen& block : step.after.blocks) {
      if (!known_.insert(block.span.begin).second || shared_.charged.contains(block.span.begin))
        continue;
      const BlockSeen* above = parent(block, step.after, step.image);
      const auto mine = time(block.span.begin);
      const auto of_parent = above ? time(above->span.begin) : std::nullopt;
      if (above) results_.looked(pair_of(above->kind, block.kind)->clause);
      if (mine && of_parent && *of_parent < *mine)
        charge(*pair_of(above->kind, block.kind), block.span.begin, step,
               std::format("{} is from write {}, {} that refers to it from write {}",
                           named(block.kind, block.span.begin), *mine,
                           named(above->kind, above->span.begin), *of_parent));
    }
    for (auto page = early_pages_.begin(); page != early_pages_.end();) {
      const BlockSeen* holder = holder_of(page->first, step.after);
      if (!holder) {
        ++page;
        continue;
      }
      judge_page(*holder, page->first, page->second, step);
      page = early_pages_.erase(page);
    }
  }

  // Pages are not separate blocks. A page is new if there was none before it.
  static const BlockSeen* holder_of(std::uint64_t address, const Seen& seen) {
    for (const BlockSeen& block : seen.blocks)
      if ((block.kind == "FADB" || block.kind == "EADB") && block.span.begin < address &&
          address < block.span.end)
        return &block;
    return nullptr;
  }
  void pages(const Step& step) {
    if (!step.kind.empty() || !step.whole.empty() || step.event.data.size() < 12 ||
        !sum_holds("page", step.event.data.substr(0)) || sum_holds("page", step.old_bytes))
      return;
    if (const BlockSeen* holder = holder_of(step.span.begin, step.after))
      judge_page(*holder, step.span.begin, step.number, step);
    else if (step.event.memory != Memory::kRawData)
      early_pages_[step.span.begin] = step.number;
  }
  void judge_page(const BlockSeen& holder, std::uint64_t page, std::int64_t number,
                  const Step& step) {
    const bool fixed = holder.kind == "FADB";
    const BlockSeen* namer = fixed ? &holder : parent(holder, step.after, step.image);
    const Pair* pair = namer ? pair_of(namer->kind, fixed ? "FADB page" : "EADB page") : nullptr;
    const auto of_namer = namer ? time(namer->span.begin) : std::nullopt;
    if (!pair) return;
    results_.looked(pair->clause);
    if (of_namer && *of_namer < number)
      charge(
          *pair, page, step,
          std::format("the new page @ {} is from write {}, {} that marks it as used from write {}",
                      page, number, named(namer->kind, namer->span.begin), *of_namer));
  }

  void judge_burst(const Seen& now, const Image& image) {
    hepcheck::trace::Dependencies order;
    std::map<std::uint64_t, const BlockSeen*> blocks;
    for (const std::uint64_t address : burst_) {
      const BlockSeen* block = now.block_at(address);
      if (!block) continue;
      blocks[address] = block;
      order.dirty(address);
      if (const BlockSeen* above = parent(*block, now, image))
        order.add(above->span.begin, address);
    }
    for (const std::uint64_t address : burst_) {
      if (!blocks.contains(address)) continue;
      for (const std::uint64_t child : order.write(address)) {
        const Pair* pair = pair_of(blocks[address]->kind, blocks[child]->kind);
        // chunks.cpp judges by the extent whether the header of the object was written too early.
        if (!pair || pair->parent == "OHDR" || pair->parent == "OCHK" ||
            !shared_.charged.insert(child).second)
          continue;
        const auto object = now.objects().find(blocks[child]->object);
        results_.fail(
            pair->clause, object == now.objects().end() ? "/" : object->second,
            std::format("write {}: {}", written_[address], named(blocks[address]->kind, address)),
            std::format("{} was changed in the same flush, and written after it",
                        named(blocks[child]->kind, child)),
            std::format("{} written before the {} that refers to it", pair->child, pair->parent));
      }
    }
  }

  Shared& shared_;
  std::unordered_set<std::uint64_t> known_{};            // blocks that were reachable once
  std::map<std::uint64_t, std::int64_t> written_{};      // blocks, by address: the last time
  std::map<std::uint64_t, std::int64_t> early_pages_{};  // whose block is not reachable yet
  std::vector<std::uint64_t> burst_{};                   // blocks, in the order of writes
};

}  // namespace

std::unique_ptr<Watch> watch_order(Results& results, Shared& shared) {
  return std::make_unique<Order>(results, shared);
}

}  // namespace hepcheck::hdf5::trace
