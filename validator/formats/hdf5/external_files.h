// The list of external files, which hold the values of a dataset.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

struct ExternalFiles {
  struct Slot {
    std::uint64_t name_at = 0;  // in the heap
    std::string name{};
    std::uint64_t offset = 0, size = 0;  // size kUndefined: without a limit
  };
  std::uint8_t version = 0;
  bool reserved = false;  // reserved bytes are not zero
  std::uint16_t allocated = 0, used = 0;
  std::uint64_t heap = kUndefined;
  bool whole = false;
  std::vector<Slot> slots{};
  bool segments = true;  // the pieces are sound
  Place at{};

  // All bytes; kUndefined if there is no limit, or the sum exceeds 64 bits.
  std::uint64_t bytes() const;
};

// None if it is refused.
std::optional<ExternalFiles> read_external_files(const Region& message, Container& file);
// Bytes of the message that are used.
std::uint64_t encoded_external_files(const Region& message, const Container& file);

}  // namespace hepcheck::hdf5
