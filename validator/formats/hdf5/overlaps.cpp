#include "validator/formats/hdf5/overlaps.h"

#include <format>

#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

// A block, and the preceding one with the greatest end; null if there is none.
struct Neighbours {
  const Container& file;
  const Extent* before;
  const Extent& extent;

  bool shared() const { return before && extent.address < before->end(); }
  bool raw() const {
    return file.extents.is_raw(extent) || (shared() && file.extents.is_raw(*before));
  }
};

void say(const Neighbours& it, Look& look) {
  look.looked();
  if (!it.shared()) return;
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

constexpr Rule<Neighbours> kOverlapsRules[] = {
    {"swmr-metadata-no-overlap", metadata},
    {"swmr-chunk-no-overlap", chunks},
};

}  // namespace

void overlap_rules(RuleList& list) { list.structure<kOverlapsRules>(); }

void judge_overlaps(Container& file,
                    const std::function<void(std::uint32_t object, const ClauseId& clause)>& tell) {
  const Extent* furthest = nullptr;
  for (const Extent& extent : file.extents.sorted()) {
    const Neighbours pair{file, furthest, extent};
    file.notes.enter(extent.object);
    judge<kOverlapsRules>(pair, file.place(file.extents.kind(extent), extent.address), file.notes);
    if (pair.shared()) {
      const ClauseId& clause = kOverlapsRules[pair.raw() ? 1 : 0].id;
      tell(extent.object, clause);
      tell(furthest->object, clause);
    }
    if (!furthest || extent.end() > furthest->end()) furthest = &extent;
  }
}

}  // namespace hepcheck::hdf5
