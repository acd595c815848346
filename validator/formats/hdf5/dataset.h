// A dataset as described by the valid part of its header.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "validator/formats/hdf5/dataspace.h"
#include "validator/formats/hdf5/datatype.h"
#include "validator/formats/hdf5/fill.h"
#include "validator/formats/hdf5/filters.h"
#include "validator/formats/hdf5/layout.h"

namespace hepcheck::hdf5 {

struct Dataset {
  std::uint32_t object = 0;
  std::uint8_t header_version = 0;
  bool external = false;  // its values are in other files
  // How far it is valid: not at all, to its datatype, to its layout, or completely.
  enum class Known : std::uint8_t { kHeader, kType, kLayout } known = Known::kHeader;
  Dataspace space{};
  Datatype type{};
  std::optional<Fill> fill{};
  Filters filters{};
  DataLayout layout{};
  Place layout_at{};  // of the message

  unsigned rank() const { return space.rank; }
  bool filtered() const { return !filters.list.empty(); }
  std::span<const std::uint64_t> chunk() const { return layout.chunk_sizes(); }
  // The storage of the index: a version 1 tree, or the kind in the layout.
  IndexType index() const { return layout.version < 4 ? IndexType::kTree1 : layout.index(); }
};

// The maximum number of chunks along a dimension; kUndefined if it is unlimited.
std::uint64_t most_chunks(const Dataset& dataset, unsigned dimension);
// The product over all dimensions, except `but`; kUndefined if it exceeds 64 bits.
std::uint64_t most_chunks_of_all(const Dataset& dataset, unsigned but = ~0U);
// Chunks that begin inside the current extent.
std::uint64_t chunks_of_extent(const Dataset& dataset);

}  // namespace hepcheck::hdf5
