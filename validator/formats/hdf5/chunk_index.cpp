#include "validator/formats/hdf5/chunk_index.h"

#include <array>
#include <format>

#include "validator/formats/hdf5/array_elements.h"
#include "validator/formats/hdf5/chunk_tree1.h"
#include "validator/formats/hdf5/chunk_tree2.h"
#include "validator/formats/hdf5/extensible_array.h"
#include "validator/formats/hdf5/fixed_array.h"
#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

struct Implicit {
  const Container& file;
  std::uint64_t address, size;
};

constexpr Rule kImplicitRule("swmr-implicit-inside-file", [](const Implicit& it, Look& look) {
  look.looked();
  if (!it.file.inside(it.address, it.size))
    look.fail(0,
              it.size == kUndefined
                  ? std::format("chunks at address {}, outside any possible file", it.address)
                  : std::format("{} bytes of chunks at address {}", it.size, it.address),
              std::format("chunks that end by {}, the end of the file", it.file.end));
});

// The chunks of the maximum extent are adjacent; those of the current extent exist.
bool walk_implicit(const Dataset& dataset, Container& file, Chunks& chunks) {
  const std::uint64_t address = dataset.layout.address, bytes = chunks.chunk_bytes();
  const std::uint64_t size = product(most_chunks_of_all(dataset), bytes);
  if (!judge<kImplicitRule>(Implicit{file, address, size}, dataset.layout_at, file.notes))
    return false;
  chunks.take_all(chunks_of_extent(dataset), address, size);
  if (!chunks.listened()) return true;
  Numbering numbering(dataset);
  const std::uint64_t most = most_chunks_of_all(dataset);
  for (std::uint64_t number = 0; number < most; ++number, numbering.next()) {
    const Chunk chunk{.scaled = numbering.scaled(),
                      .address = address + number * bytes,
                      .size = bytes,
                      .at = file.place("chunks", address, number * bytes)};
    if (inside_extent(dataset, chunk)) chunks.show(chunk);
  }
  return true;
}

bool walk_single(const Dataset& dataset, Chunks& chunks) {
  const DataLayout& layout = dataset.layout;
  const std::array<std::uint64_t, kMostDimensions> zeros{};
  Chunk chunk{.scaled = std::span(zeros).first(dataset.rank()),
              .address = layout.address,
              .size = chunks.chunk_bytes(),
              .at = dataset.layout_at};
  if (dataset.filtered()) {
    chunk.size = layout.stored_size;
    chunk.mask = layout.mask;
  }
  chunks.take(chunk);
  return true;
}

bool walk(const Dataset& dataset, Container& file, Chunks& chunks) {
  if (dataset.layout.address == kUndefined) return true;
  switch (dataset.index()) {
    case IndexType::kTree1: return walk_tree1(dataset, file, chunks);
    case IndexType::kSingle: return walk_single(dataset, chunks);
    case IndexType::kImplicit: return walk_implicit(dataset, file, chunks);
    case IndexType::kFixedArray: return walk_fixed_array(dataset, file, chunks);
    case IndexType::kExtensibleArray: return walk_extensible_array(dataset, file, chunks);
    case IndexType::kTree2: return walk_chunk_tree2(dataset, file, chunks);
  }
  return false;
}

}  // namespace

void implicit_rules(RuleList& list) { list.structure<kImplicitRule>(); }

bool walk_chunk_index(const Dataset& dataset, Container& file, Chunks& chunks) {
  const bool sound = walk(dataset, file, chunks);
  if (sound) judge_early_allocation(dataset, chunks.inside(), dataset.layout_at, file);
  return sound;
}

}  // namespace hepcheck::hdf5
