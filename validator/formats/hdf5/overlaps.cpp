#include "validator/formats/hdf5/overlaps.h"

#include <array>
#include <format>

#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

// A block, and the preceding one with the greatest end; null if there is none.
struct Neighbours {
  const Container& file;
  const Extent* before;
  const Extent& extent;
  bool silent = false;  // where another finding says so

  bool shared() const { return before && extent.address < before->end(); }
  bool raw() const {
    return file.extents.is_raw(extent) || (shared() && file.extents.is_raw(*before));
  }
};

void say(const Neighbours& it, Look& look) {
  look.looked();
  if (!it.shared() || it.silent) return;
  look.fail(0,
            std::format("{} bytes that share some with {} @ {}, of {} bytes", it.extent.size,
                        it.file.extents.kind(*it.before), it.file.base + it.before->address,
                        it.before->size),
            "bytes that no other block uses");
}

void metadata(const Neighbours& it, Look& look) {
  if (!it.raw()) say(it, look);
}

void chunks(const Neighbours& it, Look& look) {
  if (it.raw()) say(it, look);
}

bool broken(const Extent& extent, const Container& file) {
  return file.notes.broken_block(file.base + extent.address);
}

constexpr Rule<Neighbours> kOverlapsRules[] = {
    {"swmr-metadata-no-overlap", metadata},
    {"swmr-chunk-no-overlap", chunks},
};

}  // namespace

void overlap_rules(RuleList& list) { list.structure<kOverlapsRules>(); }

void judge_overlaps(Container& file,
                    const std::function<void(std::uint32_t object, const ClauseId& clause)>& tell) {
  const Extent* furthest = nullptr;
  std::array<const Extent*, 2> told{};  // the last block with a finding of each clause
  for (const Extent& extent : file.extents.sorted()) {
    Neighbours pair{file, furthest, extent};
    const std::size_t which = pair.raw() ? 1 : 0;
    // A block that reaches too far is one defect of a clause, however many it reaches into; and so
    // is one that is not what should be there.
    if (file.whole_format && pair.shared())
      pair.silent = told[which] == furthest || broken(extent, file) || broken(*furthest, file);
    file.notes.enter(extent.object);
    judge<kOverlapsRules>(pair, file.place(file.extents.kind(extent), extent.address), file.notes);
    if (pair.shared()) {
      told[which] = furthest;
      constexpr std::size_t kMost = 4'096;
      if (file.overlapping.size() < kMost)
        file.overlapping.insert({extent.address, furthest->address});
      const ClauseId& clause = kOverlapsRules[which].id;
      tell(extent.object, clause);
      tell(furthest->object, clause);
    }
    if (!furthest || extent.end() > furthest->end()) furthest = &extent;
  }
}

}  // namespace hepcheck::hdf5
