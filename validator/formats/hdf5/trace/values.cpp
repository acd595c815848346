// Section 4.1: the values that may be written under SWMR.
#include <algorithm>
#include <format>

#include "validator/formats/hdf5/trace/watch.h"

namespace hepcheck::hdf5::trace {

namespace {

constexpr unsigned kObject1 = 0, kStandard = 2;                                    // of a datatype
constexpr unsigned kNullElement = 0, kObject2 = 2, kRegion2 = 3, kAttribute2 = 4;  // of an element

class Values : public Watch {
 public:
  explicit Values(Results& results) : Watch(results) {}

  void swmr_begins(const Seen& now) override { there_ = now.objects(); }

  void write(const Step& step) override {
    if (!step.swmr) return;
    for (const Named& each : step.named) values(each.dataset, each.chunk, step);
    for (const DatasetSeen& dataset : step.after.datasets.all())
      for (const auto& [place, chunk] : dataset.chunks.all())
        if (chunk.span.meets(step.span)) values(dataset, chunk, step);
    // The end of the flush shows the owner.
    if (step.kind == "GCOL" && heap_.empty()) heap_ = step.where();
  }

  void barrier(std::string_view, const Seen&, const Image&, bool) override {
    if (!heap_.empty() && !told_)
      results_.fail("swmr-no-vlen-written", "/", heap_, "a collection of the global heap",
                    "no values in a heap, which has no write ordering");
    heap_.clear();
    told_ = false;
  }

 private:
  void once(const ClauseId& clause, const DatasetSeen& dataset, const Step& step,
            std::string observed, std::string expected) {
    told_ = true;
    if (charged_.insert({clause.str(), dataset.header}).second)
      results_.fail(clause, dataset.path, step.where(), std::move(observed), std::move(expected));
  }

  void values(const DatasetSeen& dataset, const ChunkSeen& chunk, const Step& step) {
    results_.looked("swmr-no-vlen-written");
    results_.looked("swmr-no-region-reference-written");
    if (dataset.variable_length)
      once("swmr-no-vlen-written", dataset, step, "variable-length values",
           "no values in a heap, which has no write ordering");
    if (dataset.heap_reference)
      once("swmr-no-region-reference-written", dataset, step, "references to regions or attributes",
           "no values in a heap, which has no write ordering");
    if (dataset.reference != kObject1 && dataset.references.empty()) return;
    if (dataset.filtered) {
      results_.not_checked("swmr-object-reference-target-exists",
                           dataset.path + ": its chunks are filtered");
      return;
    }
    if (dataset.element_size == 0 || chunk.span.end > step.image.size()) return;
    const std::string_view bytes =
        std::string_view(step.image).substr(chunk.span.begin, chunk.span.end - chunk.span.begin);
    for (std::size_t at = 0; at + dataset.element_size <= bytes.size();
         at += dataset.element_size) {
      if (dataset.reference == kObject1)
        target(number_at(bytes, at, step.after.offset_size), dataset, step);
      for (const std::uint32_t offset : dataset.references)
        element(bytes.substr(at)
                    .substr(0, dataset.element_size)
                    .substr(std::min<std::size_t>(offset, dataset.element_size)),
                dataset, step);
    }
  }

  void element(std::string_view bytes, const DatasetSeen& dataset, const Step& step) {
    const std::uint64_t kind = number_at(bytes, 0, 1);
    if (kind == kRegion2 || kind == kAttribute2)
      once("swmr-no-region-reference-written", dataset, step,
           kind == kRegion2 ? "a reference to a region" : "a reference to an attribute",
           "references to objects only");
    if (kind == kObject2) target(number_at(bytes, 3, step.after.offset_size), dataset, step);
  }

  void target(std::uint64_t address, const DatasetSeen& dataset, const Step& step) {
    results_.looked("swmr-object-reference-target-exists");
    const bool null = address == 0 || address == kUndefined;
    if (null || there_.contains(step.after.base + address)) return;
    once("swmr-object-reference-target-exists", dataset, step,
         std::format("a reference to address {}", address),
         "null, or an object that existed when SWMR writing began");
  }

  std::map<std::uint64_t, std::string> there_{};
  std::set<std::pair<std::string_view, std::uint64_t>> charged_{};
  std::string heap_{};
  bool told_ = false;
};

}  // namespace

std::unique_ptr<Watch> watch_values(Results& results, Shared&) {
  return std::make_unique<Values>(results);
}

}  // namespace hepcheck::hdf5::trace
