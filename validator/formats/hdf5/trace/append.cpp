// Section 6: the changes of an append, and that they are complete after a flush; and attributes,
// which no ordering covers, with the number of rows.
#include <algorithm>
#include <charconv>
#include <format>

#include "validator/formats/hdf5/trace/watch.h"

namespace hepcheck::hdf5::trace {

namespace {

class Append : public Watch {
 public:
  Append(Results& results, Shared& shared) : Watch(results), shared_(shared) {}

  void swmr_begins(const Seen& now) override { beyond_ = now.beyond; }

  void event(const Event& event, const Seen&) override {
    if (event.kind == Event::Kind::kCall && hepcheck::trace::verb_of(event.data) == "extent")
      asked_[std::string(hepcheck::trace::behind_words(event.data, 2))] =
          std::string(hepcheck::trace::verb_of(hepcheck::trace::behind_words(event.data, 1)));
  }

  void write(const Step& step) override {
    commit(step);
    if (!step.swmr) return;
    results_.looked("swmr-append-touches-only");
    if (step.raw()) {
      loose_.push_back({step.span, step.where()});
      return;
    }
    if (step.own_sum_good && !may_touch(step))
      results_.fail("swmr-append-touches-only", step,
                    step.kind == "OHDR" || step.kind == "OCHK"
                        ? "an object header whose size and index stay as they are: an attribute, "
                          "such as NROWS, was written during SWMR"
                        : "a block that is not part of a dataset's index or header",
                    "chunks, the index and the header of the datasets that are appended to");
  }

  // Each dataset must be complete.
  void barrier(std::string_view call, const Seen& now, const Image&, bool swmr) override {
    committed_.clear();
    const bool all = call == "flush" || call == "close";
    const bool one = call.starts_with("dataset-flush ");
    if (swmr && (all || one)) {
      for (const DatasetSeen& dataset : now.datasets.all())
        if (all || hepcheck::trace::behind_words(call, 1) == dataset.path) whole(dataset, call);
      if (all) indexed(now, call);
    }
    if (all) loose_.clear();
  }

 private:
  static bool of_dataset(const Step& step, std::uint64_t object) {
    return step.before.datasets.contains(object) || step.after.datasets.contains(object);
  }

  bool may_touch(const Step& step) const {
    // Judged by the clauses that prohibit them.
    if (step.kind == "superblock" || step.kind == "GCOL" || step.kind == "TREE" ||
        step.kind == "SNOD" || !shared_.structural.empty())
      return true;
    if (step.after.objects().size() != step.before.objects().size()) return true;
    std::vector<const BlockSeen*> touched = step.whole;
    for (const BlockSeen& block : step.before.blocks)
      if (block.span.meets(step.span)) touched.push_back(&block);
    if (step.within) touched.push_back(step.within);
    for (const BlockSeen* block : touched) {
      if (!of_dataset(step, block->object)) return false;
      const bool header = block->kind == "OHDR" || block->kind == "OCHK";
      if (header && step.old_bytes != step.event.data && !follows_the_append(step, block->object))
        return false;
    }
    // Not referenced yet: a block of an index, or an object under construction.
    constexpr std::string_view kIndex[] = {"BTHD", "BTIN", "BTLF", "EAHD", "EAIB", "EASB",
                                           "EADB", "FAHD", "FADB", "OHDR", "OCHK"};
    return !touched.empty() || std::ranges::contains(kIndex, step.kind);
  }

  // The header of a dataset changes with its extent and with the address of its index.
  static bool follows_the_append(const Step& step, std::uint64_t object) {
    const DatasetSeen *old = step.before.datasets.find(object),
                      *now = step.after.datasets.find(object);
    if (!old || !now || !old->described || !now->described) return true;
    return old->sizes != now->sizes || old->index_address != now->index_address ||
           old->chunks.size() != now->chunks.size();
  }

  // --- At a flush

  void whole(const DatasetSeen& dataset, std::string_view call) {
    if (!dataset.chunked) return;
    results_.looked("swmr-flush-whole-set");
    std::string size;
    for (const std::uint64_t each : dataset.sizes)
      size += std::format("{}{}", size.empty() ? "" : "x", each);
    const auto asked = asked_.find(dataset.path);
    const bool short_of = asked != asked_.end() && asked->second != size;
    const bool beyond =
        asked == asked_.end() && written_beyond(dataset) && beyond_.insert(dataset.path).second;
    if (short_of || beyond)
      results_.fail("swmr-flush-whole-set", dataset.path, "at the call " + std::string(call),
                    short_of ? std::format("a header with the size {} after the call for {}", size,
                                           asked->second)
                             : "chunks in the index beyond the extent in the header",
                    "header, index and chunks that agree at the end of the flush");
  }

  // A written chunk is in the index, but the extent does not include it.
  bool written_beyond(const DatasetSeen& dataset) const {
    return std::ranges::any_of(dataset.chunks.all(), [&](const ChunkList::Entry& each) {
      return !dataset.inside(each.place) && std::ranges::any_of(loose_, [&](const Loose& loose) {
        return loose.span.meets(each.chunk.span);
      });
    });
  }

  // Written chunks are at addresses in an index.
  void indexed(const Seen& now, std::string_view call) {
    for (const Loose& loose : loose_) {
      const auto meets = [&](const Span& span) { return span.meets(loose.span); };
      const bool found =
          std::ranges::any_of(shared_.excused, meets) || now.block_in(loose.span) ||
          std::ranges::any_of(now.datasets.all(), [&](const DatasetSeen& each) {
            return !each.chunked ||
                   std::ranges::any_of(each.chunks.all(), [&](const ChunkList::Entry& entry) {
                     return entry.chunk.span.meets(loose.span);
                   });
          });
      if (!found)
        results_.fail("swmr-flush-whole-set", "/", "at the call " + std::string(call),
                      loose.where + ": bytes that no index refers to",
                      "header, index and chunks that agree at the end of the flush");
    }
  }

  // --- An attribute beside an append

  void commit(const Step& step) {
    if (!step.before.readable || !step.after.readable) return;
    for (const std::uint64_t table : step.before.tables)
      if (holds_attributes(step, table) && step.old_bytes != step.event.data &&
          step.after.objects().size() == step.before.objects().size()) {
        committed_[table] = {step.number, step.where(), step.path()};
        results_.looked("swmr-commit-attribute-not-covered");
      }
    for (auto it = committed_.begin(); it != committed_.end();) {
      const auto& [table, commit] = *it;
      if (commit.number == step.number || !column_of(step, commit.path)) {
        ++it;
        continue;
      }
      results_.fail(
          "swmr-commit-attribute-not-covered", commit.path, commit.where,
          std::format("attributes of the table, followed by {} of {}", step.where(), step.path()),
          "a flush between the columns and the attribute that includes them");
      it = committed_.erase(it);
    }
  }
  // Whether the step writes attributes of the table: its header, or the heap of dense attributes.
  static bool holds_attributes(const Step& step, std::uint64_t table) {
    return std::ranges::any_of(step.before.blocks, [&](const BlockSeen& block) {
      return block.object == table && block.span.meets(step.span) &&
             (block.kind == "OHDR" || block.kind == "OCHK" || block.kind == "FHDB");
    });
  }
  static bool column_of(const Step& step, const std::string& table) {
    if (step.raw() || step.old_bytes == step.event.data) return false;
    const std::string path = step.path();
    const std::string folder = table == "/" ? table : table + "/";
    const auto is = [&](const DatasetSeen& dataset) { return dataset.path == path; };
    return path.starts_with(folder) && !path.substr(folder.size()).contains('/') &&
           std::ranges::any_of(step.after.datasets.all(), is);
  }

  struct Loose {
    Span span{};
    std::string where{};
  };
  struct Commit {
    std::int64_t number = 0;
    std::string where{}, path{};
  };
  Shared& shared_;
  std::vector<Loose> loose_{};                   // raw data since the last complete flush
  std::map<std::string, std::string> asked_{};   // sizes requested last, by path
  std::set<std::string> beyond_{};               // datasets with such chunks that were reported
  std::map<std::uint64_t, Commit> committed_{};  // headers of tables, since the last barrier
};

}  // namespace

std::unique_ptr<Watch> watch_append(Results& results, Shared& shared) {
  return std::make_unique<Append>(results, shared);
}

}  // namespace hepcheck::hdf5::trace
