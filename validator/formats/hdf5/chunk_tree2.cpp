#include "validator/formats/hdf5/chunk_tree2.h"

#include <algorithm>
#include <array>
#include <format>
#include <utility>

#include "validator/formats/hdf5/array_elements.h"
#include "validator/formats/hdf5/btree2.h"
#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

struct RecordOf {
  std::span<const std::uint64_t> scaled, before;  // before: of the previous record; empty at first
  std::uint64_t address;
};

std::string text(std::span<const std::uint64_t> scaled) {
  std::string all;
  for (const std::uint64_t each : scaled) all += std::format("{}{}", all.empty() ? "" : ",", each);
  return all;
}

void record_order(const RecordOf& it, Look& look) {
  look.looked();
  if (!it.before.empty() && !std::ranges::lexicographical_compare(it.before, it.scaled))
    look.fail(0,
              std::format("the record of chunk {} after that of chunk {}", text(it.scaled),
                          text(it.before)),
              "chunks that ascend, counted in chunks");
}

void record_address(const RecordOf& it, Look& look) {
  look.looked();
  if (it.address == kUndefined)
    look.fail(0, std::format("an undefined address of chunk {}", text(it.scaled)), "an address");
}

constexpr Rule<RecordOf> kChunkTree2Rules[] = {
    {"swmr-btree2-record-order", record_order},
    {"swmr-btree2-record-address", record_address},
};

class Records {
 public:
  Records(const Dataset& dataset, Container& file, Chunks& chunks)
      : dataset_(dataset), file_(file), chunks_(chunks), width_(stored_size_width(dataset, file)) {}

  Tree2Wanted wanted() const {
    const DataLayout& layout = dataset_.layout;
    const bool filtered = dataset_.filtered();
    return {.type = filtered ? Tree2Type::kFilteredChunks : Tree2Type::kChunks,
            .record_size = file_.offset_size + (filtered ? width_ + 4U : 0U) +
                           8 * std::uint64_t{dataset_.rank()},
            .parameters = Tree2Wanted::Parameters{layout.node_size, layout.split, layout.merge}};
  }

  // After a record that is out of order, the contents are unknown: it ends the index.
  bool take(const Region& record) {
    if (!ordered_) return false;
    Cursor read(record);
    Chunk chunk{.size = chunks_.chunk_bytes(), .at = record.place};
    chunk.address = read.address(file_.offset_size, "address");
    if (dataset_.filtered()) {
      chunk.size = read.number(width_, "size");
      chunk.mask = read.u32("mask");
    }
    for (unsigned d = 0; d < dataset_.rank(); ++d) scaled_[d] = read.u64("scaled offset");
    chunk.scaled = std::span(scaled_).first(dataset_.rank());
    const RecordOf record_of{chunk.scaled, std::span(before_).first(any_ ? dataset_.rank() : 0U),
                             chunk.address};
    ordered_ = judge<kChunkTree2Rules>(record_of, record.place, file_.notes);
    if (!ordered_) return false;
    // An invalid record is not compared with the next.
    if (!chunks_.take(chunk)) return true;
    before_ = scaled_;
    any_ = true;
    return true;
  }

 private:
  const Dataset& dataset_;
  Container& file_;
  Chunks& chunks_;
  unsigned width_;
  std::array<std::uint64_t, kMostDimensions> scaled_{}, before_{};
  bool any_ = false, ordered_ = true;
};

}  // namespace

void chunk_tree2_rules(RuleList& list) { list.structure<kChunkTree2Rules>(); }

bool walk_chunk_tree2(const Dataset& dataset, Container& file, Chunks& chunks) {
  Records records(dataset, file, chunks);
  return walk_tree2(dataset.layout.address, records.wanted(), file,
                    [&](const Region& record) { return records.take(record); });
}

}  // namespace hepcheck::hdf5
