// What a walk through the index of a dataset gives: chunks, totals, findings and the blocks it
// meets.
#pragma once

#include <cstdint>
#include <format>
#include <string>

#include "validator/formats/hdf5/chunk.h"
#include "validator/formats/hdf5/chunk_index.h"
#include "validator/formats/hdf5/extensible_array.h"
#include "validator/formats/hdf5/testing/zeros.h"

namespace hepcheck::hdf5::testing {

inline std::string walked(Zeros& zeros, const Dataset& dataset) {
  std::string text;
  const Chunks::Listener listen = [&](const Dataset&, const Chunk& chunk) {
    for (std::size_t d = 0; d < chunk.scaled.size(); ++d)
      text += std::format("{}{}", d == 0 ? ' ' : ',', chunk.scaled[d]);
    text += std::format(" @ {} + {} mask {:x}", chunk.address, chunk.size, chunk.mask);
  };
  Chunks chunks(zeros.file, dataset, nullptr, listen);
  zeros.file.totals = [&](std::uint64_t address, const EaTotals& totals) {
    text += std::format(" totals of {}: {}", address, totals.beyond_last);
  };
  const bool sound = walk_chunk_index(dataset, zeros.file, chunks);
  text += std::format(" | {}: {} chunks, {} inside, {} bytes;", sound ? "sound" : "not sound",
                      chunks.count(), chunks.inside(), chunks.stored_bytes());
  for (const Notes::Placed& each : zeros.notes.placed())
    text += std::format(" {} at {}: {};", each.clause, each.at.text(), each.observed);
  for (const Extent& each : zeros.file.extents.sorted())
    text += std::format(" {}+{}", each.address, each.size);
  return text;
}

}  // namespace hepcheck::hdf5::testing
