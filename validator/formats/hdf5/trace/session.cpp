// Section 4: the operations during SWMR writing.
#include <algorithm>
#include <format>
#include <unordered_set>

#include "validator/formats/hdf5/trace/watch.h"

namespace hepcheck::hdf5::trace {

namespace {

class Session : public Watch {
 public:
  Session(Results& results, Shared& shared) : Watch(results), shared_(shared) {}

  void swmr_begins(const Seen& now) override {
    swmr_ = true;
    for (const auto& [header, path] : now.objects()) known_.insert(header);
    all_known_ = now.paths;
  }

  // An operation of a program is reported once, by its call; without calls, by its effect on the
  // file.
  void event(const Event& event, const Seen& now) override {
    if (!swmr_ || event.kind != Event::Kind::kCall) return;
    if (!now.swmr() && now.version == 3) return;
    constexpr std::string_view kStructural[] = {"create", "link", "move", "attribute-create",
                                                "attribute-delete"};
    const std::string_view verb = hepcheck::trace::verb_of(event.data);
    if (std::ranges::contains(kStructural, verb)) {
      shared_.structural = event.data;
      // For an attribute, its name and value precede the path.
      const unsigned words = verb.starts_with("attribute-") ? 3 : 1;
      results_.fail("swmr-append-only",
                    std::string(hepcheck::trace::behind_words(event.data, words)),
                    std::format("record {}", event.record), "the call: " + std::string(event.data),
                    "only appends to existing datasets");
    } else if (verb == "delete") {
      shared_.structural = event.data;
    }
  }

  void write(const Step& step) override {
    if (!step.swmr) return;
    results_.looked("swmr-append-only");
    results_.looked("swmr-no-deletion");
    // The contents of unreadable parts are unknown.
    if (step.fresh.empty() && step.after.readable) objects(step);
    std::uint64_t looked = 0;
    each_dataset(step.after.datasets, step.before.datasets,
                 [&](const DatasetSeen& dataset, const DatasetSeen* before) {
                   if (!before || !dataset.described || !before->described) return;
                   ++looked;
                   if (before != &dataset) sizes(dataset, *before, step);
                 });
    results_.looked("swmr-no-shrinking", looked);
  }

 private:
  void sizes(const DatasetSeen& dataset, const DatasetSeen& before, const Step& step) {
    for (std::size_t d = 0; d < std::min(dataset.sizes.size(), before.sizes.size()); ++d)
      if (dataset.sizes[d] < before.sizes[d])
        results_.fail(
            "swmr-no-shrinking", dataset.path, step.where(),
            std::format("dimension {} from {} to {}", d, before.sizes[d], dataset.sizes[d]),
            "sizes that never decrease");
  }

  void objects(const Step& step) {
    if (step.after.paths == all_known_ && step.after.paths == step.before.paths) return;
    for (const auto& [header, path] : step.after.objects())
      if (known_.insert(header).second && shared_.structural.empty())
        results_.fail("swmr-append-only", path, step.where(), "an object that was not there before",
                      "only appends to existing datasets");
    all_known_ = step.after.paths;
    for (const auto& [header, path] : step.before.objects())
      if (!step.after.objects().contains(header))
        results_.fail("swmr-no-deletion", path, step.where(),
                      "an object that is not reachable any more", "objects that stay");
  }

  Shared& shared_;
  bool swmr_ = false;
  std::unordered_set<std::uint64_t> known_{};  // existing objects, by header
  std::shared_ptr<const Paths> all_known_{};   // a subset of those
};

}  // namespace

std::unique_ptr<Watch> watch_session(Results& results, Shared& shared) {
  return std::make_unique<Session>(results, shared);
}

}  // namespace hepcheck::hdf5::trace
