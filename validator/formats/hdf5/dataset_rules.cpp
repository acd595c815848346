// IV.A.2.h, IV.A.2.i, IV.A.2.l and IV.B: the messages of a dataset together.
#include "validator/formats/hdf5/dataset_rules.h"

#include <algorithm>
#include <format>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "validator/formats/hdf5/filter_rules.h"
#include "validator/formats/hdf5/profile.h"
#include "validator/formats/hdf5/rule.h"
#include "validator/integers.h"

namespace hepcheck::hdf5 {

namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

struct DatasetOf {
  const Dataset& dataset;
  std::uint64_t file_bytes;

  std::uint64_t elements() const { return dataset.space.elements(); }
  std::uint64_t bytes() const { return product(elements(), dataset.type.size); }
};

// --- External files -----------------------------------------------------------------------------

void efl_size(const DatasetOf& it, Look& look) {
  if (!it.dataset.files || !it.dataset.files->segments || it.bytes() == kUndefined) return;
  if (!it.dataset.type.sound) return;
  look.looked();
  if (it.dataset.files->bytes() < it.bytes())
    look.fail(0, std::format("{} bytes of external files", it.dataset.files->bytes()),
              std::format("{} or more, as dataspace and datatype require", it.bytes()));
}

void efl_layout(const DatasetOf& it, Look& look) {
  if (!it.dataset.external) return;
  look.looked();
  const DataLayout& layout = it.dataset.layout;
  if (layout.layout_class() != LayoutClass::kContiguous)
    look.fail(
        0, std::format("external files of a dataset that is {}", to_string(layout.layout_class())),
        "a contiguous layout");
  else if (layout.address != kUndefined)
    look.fail(0, "external files of a dataset with storage in this file",
              "an undefined address in the layout");
}

void efl_extendable_first(const DatasetOf& it, Look& look) {
  if (!it.dataset.external) return;
  look.looked();
  for (unsigned d = 1; d < it.dataset.rank(); ++d)
    if (it.dataset.space.maxima[d] != it.dataset.space.sizes[d])
      return look.fail(0, std::format("dimension {} of a dataset in external files can grow", d),
                       "only the first");
}

constexpr Rule<DatasetOf> kExternalRules[] = {
    {"h5-efl-size", efl_size},
    {"h5-efl-layout", efl_layout},
    {"h5-efl-extendable-first", efl_extendable_first},
};

// --- Sizes out of proportion --------------------------------------------------------------------

void risk_expansion(const DatasetOf& it, Look& look) {
  look.looked();
  if (it.bytes() > kGiB && it.bytes() > product(1'000, it.file_bytes))
    look.fail(0,
              it.bytes() == kUndefined ? std::string("more than 2^64 bytes of values")
                                       : std::format("{} bytes of values", it.bytes()),
              std::format("in proportion to a file of {} bytes", it.file_bytes));
}

void risk_chunk_tiny(const DatasetOf& it, Look& look) {
  constexpr std::uint64_t kSmallChunk = 4'096, kMany = 4'096;
  if (!it.dataset.layout.chunked()) return;
  look.looked();
  const std::uint64_t bytes = it.dataset.layout.chunk_bytes();
  if (const std::uint64_t chunks = chunks_of_extent(it.dataset);
      bytes < kSmallChunk && chunks > kMany)
    look.fail(0, std::format("{} chunks of {} bytes", chunks, bytes),
              "fewer chunks, or larger ones");
}

void risk_filter_many(const DatasetOf& it, Look& look) {
  constexpr std::size_t kMany = 8;
  if (!it.dataset.filtered()) return;
  look.looked();
  const std::span<const Filter> filters = it.dataset.filters.placed();
  const auto times = [&](std::uint16_t id) { return std::ranges::count(filters, id, &Filter::id); };
  if (filters.size() > kMany)
    look.fail(0, std::format("{} filters", filters.size()), "8 at most");
  else if (times(filter_id::kDeflate) > 1 || times(filter_id::kSzip) > 1)
    look.fail(0, "a compression that is applied twice", "each once");
}

constexpr Rule<DatasetOf> kSizeRules[] = {
    {"h5-risk-expansion", risk_expansion},
    {"h5-risk-chunk-tiny", risk_chunk_tiny},
    {"h5-risk-filter-many", risk_filter_many},
};

struct Expansion {
  std::uint64_t chunk, stored;
};

constexpr Rule kChunkExpansionRule("h5-risk-chunk-expansion", [](const Expansion& it, Look& look) {
  constexpr std::uint64_t kMostRatio = 1'032;  // that of one deflate
  look.looked();
  if (it.chunk > kGiB || it.chunk > product(kMostRatio, it.stored))
    look.fail(0, std::format("a chunk of {} bytes from {} stored", it.chunk, it.stored),
              "1 GiB at most, and 1,032 times the stored bytes");
});

}  // namespace

void dataset_rules(RuleList& list) {
  list.structure<kExternalRules, kSizeRules, kChunkExpansionRule>();
}

void judge_dataset(Dataset& dataset, const std::string& path, Container& file) {
  if (!file.whole_format || !dataset.space.whole) return;
  constexpr ClauseId kContiguous = "swmr-contiguous-size", kCompact = "swmr-compact-size";
  // Storage that does not hold the elements has its own clause.
  const ClauseSet& failed = file.notes.failed();
  if (failed[kContiguous.place()] || failed[kCompact.place()]) return;
  const bool counted = elements_hold(dataset.space, dataset.space_at, file.notes);
  if (dataset.known != Dataset::Known::kLayout) return;
  const DataLayout& layout = dataset.layout;
  const bool allocated =
      !dataset.external &&
      (layout.layout_class() == LayoutClass::kCompact ||
       (layout.layout_class() == LayoutClass::kContiguous && layout.address != kUndefined));
  if (counted && !allocated)
    bytes_hold(dataset.space, dataset.type.size, dataset.space_at, file.notes);
  const DatasetOf judged{dataset, file.file().size()};
  judge<kExternalRules>(judged, dataset.layout_at, file.notes);
  judge_each<kSizeRules>(judged, dataset.layout_at, file.notes);
  if (dataset.filtered() && dataset.filters.sound)
    dataset.filters.sound = judge_filters(dataset, dataset.filters_at, file);
  file.profile.filters(dataset.filters.placed(), path);
  if (!dataset.files) return;
  std::vector<Profile::Storage> pieces;
  for (const ExternalFiles::Slot& slot : dataset.files->slots)
    pieces.push_back({slot.name, slot.offset, slot.size});
  file.profile.external_storage(path, dataset.object, pieces);
}

void judge_expansion(const Dataset& dataset, std::uint64_t stored, const Place& at, Notes& notes) {
  judge<kChunkExpansionRule>(Expansion{dataset.layout.chunk_bytes(), stored}, at, notes);
}

}  // namespace hepcheck::hdf5
