// The data layout message: versions 1 to 5.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/dataspace.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

enum class LayoutClass : std::uint8_t { kCompact, kContiguous, kChunked, kVirtual };
enum class IndexType : std::uint8_t {
  kTree1,  // versions 1 to 3 have no other
  kSingle,
  kImplicit,
  kFixedArray,
  kExtensibleArray,
  kTree2,
};
std::string_view to_string(LayoutClass layout_class);
std::string_view to_string(IndexType type);  // "extensible array"

struct DataLayout {
  static constexpr std::uint8_t kEdgeChunksUnfiltered = 1, kSingleFiltered = 2;

  std::uint8_t version = 0, class_byte = 0;
  bool whole = false;                  // the message is complete
  std::uint64_t address = kUndefined;  // of the index, or of the values
  std::uint64_t size = 0;              // of the values: compact; contiguous from version 3 on

  // Chunked, and all classes in versions 1 and 2:
  std::uint8_t dimensionality = 0;  // the rank plus one
  std::array<std::uint64_t, kMostDimensions + 1>
      chunk{};  // in elements; the last: bytes of one element
  // Chunked, versions 4 and 5:
  std::uint8_t flags = 0, width = 0, index_byte = 0;
  std::uint64_t stored_size = 0;  // of a single filtered chunk
  std::uint32_t mask = 0;
  std::uint8_t max_bits = 0, index_elements = 0, min_pointers = 0, min_elements = 0, page_bits = 0;
  std::uint32_t node_size = 0;
  std::uint8_t split = 0, merge = 0;
  std::uint32_t heap_index = 0;  // virtual: of the mappings in their collection
  Region compact{};              // the values; of the message, valid as long as that
  bool reserved = false;         // reserved bytes are not zero (versions 1 and 2)
  std::uint64_t encoded = 0;     // bytes of the message that are used

  LayoutClass layout_class() const { return static_cast<LayoutClass>(class_byte); }
  bool chunked() const { return layout_class() == LayoutClass::kChunked; }
  IndexType index() const { return static_cast<IndexType>(index_byte); }
  // For a valid chunked layout.
  std::span<const std::uint64_t> chunk_sizes() const {
    return std::span(chunk).first(dimensionality - 1U);
  }
  std::uint64_t chunk_bytes() const;
};

// The other properties that a layout must match.
struct LayoutContext {
  const Dataspace& space;
  std::uint32_t type_size;
  bool type_sound;
  bool filtered;
  bool early;     // space is allocated when the dataset is created
  bool external;  // the values are in other files
  const Container& file;
};

DataLayout parse_layout(const Region& message, const Container& file);
// None if it is refused.
std::optional<DataLayout> read_layout(const Region& message, const LayoutContext& context,
                                      Container& file);

}  // namespace hepcheck::hdf5
