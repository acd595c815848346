// The dataspace message: the current and the maximum size of a dataset.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

constexpr unsigned kMostDimensions = 32;

struct Dataspace {
  std::uint8_t version = 0, rank = 0, flags = 0, type = 0;
  bool whole = false;         // the message is complete
  bool reserved = false;      // reserved bytes are not zero
  std::uint64_t encoded = 0;  // bytes of the message that are used
  // One for each dimension. kUndefined means no maximum.
  std::array<std::uint64_t, kMostDimensions> sizes{}, maxima{};

  std::span<const std::uint64_t> size() const { return std::span(sizes).first(rank); }
  std::span<const std::uint64_t> maximum() const { return std::span(maxima).first(rank); }
  bool null() const { return version == 2 && type == 2; }
  // The product of the sizes; kUndefined if it exceeds 64 bits.
  std::uint64_t elements() const;
  unsigned unlimited() const;  // dimensions without a maximum
  bool can_grow() const;
};

Dataspace parse_dataspace(const Region& message, unsigned length_size);
// None if it is refused.
std::optional<Dataspace> read_dataspace(const Region& message, Container& file);
// Whether its elements, and the bytes of a dataset with elements of that size, can be counted. Not
// for those whose storage is known to hold them.
bool elements_hold(const Dataspace& space, const Place& at, Notes& notes);
bool bytes_hold(const Dataspace& space, std::uint32_t type_size, const Place& at, Notes& notes);

}  // namespace hepcheck::hdf5
