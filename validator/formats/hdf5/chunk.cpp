#include "validator/formats/hdf5/chunk.h"

#include <format>
#include <string>

#include "validator/formats/hdf5/dataset_rules.h"
#include "validator/formats/hdf5/decode.h"
#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

struct ChunkOf {
  const Chunk& chunk;
  const Dataset& dataset;
  const Container& file;
  std::uint64_t bytes;  // as stated by the layout

  std::string name() const {
    std::string text = "the chunk at ";
    for (std::size_t d = 0; d < chunk.scaled.size(); ++d)
      text +=
          std::format("{}{}", d == 0 ? "" : ",", product(chunk.scaled[d], dataset.layout.chunk[d]));
    return text;
  }
};

void inside_maximum(const ChunkOf& it, Look& look) {
  look.looked();
  for (unsigned d = 0; d < it.dataset.rank(); ++d)
    if (it.chunk.scaled[d] >= most_chunks(it.dataset, d))
      return look.fail(0, it.name(),
                       std::format("chunks inside the maximum {} of dimension {}",
                                   it.dataset.space.maxima[d], d));
}

void size_positive(const ChunkOf& it, Look& look) {
  look.looked();
  if (it.chunk.size == 0)
    look.fail(0, it.name() + " with an address and 0 bytes", "a size above 0");
}

void size_unfiltered(const ChunkOf& it, Look& look) {
  const bool edge = (it.dataset.layout.flags & DataLayout::kEdgeChunksUnfiltered) != 0 &&
                    it.dataset.filtered() && over_the_edge(it.dataset, it.chunk);
  if (it.dataset.index() != IndexType::kTree1 || it.dataset.filtered())
    if (!edge) return;
  look.looked();
  if (it.chunk.size != it.bytes)
    look.fail(0, std::format("{} with {} bytes", it.name(), it.chunk.size),
              std::format("{}, as it is not filtered", it.bytes));
}

void inside_file(const ChunkOf& it, Look& look) {
  look.looked();
  if (!it.file.inside(it.chunk.address, it.chunk.size))
    look.fail(0,
              std::format("{}: {} bytes at address {}", it.name(), it.chunk.size, it.chunk.address),
              std::format("a chunk that ends by {}, the end of the file", it.file.end));
}

void mask(const ChunkOf& it, Look& look) {
  look.looked();
  const std::size_t filters = it.dataset.filters.list.size();
  if (filters < 32 && it.chunk.mask >> filters != 0)
    look.fail(
        0, std::format("{} with the mask {:#x} for {} filters", it.name(), it.chunk.mask, filters),
        "bits of existing filters only");
}

void inside_the_extent(const ChunkOf& it, Look& look) {
  look.looked();
  if (!inside_extent(it.dataset, it.chunk))
    look.fail(0, it.name(), "chunks that begin inside the size of the dataset",
              "Rows were truncated, or an append was not completed; readers do not see the chunk.");
}

constexpr Rule<ChunkOf> kChunkRules[] = {
    {"swmr-chunk-inside-maximum", inside_maximum},
    {"swmr-chunk-size-unfiltered", size_unfiltered},
    {"swmr-chunk-size-positive", size_positive},
    {"swmr-chunk-inside-file", inside_file},
    {"swmr-chunk-mask", mask},
    {"swmr-chunk-inside-extent", inside_the_extent},
};

struct Complete {
  std::uint64_t named, wanted;
};

constexpr Rule kEarlyRule("swmr-early-allocation-complete", [](const Complete& it, Look& look) {
  look.looked();
  if (it.named < it.wanted)
    look.fail(0, std::format("{} chunks of {}", it.named, it.wanted),
              "all of them, because space is allocated early");
});

}  // namespace

void chunk_rules(RuleList& list) { list.structure<kChunkRules, kEarlyRule>(); }

bool inside_extent(const Dataset& dataset, const Chunk& chunk) {
  for (unsigned d = 0; d < dataset.rank(); ++d)
    if (product(chunk.scaled[d], dataset.layout.chunk[d]) >= dataset.space.sizes[d]) return false;
  return true;
}

bool over_the_edge(const Dataset& dataset, const Chunk& chunk) {
  for (unsigned d = 0; d < dataset.rank(); ++d)
    if (product(sum(chunk.scaled[d], 1), dataset.layout.chunk[d]) > dataset.space.sizes[d])
      return true;
  return false;
}

bool Chunks::take(const Chunk& chunk) {
  ++count_;
  inside_ += inside_extent(dataset_, chunk);
  if (listened()) show(chunk);
  if (file_.may_be_elsewhere(chunk.address, chunk.size)) return false;
  if (!judge<kChunkRules>(ChunkOf{chunk, dataset_, file_, bytes_}, chunk.at, file_.notes))
    return false;
  stored_ += chunk.size;
  if (file_.whole_format && (dataset_.filtered() || bytes_ > std::uint64_t{1} << 30))
    judge_expansion(dataset_, chunk.size, chunk.at, file_.notes);
  // An entry that is not a chunk may be one elsewhere.
  if (decoder_ && !decoder_->take(chunk)) return false;
  if (!file_.for_values) file_.extents.add_raw(chunk.address, chunk.size, dataset_.object);
  return true;
}

void Chunks::take_all(std::uint64_t count, std::uint64_t address, std::uint64_t size) {
  count_ = inside_ = count;
  stored_ = size;
  if (!file_.for_values) file_.extents.add_raw(address, size, dataset_.object);
}

void judge_early_allocation(const Dataset& dataset, std::uint64_t inside, const Place& at,
                            Container& file) {
  if (dataset.fill && dataset.fill->early())
    judge<kEarlyRule>(Complete{inside, chunks_of_extent(dataset)}, at, file.notes);
}

}  // namespace hepcheck::hdf5
