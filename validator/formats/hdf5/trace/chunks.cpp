// Sections 6 and 7: the bytes of chunks, the index that contains them, and the extent that includes
// them.
#include <algorithm>
#include <format>

#include "validator/formats/hdf5/trace/watch.h"

namespace hepcheck::hdf5::trace {

namespace {

using Place = std::vector<std::uint64_t>;  // as in ChunkList

std::string chunk_name(const DatasetSeen& dataset, ChunkList::Place place) {
  std::string text = "the chunk at ";
  for (std::size_t d = 0; d < place.size(); ++d)
    text += std::format("{}{}", d == 0 ? "" : ",",
                        place[d] * (d < dataset.chunk.size() ? dataset.chunk[d] : 1));
  return text;
}

class ChunkWatch : public Watch {
 public:
  ChunkWatch(Results& results, Shared& shared) : Watch(results), shared_(shared) {}

  void write(const Step& step) override {
    for (const Named& each : step.named)
      if (each.dataset.described && each.dataset.chunked &&
          (step.swmr || each.dataset.index == IndexType::kTree1))
        named(each, step);
    each_dataset(step.after.datasets, step.before.datasets,
                 [&](const DatasetSeen& dataset, const DatasetSeen* before) {
                   if (!dataset.described || before == &dataset) return;
                   kind_of_index(dataset, before, step);
                   if (dataset.chunked && step.swmr && before) grown(dataset, *before, step);
                 });
    if (step.swmr) old_places(step);
    wrong_kinds(step);
  }

  void barrier(std::string_view call, const Seen&, const Image&, bool) override {
    if (call.empty() || call == "flush" || call == "close" || call.starts_with("dataset-flush"))
      grown_.clear();
    if (call == "close") old_.clear();
  }

 private:
  // The number of unlimited dimensions determines the index of a new dataset.
  void kind_of_index(const DatasetSeen& dataset, const DatasetSeen* before, const Step& step) {
    if ((before && before->described) || !dataset.chunked || !step.before.readable) return;
    results_.looked("swmr-index-kind-by-unlimited");
    const unsigned unlimited = dataset.unlimited();
    const bool old = dataset.layout_version < 4;
    const bool right = old              ? dataset.index == IndexType::kTree1
                       : unlimited == 0 ? dataset.index == IndexType::kFixedArray ||
                                              dataset.index == IndexType::kSingle ||
                                              dataset.index == IndexType::kImplicit
                       : unlimited == 1 ? dataset.index == IndexType::kExtensibleArray
                                        : dataset.index == IndexType::kTree2;
    if (!right)
      results_.fail("swmr-index-kind-by-unlimited", dataset.path, step.where(),
                    std::format("index kind {} for {} unlimited dimensions",
                                to_string(dataset.index), unlimited),
                    "a fixed array (or single, implicit) for none, an extensible array for one, a "
                    "version 2 B-tree for more");
  }

  // If a dataset has the wrong index, the reader reports only that.
  void wrong_kinds(const Step& step) {
    if (!step.before.readable) return;
    for (const Trouble& trouble : step.fresh)
      if (trouble.clause.starts_with("swmr-index-") && trouble.clause.ends_with("-unlimited"))
        results_.fail("swmr-index-kind-by-unlimited", trouble.object, step.where(),
                      trouble.observed, trouble.expected);
  }

  // A chunk that is new in the index.
  void named(const Named& it, const Step& step) {
    const Place place(it.place.begin(), it.place.end());
    const bool moved = it.old && it.old->span.begin != it.chunk.span.begin;
    if (moved && step.swmr) old_[it.old->span.begin] = {it.old->span, it.dataset.path, place};
    if (step.after.block_in(it.chunk.span)) return;  // a cycle, or an overlap
    written_before(it.dataset, place, it.chunk, step);
    if (known_.insert({it.dataset.header, place}).second)
      late(it.dataset, place, it.chunk.span, step);
  }

  void written_before(const DatasetSeen& dataset, const Place& place, const ChunkSeen& chunk,
                      const Step& step) {
    const bool old_tree = dataset.index == IndexType::kTree1;
    const ClauseId clause =
        old_tree ? ClauseId("swmr-btree1-children-first") : ClauseId("swmr-chunk-before-index");
    results_.looked(clause);
    const std::int64_t complete = shared_.times.complete(chunk.span);
    const std::int64_t of_index = shared_.times.last(chunk.by_block);
    if (complete != Times::kNever && (complete < of_index || complete == Times::kBefore)) return;
    // One write may contain both.
    if (complete != Times::kNever && complete == of_index) return;
    if (!charged_.insert({dataset.header, place}).second) return;
    results_.fail(
        clause, dataset.path, step.where(),
        std::format("{} @ {} names {}, {} bytes @ {}, {}", chunk.by, chunk.by_block,
                    chunk_name(dataset, place), chunk.span.end - chunk.span.begin, chunk.span.begin,
                    complete == Times::kNever
                        ? std::string("which have not been written")
                        : std::format("whose last byte came with write {}", complete)),
        "the bytes of a chunk before an index block that refers to it");
  }

  // The header has a new extent: the chunks written for it must be in the index.
  void grown(const DatasetSeen& dataset, const DatasetSeen& before, const Step& step) {
    if (!before.described || dataset.sizes.size() != before.sizes.size()) return;
    bool larger = false;
    for (std::size_t d = 0; d < dataset.sizes.size(); ++d)
      larger |= dataset.sizes[d] > before.sizes[d];
    if (!larger) return;
    results_.looked("swmr-index-before-extent");
    grown_[dataset.header] = {step.number, step.where()};
    // Readers ignore elements at and beyond the maximum index of the header.
    for (const Trouble& trouble : step.after.errors)
      if (of_statistics(trouble.clause) && trouble.block == dataset.index_address &&
          late_.insert({dataset.header, step.number}).second)
        results_.fail("swmr-index-before-extent", dataset.path, step.where(),
                      "a new extent, with the old header of the index: " + trouble.observed,
                      "the index before the extent that includes it");
  }

  // Their bytes existed when the extent grew, but the index did not contain them.
  void late(const DatasetSeen& dataset, const Place& place, const Span& span, const Step& step) {
    const auto at = grown_.find(dataset.header);
    if (at == grown_.end() || at->second.number >= step.number || !dataset.inside(place)) return;
    const std::int64_t complete = shared_.times.complete(span);
    if (complete < 0 || complete > at->second.number) return;
    if (late_.insert({dataset.header, at->second.number}).second)
      results_.fail("swmr-index-before-extent", dataset.path, at->second.where,
                    std::format("a new extent, and {} is added to the index by write {}",
                                chunk_name(dataset, place), step.number),
                    "the index before the extent that includes it");
  }

  void old_places(const Step& step) {
    results_.looked("swmr-chunk-old-place-kept", old_.size());
    for (auto it = old_.begin(); it != old_.end();) {
      const Old& old = it->second;
      if (!old.span.meets(step.span)) {
        ++it;
        continue;
      }
      shared_.excused.push_back(step.span);
      results_.fail("swmr-chunk-old-place-kept", old.path, step.where(),
                    std::format("{} bytes @ {}, the old place of a chunk that moved",
                                step.span.end - step.span.begin, step.span.begin),
                    "the old place unchanged until the file is closed");
      it = old_.erase(it);
    }
  }

  struct Old {
    Span span{};
    std::string path{};
    Place place{};
  };
  struct Grown {
    std::int64_t number = 0;
    std::string where{};
  };
  Shared& shared_;
  std::set<std::pair<std::uint64_t, Place>> charged_{}, known_{};
  std::set<std::pair<std::uint64_t, std::int64_t>> late_{};
  std::map<std::uint64_t, Old> old_{};      // by where they begin
  std::map<std::uint64_t, Grown> grown_{};  // datasets, by header, since the last barrier
};

}  // namespace

std::unique_ptr<Watch> watch_chunks(Results& results, Shared& shared) {
  return std::make_unique<ChunkWatch>(results, shared);
}

}  // namespace hepcheck::hdf5::trace
